"""Decks of Dice Heist: what is read, what is refused, and with which sentence."""

import re
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spellheist.core import record
from spellheist.core.dice import Luck
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE
from spellheist.games.dice_heist import deck
from spellheist.games.dice_heist.rules import ARTIFACT, KINDS, PAINTING, State

STANDARD = deck.STANDARD.read_text(encoding="utf-8")
LINES = STANDARD.split("\n")

LOPSIDED = """
[Louvre]
paintings = [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 200]
artifacts = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
red = 7
green = 7
blue = 7
"""


def changed(old, new):
    """The standard deck with one change, and the number of the line that changed."""
    assert STANDARD.count(old) >= 1
    return STANDARD.replace(old, new, 1), 1 + STANDARD[: STANDARD.index(old)].count("\n")


def backwards(found):
    return f"[{', '.join(reversed(found[1].split(', ')))}]"


def test_the_standard_deck_is_the_reconstruction_of_the_rules_page():
    fields = deck.fields("standard")
    cards = list(zip(*(fields[name] for name in deck.TABLES), strict=True))
    assert sum(count for *_, count in cards) == 52
    for museum in range(4):
        here = [card for card in cards if card[0] == museum]
        assert sum(count for *_, count in here) == 13
        assert [(worth, count) for _, what, worth, count in here if what == ARTIFACT] == [(1, 3), (2, 2)]
    values = [(museum, worth) for museum, what, worth, count in cards if what == PAINTING and count == 1]
    assert values == [(0, 10), (0, 15), (1, 10), (1, 15), (1, 20), (2, 20), (2, 25), (2, 30), (3, 25), (3, 35), (3, 45)]
    gems = [[count for m, what, _, count in cards if m == museum and 1 <= what <= 3] for museum in range(4)]
    assert gems == [[2, 2, 2], [2, 2, 1], [2, 1, 2], [1, 2, 2]]


def test_the_standard_file_says_that_it_is_a_reconstruction():
    assert "our reconstruction" in STANDARD


def test_the_tables_fit_the_state_and_unused_kinds_are_0():
    fields = deck.read(LOPSIDED, "mine.toml")
    assert {name: len(table) for name, table in fields.items()} == dict.fromkeys(deck.TABLES, KINDS)
    assert fields["kind_count"] == [20, 7, 7, 7, 10, 1, *[0] * (KINDS - 6)]
    assert fields["kind_worth"][:6] == [1, 0, 0, 0, 5, 200]
    for name in deck.TABLES:
        assert all(State.fields[name].low <= value <= State.fields[name].high for value in fields[name])


def test_the_same_cards_in_another_order_give_the_same_tables_and_digest():
    museums = re.findall(r"\[[A-Z].*(?:\n.+)*", STANDARD)
    assert len(museums) == 4
    random = Random(1)
    for _ in range(10):
        random.shuffle(museums)
        shuffled = []
        for museum in museums:
            head, *lines = museum.split("\n")
            random.shuffle(lines)
            shuffled += [head, *(re.sub(r"\[(.*)\]", backwards, line) for line in lines)]
        fields = deck.read("\n".join(shuffled), "shuffled.toml")
        assert fields == deck.fields("standard")
        assert deck.digest(fields) == deck.digest(deck.fields("standard"))


def test_other_cards_have_another_digest():
    assert re.fullmatch("[0-9a-f]{16}", deck.digest(deck.fields("standard")))
    assert deck.digest(deck.read(LOPSIDED, "")) != deck.digest(deck.fields("standard"))


@pytest.mark.parametrize("title", ["met", "Met", "METROPOLITAN", "' Metropolitan '"])
def test_museums_have_nicknames_and_case_does_not_matter(title):
    assert deck.read(STANDARD.replace("Metropolitan", title), "") == deck.fields("standard")


@pytest.mark.parametrize("title", ['"British Museum"', "British_Museum", "british-museum"])
def test_the_british_museum_may_be_called_by_its_whole_name(title):
    assert deck.read(STANDARD.replace("British", title), "") == deck.fields("standard")


