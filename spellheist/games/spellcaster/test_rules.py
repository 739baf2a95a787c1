"""The rules of Spellcaster, one sentence a test. Decks are in test_deck.py, what seats may know in test_secrets.py."""

import io
import re
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.record import position_of
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE, OVER, WATCHER
from spellheist.games.spellcaster import deck, rules, table, words
from spellheist.games.spellcaster.rules import (
    ACT,
    ALL,
    ANSWER,
    CARDS,
    CHOOSE,
    COLOURS,
    DEAL,
    DONE,
    DRAW,
    EACH,
    MOVES,
    NO,
    OFFER,
    PILE,
    PLAY,
    POINT,
    RECEIVE,
    SEATS,
    SET_OFF,
    START,
    STOP,
    YES,
)
from spellheist.laws import check

rule = pytest.mark.rule

CARDS_HERE = deck.text(str(Path(__file__).with_name("test_cards.toml")))
SPARE = {"red": "Ember Dart", "yellow": "Warm Broth", "blue": "Rough Stones", "green": "Turncoat"}


def changed(**effects):
    """The deck of these tests with other effects: a word is the colour of a card that is called Probe then; `_always`
    makes it an enchantment."""
    lines = CARDS_HERE.split("\n")
    for key, effect in effects.items():
        colour, _, always = key.partition("_")
        place = next(n for n, line in enumerate(lines) if f'"{SPARE[colour]}"' in line)
        kind = "enchantment" if always else "incantation"
        name = "Probe" if len(effects) == 1 else f"{colour.capitalize()} Probe"
        lines[place] = f'{{ name = "{name}", colour = "{colour}", kind = "{kind}", effect = "{effect}" }},'
    return "\n".join(lines)


