"""Decks of Spellcaster: what is read, what is refused and with which sentence, and what cards say."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spellheist.core import record
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE
from spellheist.games.spellcaster import deck, language, words
from spellheist.games.spellcaster.rules import CARDS, CLAUSES, EACH, State
from spellheist.games.spellcaster.test_rules import at, changed
from spellheist.laws.check import Variant, Walker

STANDARD = deck.STANDARD.read_text(encoding="utf-8")
HERE = Path(__file__).with_name("test_cards.toml").read_text(encoding="utf-8")
EVERY_WORD = {**language.WORDS, **language.PRICES, **language.OFFERS}

SENTENCES = {
    "Blood Bargain": "Pay 1 energy: do 2 damage. Draw 1 card.",
    "Burning Lance": "Do 3 damage. Your rival draws 1 card.",
    "Burning Page": "Pay 1 card: do 2 damage.",
    "Ember Dart": "Do 1 damage. Draw 1 card.",
    "Encircle": "Do 1 damage for each pile that faces you.",
    "Flicker Strike": "Do 1 damage. Take 1 more action this turn. Your rival gains 1 sapphire.",
    "Gemfire": "Pay 2 sapphires: do 4 damage. Your rival gains 1 sapphire.",
    "Scorched Notes": "Do 2 damage. Each mage draws 1 card.",
    "Sparks to Spare": "Do 1 damage. You may pay 1 sapphire; if you do, start this spell again.",
    "Ultimatum": "Do 2 damage, unless your rival discards 1 card.",
    "Weight of Thought": "Do 1 damage for each card in your rival's hand.",
    "Circling Crows": "Do 1 damage, unless your rival discards 1 card.",
    "Cursed Blade": "Do 2 damage. Lose 1 energy.",
    "Pyre": "You may pay 1 card; if you do, do 1 damage.",
    "Slow Burn": "Do 1 damage. Your rival draws 1 card.",
    "Borrowed Breath": "Gain 1 energy for each card in your rival's hand.",
    "Crystal Tonic": "Gain 2 energy. Gain 1 sapphire. Each mage draws 1 card.",
    "Ground Gems": "Pay 1 sapphire: gain 5 energy.",
    "Herb Satchel": "Pay 1 card: gain 4 energy.",
    "Leech": "Take 1 energy from your rival. Each mage draws 1 card.",
    "Long Sleep": "Gain 6 energy. Your rival draws 2 cards.",
    "Morning Walk": "Gain 2 energy. Draw 1 card.",
    "Plea for Mercy": "Gain 6 energy, unless your rival pays 2 sapphires.",
    "Second Wind": "Gain 1 energy. Take 1 more action this turn.",
    "Sunwheel": "Gain 1 energy for each pile that faces you. Gain 1 energy.",
    "Warm Broth": "Gain 4 energy. Your rival gains 1 sapphire.",
    "Bitter Root": "Gain 3 energy. Discard 1 card.",
    "Hearth Glow": "Gain 2 energy. Each mage draws 1 card.",
    "Shared Spring": "Gain 4 energy. Your rival gains 2 energy.",
    "Vampire Vine": "Take 1 energy from your rival. Your rival gains 1 sapphire.",
    "Blood Diamonds": "Pay 2 energy: gain 3 sapphires. Your rival draws 1 card.",
    "Four Facets": "Gain 1 sapphire for each pile that faces you. Your rival draws 1 card.",
    "Gem Cutter": "Gain 1 sapphire. Your rival loses 1 sapphire.",
    "Glint": "Gain 2 sapphires. Your rival gains 2 energy.",
    "Grand Theft": "Pay 1 card: steal 1 sapphire. Your rival loses 1 sapphire. Your rival draws 1 card.",
    "Hammer and Glass": "Your rival loses 2 sapphires. Each mage draws 1 card.",
    "Pawnbroker": "Pay 1 card: gain 2 sapphires.",
    "Pickpocket": "Steal 1 sapphire. Each mage draws 1 card.",
    "Rich Vein": "Gain 3 sapphires. Your rival draws 2 cards.",
    "Rough Stones": "Gain 3 sapphires. Your rival gains 1 sapphire. Your rival draws 1 card.",
    "Smelting": "You may pay 3 energy; if you do, gain 1 sapphire, then start this spell again.",
    "Tribute": "Gain 3 sapphires, unless your rival pays 2 energy.",
    "Dripping Cave": "Gain 3 sapphires. Your rival gains 2 sapphires.",
    "Moths of Dust": "Your rival loses 1 sapphire.",
    "Slow Crystal": "Gain 1 sapphire. Your rival gains 1 energy.",
    "Borrowed Tongue": "Use the incantation on top of a pile that does not face you. Each mage draws 1 card.",
    "Hourglass": "Pay 1 card: take 2 more actions this turn. Your rival draws 1 card.",
    "Light Fingers": "Take 1 card at random from your rival's hand. Take 1 more action this turn. Your rival draws 1 card.",
    "Mind Reader": "Look at your rival's hand and take 2 cards of your choice. Your rival draws 2 cards.",
    "Open Threat": "Draw 2 cards, unless your rival discards 1 card.",
    "Raven's Eye": "Look at your rival's hand. Draw 2 cards.",
    "Second Thoughts": "Take the top card of a pile that faces you into your hand. Draw 1 card. Take 1 more action this "
    "turn.",
    "Silence": "Discard an enchantment on top of a pile that does not face you. Each mage draws 1 card. Take 1 more "
    "action this turn.",
    "Tide of Pages": "Choose: each mage draws 2 cards, or each mage loses 2 cards.",
    "Turncoat": "Turn the top card of a pile that does not face you, to face you. Each mage draws 1 card.",
    "Unlearning": "Your rival discards 1 card at random. Take 1 more action this turn.",
    "Vanish": "Discard the top card of a pile that does not face you. Draw 1 card.",
    "Book Mites": "Each rival discards 1 card.",
    "Haste": "Take 1 more action this turn. Your rival gains 1 energy.",
    "Library": "Draw 2 cards. Your rival draws 1 card.",
}


def row(effect):
    numbers = [number for clause in effect for number in clause]
    return numbers + [0] * (2 * CLAUSES - len(numbers))


def sentence(effect, seats=2, kind=0):
    return language.sentence(row(deck.effect(effect, kind)), seats)


def swapped(old, new):
    """The deck of the rule tests with one change, and the number of the line that changed."""
    assert HERE.count(old) >= 1
    return HERE.replace(old, new, 1), 1 + HERE[: HERE.index(old)].count("\n")


# The standard deck.


def test_the_standard_deck_has_sixty_different_cards_and_about_a_quarter_enchantments():
    cards = deck.standard()
    assert len({card.name.lower() for card in cards}) == len({(card.effect, card.kind) for card in cards}) == CARDS
    assert Counter(card.colour for card in cards) == dict.fromkeys(range(4), EACH)
    assert 12 <= sum(card.kind for card in cards) <= 18
    for colour in range(4):
        assert {card.kind for card in cards if card.colour == colour} == {0, 1}


def test_the_standard_deck_has_every_family_of_effects():
    used = {word % 64 for card in deck.standard() for word, _ in card.effect}
    families = [
        ["damage"], ["energy"], ["sapphires"], ["steal"], ["shatter"], ["rival discards", "each rival discards", "strip"],
        ["look"], ["take", "take chosen"], ["draw"], ["actions"], ["dispel", "banish"], ["turn"], ["use"],
        ["rival draws", "rival energy", "rival sapphires"], ["pay energy", "may pay energy"],
        ["pay sapphires", "may pay sapphires"], ["pay cards", "may pay cards"],
    ]  # fmt: skip
    for family in families:
        assert any(EVERY_WORD[word].number in used for word in family), family


def test_every_colour_has_cards_with_and_without_a_price():
    for colour in range(4):
        words_first = {card.effect[0][0] for card in deck.standard() if card.colour == colour}
        assert any(1 <= word <= 3 for word in words_first)
        assert any(word > 3 for word in words_first)


def test_the_file_and_the_page_say_that_the_deck_is_our_own_design():
    assert "our own design" in STANDARD
    assert "our own design" in find("spellcaster").page


def test_every_card_of_the_standard_deck_says_this():
    said = {card.name: language.sentence(row(card.effect), 2) for card in deck.standard()}
    assert said == SENTENCES


def test_the_page_shows_every_card_and_every_word_as_they_are():
    page = find("spellcaster").page
    for card in deck.standard():
        colour, kind = deck.COLOURS[card.colour], deck.KINDS[card.kind]
        assert f"| {card.name} | {colour} | {kind} | {SENTENCES[card.name]} |\n" in page
    rows = re.findall(r"^\| `([a-z ]+)` \| (none|1 to \d) \| `(.+)` \| (.+) \|$", page, re.M)
    known = {**EVERY_WORD, **{f"unless {phrase}": word for phrase, word in language.FINES.items()}}
    assert {word for word, *_ in rows} == {*known, "or"}
    for word, amount, example, said in rows:
        assert sentence(example) == said
        assert word.split()[0] in example
        if word != "or":
            assert amount == (f"1 to {known[word].most}" if known[word].most else "none")


@pytest.mark.parametrize(
    ("effect", "three", "four"),
    [
        ("damage 3, rival draws 1", "Do 3 damage. The next rival draws 1 card.", None),
        (
            "damage per card 1",
            "Do 1 damage for each card in all rival hands.",
            "Do 1 damage for each card in the bigger rival hand.",
        ),
        ("draw 2 unless rival discards 1", "Draw 2 cards, unless the next rival discards 1 card.", None),
        ("shatter 1", "The other side loses 1 sapphire.", None),
        ("each mage draws 2", "The solo mage draws 2 cards, each mage of the team 1.", "Each mage draws 2 cards."),
        ("each mage draws 1", "Each mage draws 1 card.", None),
        ("each mage loses 1", "Each mage loses 1 card.", None),
        ("banish 2", "2 times, discard the top card of a pile that does not face you.", None),
        (
            "damage 1, may pay cards 2, draw 1, energy 2",
            "Do 1 damage. You may pay 2 cards; if you do, draw 1 card, then gain 2 energy.",
            None,
        ),
        ("pay energy 1, damage 1, draw 1", "Pay 1 energy: do 1 damage. Draw 1 card.", None),
        ("drain 2 or steal 1", "Choose: take 2 energy from the other side, or steal 1 sapphire.", None),
    ],
)
def test_sentences_fit_the_number_of_mages(effect, three, four):
    assert sentence(effect, 3) == three
    assert sentence(effect, 4) == (four or three)


# What is read.


def test_the_tables_fit_the_state_and_keep_the_order_of_colours():
    fields = deck.fields("standard")
    for name, value in fields.items():
        field = State.fields[name]
        numbers = [number for part in value for number in (part if isinstance(part, list) else [part])]
        assert all(field.low <= number <= field.high for number in numbers)
    assert fields["enchantments"][0] == 0b111100000000000


def test_the_same_cards_in_another_order_give_the_same_tables():
    lines = [line for line in STANDARD.split("\n") if line.strip().startswith("{")]
    random = Random(1)
    for _ in range(5):
        random.shuffle(lines)
        text = "card = [\n" + "\n".join(lines) + "\n]\n"
        assert deck.fields(text) == deck.fields("standard")


def test_cards_may_be_written_as_tables_of_their_own():
    text = re.sub(r" *\{ (.*) \},", lambda found: "[[card]]\n" + re.sub(r'", ', '"\n', found[1]), STANDARD)
    text = text.replace("card = [", "").replace("\n]\n", "\n")
    assert text.count("[[card]]") == CARDS
    assert deck.fields(text) == deck.fields("standard")


def test_what_is_shown_reads_back_as_the_same_deck():
    assert deck.text("standard") == deck.text(deck.text("standard"))
    assert deck.fields(deck.text("standard")) == deck.fields("standard")


def test_other_cards_or_names_have_another_mark():
    renamed, _ = swapped("Ember Dart", "Ember Bolt")
    stronger, _ = swapped('"damage 2"', '"damage 3"')
    marks = [tuple(deck.fields(text)["deck_mark"]) for text in ("standard", renamed, stronger)]
    assert len(set(marks)) == 3
    assert "Ember Bolt" in deck.names(list(marks[1]))
    assert "Ember Dart" in deck.names(list(marks[2]))


def test_a_deck_that_was_not_read_here_has_names_by_colour_and_number():
    names = deck.names([1, 2, 3, 4])
    assert names[:2] == ("red 1", "red 2")
    assert len(set(names)) == CARDS


def test_another_deck_is_played_with_and_its_record_brings_it_along(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(changed(red="damage 9"), encoding="utf-8")
    play = new("spellcaster", 2, {"deck": str(path)})
    luck = Luck(3)
    while not play.over:
        play.roll(luck) if play.turn == CHANCE else play.play(play.legal()[luck.below(len(play.legal()))])
    text = record.write(play, luck)
    assert "Probe" in text
    path.unlink()
    assert record.read(text).replay().bytes == play.bytes


# What is refused.


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ("damge 2", r"'damge' is not a word of effects\. Did you mean damage\?"),
        ("fly 2", r"'fly' is not a word of effects\."),
        ("damage", r"'damage' takes an amount from 1 to 9, not none\."),
        ("damage 0", r"'damage' takes an amount from 1 to 9, not 0\."),
        ("damage 10", r"'damage' takes an amount from 1 to 9, not 10\."),
        ("damage -1", r"'damage' takes an amount from 1 to 9, not -1\."),
        ("damage " + "9" * 50, r"'damage' takes an amount from 1 to 9, not 999999999\."),
        ("actions 3", r"'actions' takes an amount from 1 to 2, not 3\."),
        ("look 2", r"'look' takes no amount, not '2'\."),
        ("", r"an effect is one or more clauses.*"),
        ("damage 1,, draw 1", r"an effect is one or more clauses.*"),
        ("damage 1, draw 1, energy 1, sapphires 1, look", r"the effect is too long: 5 words, and a card has at most 4\."),
        ("damage 1, draw 1 or energy 1, steal 1 unless rival discards 1", r"the effect is too long: 5 words.*"),
        ("damage 2 or damage 2", r"'damage 2 or damage 2' is no choice\."),
        ("damage 2 or pay energy 1", r"'pay energy' cannot stand there\."),
        ("damage 2 or may pay energy 1", r"'may pay energy' cannot stand there\."),
        ("may pay energy 1 or may pay cards 1, damage 2", r"'may pay energy' cannot stand there\."),
        ("pay energy 1 unless rival discards 1, damage 2", r"'pay energy' cannot stand there\."),
        ("damage 2 unless draw 1", r"'draw' cannot stand there\."),
        ("rival pays energy 1", r"'rival pays energy' cannot stand there\."),
        ("damage 2, pay energy 1", r"'pay energy' is a price and stands first; later it is 'may pay energy'\."),
        ("pay energy 1", r"nothing follows 'pay energy'\."),
        ("damage 1, may pay cards 1", r"nothing follows 'may pay cards'\."),
        ("damage 1, repeat", r"repeat would go on for ever: there is no 'may pay' before it\."),
        ("may pay energy 1, energy 1, repeat", r"repeat would go on .*: 'energy' gives back what 'may pay energy' takes\."),
        ("may pay sapphires 1, steal 1, repeat", r"repeat would go on .*: 'steal' gives back what 'may pay sapphires'.*"),
        ("may pay energy 1, damage 1 or drain 1, repeat", r"repeat would go on for ever: 'drain' gives back.*"),
        ("pay energy 1, may pay cards 1, repeat", r"repeat starts the spell .* without its price;.* 'may pay energy'\."),
        ("repeat, damage 1", r"repeat stands alone as the last clause\."),
        ("may pay energy 1, draw 1 or repeat", r"repeat stands alone as the last clause\."),
    ],
)
def test_an_effect_that_cannot_be_is_refused_with_the_card_the_word_and_the_reason(new, sentence):
    text, line = swapped('"damage 2"', f'"{new}"')
    with pytest.raises(Refused, match=rf"^my\.toml, line {line}: Ember Dart: {sentence}$"):
        deck.read(text, "my.toml")


@pytest.mark.parametrize(
    "effect",
    [
        "may pay cards 1, draw 1, repeat",
        "may pay cards 1, rival discards 1, repeat",
        "may pay energy 1, may pay sapphires 1, energy 2, repeat",
        "may pay sapphires 1, energy 9, repeat",
    ],
)
def test_a_card_may_repeat_if_an_offer_costs_what_it_does_not_give_back_or_cards_which_run_out(effect):
    text, _ = swapped('"damage 2"', f'"{effect}"')
    card = next(card for card in deck.read(text, "my.toml") if card.name == "Ember Dart")
    assert deck.spelled(card.effect) == effect


def test_an_enchantment_has_no_price():
    text, line = swapped('"damage 1" }', '"pay energy 1, damage 1" }')
    with pytest.raises(Refused, match=rf"line {line}: Slow Burn: 'pay energy' is a price, and an enchantment goes off by"):
        deck.read(text, "my.toml")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "Ember Dart"', 'name = "Ember  Dart"', r", line \d+: Ember  Dart: a name has up to 28 letters.*"),
        ('name = "Ember Dart"', f'name = "{"x" * 29}"', r", line \d+: x+: a name has up to 28 letters.*"),
        ('name = "Ember Dart"', 'name = ""', r": card 1: a name has up to 28 letters.*"),
        ('name = "Ember Dart"', "name = 7", r": card 1: name takes words in quotes, not 7\."),
        ('name = "Ember Dart", ', "", r": card 1: there is no name; a card has name, colour, kind, effect\."),
        ('name = "Ember Dart"', 'name = "burning lance"', r", line \d+: Burning Lance: this card is in the deck already\."),
        ('colour = "red"', 'colour = "purple"', r", line \d+: Ember Dart: 'purple' is not a colour; it is red, yellow.*"),
        ('kind = "incantation"', 'kind = "incantaton"', r".*'incantaton' is not a kind;.* Did you mean incantation\?"),
        ('effect = "damage 2"', 'efect = "damage 2"', r".*'efect' is not a word here; a card has .* Did you mean effect\?"),
        ('effect = "damage 2"', "effect = [1]", r".*: effect takes words in quotes, not a list\."),
        ('colour = "red"', 'colour = "blue"', r" has 14 red cards; a deck has 15 of each colour\."),
        ("card = [", "cards = [", r": 'cards' is not a word here; a deck is a list of tables \[\[card\]\]\."),
        ("card = [", "card = [7,", r": card 1: a card is a table with name, colour, kind, effect, not 7\."),
    ],
)
def test_a_card_or_a_deck_that_cannot_be_is_refused_with_its_place(old, new, sentence):
    text, _ = swapped(old, new)
    with pytest.raises(Refused, match=rf"^my\.toml{sentence}$"):
        deck.read(text, "my.toml")


def test_a_deck_with_a_card_too_few_or_too_many_is_refused():
    short = "\n".join(line for line in STANDARD.split("\n") if "Ember Dart" not in line)
    with pytest.raises(Refused, match=r"^my\.toml has 59 cards; a deck has 60, 15 of each colour\.$"):
        deck.read(short, "my.toml")
    long, _ = swapped("card = [", 'card = [{ name = "More", colour = "red", kind = "incantation", effect = "draw 1" },')
    with pytest.raises(Refused, match="has 61 cards"):
        deck.read(long, "my.toml")
    with pytest.raises(Refused, match="has no cards"):
        deck.read("", "my.toml")
    with pytest.raises(Refused, match=r"card takes a list of cards, not 3"):
        deck.read("card = 3", "my.toml")


@pytest.mark.parametrize("text", ["not a deck", "[card", "card = ", "a = 1\na = 2", "\x00"])
def test_a_text_that_is_not_toml_is_refused(text):
    with pytest.raises(Refused, match=r"^my\.toml is not TOML: "):
        deck.read(text, "my.toml")


@pytest.mark.parametrize("text", ["a = " + "[" * 60000, "a = " + "9" * 60000, "#" * (64 * 1024 + 1)])
def test_a_text_made_to_exhaust_the_reader_is_refused(text):
    with pytest.raises(Refused, match=r"my\.toml"):
        deck.read(text, "my.toml")


def test_files_that_are_no_decks_are_refused(tmp_path):
    with pytest.raises(Refused, match=r"nowhere\.toml cannot be read: no such file or directory\.$"):
        deck.fields(str(tmp_path / "nowhere.toml"))
    with pytest.raises(Refused, match=r"cannot be read: is a directory\.$"):
        deck.fields(str(tmp_path))
    path = tmp_path / "odd.toml"
    path.write_bytes(b"\xff\xfe\x00red")
    with pytest.raises(Refused, match=r"odd\.toml is not text: byte 0 is not UTF-8\.$"):
        deck.fields(str(path))
    path.write_bytes(b"#" * (64 * 1024 + 1))
    with pytest.raises(Refused, match=r"odd\.toml is larger than 64 KiB, the limit for such a file\.$"):
        deck.fields(str(path))
    path.write_bytes(b"\xef\xbb\xbf" + STANDARD.replace("\n", "\r\n").encode())
    assert deck.fields(str(path)) == deck.fields("standard")


# Any deck.


def random_effect(random):
    """Some clauses from the vocabulary, which may fit together or not."""

    def simple(table):
        phrase, word = random.choice(list(table.items()))
        return f"{phrase} {random.randint(1, word.most)}" if word.most else phrase

    clauses = []
    if random.random() < 0.2:
        clauses.append(simple(language.PRICES))
    for _ in range(random.randint(1, 3)):
        kind = random.random()
        if kind < 0.2:
            clauses.append(f"{simple(language.WORDS)} unless {simple(language.FINES)}")
        elif kind < 0.4:
            clauses.append(f"{simple(language.WORDS)} or {simple(language.WORDS)}")
        elif kind < 0.55:
            clauses.append(simple(language.OFFERS))
        else:
            clauses.append(simple(language.WORDS))
    if random.random() < 0.2:
        clauses.append("repeat")
    return ", ".join(clauses)


def random_deck(random):
    """A deck of effects that are taken one by one, and how many were refused."""
    lines, refused = [], 0
    for number in range(CARDS):
        kind = int(random.random() < 0.3)
        while True:
            effect = random_effect(random)
            try:
                deck.effect(effect, kind)
                break
            except deck.Misfit:
                refused += 1
        head = f'name = "Card {number}", colour = "{deck.COLOURS[number // EACH]}", kind = "{deck.KINDS[kind]}"'
        lines.append(f'  {{ {head}, effect = "{effect}" }},')
    return "card = [\n" + "\n".join(lines) + "\n]\n", refused


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_law_holds_on_random_decks(seats):
    walker = Walker(find("spellcaster"))
    random = Random(seats)
    for seed in range(4):
        text, refused = random_deck(random)
        assert refused > 0
        walker.begin(Variant(seats, (("deck", text), ("may_stop", "true"))))
        law, *_ = walker.walk(seed)
        assert walker.laws.LAWS[law] == walker.laws.LAWS[0]
        assert deck.text(text) == deck.text(deck.text(text))


def test_labels_of_random_decks_are_unique_and_their_records_replay():
    random = Random(9)
    for seed in range(3):
        play = new("spellcaster", 2 + seed, {"deck": random_deck(random)[0]})
        luck = Luck(seed)
        while not play.over:
            choices = play.outcomes() if play.turn == CHANCE else play.moves()
            assert len({label.lower() for label in choices.values()}) == len(choices)
            play.roll(luck) if play.turn == CHANCE else play.play([*choices][luck.below(len(choices))])
        assert record.read(record.write(play, luck)).replay().bytes == play.bytes


SCRAPS = [*EVERY_WORD, "", "9", '"', ",", " or ", " unless ", "{", "é"]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(STANDARD)), st.integers(0, 12), st.sampled_from(SCRAPS))
def test_no_small_change_of_a_deck_does_more_than_be_refused(place, length, scrap):
    try:
        cards = deck.read(STANDARD[:place] + scrap + STANDARD[place + length :], "my.toml")
    except Refused as refusal:
        assert re.fullmatch(r"my\.toml[^\n]*", str(refusal))
    else:
        assert deck.read(deck.show(cards), "") == cards
        assert all(language.sentence(row(card.effect), 3) for card in cards)


def test_a_card_of_another_deck_is_told_by_its_own_name_and_sentence():
    play = at([["Probe"], []], deck=changed(red="damage 9 or draw 5"))
    assert "play Probe" in play.moves().values()
    card = next(card for card in words.cards_in(play.state.hand[0]))
    assert words.text(play.state, card) == "Choose: do 9 damage, or draw 5 cards."


def test_what_a_page_prints_on_the_cards_is_what_the_rules_page_says():
    printed = words.cards(new("spellcaster", 2).state)
    assert {card["name"]: card["sentence"] for card in printed} == SENTENCES
    assert Counter(card["colour"] for card in printed) == dict.fromkeys(deck.COLOURS, EACH)
    kinds = {card["name"]: card["kind"] for card in printed}
    assert kinds["Slow Burn"] == "enchantment" and kinds["Ember Dart"] == "incantation"


def test_with_more_mages_a_page_prints_which_rival_is_meant():
    plain, teams = (words.cards(new("spellcaster", seats).state) for seats in (2, 4))
    lance = next(place for place, card in enumerate(plain) if card["name"] == "Burning Lance")
    assert plain[lance]["sentence"] == "Do 3 damage. Your rival draws 1 card."
    assert teams[lance]["sentence"] == "Do 3 damage. The next rival draws 1 card."


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Gemfire", "damage"), ("Leech", "energy"), ("Smelting", "sapphires"), ("Haste", "actions"), ("Library", "hand"),
        ("Pawnbroker", "sapphires"), ("Turncoat", "pile"), ("Open Threat", "hand"), ("Raven's Eye", "hand"),
    ],
)  # fmt: skip
def test_the_family_of_a_card_is_what_it_does_first_and_not_its_price(name, family):
    printed = {card["name"]: card for card in words.cards(new("spellcaster", 2).state)}
    assert printed[name]["family"] == family