def test_what_is_left_out_is_none():
    lines = LOPSIDED.split("\n")
    explicit = [*lines, "[Hermitage]", "paintings = []", "artifacts = []", "red = 0", "green = 0", "blue = 0"]
    assert deck.read("\n".join(explicit), "") == deck.read(LOPSIDED, "")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[Louvre]", "[Prado]", r"there is no museum 'Prado'; there are Hermitage, Metropolitan, British and Louvre\."),
        ("[Louvre]", "[Luvre]", r"there is no museum 'Luvre'.* Did you mean Louvre\?"),
        ("paintings = [25", "paint = [25", r"'paint' is not a word here; .* Did you mean paintings\?"),
        ("red = 1", "purple = 1", r"'purple' is not a word here; a museum has paintings, artifacts, red, green and blue\."),
        ("red = 1", "red = 8", r"red takes how many gems, 0 to 7, not 8\."),
        ("red = 1", "red = -1", r"red takes how many gems, 0 to 7, not -1\."),
        ("red = 1", "red = true", r"red takes how many gems, 0 to 7, not true\."),
        ("red = 1", "red = 1.0", r"red takes how many gems, 0 to 7, not 1\.0\."),
        ("red = 1", "red = 0x" + "f" * 9999, r"red takes how many gems, 0 to 7, not a huge number\."),
        ("red = 1", "red = [1]", r"red takes how many gems, 0 to 7, not a list\."),
        ("red = 1", "red = 2020-02-02", r"red takes how many gems, 0 to 7, not 2020-02-02\."),
        ("[25, 35, 45]", "[25, 35, 0]", r"card 3 of paintings is 0, not a whole number from 1 to 240\."),
        ("[25, 35, 45]", "[25, 241, 45]", r"card 2 of paintings is 241, not a whole number from 1 to 240\."),
        ("[25, 35, 45]", "['Mona Lisa', 35, 45]", r"card 1 of paintings is 'Mona Lisa', not a whole number.*"),
        ("[25, 35, 45]", "105", r"paintings takes a list with a number for each card, not 105\."),
        ("[25, 35, 45]", "{ a = 1 }", r"paintings takes a list with a number for each card, not a table\."),
    ],
)
def test_a_card_that_cannot_be_is_refused_with_its_line(old, new, sentence):
    text, line = changed(old, new)
    with pytest.raises(Refused, match=rf"^my\.toml, line {line}: {sentence}$"):
        deck.read(text, "my.toml")


def test_the_line_is_that_of_the_right_museum():
    text, line = changed("green = 1", "green = 9")  # the British Museum's; others have green gems above it
    assert text.count("green = ", 0, text.index("green = 9")) == 2
    with pytest.raises(Refused, match=rf"line {line}: green takes"):
        deck.read(text, "my.toml")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("[25, 35, 45]", "[25, 35]", r"has 51 cards \(10 paintings, 20 artifact cards and 21 gems\); a deck has 52.*"),
        ("[25, 35, 45]", "[25, 35, 44, 1]", r"has 53 cards \(12 paintings.*"),
        ("[1, 1, 1, 2, 2]", "[1, 1, 1, 2, 2, 2]", r"has 53 cards \(11 paintings, 21 artifact cards.*"),
        ("[25, 35, 45]", "[25, 35, 46]", r"has paintings worth 251 in all; in a deck they are worth 250\."),
        ("red = 1\ngreen = 2", "red = 2\ngreen = 1", r"has 8 red gems; a deck has 7 of each colour\."),
        ("green = 2\nblue = 2", "green = 3\nblue = 1", r"has 8 green gems; a deck has 7 of each colour\."),
        ("[10, 15]\nartifacts = [1", "[10, 15, 1]\nartifacts = [", r"has 12 paintings, 19 artifact cards and 21 gems;.*"),
    ],
)
def test_a_total_that_is_wrong_is_named(old, new, sentence):
    text, _ = changed(old, new)
    with pytest.raises(Refused, match=rf"^my\.toml {sentence}$"):
        deck.read(text.replace("= [, ", "= ["), "my.toml")


def test_an_empty_text_is_a_deck_without_cards():
    with pytest.raises(Refused, match="has 0 cards"):
        deck.read("", "my.toml")


def test_a_museum_has_one_section():
    with pytest.raises(Refused, match=r"line 4\d: the Metropolitan has a section already, 'Metropolitan'\."):
        deck.read(STANDARD + "\n[Met]\nred = 1\n", "my.toml")
    with pytest.raises(Refused, match=r"line 1: the Louvre needs a section, \[Louvre\]\."):
        deck.read("Louvre = 13\n", "my.toml")


@pytest.mark.parametrize("text", ["not a deck", "[Louvre", "[Louvre]\nred = ", "a = 1\na = 2", "\x00", "{"])
def test_a_text_that_is_not_toml_is_refused_with_its_line(text):
    with pytest.raises(Refused, match=r"^my\.toml is not TOML: .*(line|end of document)"):
        deck.read(text, "my.toml")


@pytest.mark.parametrize("text", ["a = " + "[" * 60000, "a = " + "{a=" * 20000, "a = " + "9" * 60000])
def test_a_text_made_to_exhaust_the_reader_is_refused(text):
    with pytest.raises(Refused, match=r"my\.toml"):
        deck.read(text, "my.toml")


def test_an_enormous_text_is_refused():
    with pytest.raises(Refused, match="too large for a deck: over 64 KiB"):
        deck.read("#" * (64 * 1024 + 1), "my.toml")


# Files.


def test_a_deck_file_is_played_with(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(LOPSIDED, encoding="utf-8")
    play = new("dice_heist", 2, {"deck": str(path)})
    assert play.state.kind_count[:6] == [20, 7, 7, 7, 10, 1]
    assert play.state.left == play.state.kind_count


def test_a_mark_of_byte_order_and_windows_lines_do_no_harm(tmp_path):
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + STANDARD.replace("\n", "\r\n").encode())
    assert deck.fields(str(path)) == deck.fields("standard")