def masks(cards):
    row = [0] * COLOURS
    for card in cards:
        row[card // EACH] |= 1 << card % EACH
    return row


def at(
    hands,
    piles=(),
    mage=0,
    left=20,
    energy=(10, 10),
    sapphires=(2, 2),
    used=(),
    turns=None,
    actions=2,
    shown=(),
    known=(),
    position=None,
    **options,
):
    """A position in the middle of a game, `mage` to act. `hands` are names of cards for each seat, `piles` names with the
    side they face, from the bottom up. `left` other cards are in the deck, the rest is discarded; `known` says
    (looker, card)."""
    seats = len(hands)
    options.setdefault("deck", CARDS_HERE)
    cards = deck.cards(options["deck"])
    number = {card.name: n for n, card in enumerate(cards)}
    hands = [[number[name] for name in hand] for hand in hands]
    piled = [number[name] for name, _ in piles]
    rest = [card for card in range(CARDS) if card not in piled and not any(card in hand for hand in hands)]
    pile = [[k % EACH for k in piled if k // EACH == colour] for colour in range(COLOURS)]
    knows = [[0] * SEATS for _ in range(SEATS)]
    for looker, name in known:
        owner = next(seat for seat, hand in enumerate(hands) if number[name] in hand)
        knows[looker][owner] += 1
    values = {
        "phase": ACT, "turn": mage, "mage": mage, "turns": mage if turns is None else turns, "actions": actions,
        "energy": list(energy), "sapphires": list(sapphires), "deck": masks(rest[len(rest) - left :]), "left": left,
        "discards": masks(rest[: len(rest) - left]), "height": [len(row) for row in pile],
        "pile": [row + [0] * (EACH - len(row)) for row in pile],
        "facing": masks(number[name] for name, side in piles if side == 1), "used": masks(number[name] for name in used),
        "held": [*map(len, hands), *[0] * (SEATS - seats)], "hand": [*map(masks, hands), *[[0] * 4] * (SEATS - seats)],
        "shown": masks(number[name] for name in shown), "knows": knows,
        "known": [masks(number[name] for looker, name in known if looker == seat) for seat in range(SEATS)],
    }  # fmt: skip
    return new("spellcaster", seats, options, position=values | (position or {}))


def probe(effect, hands=((), ()), piles=(), mage=0, **more):
    """A position in which a card with this effect has just been activated."""
    text = changed(green=effect)
    play = at(hands, [*piles, ("Probe", mage & 1)], mage, deck=text, **more)
    play.play("activate Probe")
    return play


def pass_turn(play, card=None):
    """End the turn with draws."""
    mage = play.state.mage
    while play.state.mage == mage and not play.over:
        if play.turn == CHANCE:
            play.roll(Luck(play.ply))
        else:
            play.play("draw")


def start_of_turn(hands, piles, mage=0, **more):
    """A position at the start of a turn, reached by the turn before."""
    seats = len(hands)
    before = (mage - 1) % seats
    play = at(hands, piles, before, actions=1, **more)
    play.play("draw")
    play.roll(Luck(1))
    assert play.state.mage == mage
    return play


def name_of(play, card):
    return words.name(play.state, card)


def hand(play, seat):
    return {name_of(play, card) for card in words.cards_in(play.state.hand[seat])}


def discards(play):
    return {name_of(play, card) for card in words.cards_in(play.state.discards)}


def tops(play):
    """The top cards with the side they face."""
    s = play.state
    return {name_of(play, words.top_card(s, c)): int(words.faces(s, c, 1)) for c in range(COLOURS) if s.height[c]}


def draw_all(play):
    while play.turn == CHANCE:
        play.roll(Luck(play.ply))


def random_game(seed, seats, plies=10**6, **options):
    """A random game; yields it before each ply."""
    play = new("spellcaster", seats, options)
    luck = Luck(seed)
    while not play.over and play.ply < plies:
        yield play
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            moves = play.legal()
            play.play(moves[luck.below(len(moves))])
    yield play


# The start.


@rule("SC-1")
def test_two_mages_start_with_ten_energy_two_sapphires_and_three_cards_and_chance_says_who_begins():
    play = new("spellcaster", 2)
    assert play.outcomes() == {0: "seat 0 begins", 1: "seat 1 begins"}
    assert play.odds()[:3] == [1, 1, 0]
    play.chance("seat 1 begins")
    draw_all_dealt(play)
    s = play.state
    assert (s.mage, s.energy, s.sapphires) == (1, [10, 10], [2, 2])
    assert s.held == [3, 3, 0, 0]
    assert (s.phase, s.left) == (RECEIVE, 54), "the turn starts with its draw"


def draw_all_dealt(play):
    while play.state.phase == DEAL:
        play.roll(Luck(play.ply))


@rule("SC-1")
def test_the_starter_is_dealt_first_and_every_card_of_the_deck_is_as_likely():
    play = new("spellcaster", 2)
    play.chance("seat 1 begins")
    assert play.odds() == [1] * CARDS
    play.chance("Ember Dart to seat 1")
    assert sum(play.odds()) == CARDS - 1
    assert "Ember Dart to seat 1" not in play.outcomes().values()


@rule("SC-8", "SC-h")
def test_with_three_mages_the_solo_mage_gets_six_cards_and_seat_0_starts():
    play = new("spellcaster", 3)
    assert (play.state.phase, play.state.mage) == (DEAL, 0)
    draw_all_dealt(play)
    s = play.state
    assert (s.held, s.energy, s.sapphires, s.mage) == ([3, 6, 3, 0], [10, 10], [2, 2], 0)


@rule("SC-h")
def test_the_solo_mage_can_begin_with_something_else():
    play = new("spellcaster", 3, {"solo_cards": 9, "solo_energy": 14, "solo_sapphires": 0})
    draw_all_dealt(play)
    s = play.state
    assert (s.held, s.energy, s.sapphires) == ([3, 9, 3, 0], [10, 14], [2, 0])
    assert new("spellcaster", 4, {"solo_energy": 14}).state.energy == [10, 10], "only with three mages"


@rule("SC-9", "SC-h")
def test_with_four_mages_two_teams_share_their_stores_and_a_random_seat_starts():
    play = new("spellcaster", 4)
    assert sorted(play.outcomes()) == [0, 1, 2, 3]
    play.chance("seat 2 begins")
    draw_all_dealt(play)
    s = play.state
    assert (s.held, s.energy, s.sapphires) == ([3, 3, 3, 3], [10, 10], [2, 2])


@rule("SC-8", "SC-9", "SC-h", "SC-x")
@pytest.mark.parametrize(("seats", "order"), [(2, [0, 1, 0, 1]), (3, [0, 1, 2, 1, 0, 1]), (4, [0, 1, 2, 3, 0])])
def test_turns_go_around_in_the_order_of_the_table(seats, order):
    play = at([["Ember Dart"]] * 1 + [[]] * (seats - 1), turns=0)
    seen = []
    for _ in order:
        seen.append(play.state.mage)
        pass_turn(play)
    assert seen == order


# A turn.


@rule("SC-2", "SC-q")
def test_a_turn_is_enchantments_then_a_draw_then_two_actions():
    play = start_of_turn([["Ember Dart"], []], [("Slow Burn", 0)])
    assert (play.state.phase, play.turn) == (SET_OFF, 0)
    assert list(play.moves().values()) == ["set off Slow Burn"]
    play.play("set off Slow Burn")
    assert play.state.energy == [10, 9]
    assert (play.turn, play.state.phase) == (CHANCE, RECEIVE)
    draw_all(play)
    assert (play.state.phase, play.state.actions) == (ACT, 2)
    assert play.state.held[0] == 2


@rule("SC-2")
def test_an_enchantment_that_faces_the_rival_or_is_covered_does_not_go_off():
    play = start_of_turn([[], []], [("Slow Burn", 1), ("Hearth Glow", 0), ("Warm Broth", 0)])
    assert (play.turn, play.state.phase) == (CHANCE, RECEIVE)


@rule("SC-2")
def test_the_draw_is_compulsory():
    play = start_of_turn([["Ember Dart"], []], [])
    with pytest.raises(Refused):
        play.play("play Ember Dart")


@rule("SC-3")
def test_the_actions_are_draw_play_and_activate():
    play = at([["Slow Burn", "Rough Stones"], []], [("Ember Dart", 0), ("Warm Broth", 1), ("Haste", 0)])
    assert sorted(play.moves().values()) == ["activate Ember Dart", "draw", "play Rough Stones", "play Slow Burn"]
    play.play("play Rough Stones")
    assert tops(play)["Rough Stones"] == 0
    assert hand(play, 0) == {"Slow Burn"}
    play.play("activate Ember Dart")
    assert play.state.energy == [10, 8]
    assert play.state.mage == 1, "two actions"


@rule("SC-3")
def test_the_same_action_may_be_taken_twice():
    play = at([["Slow Burn", "Rough Stones"], []])
    play.play("play Rough Stones")
    play.play("play Slow Burn")
    assert tops(play) == {"Rough Stones": 0, "Slow Burn": 0}
    play = at([[], []])
    play.play("draw")
    draw_all(play)
    play.play("draw")
    play.roll(Luck(1))
    assert play.state.held[0] == 2


@rule("SC-3")
def test_a_card_is_activated_once_a_turn_and_again_in_the_next_one():
    play = at([[], []], [("Ember Dart", 0)])
    play.play("activate Ember Dart")
    with pytest.raises(Refused, match=r"Ember Dart has already been activated.*SC-3"):
        play.play(PILE)
    play.play("draw")
    draw_all(play)
    pass_turn(play)
    draw_all(play)
    assert "activate Ember Dart" in play.moves().values()


@rule("SC-3")
def test_a_card_is_played_onto_its_own_colour_and_faces_the_side_that_played_it():
    play = at([[], ["Ember Dart"]], [("Encircle", 0), ("Warm Broth", 0)], mage=1)
    play.play("play Ember Dart")
    assert tops(play) == {"Ember Dart": 1, "Warm Broth": 0}


@rule("SC-3")
@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        (PLAY, r"Blood Bargain is not in your hand\. \(SC-3\)"),
        (PILE, r"The red pile is empty\. \(SC-3\)"),
        (PILE + 1, r"Warm Broth does not face you\. \(SC-3\)"),
        (YES, r"An action is to draw.*\(SC-3\)"),
        (CHOOSE + 3, r"An action is to draw.*\(SC-3\)"),
        (MOVES, r"There is no move.*\(SC-3\)"),
        (STOP, r"must take every action.*\(SC-c\)"),
        (PILE + 3, r"Haste is an enchantment.*\(SC-q\)"),
        (PILE + 2, r"You cannot pay for Blood Diamonds.*\(SC-o\)"),
    ],
)
def test_what_is_no_action_now_is_refused_with_its_rule(move, sentence):
    play = at([["Ember Dart"], []], [("Warm Broth", 1), ("Haste", 0), ("Blood Diamonds", 0)], energy=(1, 10))
    with pytest.raises(Refused, match=sentence):
        play.play(move)


@rule("SC-4")
def test_a_covered_card_does_nothing_and_works_again_when_it_is_uncovered():
    play = at([["Vanish"], []], [("Ember Dart", 0), ("Encircle", 1)])
    assert "activate Ember Dart" not in play.moves().values()
    play.play("play Vanish")
    play.play("activate Vanish")
    play.play("remove Encircle")
    assert discards(play) >= {"Encircle"}
    assert tops(play)["Ember Dart"] == 0
    assert "activate Ember Dart" in play.moves().values()


# Three ways to end.


@rule("SC-5")
def test_a_side_without_energy_has_lost():
    play = at([[], []], [("Ember Dart", 0)], energy=(1, 2))
    play.play("activate Ember Dart")
    assert play.over
    assert play.score() == [1, 0]


@rule("SC-5")
@pytest.mark.parametrize(("before", "over"), [(11, False), (12, True), (14, True)])
def test_fifteen_sapphires_or_more_win(before, over):
    play = at([[], []], [("Rough Stones", 1)], mage=1, sapphires=(9, before))
    play.play("activate Rough Stones")
    assert play.over == over
    if over:
        assert play.score() == [0, 1]


@rule("SC-5")
@pytest.mark.parametrize(
    ("sapphires", "energy", "score"),
    [((5, 4), (1, 9), [1, 0]), ((4, 5), (9, 1), [0, 1]), ((4, 4), (2, 3), [0, 1]), ((4, 4), (3, 3), [0.5, 0.5])],
)
def test_without_a_card_to_draw_sapphires_decide_then_energy(sapphires, energy, score):
    play = at([["Ember Dart", "Warm Broth", "Library"], []], left=0, sapphires=sapphires, energy=energy)
    play.play("play Ember Dart")
    assert not play.over
    play.play("play Warm Broth")
    assert play.over
    assert play.score() == score


@rule("SC-5", "SC-2")
def test_enchantments_still_go_off_before_the_draw_that_cannot_be_made():
    play = at([["Library", "Haste"], []], [("Slow Crystal", 1)], left=0, sapphires=(3, 2))
    play.play("play Library")
    play.play("play Haste")
    assert not play.over
    play.play("set off Slow Crystal")
    assert play.over
    assert play.score() == [0, 1]


@rule("SC-6")
def test_a_spell_that_draws_more_than_there_is_draws_the_rest_and_the_game_ends_with_the_turn():
    play = probe("draw 3", [["Library"], []], left=2, sapphires=(2, 3))
    assert play.state.ending == 1
    draw_all(play)
    assert (play.state.held[0], play.state.left) == (3, 0)
    assert not play.over, "the turn goes on"
    play.play("play Library")
    assert play.over
    assert play.score() == [0, 1]


@rule("SC-6")
def test_a_spell_that_draws_exactly_the_rest_does_not_end_the_game():
    play = probe("draw 3", [["Library"], []], left=3)
    draw_all(play)
    assert (play.state.ending, play.state.left) == (0, 0)


@rule("SC-6")
@pytest.mark.parametrize("left", [1, 2])
def test_when_enchantments_leave_no_card_to_draw_the_game_ends_at_the_draw(left):
    text = changed(green_always="draw 2", blue_always="sapphires 3")
    piles = [("Green Probe", 0), ("Blue Probe", 0)]
    play = start_of_turn([[], []], piles, deck=text, left=left + 1)
    play.play("set off Green Probe")
    draw_all(play)
    assert not play.over, "the other enchantment goes off first"
    play.play("set off Blue Probe")
    assert play.over
    assert play.state.held[0] == left
    assert play.score() == [1, 0]


@rule("SC-6", "SC-p")
def test_a_rival_who_cannot_draw_enough_ends_the_game_too():
    play = probe("rival draws 2", [["Library"], []], left=1)
    draw_all(play)
    assert (play.state.held, play.state.ending) == ([1, 1, 0, 0], 1)
    play.play("play Library")
    assert play.over
    play = probe("rival draws 1", [["Library"], []], left=0)
    assert play.state.ending == 1


@rule("SC-6", "SC-p")
def test_when_each_mage_draws_and_cards_run_out_the_last_ones_get_nothing():
    play = probe("each mage draws 2", [["Library"], []], left=3)
    draw_all(play)
    assert (play.state.held, play.state.ending) == ([3, 1, 0, 0], 1)


# Losing and paying.


@rule("SC-7")
def test_to_lose_takes_what_there_is():
    assert probe("shatter 3").state.sapphires == [2, 0]
    assert probe("steal 3").state.sapphires == [4, 0]
    assert probe("lose sapphires 9").state.sapphires == [0, 2]
    play = probe("rival discards 3", [[], ["Haste"]])
    play.play("discard Haste")
    assert play.state.held[1] == 0
    assert play.state.phase == ACT
    assert probe("rival discards 3").state.phase == ACT


@rule("SC-7")
@pytest.mark.parametrize("word", ["take 2", "strip 2", "take chosen 2", "strip chosen 2"])
def test_a_hand_with_fewer_cards_than_a_spell_takes_gives_those(word):
    play = probe(word, [[], ["Haste"]])
    if play.turn == CHANCE:
        draw_all(play)
    else:
        play.play(play.legal()[0])
    assert (play.state.held[1], play.state.held[0]) == (0, 1 if "take" in word else 0)
    assert (play.turn, play.state.phase) == (0, ACT)


@rule("SC-7")
def test_the_owner_chooses_what_to_discard_and_it_lies_open():
    play = probe("rival discards 1", [["Warm Broth"], ["Haste", "Library"]])
    assert play.turn == 1
    assert set(play.moves().values()) == {"discard Haste", "discard Library"}
    with pytest.raises(Refused, match=r"not in the hand.*SC-7"):
        play.play(CHOOSE)
    play.play("discard Library")
    assert "Library" in discards(play)
    assert hand(play, 1) == {"Haste"}
    assert play.turn == 0


@rule("SC-7", "SC-o")
@pytest.mark.parametrize(
    ("price", "poor", "rich", "after"),
    [
        ("pay energy 3", {"energy": (2, 10)}, {"energy": (4, 10)}, (1, 2)),
        ("pay sapphires 2", {"sapphires": (1, 2)}, {"sapphires": (2, 2)}, (10, 0)),
    ],
)
def test_to_pay_takes_the_full_price_or_is_not_offered(price, poor, rich, after):
    text = changed(green=f"{price}, damage 1")
    play = at([[], []], [("Probe", 0)], deck=text, **poor)
    assert "activate Probe" not in play.moves().values()
    with pytest.raises(Refused, match=r"You cannot pay for Probe.*SC-o"):
        play.play(PILE + 3)
    play = at([[], []], [("Probe", 0)], deck=text, **rich)
    play.play("activate Probe")
    assert (play.state.energy[0], play.state.sapphires[0]) == after
    assert play.state.energy[1] == 9


@rule("SC-7", "SC-o")
def test_a_price_in_cards_is_chosen_by_the_mage():
    text = changed(green="pay cards 2, damage 1")
    assert "activate Probe" not in at([["Haste"], []], [("Probe", 0)], deck=text).moves().values()
    play = at([["Haste", "Library", "Slow Burn"], []], [("Probe", 0)], deck=text)
    play.play("activate Probe")
    assert play.state.energy == [10, 10], "paid before anything happens"
    play.play("discard Haste")
    play.play("discard Slow Burn")
    assert play.state.energy == [10, 9]
    assert hand(play, 0) == {"Library"}


@rule("SC-o")
def test_a_card_that_does_nothing_may_be_activated():
    play = at([[], []], [("Turncoat", 0)])
    play.play("activate Turncoat")
    assert (play.state.phase, play.state.actions) == (ACT, 1)


@rule("SC-o", "SC-t")
def test_an_offer_that_cannot_be_paid_is_not_made_and_what_depends_on_it_is_left_out():
    play = probe("damage 1, may pay sapphires 3, damage 5")
    assert (play.state.phase, play.state.energy) == (ACT, [10, 9])
    play = probe("damage 1, may pay sapphires 2, damage 5")
    assert set(play.moves().values()) == {"pay 2 sapphires", "do not pay"}
    play.play("do not pay")
    assert (play.state.energy, play.state.sapphires) == ([10, 9], [2, 2])
    play = probe("damage 1, may pay sapphires 2, damage 5")
    play.play("pay 2 sapphires")
    assert (play.state.energy, play.state.sapphires) == ([10, 4], [0, 2])


@rule("SC-t")
def test_a_spell_can_be_repeated_as_long_as_it_is_paid():
    play = at([[], []], [("Sparks to Spare", 0)])
    play.play("activate Sparks to Spare")
    play.play("pay 1 sapphire")
    assert play.state.energy == [10, 8]
    play.play("pay 1 sapphire")
    assert (play.state.energy, play.state.sapphires) == ([10, 7], [0, 2])
    assert play.state.phase == ACT, "nothing is left to pay with"


@rule("SC-t", "SC-a")
def test_all_repetitions_are_one_effect():
    text = changed(green="damage 1, lose energy 1, may pay sapphires 1, repeat")
    play = at([[], []], [("Probe", 0)], energy=(2, 1), sapphires=(2, 2), deck=text)
    play.play("activate Probe")
    assert play.state.energy == [1, 0]
    assert not play.over, "the spell may be started again"
    play.play("pay 1 sapphire")
    play.play("do not pay")
    assert play.over
    assert play.score() == [0, 1], "both are without energy, and sapphires decide"


@rule("SC-t")
def test_whether_to_pay_is_decided_first_and_then_the_cards_one_by_one():
    play = probe("may pay cards 2, damage 3", [["Haste", "Library", "Pyre"], []])
    assert set(play.moves().values()) == {"pay 2 cards", "do not pay"}
    play.play("pay 2 cards")
    assert set(play.moves().values()) == {"discard Haste", "discard Library", "discard Pyre"}
    play.play("discard Haste")
    assert set(play.moves().values()) == {"discard Library", "discard Pyre"}
    assert play.state.energy == [10, 10]
    play.play("discard Pyre")
    assert (play.state.energy, hand(play, 0)) == ([10, 7], {"Library"})


# Three and four mages.


@rule("SC-8")
def test_a_team_mage_activates_what_faces_the_team():
    play = at([["Ember Dart"], [], []], turns=0)
    play.play("play Ember Dart")
    play.play("draw")
    draw_all(play)
    pass_turn(play)
    draw_all(play)
    assert play.state.mage == 2
    play.play("activate Ember Dart")
    assert play.state.energy == [10, 8]


@rule("SC-10", "SC-i")
@pytest.mark.parametrize(
    ("seats", "mage", "turns", "rival"),
    [(2, 0, 0, 1), (3, 0, 0, 1), (3, 1, 1, 2), (3, 1, 3, 0), (3, 2, 2, 1), (4, 0, 0, 1), (4, 1, 1, 2), (4, 3, 3, 0)],
)
def test_the_rival_who_draws_or_discards_is_the_next_to_play(seats, mage, turns, rival):
    hands = [[name] for name in ("Haste", "Library", "Slow Burn", "Pyre")][:seats]
    play = probe("rival discards 1", hands, mage=mage, turns=turns)
    assert play.turn == rival
    play = probe("damage 3, rival draws 1", hands, mage=mage, turns=turns)
    assert next(iter(play.outcomes().values())).endswith(f"to seat {rival}")
    draw_all(play)
    assert play.state.held[rival] == 2
    play = probe("look", hands, mage=mage, turns=turns)
    assert play.state.knows[mage][rival] == 1
    play = probe("take 1", hands, mage=mage, turns=turns)
    assert next(iter(play.outcomes().values())) == f"{hands[rival][0]} from seat {rival}"
    play = probe("draw 2 unless rival discards 1", hands, mage=mage, turns=turns)
    assert play.turn == rival


@rule("SC-10")
@pytest.mark.parametrize(
    ("mage", "sizes", "counted"),
    [(0, (1, 4), 4), (1, (3, 0), 3), (0, (3, 5, 2), 5), (1, (3, 5, 2), 5), (2, (1, 2, 1), 2),
     (0, (1, 2, 1, 4), 4), (0, (1, 4, 1, 2), 4), (3, (3, 0, 2, 0), 3), (1, (0, 5, 0, 5), 0)],
)  # fmt: skip
def test_cards_in_hand_are_counted_for_both_rivals_of_a_solo_mage_and_for_the_bigger_hand_with_four(mage, sizes, counted):
    names = iter(["Haste", "Library", "Slow Burn", "Pyre", "Leech", "Glint", "Vanish", "Silence", "Encircle", "Tribute"])
    hands = [[next(names) for _ in range(size)] for size in sizes]
    play = probe("damage per card 1", hands, mage=mage)
    assert play.state.energy[1 - (mage & 1)] == 10 - counted
    play = probe("energy per card 1", hands, mage=mage)
    assert play.state.energy[mage & 1] == 10 + counted


@rule("SC-10", "SC-j")
def test_each_mage_draws_two_and_the_team_of_three_one_each():
    play = probe("each mage draws 2 or each mage loses 2", [["Haste"], [], []], mage=0)
    assert next(iter(play.moves().values())).startswith("the solo mage draws 2 cards")
    play.play(play.legal()[0])
    order = []
    while play.turn == CHANCE:
        order.append(next(iter(play.outcomes().values()))[-1])
        play.roll(Luck(1))
    assert order == ["0", "1", "1", "2"]
    play = probe("each mage draws 2 or each mage loses 2", [[], [], [], []], mage=1)
    play.play("each mage draws 2 cards")
    order = []
    while play.turn == CHANCE:
        order.append(next(iter(play.outcomes().values()))[-1])
        play.roll(Luck(1))
    assert order == ["1", "1", "2", "2", "3", "3", "0", "0"], "each mage draws all before the next one does"
    assert play.state.held == [2, 2, 2, 2]


@rule("SC-10", "SC-j")
@pytest.mark.parametrize(("turns", "order"), [(1, [1, 1, 2, 0]), (3, [1, 1, 0, 2])])
def test_each_mage_loses_cards_of_the_own_choice_in_turn_order_from_the_active_one(turns, order):
    hands = [["Haste", "Library"], ["Slow Burn", "Pyre", "Leech"], ["Glint", "Vanish"]]
    play = probe("each mage draws 2 or each mage loses 2", hands, mage=1, turns=turns)
    play.play(play.legal()[1])
    asked = []
    while play.state.phase != ACT:
        asked.append(play.turn)
        play.play(play.legal()[0])
    assert asked == order
    assert play.state.held[:3] == [1, 1, 1]


@rule("SC-v")
@pytest.mark.parametrize(("n", "team"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_with_three_mages_the_team_draws_half_of_any_amount_rounded_up(n, team):
    play = probe(f"each mage draws {n}", [[], [], []], mage=0)
    draw_all(play)
    assert play.state.held[:3] == [team, n, team]


@rule("SC-j")
@pytest.mark.parametrize(("turns", "order"), [(1, [2, 0]), (3, [0, 2])])
def test_of_two_rivals_who_discard_the_next_to_play_is_first(turns, order):
    hands = [["Haste"], ["Slow Burn"], ["Glint"]]
    play = probe("each rival discards 1", hands, mage=1, turns=turns)
    asked = []
    while play.state.phase != ACT:
        asked.append(play.turn)
        play.play(play.legal()[0])
    assert asked == order
    assert play.state.held[:3] == [0, 1, 0]


@rule("SC-i")
def test_each_rival_means_both():
    play = probe("each rival discards 1", [["Haste"], ["Library"], ["Slow Burn"], ["Pyre"]], mage=2)
    play.play("discard Pyre")
    assert play.turn == 1
    play.play("discard Library")
    assert play.state.held == [1, 0, 1, 0]
    play = probe("each rival discards 1", [["Haste"], ["Library"], ["Slow Burn"]], mage=0)
    play.play("discard Library")
    assert play.state.phase == ACT


# The rulings.


@rule("SC-a")
def test_winning_is_asked_only_when_the_whole_effect_is_resolved():
    play = probe("lose energy 3, energy 2", energy=(2, 10))
    assert not play.over
    assert play.state.energy == [2, 10]
    play = probe("sapphires 9, lose sapphires 3", sapphires=(6, 2))
    assert not play.over
    assert play.state.sapphires == [12, 2]


@rule("SC-a")
@pytest.mark.parametrize(("sapphires", "score"), [((3, 2), [1, 0]), ((2, 3), [0, 1]), ((2, 2), [0.5, 0.5])])
def test_both_without_energy_sapphires_decide(sapphires, score):
    play = probe("damage 9, lose energy 9", energy=(5, 5), sapphires=sapphires)
    assert play.over
    assert play.score() == score


@rule("SC-a")
def test_no_energy_loses_whatever_the_sapphires():
    play = probe("lose energy 9, sapphires 9", energy=(5, 5), sapphires=(14, 2))
    assert play.over
    assert play.score() == [0, 1]


@rule("SC-a")
@pytest.mark.parametrize(
    ("sapphires", "energy", "score"),
    [((14, 13), (3, 9), [1, 0]), ((13, 14), (9, 3), [0, 1]), ((14, 14), (4, 3), [1, 0]), ((14, 14), (3, 3), [0.5, 0.5])],
)
def test_both_with_fifteen_the_richer_one_wins_then_energy(sapphires, energy, score):
    play = probe("sapphires 5, rival sapphires 5", sapphires=sapphires, energy=energy)
    assert play.over
    assert play.score() == score


@rule("SC-5", "SC-8", "SC-9")
@pytest.mark.parametrize(
    ("seats", "winner", "draw"), [(3, [0.5, 0, 0.5], [0.25, 0.5, 0.25]), (4, [0.5, 0, 0.5, 0], [0.25] * 4)]
)
def test_a_team_shares_what_it_wins_and_a_draw_is_shared_by_the_sides(seats, winner, draw):
    play = probe("damage 9", [[]] * seats, energy=(5, 5))
    assert play.score() == winner
    play = probe("damage 9, lose energy 9", [[]] * seats, energy=(5, 5))
    assert play.score() == draw


@rule("SC-b")
def test_the_mage_chooses_the_order_of_enchantments_and_all_go_off():
    play = start_of_turn([[], []], [("Slow Burn", 0), ("Slow Crystal", 0), ("Hearth Glow", 0)])
    assert set(play.moves().values()) == {"set off Slow Burn", "set off Slow Crystal", "set off Hearth Glow"}
    play.play("set off Slow Crystal")
    play.play("set off Slow Burn")
    with pytest.raises(Refused, match=r"No enchantment waits on the red pile.*SC-b"):
        play.play(PILE)
    play.play("set off Hearth Glow")
    draw_all(play)
    assert (play.state.energy, play.state.sapphires, play.state.phase) == ([11, 9], [4, 2], ACT)


@rule("SC-b")
def test_an_enchantment_that_is_taken_away_before_its_turn_does_not_go_off():
    text = changed(green_always="recall 1")
    play = start_of_turn([[], []], [("Slow Burn", 0), ("Probe", 0)], deck=text)
    play.play("set off Probe")
    play.play("recall Slow Burn")
    assert (play.turn, play.state.phase) == (CHANCE, RECEIVE)
    assert play.state.energy == [10, 10]


@rule("SC-b")
def test_one_that_is_uncovered_or_newly_turned_waits_for_the_next_turn():
    text = changed(green_always="recall 1")
    play = start_of_turn([[], []], [("Cursed Blade", 0), ("Slow Burn", 0), ("Probe", 0)], deck=text)
    play.play("set off Probe")
    play.play("recall Slow Burn")
    assert tops(play)["Cursed Blade"] == 0
    assert play.state.phase == RECEIVE
    play = start_of_turn([[], []], [("Slow Burn", 1), ("Probe", 0)], deck=changed(green_always="turn 1"))
    play.play("set off Probe")
    play.play("turn Slow Burn")
    assert tops(play)["Slow Burn"] == 0
    assert play.state.phase == RECEIVE


@rule("SC-c")
def test_both_actions_must_be_taken_unless_the_option_lets_one_stop():
    play = at([[], []])
    with pytest.raises(Refused, match="SC-c"):
        play.play(STOP)
    play = at([[], []], may_stop=True)
    play.play("stop")
    assert play.state.mage == 1


@rule("SC-c", "SC-d")
def test_a_turn_ends_when_nothing_can_be_done():
    play = at([["Haste"], []], left=0)
    play.play("play Haste")
    assert play.over, "no second action was possible, and the rival cannot draw"


@rule("SC-d")
def test_there_is_no_draw_from_an_empty_deck():
    play = at([["Haste"], []], left=0)
    assert list(play.moves().values()) == ["play Haste"]
    with pytest.raises(Refused, match=r"The deck is empty.*SC-d"):
        play.play(DRAW)


@rule("SC-e")
def test_energy_has_no_limit_of_thirty():
    assert probe("energy 9", energy=(40, 10)).state.energy == [49, 10]


@rule("SC-r")
def test_counters_stop_at_999():
    assert probe("energy 9", energy=(995, 10)).state.energy == [999, 10]


@rule("SC-f")
def test_a_hand_has_no_limit():
    names = [card.name for card in deck.standard()][:20]
    play = at([names, []])
    play.play("draw")
    draw_all(play)
    assert play.state.held[0] == 21


@rule("SC-g")
def test_a_rival_decides_at_once_whether_to_discard():
    hands = [[], ["Haste", "Library"]]
    play = probe("draw 2 unless rival discards 1", hands)
    assert (play.turn, play.state.phase) == (1, ANSWER)
    assert set(play.moves().values()) == {"discard 1 card", "refuse"}
    with pytest.raises(Refused, match=r"asks for a decision first.*SC-t"):
        play.play(DRAW)
    play.play("discard 1 card")
    play.play("discard Haste")
    assert (play.turn, play.state.phase, play.state.held) == (0, ACT, [0, 1, 0, 0])
    play = probe("draw 2 unless rival discards 1", hands)
    play.play("refuse")
    draw_all(play)
    assert play.state.held == [2, 2, 0, 0]


@rule("SC-g")
@pytest.mark.parametrize(
    ("fine", "hands", "more"),
    [
        ("rival discards 1", [[], []], {}),
        ("rival discards 2", [[], ["Haste"]], {}),
        ("rival pays sapphires 3", [[], []], {}),
        ("rival pays energy 3", [[], []], {"energy": (10, 2)}),
    ],
)
def test_a_rival_who_cannot_pay_in_full_is_not_asked(fine, hands, more):
    play = probe(f"draw 2 unless {fine}", hands, **more)
    assert play.turn == CHANCE
    draw_all(play)
    assert play.state.held[0] == 2


@rule("SC-g")
def test_a_rival_may_pay_with_energy_or_sapphires():
    play = probe("sapphires 3 unless rival pays energy 2")
    play.play("pay 2 energy")
    assert (play.state.energy, play.state.sapphires) == ([10, 8], [2, 2])
    play = probe("energy 3 unless rival pays sapphires 2")
    play.play("pay 2 sapphires")
    assert (play.state.energy, play.state.sapphires) == ([10, 10], [2, 0])


@rule("SC-k")
def test_a_look_shows_the_hand_as_it_is_now_to_the_active_mage_alone():
    play = probe("look", [[], ["Haste", "Library"], [], []])
    assert set(seen(play, 0, 1)) == {"Haste", "Library"}
    assert not seen(play, 2, 1)
    assert not seen(play, WATCHER, 1)
    play.play("draw")
    draw_all(play)
    assert play.state.mage == 1
    assert set(seen(play, 0, 1)) == {"Haste", "Library"}, "what is drawn later stays hidden"
    play.play("play Haste")
    assert set(seen(play, 0, 1)) == {"Library"}


def seen(play, seat, other):
    """The cards of a hand that a seat knows."""
    view = play.view(seat)
    return [words.name(view, card) for card in words.cards_in(view.hand[other])]


@rule("SC-l", "SC-s2")
def test_a_card_taken_from_a_hand_is_shown_to_all_and_stays_known():
    play = probe("take 1", [[], ["Haste", "Library"], [], []])
    assert play.odds().count(1) == 2
    play.chance("Library from seat 1")
    assert hand(play, 0) == {"Library"}
    for other in (1, 2, 3, WATCHER):
        assert seen(play, other, 0) == ["Library"]
    play.play("play Library")
    assert play.state.shown == [0, 0, 0, 0]


@rule("SC-k", "SC-l")
def test_a_chosen_card_is_taken_or_discarded_after_a_look():
    play = probe("take chosen 1", [["Pyre"], ["Haste", "Library"], [], []])
    assert set(play.moves().values()) == {"take Haste", "take Library"}
    with pytest.raises(Refused, match=r"not in the next rival's hand.*SC-i"):
        play.play(CHOOSE)
    play.play("take Haste")
    assert hand(play, 0) == {"Pyre", "Haste"}
    assert seen(play, 0, 1) == ["Library"]
    assert seen(play, 2, 0) == ["Haste"]
    play = probe("strip chosen 2", [[], ["Haste", "Library", "Pyre"]])
    play.play("discard Pyre")
    play.play("discard Haste")
    assert hand(play, 1) == {"Library"}
    assert discards(play) >= {"Pyre", "Haste"}
    assert probe("strip chosen 2").state.phase == ACT


@rule("SC-7")
def test_cards_are_stripped_at_random():
    play = probe("strip 2", [[], ["Haste", "Library", "Pyre"]])
    assert sorted(play.outcomes().values()) == ["Haste from seat 1", "Library from seat 1", "Pyre from seat 1"]
    play.chance("Haste from seat 1")
    play.chance("Pyre from seat 1")
    assert hand(play, 1) == {"Library"}
    assert play.state.phase == ACT


@rule("SC-m")
def test_a_used_card_works_for_the_user_and_counts_as_activated():
    play = at([[], []], [("Ember Dart", 1), ("Borrowed Tongue", 0)])
    play.play("activate Borrowed Tongue")
    play.play("use Ember Dart")
    assert play.state.energy == [10, 8]
    assert {name_of(play, card) for card in words.cards_in(play.state.used)} == {"Ember Dart", "Borrowed Tongue"}
    assert tops(play)["Ember Dart"] == 1, "it faces the rival as before"


@rule("SC-m", "SC-o")
def test_what_cannot_be_used():
    piles = [("Blood Bargain", 1), ("Hearth Glow", 1), ("Rough Stones", 0), ("Borrowed Tongue", 0)]
    play = at([[], []], piles, energy=(2, 10))
    play.play("activate Borrowed Tongue")
    assert list(play.moves().values()) == ["use Blood Bargain"], "no enchantment, and nothing that faces the user"
    refusals = [(PILE + 1, "Hearth Glow cannot be used now.*SC-m"), (PILE + 2, "Rough Stones already faces you.*SC-w")]
    for move, sentence in refusals:
        with pytest.raises(Refused, match=sentence):
            play.play(move)
    play.play("use Blood Bargain")
    assert play.state.energy == [1, 7], "the user pays"
    two = changed(red="use, damage 1", green="use")
    play = at([[], []], [("Red Probe", 1), ("Green Probe", 0)], deck=two)
    play.play("activate Green Probe")
    assert play.state.phase == ACT, "a card that uses cards cannot be used"
    play = at([[], []], [("Gemfire", 1), ("Borrowed Tongue", 0)], sapphires=(1, 9))
    play.play("activate Borrowed Tongue")
    assert play.state.phase == ACT, "the user cannot pay its price"


@rule("SC-m")
@pytest.mark.parametrize(
    "effect", ["use, damage 1", "damage 1, use", "damage 1, energy 1, use", "damage 1, energy 1, look, use"]
)
def test_a_card_that_uses_cards_in_any_clause_cannot_be_used(effect):
    two = changed(red=effect, green="use")
    play = at([[], []], [("Red Probe", 1), ("Green Probe", 0)], deck=two)
    play.play("activate Green Probe")
    assert (play.state.phase, play.state.energy) == (ACT, [10, 10])


@rule("SC-m")
def test_a_card_may_use_another_as_its_third_clause():
    two = changed(red="rival discards 1, damage 1", green="energy 1, sapphires 1, use, damage 2")
    play = at([[], ["Haste"]], [("Red Probe", 1), ("Green Probe", 0)], deck=two)
    play.play("activate Green Probe")
    assert (play.state.energy, play.state.sapphires) == ([11, 10], [3, 2])
    play.play("use Red Probe")
    assert (play.state.outer_step, play.state.step, play.turn) == (3, 1, 1)
    again = new("spellcaster", 2, {"deck": two}, position=position_of(play))
    assert again.bytes == play.bytes, "such a position can be loaded"
    play.play("discard Haste")
    assert (play.state.energy, play.state.phase) == ([11, 7], ACT)


@rule("SC-m")
def test_after_a_used_card_the_first_one_goes_on():
    two = changed(red="rival discards 1, damage 1", green="use, sapphires 2")
    play = at([[], ["Haste"]], [("Red Probe", 1), ("Green Probe", 0)], deck=two)
    play.play("activate Green Probe")
    play.play("use Red Probe")
    assert (play.turn, play.state.sapphires) == (1, [2, 2])
    play.play("discard Haste")
    assert (play.state.energy, play.state.sapphires, play.state.phase) == ([10, 9], [4, 2], ACT)


@rule("SC-m")
def test_a_card_used_in_this_turn_is_not_activated_again_when_it_is_turned():
    piles = [("Ember Dart", 1), ("Turncoat", 0), ("Borrowed Tongue", 0)]
    play = at([["Turncoat"], []], [piles[0], piles[2]], actions=3)
    play.play("activate Borrowed Tongue")
    play.play("use Ember Dart")
    play.play("play Turncoat")
    play.play("activate Turncoat")
    play.play("turn Ember Dart")
    assert tops(play)["Ember Dart"] == 0
    assert play.state.mage == 1


@rule("SC-n")
def test_more_actions_are_added_to_the_turn():
    play = probe("actions 2")
    assert play.state.actions == 3
    play = start_of_turn([[], []], [("Haste", 0)])
    play.play("set off Haste")
    draw_all(play)
    assert play.state.actions == 3


@rule("SC-n")
@pytest.mark.parametrize(("seats", "most"), [(2, 54), (3, 48), (4, 48)])
def test_no_game_is_longer_than_the_deck(seats, most):
    for seed in range(6):
        *_, play = random_game(seed, seats, may_stop=True)
        assert play.over
        assert play.state.turns <= most
    play = new("spellcaster", seats, {"may_stop": True})
    while not play.over:
        if play.turn == CHANCE:
            play.roll(Luck(play.ply))
        else:
            play.play("stop")
    assert play.state.turns == most, "stopping at once makes the longest game"


@rule("SC-q")
def test_setting_off_is_a_move_also_for_the_last_enchantment_and_the_active_mage_is_you():
    hands = [[], ["Pyre"], [], ["Glint"]]
    play = start_of_turn(hands, [("Book Mites", 0), ("Library", 1)], mage=2)
    assert play.state.phase == RECEIVE, "what faces the other side waits for it"
    text = changed(green_always="draw 1")
    play = start_of_turn([[], [], [], []], [("Probe", 0)], mage=2, deck=text)
    with pytest.raises(Refused, match=r"go off first.*SC-q"):
        play.play(DRAW)
    play.play("set off Probe")
    assert next(iter(play.outcomes().values())).endswith("to seat 2")


@rule("SC-t")
def test_a_card_is_read_from_left_to_right_and_asks_before_it_goes_on():
    play = probe("damage 1, discard 1, damage 2", [["Haste", "Library"], []])
    assert play.state.energy == [10, 9]
    with pytest.raises(Refused, match=r"Probe asks for a card first.*SC-t"):
        play.play(DRAW)
    play.play("discard Haste")
    assert play.state.energy == [10, 7]


@rule("SC-t", "SC-a")
def test_an_effect_is_the_whole_card_with_the_card_it_uses():
    two = changed(red="damage 9", green="use, rival energy 2")
    play = at([[], []], [("Red Probe", 1), ("Green Probe", 0)], energy=(5, 5), deck=two)
    play.play("activate Green Probe")
    play.play("use Red Probe")
    assert not play.over
    assert play.state.energy == [5, 2]


@rule("SC-t")
def test_of_two_clauses_one_is_chosen_and_the_rest_goes_on():
    play = probe("damage 2 or sapphires 2, energy 1")
    assert list(play.moves().values()) == ["do 2 damage", "gain 2 sapphires"]
    play.play("do 2 damage")
    assert (play.state.energy, play.state.sapphires) == ([11, 8], [2, 2])
    play = probe("damage 2 or sapphires 2, energy 1")
    play.play("gain 2 sapphires")
    assert (play.state.energy, play.state.sapphires) == ([11, 10], [4, 2])


@rule("SC-u")
def test_all_know_how_many_cards_of_a_hand_a_mage_has_seen_but_not_which():
    play = probe("look", [[], ["Haste", "Library"], [], []])
    for seat in (0, 1, 2, 3, WATCHER):
        assert play.view(seat).knows[0][1] == 2
    assert play.view(2).known[0] == play.view(WATCHER).known[0] == [0, 0, 0, 0]
    assert play.view(1).known[0] == play.state.known[0], "the owner knows which of the own cards were seen"


@rule("SC-u")
def test_a_card_that_all_know_is_not_counted_among_those_seen_by_a_look():
    play = probe("look", [[], ["Haste", "Library"], [], []], shown=["Haste"])
    for seat in (0, 1, 2, 3, WATCHER):
        assert play.view(seat).knows[0][1] == 1
    assert set(seen(play, 0, 1)) == {"Haste", "Library"}
    assert seen(play, 2, 1) == ["Haste"]


@rule("SC-w")
def test_a_card_that_was_just_uncovered_may_be_chosen_next():
    play = probe("banish 2", piles=[("Pyre", 1), ("Ember Dart", 1)])
    play.play("remove Ember Dart")
    play.play("remove Pyre")
    assert discards(play) >= {"Pyre", "Ember Dart"}
    assert play.state.height == [0, 0, 0, 1]


@rule("SC-w")
def test_a_spell_may_recall_itself_and_still_counts_as_activated_when_it_is_played_again():
    play = probe("recall 1, draw 1", actions=3)
    play.play("recall Probe")
    draw_all(play)
    assert "Probe" in hand(play, 0)
    play.play("play Probe")
    assert tops(play) == {"Probe": 0}
    assert "activate Probe" not in play.moves().values()
    with pytest.raises(Refused, match=r"Probe has already been activated this turn.*SC-3"):
        play.play(PILE + 3)


@rule("SC-w")
def test_a_top_card_must_be_chosen_if_any_fits_as_often_as_the_card_says():
    piles = [("Pyre", 0), ("Ember Dart", 1), ("Hearth Glow", 1), ("Glint", 0)]
    play = probe("banish 3", piles=piles)
    assert play.state.phase == POINT
    assert set(play.moves().values()) == {"remove Ember Dart", "remove Hearth Glow"}
    with pytest.raises(Refused, match=r"asks for a top card.*SC-w"):
        play.play(NO)
    play.play("remove Ember Dart")
    assert tops(play)["Pyre"] == 0
    play.play("remove Hearth Glow")
    assert play.state.phase == ACT, "there is no third one"


@rule("SC-w")
def test_only_enchantments_of_the_other_side_are_dispelled():
    piles = [("Ember Dart", 1), ("Hearth Glow", 1), ("Slow Crystal", 0)]
    play = probe("dispel 1", piles=piles)
    assert list(play.moves().values()) == ["remove Hearth Glow"]
    with pytest.raises(Refused, match=r"Ember Dart is not an enchantment.*SC-w"):
        play.play(PILE)
    play.play("remove Hearth Glow")
    assert "Hearth Glow" in discards(play)


@rule("SC-w", "SC-s2")
def test_a_recalled_card_goes_to_the_hand_and_all_know_it():
    play = probe("recall 1", piles=[("Ember Dart", 1), ("Glint", 0)])
    assert set(play.moves().values()) == {"recall Glint", "recall Probe"}
    with pytest.raises(Refused, match=r"Ember Dart does not face you.*SC-w"):
        play.play(PILE)
    play.play("recall Glint")
    assert seen(play, 1, 0) == ["Glint"]


@rule("SC-t")
def test_what_every_other_word_does():
    assert probe("drain 3", energy=(10, 2)).state.energy == [12, 0]
    assert probe("rival energy 3").state.energy == [10, 13]
    assert probe("rival sapphires 3").state.sapphires == [2, 5]
    piles = [("Ember Dart", 0), ("Warm Broth", 1), ("Glint", 0)]
    assert probe("damage per pile 2", piles=piles).state.energy == [10, 4]
    assert probe("energy per pile 1", piles=piles).state.energy == [13, 10]
    assert probe("sapphires per pile 1", piles=piles).state.sapphires == [5, 2]
    play = probe("turn 1", piles=piles)
    play.play("turn Warm Broth")
    assert tops(play) == {"Ember Dart": 0, "Warm Broth": 0, "Glint": 0, "Probe": 0}
    assert "activate Warm Broth" in play.moves().values()


@rule("SC-10")
def test_the_five_known_texts_are_in_the_deck():
    effects = {card.name: deck.spelled(card.effect) for card in deck.standard()}
    assert effects["Open Threat"] == "draw 2 unless rival discards 1"
    assert effects["Borrowed Breath"] == "energy per card 1"
    assert effects["Tide of Pages"] == "each mage draws 2 or each mage loses 2"
    assert effects["Weight of Thought"] == "damage per card 1"
    assert effects["Burning Lance"] == "damage 3, rival draws 1"


# Any game.


def sides_turned(turned, plain, by):
    """What the schema does not know: seats on the second axis, and with an odd number of places the sides."""
    for seat in range(plain.seats):
        row = turned.knows[seat]
        turned.knows[seat] = [row[(other - by) % plain.seats] for other in range(plain.seats)] + row[plain.seats :]
    if by & 1:
        turned.energy.reverse()
        turned.sapphires.reverse()
        lying = [sum(1 << k for k in plain.pile[c][: plain.height[c]]) for c in range(COLOURS)]
        turned.facing = [mask & ~plain.facing[c] for c, mask in enumerate(lying)]
    return turned


@rule("SC-9", "SC-h")
@pytest.mark.parametrize("seats", [2, 4])
def test_no_seat_is_better_than_another_with_two_and_four_mages(seats, monkeypatch):
    rotate = rules.State.rotate
    monkeypatch.setattr(rules, "FIXED_SIDES", False)
    monkeypatch.setattr(rules.State, "rotate", lambda plain, by: sides_turned(rotate(plain, by), plain, by))
    for seed in range(3):
        for play in random_game(seed, seats):
            if play.ply % 3 == 0 and not play.over:
                choices = play.outcomes() if play.turn == CHANCE else play.moves()
                assert list(check.rotation_problems(play.game, play, choices)) == []


def fuzzed(play, random):
    """The position with a few numbers changed at random."""
    position = position_of(play)
    fields = rules.State.fields
    for _ in range(random.choice([1, 1, 2, 3])):
        name = random.choice([n for n in position if n not in ("card_effect", "enchantments", "deck_mark")])
        field = fields[name]
        low, high = field.low, min(field.high, SEATS - 1 if field.names_seat else field.high)
        value = random.choice([random.randint(low, high), random.randint(max(low, 0), min(high, 3))])
        if not field.shape:
            position[name] = value
        else:
            row = random.choice(position[name]) if len(field.shape) == 2 else position[name]
            place = random.randrange(len(row))
            row[place] = value if random.random() < 0.5 else max(low, min(high, row[place] ^ 1 << random.randrange(4)))
    return position


def test_any_position_is_refused_or_can_be_played_to_its_end():
    random = Random(5)
    taken = 0
    for seed in range(14):
        *_, play = random_game(seed, 2 + seed % 3, 10 + 9 * seed)
        for _ in range(40):
            try:
                other = new("spellcaster", play.seats, position=fuzzed(play, random))
            except Refused:
                continue
            taken += 1
            luck = Luck(taken)
            while not other.over:
                if other.turn == CHANCE:
                    other.roll(luck)
                else:
                    moves = other.legal()
                    other.play(moves[luck.below(len(moves))])
                assert rules.State.outside(other.state) is None
    assert taken > 20


@pytest.mark.parametrize(
    "wrong",
    [
        {"held": [2, 0, 0, 0]}, {"left": 19}, {"phase": SET_OFF}, {"phase": OFFER}, {"phase": RECEIVE}, {"turn": 1},
        {"actions": 0}, {"phase": START, "turn": CHANCE, "mage": NONE}, {"phase": DONE, "turn": OVER}, {"count": 1},
        {"nth": 1}, {"step": 1},
        {"energy": [0, 5]}, {"sapphires": [15, 2]}, {"waiting": 1}, {"card": 0, "step": 1}, {"turns": 40}, {"ending": 1},
        {"height": [1, 0, 0, 0]}, {"facing": [1, 0, 0, 0]}, {"knows": [[0, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4]},
        {"shown": [ALL, 0, 0, 0]}, {"outer": 3}, {"outer": -2}, {"card": -5}, {"mage": -6},
        {"used": [0, 0, 0, ALL]}, {"seats": 3}, {"may_stop": 1},
    ],
)  # fmt: skip
def test_a_position_whose_parts_do_not_fit_is_refused(wrong):
    with pytest.raises(Refused):
        at([["Ember Dart"], ["Library"]], position=wrong)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_words_and_tables_tell_every_ply_to_everybody(seats):
    names = ["Ann", "You", "Cy", "Dee"][:seats]
    phases = set()
    for seed in range(3):
        for play in random_game(seed + 10 * seats, seats):
            phases.add(play.state.phase)
            view = play.view(1)
            screen = Console(width=100, file=io.StringIO())
            if play.ply % 7 == 0:
                screen.print(table.draw(view, 1, names))
                drawn = screen.file.getvalue()
                assert all(len(line) <= 100 for line in drawn.split("\n"))
                for card in words.cards_in(view.hand[1]):
                    assert words.name(view, card) in drawn
            for move in (-1, DRAW, STOP, YES, PLAY, CHOOSE + 7, PILE + 2, MOVES - 1, MOVES):
                asked, sentence = words.why_not(view, move)
                assert asked in find("spellcaster").rule
                assert re.fullmatch(r"[A-Z].*\.", sentence)
    assert len(phases) >= 8


@pytest.mark.parametrize("width", [80, 100, 140])
def test_the_table_tells_the_whole_text_of_every_card_at_any_width(width):
    names = ["Clementine", "Morgana", "Bartholomew", "Prospero"]
    for play in random_game(5, 4):
        if play.ply % 9 == 0:
            view = play.view(1)
            screen = Console(width=width, file=io.StringIO())
            screen.print(table.draw(view, 1, names))
            drawn = screen.file.getvalue()
            assert max(map(len, drawn.split("\n"))) <= min(width, 100)
            assert "…" not in drawn
            told = " ".join(drawn.split())
            for card in words.cards_in(view.hand[1]):
                assert words.text(view, card) in told


def test_news_tell_what_changed_and_speak_to_you():
    names = ["Ann", "You"]
    play = at([["Haste"], ["Library", "Pyre"]], [("Burning Lance", 0), ("Raven's Eye", 0)])
    assert told(play, "activate Burning Lance", names) == "Ann activates Burning Lance. You lose 3 energy."
    card = next(iter(play.outcomes().values())).removesuffix(" to seat 1")
    assert told(play, f"{card} to seat 1", names) == f"You draw {card}."
    said = told(play, "activate Raven's Eye", names)
    assert said.startswith("Ann activates Raven's Eye. Ann looks at your hand: ")
    assert "Library" in said
    play = at([[], []], [("Ember Dart", 0)], energy=(4, 2))
    said = told(play, "activate Ember Dart", names)
    assert said == "Ann activates Ember Dart. You lose 2 energy. You have no energy left. Ann wins."


def told(play, move, names, seat=1):
    before = play.view(seat)
    play.chance(move) if play.turn == CHANCE else play.play(move)
    return words.news(before, play.past(seat)[-1][1], play.view(seat), names)