def test_a_missing_file_a_folder_and_odd_names_are_refused(tmp_path):
    with pytest.raises(Refused, match=r"nowhere\.toml cannot be read: no such file or directory\.$"):
        deck.fields(str(tmp_path / "nowhere.toml"))
    with pytest.raises(Refused, match=r"cannot be read: is a directory\.$"):
        deck.fields(str(tmp_path))
    for name in ("", "\0", "x" * 5000, "/dev/null"):
        with pytest.raises(Refused):
            deck.fields(name)


def test_a_file_that_is_not_text_or_enormous_is_refused(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_bytes(b"\xff\xfe\x00red")
    with pytest.raises(Refused, match=r"odd\.toml is not text: byte 0 is not UTF-8\.$"):
        deck.fields(str(path))
    path.write_bytes(b"#" * (64 * 1024 + 1))
    with pytest.raises(Refused, match=r"odd\.toml is larger than 64 KiB, the limit for such a file\.$"):
        deck.fields(str(path))


def test_a_record_brings_its_deck_along(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(LOPSIDED, encoding="utf-8")
    play = new("dice_heist", 2, {"deck": str(path)})
    luck = Luck(1)
    while not play.over:
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            play.play(play.legal()[luck.below(len(play.legal()))])
    text = record.write(play, luck)
    path.unlink()
    assert record.read(text).replay().bytes == play.bytes


# Any deck, any text.


@st.composite
def decks(draw):
    """A valid deck: museums for all cards, and eleven paintings worth 250."""
    random = draw(st.randoms(use_true_random=False))
    cuts = sorted(random.sample(range(1, 250), 10))
    values = [b - a for a, b in zip([0, *cuts], [*cuts, 250], strict=True)]
    sections = {title: {"paintings": [], "artifacts": [], "red": 0, "green": 0, "blue": 0} for title in deck.SECTIONS}
    for value in values:
        sections[random.choice(deck.SECTIONS)]["paintings"].append(value)
    for _ in range(20):
        sections[random.choice(deck.SECTIONS)]["artifacts"].append(random.choice([1, 2]))
    for colour in ("red", "green", "blue"):
        for _ in range(7):
            sections[random.choice(deck.SECTIONS)][colour] += 1
    return "\n".join(f"[{title}]\n" + "\n".join(f"{k} = {v}" for k, v in s.items()) for title, s in sections.items())


@settings(max_examples=50, deadline=None)
@given(decks())
def test_what_is_shown_reads_back_as_the_same_deck(text):
    fields = deck.read(text, "")
    assert sum(fields["kind_count"]) == 52
    assert deck.read(deck.show(fields), "") == fields
    assert deck.text(deck.show(fields)) == deck.show(fields)


@settings(max_examples=15, deadline=None)
@given(decks(), st.integers(0, 1000))
def test_any_valid_deck_is_played_to_its_end(text, seed):
    play = new("dice_heist", 3, {"deck": text, "targeted_raid": bool(seed % 2)})
    luck = Luck(seed)
    while not play.over:
        choices = play.outcomes() if play.turn == CHANCE else play.moves()
        assert len(set(choices.values())) == len(choices)
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            play.play([*choices][luck.below(len(choices))])
    assert sum(map(sum, play.state.stolen)) == 52


SCRAPS = st.sampled_from(
    [*LINES, "[", "]", "=", ",", "\n", '"', "'", "#", "Louvre", "red", "red = 3\n", "[[Louvre]]\n", "Louvre.red = 1\n",
     "1", "9" * 30,
     "paintings = [250]\n", "0x", "1e400", "inf", "1979-05-27", "{}", "true", '""', "é", "\u2028", "\ud800", "\x00"]
)  # fmt: skip


def only_refused(text):
    try:
        said = deck.show(deck.read(text, "my.toml"))
    except Refused as refusal:
        said = str(refusal)
    assert re.fullmatch(r"my\.toml[^\n]*", said) or deck.read(said, "").keys() == set(deck.TABLES)


@settings(max_examples=300, deadline=None)
@given(st.lists(SCRAPS, max_size=30).map("".join) | st.lists(SCRAPS, max_size=30).map("\n".join) | st.text())
@example('[Louvre]\n"" = 1')
@example('"" = 1')
@example('"a\\nb" = 1')
def test_no_text_does_more_than_be_refused(text):
    only_refused(text)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(STANDARD)), st.integers(0, 8), SCRAPS | st.text(max_size=3))
def test_no_small_change_of_a_deck_does_more_than_be_refused(place, length, scrap):
    only_refused(STANDARD[:place] + scrap + STANDARD[place + length :])


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_file_does_more_than_be_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "fuzzed.toml"
    path.write_bytes(data)
    with pytest.raises(Refused):
        deck.fields(str(path))
