"""The rules of Dice Heist, one sentence a test."""

import re
from collections import Counter
from io import StringIO
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.kernel import plain
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE, OVER, WATCHER
from spellheist.games.dice_heist import rules, table, words
from spellheist.games.dice_heist.rules import (
    ACT,
    DONE,
    HEIST,
    HERMITAGE,
    JOIN,
    KINDS,
    LOUVRE,
    MOVES,
    RAID,
    RECRUIT,
    REVEAL,
    ROLL,
    SEND,
    START,
    TAKE_FROM,
    TO_ROLL,
    State,
)
from spellheist.laws.twins import last_frame

rule = pytest.mark.rule

STANDARD = new("dice_heist", 2).state
KIND = {words.card(STANDARD, kind): kind for kind in range(KINDS)}
DECK = Counter({card: STANDARD.kind_count[kind] for card, kind in KIND.items()})

CHEAP, DEAR = "Hermitage painting 10", "Louvre painting 45"
MINOR, MAJOR = "Hermitage minor artifact", "Hermitage major artifact"
RED, GREEN, BLUE = "Hermitage red gem", "Metropolitan green gem", "Louvre blue gem"


def row(cards):
    counts = [0] * KINDS
    for card, count in Counter(cards).items():
        counts[KIND[card]] = count
    return counts


def five(numbers):
    return [*numbers, *[0] * (5 - len(numbers))]


def at(shown, stolen=(), deck=None, sidekicks=(), seats=2, thief=0, phase=ACT, turns=0, **options):
    """A position with these cards lying open, `thief` to act. The rest is in the deck; if the deck is
    given too, the rest was stolen by the last seat."""
    stolen = [*stolen, *[[]] * (5 - len(stolen))]
    rest = DECK - Counter(shown)
    for cards in stolen:
        rest -= Counter(cards)
    if deck is not None:
        stolen[seats - 1] = [*stolen[seats - 1], *(rest - Counter(deck)).elements()]
    position = {
        "phase": phase, "turn": thief if phase == ACT else CHANCE, "thief": thief, "turns": turns, "shown": row(shown),
        "left": row(rest.elements() if deck is None else deck), "stolen": [row(cards) for cards in stolen],
        "sidekicks": five(sidekicks), "supply": 10 - sum(sidekicks),
    }  # fmt: skip
    return new("dice_heist", seats, options, position=position)


def roll(play, *faces):
    """The dice of a heist; how many are rolled is up to the rules."""
    for face in faces:
        play.chance(face)


def rob(play, target, joined=0, *faces):
    play.play(target)
    play.play(JOIN + joined)
    roll(play, *faces)


def owned(play, seat):
    s = play.state
    return Counter({card: s.stolen[seat][kind] for card, kind in KIND.items() if s.stolen[seat][kind]})


def open_cards(play):
    s = play.state
    return Counter({card: s.shown[kind] for card, kind in KIND.items() if s.shown[kind]})


def points(play):
    states = kernel.rows(rules.State, 1)
    kernel.load(rules.State, states, 0, play.bytes)
    out = kernel.reals(5)
    rules.points(states[0], out)
    return [int(out[seat]) for seat in range(play.seats)]


def limit_with(stolen, seats=2):
    """A game that the turn limit has just ended, with these cards stolen."""
    play = at([RED], stolen, seats=seats, turns=8, turn_limit=9)
    play.play("recruit")
    assert play.over
    return play


def random_game(seed, seats, **options):
    """A random game; yields it before each ply."""
    play = new("dice_heist", seats, options)
    luck = Luck(seed)
    while not play.over:
        yield play
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            moves = play.legal()
            play.play(moves[luck.below(len(moves))])
    yield play


# DH-1: who starts.


@rule("DH-1")
def test_everybody_rolls_the_thief_die_and_the_highest_starts():
    play = new("dice_heist", 3)
    assert play.outcomes() == {face: f"seat 0 rolls {face}" for face in range(1, 7)}
    assert play.odds()[:8] == [0, 1, 1, 1, 1, 1, 1, 0]
    play.chance("seat 0 rolls 3")
    play.chance("seat 1 rolls 5")
    assert play.state.phase == START
    play.chance("seat 2 rolls 4")
    assert (play.state.phase, play.state.thief) == (REVEAL, 1)


@rule("DH-1")
def test_those_tied_for_the_highest_roll_again_until_one_is_ahead():
    play = new("dice_heist", 4)
    roll(play, 6, 2, 6, 6)
    assert play.state.opening[:4] == [0, -2, 0, 0]
    assert play.outcomes()[1] == "seat 0 rolls 1"
    roll(play, 1)
    assert play.outcomes()[1] == "seat 2 rolls 1", "the beaten seat 1 does not roll"
    roll(play, 3, 3)
    assert play.state.opening[:4] == [-1, -2, 0, 0]
    roll(play, 1, 2)
    assert (play.state.phase, play.state.thief) == (REVEAL, 3)


@rule("DH-1")
def test_a_roll_lower_than_a_beaten_one_still_starts_if_it_is_the_highest_of_the_second_roll():
    play = new("dice_heist", 3)
    roll(play, 6, 5, 6)
    roll(play, 1, 2)
    assert play.state.thief == 2


@rule("DH-1")
def test_turns_go_to_the_left_and_around():
    play = new("dice_heist", 3)
    roll(play, 1, 6, 1)
    order = []
    for _ in range(5):
        play.roll_all(Luck(len(order)))
        order.append(play.turn)
        play.play("recruit")
    assert order == [1, 2, 0, 1, 2]


@rule("DH-1")
def test_a_move_out_of_turn_is_refused():
    play = at([RED], seats=3, thief=1)
    with pytest.raises(Refused, match=r"It is Seat 1's turn, not Seat 2's\. \(DH-1\)"):
        play.play("recruit", seat=2)
    assert play.ply == 0


# DH-2: the flip.


@rule("DH-2")
def test_the_turn_opens_with_one_card_flipped_into_its_museum():
    play = at([], phase=REVEAL)
    play.chance(f"reveal {DEAR}")
    assert open_cards(play) == {DEAR: 1}
    assert sum(play.state.left) == 51
    assert (play.turn, play.state.phase) == (0, ACT)
    assert [*play.moves().values()] == ["recruit", "heist Louvre"]


@rule("DH-2")
def test_a_minor_exhibit_is_followed_by_another_flip_and_so_on():
    play = at([], phase=REVEAL)
    for _ in range(3):
        play.chance(f"reveal {MINOR}")
        assert play.state.phase == REVEAL
    play.chance(f"reveal {MAJOR}")
    assert (play.turn, play.state.phase) == (0, ACT)
    assert open_cards(play) == {MINOR: 3, MAJOR: 1}


@rule("DH-2")
def test_a_minor_exhibit_that_is_the_last_card_is_followed_by_nothing():
    play = at([], deck=[MINOR, MINOR], phase=REVEAL)
    play.chance(f"reveal {MINOR}")
    assert play.state.phase == REVEAL
    play.chance(f"reveal {MINOR}")
    assert (play.turn, play.state.phase, sum(play.state.left)) == (0, ACT, 0)


@rule("DH-2")
def test_there_is_no_flip_once_the_deck_is_empty():
    play = at([RED], deck=[])
    play.play("recruit")
    assert (play.turn, play.state.phase) == (1, ACT)


# DH-3: one action.


@rule("DH-3")
def test_a_turn_is_one_action_recruit_or_heist():
    play = at([RED, DEAR])
    assert [*play.moves().values()] == ["recruit", "heist Hermitage", "heist Louvre"]
    play.play("recruit")
    assert (play.turn, play.state.phase, play.state.thief, play.state.turns) == (CHANCE, REVEAL, 1, 1)


@rule("DH-3")
def test_a_failed_heist_was_the_action_of_the_turn():
    play = at([DEAR], deck=[])
    rob(play, "heist Louvre", 0, 5)
    assert (play.turn, play.state.phase, play.state.turns) == (1, ACT, 1)


@rule("DH-3")
def test_there_is_no_move_outside_the_list():
    play = at([RED])
    for move in (-1, MOVES, 30000):
        with pytest.raises(Refused, match=rf"There is no move {move}\. \(DH-3\)"):
            play.play(move)


# DH-4: recruiting.


@rule("DH-4")
def test_recruiting_takes_one_sidekick_from_the_supply():
    play = at([RED], sidekicks=(2, 1))
    play.play("recruit")
    assert play.state.sidekicks[:2] == [3, 1]
    assert play.state.supply == 6


@rule("DH-4")
def test_the_last_sidekick_of_the_supply_comes_before_those_of_others():
    play = at([RED], sidekicks=(0, 9))
    assert play.legal()[:2] == [RECRUIT, HEIST]
    with pytest.raises(Refused, match=r"While the supply has sidekicks, they are taken from there\. \(DH-4\)"):
        play.play(TAKE_FROM + 1)
    play.play("recruit")
    assert play.state.supply == 0


@rule("DH-4")
def test_with_an_empty_supply_the_sidekick_comes_from_who_has_the_most():
    play = at([RED], sidekicks=(2, 3, 5), seats=3)
    assert [*play.moves().values()] == ["recruit from seat 2", "heist Hermitage"]
    with pytest.raises(Refused, match=r"The supply is empty.*\(DH-4\)"):
        play.play(RECRUIT)
    with pytest.raises(Refused, match=r"taken from whoever has the most\. \(DH-4\)"):
        play.play(TAKE_FROM + 1)
    play.play("recruit from seat 2")
    assert play.state.sidekicks[:3] == [3, 3, 4]
    assert play.state.supply == 0


@rule("DH-4")
def test_of_several_with_the_most_the_recruiter_chooses():
    play = at([RED], sidekicks=(1, 4, 1, 4), seats=4)
    assert [*play.moves().values()][:2] == ["recruit from seat 1", "recruit from seat 3"]
    play.play("recruit from seat 3")
    assert play.state.sidekicks[:4] == [2, 4, 1, 3]


# DH-5: the heist.


@rule("DH-j")
def test_only_a_museum_with_an_exhibit_can_be_robbed():
    play = at([RED])
    assert HEIST + 3 not in play.legal()
    with pytest.raises(Refused, match=r"Nothing lies in the Louvre\. \(DH-j\)"):
        play.play(HEIST + 3)


@rule("DH-5")
@pytest.mark.parametrize("have", [0, 1, 3, 10])
def test_none_to_all_of_the_own_sidekicks_join_the_thief(have):
    play = at([RED], sidekicks=(have, 0))
    play.play("heist Hermitage")
    assert play.legal() == [JOIN + n for n in range(have + 1)]
    if have < 10:
        with pytest.raises(Refused, match=r"Only .* can join.*\(DH-5\)"):
            play.play(JOIN + have + 1)
    play.play(JOIN + have)
    roll(play, *[1] * have)
    assert play.state.phase == ROLL
    roll(play, 1)
    assert play.state.turns == 1


@rule("DH-5")
def test_sidekicks_of_others_cannot_join():
    play = at([RED], sidekicks=(1, 7))
    play.play("heist Hermitage")
    assert [*play.moves().values()] == ["roll alone", "roll with 1 sidekick"]


@rule("DH-5")
def test_nobody_moves_while_dice_are_rolled():
    play = at([RED])
    play.play("heist Hermitage")
    play.play("roll alone")
    assert [*play.outcomes().values()] == [f"thief rolls {face}" for face in range(1, 7)]
    with pytest.raises(Refused, match="nobody's turn"):
        play.play(RECRUIT)


# DH-6: success.


@rule("DH-6", "DH-g")
@pytest.mark.parametrize(("card", "level"), [(RED, 2), (GREEN, 3), ("British Museum red gem", 4), (BLUE, 5)])
@pytest.mark.parametrize("face", range(1, 7))
def test_a_heist_needs_a_die_above_the_level_2_3_4_or_5(card, level, face):
    play = at([card])
    rob(play, f"heist {card.removesuffix(' gem').rpartition(' ')[0]}", 0, face)
    assert bool(owned(play, 0)) == (face > level)


@rule("DH-6")
def test_dice_are_not_added_up():
    play = at([DEAR], sidekicks=(2, 0))
    rob(play, "heist Louvre", 2, 5, 5, 5)
    assert not owned(play, 0)
    assert open_cards(play) == {DEAR: 1}


@rule("DH-6")
@pytest.mark.parametrize("faces", [(6, 1, 1), (1, 6, 1), (1, 1, 6), (6, 6, 6)])
def test_any_single_die_is_enough(faces):
    play = at([DEAR], sidekicks=(2, 0))
    rob(play, "heist Louvre", 2, *faces)
    assert owned(play, 0) == {DEAR: 1}


# DH-7 and DH-8: what happens to cards and sidekicks.


@rule("DH-7")
def test_success_takes_every_exhibit_of_the_museum_and_no_other():
    play = at([RED, RED, CHEAP, MINOR, DEAR, GREEN])
    rob(play, "heist Hermitage", 0, 3)
    assert owned(play, 0) == {RED: 2, CHEAP: 1, MINOR: 1}
    assert open_cards(play) == {DEAR: 1, GREEN: 1}


@rule("DH-7")
def test_the_rulebooks_example_a_thief_who_wins_alone_still_gives_up_the_sidekick_that_rolled():
    play = at(["Metropolitan red gem"], sidekicks=(1, 0))
    rob(play, "heist Metropolitan", 1, 5, 2)
    assert owned(play, 0) == {"Metropolitan red gem": 1}
    assert play.state.sidekicks[0] == 0
    assert play.state.supply == 10


@rule("DH-7")
def test_sidekicks_that_did_not_roll_stay_after_a_success():
    play = at([RED], sidekicks=(4, 3))
    rob(play, "heist Hermitage", 1, 6, 6)
    assert play.state.sidekicks[:2] == [3, 3]
    assert play.state.supply == 4


@rule("DH-8")
def test_failure_takes_nothing_and_costs_nothing():
    play = at([RED, MAJOR], sidekicks=(4, 3))
    rob(play, "heist Hermitage", 4, 2, 1, 2, 1, 2)
    assert not owned(play, 0)
    assert open_cards(play) == {RED: 1, MAJOR: 1}
    assert play.state.sidekicks[:2] == [4, 3]
    assert play.state.supply == 3


# DH-9: the end and the score.


@rule("DH-9")
def test_the_game_ends_the_moment_deck_and_museums_are_empty():
    play = at([RED, DEAR], deck=[], seats=3, sidekicks=(1, 0, 0))
    rob(play, "heist Hermitage", 0, 3)
    assert play.turn == 1
    rob(play, "heist Louvre", 0, 6)
    assert (play.turn, play.state.phase, play.legal()) == (OVER, DONE, [])
    with pytest.raises(Refused, match="over"):
        play.play("recruit")


@rule("DH-9")
def test_empty_museums_do_not_end_the_game_while_cards_are_in_the_deck():
    play = at([RED], deck=[DEAR])
    rob(play, "heist Hermitage", 0, 3)
    assert (play.turn, play.state.phase, play.state.thief) == (CHANCE, REVEAL, 1)
    assert play.odds() == row([DEAR])


@rule("DH-9")
def test_artifacts_score_1_each_as_shown():
    play = limit_with([[MINOR, MINOR, MAJOR, "Louvre major artifact", CHEAP], [CHEAP.replace("10", "15")]])
    assert points(play) == [2 + 4 - 4, 8]


@rule("DH-9")
def test_the_rulebooks_example_2_red_3_green_and_1_blue_gem_score_3_and_6_and_1():
    gems = ["Metropolitan red gem"] * 2 + ["Louvre green gem"] * 2 + [GREEN, BLUE]
    play = limit_with([gems, []])
    assert points(play) == [3 + 6 + 1 + 4, 4]


@rule("DH-9")
def test_gems_of_one_colour_count_together_whatever_museum_they_come_from():
    reds = [card for card in DECK.elements() if card.endswith("red gem")]
    play = at([GREEN], [reds], turns=8, turn_limit=9)
    play.play("recruit")
    assert points(play) == [28 + 4, 4]


@rule("DH-9")
def test_the_highest_total_of_paintings_brings_8_and_the_lowest_costs_4():
    play = limit_with([["Louvre painting 45"], ["Metropolitan painting 20"], ["Hermitage painting 15"]], seats=3)
    assert points(play) == [8, 0, -4]
    assert play.score() == [1.0, 0.0, 0.0]
    assert words.standings(play.state) == ["8 points", "no points", "-4 points"]


@rule("DH-9")
def test_it_is_the_total_that_counts_and_not_the_number_of_paintings():
    play = limit_with([["Louvre painting 45"], [CHEAP, "Hermitage painting 15", "Metropolitan painting 15"]])
    assert points(play) == [8, -4]


@rule("DH-9")
def test_those_tied_for_the_highest_or_the_lowest_total_score_in_full():
    stolen = [["Metropolitan painting 20"], ["British Museum painting 20"], [CHEAP], ["Metropolitan painting 10"]]
    play = limit_with([*stolen, ["Hermitage painting 15"]], seats=5)
    assert points(play) == [8, 8, -4, -4, 0]


@rule("DH-9")
def test_equal_points_share_the_win():
    play = limit_with([[GREEN], [BLUE], []], seats=3)
    assert points(play) == [5, 5, 4]
    assert play.score() == [0.5, 0.5, 0.0]


def scored(cards):
    """DH-9 told again, from the words on the cards of each seat."""
    totals = [sum(int(card.split()[-1]) for card in held.elements() if "painting" in card) for held in cards]
    result = []
    for held, total in zip(cards, totals, strict=True):
        own = 8 * (total == max(totals)) - 4 * (total == min(totals))
        for card in held.elements():
            own += "minor" in card
            own += 2 * ("major" in card)
        for colour in ("red", "green", "blue"):
            own += sum(range(1 + sum(f"{colour} gem" in card for card in held.elements())))
        result.append(own)
    return result


@rule("DH-9", "DH-b", "DH-c")
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), st.randoms(use_true_random=False))
def test_any_collection_is_scored_as_the_words_on_its_cards_say(seats, random):
    stolen = [[] for _ in range(seats)]
    for card in (DECK - Counter([RED])).elements():
        if random.random() < 0.7:
            stolen[random.randrange(seats)].append(card)
    play = limit_with(stolen, seats)
    expected = scored([owned(play, seat) for seat in range(seats)])
    assert points(play) == expected == words.tally(play.state)
    best = [seat for seat in range(seats) if expected[seat] == max(expected)]
    assert play.score() == [1 / len(best) if seat in best else 0.0 for seat in range(seats)]


# DH-10: targeted raids.


@rule("DH-10")
def test_without_the_option_nobody_raids():
    play = at([RED])
    assert [*play.moves().values()] == ["recruit", "heist Hermitage"]
    with pytest.raises(Refused, match=r"targeted_raid\. \(DH-10\)"):
        play.play(RAID + KIND[RED])


@rule("DH-10")
def test_with_the_option_a_raid_is_a_third_action_on_any_card_that_lies_open():
    play = at([RED, DEAR], targeted_raid=True)
    raids = ["raid Hermitage red gem", "raid Louvre painting 45"]
    assert [*play.moves().values()] == ["recruit", "heist Hermitage", "heist Louvre", *raids]
    with pytest.raises(Refused, match=r"There is no blue gem in the Louvre\. \(DH-10\)"):
        play.play(RAID + KIND[BLUE])


@rule("DH-10", "DH-g")
@pytest.mark.parametrize(("card", "level"), [(RED, 2), (GREEN, 3), ("British Museum red gem", 4), (BLUE, 5)])
@pytest.mark.parametrize("face", range(1, 7))
def test_a_raid_succeeds_on_a_die_equal_to_the_level_or_higher(card, level, face):
    play = at([card], targeted_raid=True)
    rob(play, f"raid {card}", 0, face)
    assert bool(owned(play, 0)) == (face >= level)


@rule("DH-10")
@pytest.mark.parametrize("face", [5, 6])
def test_a_raid_takes_only_the_named_card_even_on_a_higher_roll(face):
    play = at([DEAR, BLUE, BLUE, RED], targeted_raid=True)
    rob(play, f"raid {BLUE}", 0, face)
    assert owned(play, 0) == {BLUE: 1}
    assert open_cards(play) == {DEAR: 1, BLUE: 1, RED: 1}


@rule("DH-10", "DH-7", "DH-8")
def test_sidekicks_leave_after_a_raid_that_worked_and_stay_after_one_that_failed():
    play = at([DEAR], sidekicks=(3, 0), targeted_raid=True)
    rob(play, f"raid {DEAR}", 2, 4, 4, 4)
    assert play.state.sidekicks[0] == 3
    play = at([DEAR], sidekicks=(3, 0), targeted_raid=True)
    rob(play, f"raid {DEAR}", 2, 4, 4, 5)
    assert play.state.sidekicks[0] == 1
    assert play.state.supply == 9


@rule("DH-10", "DH-9")
def test_a_raid_on_the_last_card_ends_the_game():
    play = at([DEAR], deck=[], targeted_raid=True)
    rob(play, f"raid {DEAR}", 0, 5)
    assert play.over


# Rulings.


@rule("DH-a")
def test_who_alone_has_the_most_cannot_recruit_from_an_empty_supply():
    play = at([RED], sidekicks=(4, 3, 3), seats=3)
    assert [*play.moves().values()] == ["heist Hermitage"]
    with pytest.raises(Refused, match=r"no other player has more than you\. \(DH-a\)"):
        play.play(TAKE_FROM + 1)
    with pytest.raises(Refused, match=r"You cannot recruit your own sidekicks\. \(DH-a\)"):
        play.play(TAKE_FROM)


@rule("DH-a")
def test_who_ties_for_the_most_takes_from_another_who_ties():
    play = at([RED], sidekicks=(4, 4, 2), seats=3)
    assert [*play.moves().values()] == ["recruit from seat 1", "heist Hermitage"]
    play.play("recruit from seat 1")
    assert play.state.sidekicks[:3] == [5, 3, 2]


@rule("DH-a")
def test_with_the_option_only_the_others_are_compared():
    play = at([RED], sidekicks=(6, 2, 2, 0), seats=4, recruit_from_richest_other=True)
    assert [*play.moves().values()] == ["recruit from seat 1", "recruit from seat 2", "heist Hermitage"]
    with pytest.raises(Refused, match=r"There is no sidekick to take\. \(DH-a\)"):
        play.play(TAKE_FROM + 3)


@rule("DH-a")
def test_with_the_option_nobody_recruits_from_players_without_sidekicks():
    play = at([RED], sidekicks=(10, 0), recruit_from_richest_other=True)
    assert [*play.moves().values()] == ["heist Hermitage"]


@rule("DH-a")
def test_the_option_changes_nothing_while_the_supply_lasts():
    play = at([RED], sidekicks=(6, 3), recruit_from_richest_other=True)
    assert [*play.moves().values()] == ["recruit", "heist Hermitage"]


@rule("DH-b")
def test_no_paintings_are_a_total_of_0_which_can_be_the_lowest():
    assert points(limit_with([[CHEAP], [], []], seats=3)) == [8, -4, -4]


@rule("DH-c")
def test_if_all_totals_are_equal_each_gets_8_and_loses_4():
    assert points(limit_with([[], [], []], seats=3)) == [4, 4, 4]
    assert points(limit_with([[CHEAP], ["Metropolitan painting 10"]])) == [4, 4]


@rule("DH-d")
def test_the_game_ends_after_the_turn_limit_and_scores_what_is_held():
    play = at([RED, DEAR], [[GREEN]], turns=6, turn_limit=7)
    rob(play, "heist Louvre", 0, 6)
    assert play.over
    assert play.game.verbs.limited(play._states, 0)
    assert points(play) == [1 + 8, -4]


@rule("DH-d")
def test_one_turn_before_the_limit_the_game_goes_on():
    play = at([RED], turns=5, turn_limit=7)
    play.play("recruit")
    assert play.state.phase == REVEAL


@rule("DH-d")
def test_a_game_that_is_emptied_in_the_last_turn_was_not_ended_by_the_limit():
    play = at([RED], deck=[], turns=6, turn_limit=7)
    rob(play, "heist Hermitage", 0, 6)
    assert play.over
    assert not play.game.verbs.limited(play._states, 0)


@rule("DH-d")
def test_all_turns_count_recruiting_included():
    *_, play = random_game(1, 3, turn_limit=5)
    assert play.state.turns == 5
    assert play.game.verbs.stage(play._states, 0) == 1


@rule("DH-e")
def test_equal_cards_are_one_target():
    play = at([RED, RED, GREEN], targeted_raid=True)
    assert [label for label in play.moves().values() if label.startswith("raid")] == [f"raid {RED}", f"raid {GREEN}"]


@rule("DH-f")
def test_the_target_is_named_first_and_the_sidekicks_next():
    play = at([RED, DEAR], sidekicks=(2, 0))
    with pytest.raises(Refused, match=r"Name the target first.*\(DH-f\)"):
        play.play(JOIN + 1)
    play.play("heist Louvre")
    assert (play.turn, play.state.phase, play.state.target) == (0, SEND, HEIST + 3)
    for move in (RECRUIT, TAKE_FROM + 1, HEIST, RAID):
        with pytest.raises(Refused, match=r"The target is already named.*\(DH-f\)"):
            play.play(move)
    play.play("roll with 2 sidekicks")
    assert play.state.dice[:4] == [TO_ROLL, TO_ROLL, TO_ROLL, 0]


@rule("DH-f")
def test_a_player_without_sidekicks_is_asked_too():
    play = at([RED])
    play.play("heist Hermitage")
    assert play.moves() == {JOIN: "roll alone"}


@rule("DH-h")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_whoever_is_asked_can_rob_a_museum(seats):
    asked = 0
    for seed in range(8):
        for play in random_game(seed, seats, recruit_from_richest_other=bool(seed % 2)):
            if play.turn >= 0 and play.state.phase == ACT:
                assert any(HEIST <= move < RAID for move in play.legal())
                asked += 1
    assert asked > 200


@rule("DH-h")
def test_a_position_in_which_nothing_can_be_done_is_refused():
    with pytest.raises(Refused, match="not one that Dice Heist can reach"):
        at([], sidekicks=(10, 0))


@rule("DH-i")
def test_every_die_is_rolled_even_after_one_was_enough():
    play = at([RED], sidekicks=(2, 0))
    rob(play, "heist Hermitage", 2, 6)
    assert play.outcomes()[4] == "sidekick rolls 4"
    roll(play, 4)
    assert play.state.phase == ROLL
    roll(play, 1)
    assert play.state.turns == 1
    assert play.state.dice[:4] == [6, 4, 1, 0], "the dice lie on the table until the next action"
    play.roll_all(Luck(1))
    play.play("recruit")
    assert play.state.dice == [0] * 11
    assert play.state.target == NONE


# Who knows what.


@rule("DH-s1")
def test_each_card_that_nobody_has_seen_is_equally_likely_to_be_next():
    play = new("dice_heist", 2)
    roll(play, 6, 1)
    luck = Luck(4)
    unseen = Counter(DECK)
    while unseen:
        if play.turn == CHANCE:
            assert play.odds() == play.view(1).left == row(unseen.elements())
            unseen -= Counter([words.card(play.state, play.roll(luck).move)])
        else:
            play.play(play.legal()[0])  # recruiting comes first
    assert not any(play.state.left)


@rule("DH-s1")
def test_the_same_cards_flipped_in_another_order_leave_the_same_view():
    one = [KIND[MINOR], KIND["Louvre minor artifact"], KIND[DEAR]]
    other = [KIND["Louvre minor artifact"], KIND[MINOR], KIND[DEAR]]
    for seat in (0, 1, WATCHER):
        views = [next(iter(last_frame(at([], phase=REVEAL), moves, seat))) for moves in (one, other)]
        assert views[0] == views[1], "the state does not remember how the deck lay"


@rule("DH-s2")
def test_nothing_else_is_hidden_from_players_or_watchers():
    for play in random_game(5, 3, targeted_raid=True):
        if play.ply % 7 == 0:
            assert all(play.view(seat) == play.state for seat in (0, 1, 2, WATCHER))
    assert play.past(WATCHER) == play.past(0) == [(ply.who, ply.move) for ply in play.plies]


def drawn(play, seat, names=("Ann", "Bob"), width=120):
    console = Console(width=width, file=StringIO())
    console.print(table.draw(play.view(seat), seat, names))
    return console.file.getvalue()


@rule("DH-s2")
def test_the_table_covers_the_artifacts_of_others_until_the_end():
    held = [[MAJOR, MAJOR, "Louvre major artifact"], []]
    play = at([RED], held)
    assert "● 6" in drawn(play, 0)
    assert "3 hidden" in drawn(play, 1)
    assert "● 6" not in drawn(play, 1)
    assert "● 6" in drawn(limit_with(held), 1)


# Positions, words and pieces.


def test_the_setup_deals_nothing_and_gives_nobody_a_sidekick():
    s = new("dice_heist", 4).state
    assert s.left == s.kind_count
    assert (s.supply, sum(s.sidekicks), sum(s.shown), sum(map(sum, s.stolen))) == (10, 0, 0, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"supply": 9},
        {"shown": row([RED, RED])},
        {"turn": 1},
        {"phase": SEND},
        {"phase": ROLL, "turn": CHANCE},
        {"phase": START, "turn": CHANCE},
        {"phase": DONE, "turn": OVER},
        {"phase": SEND, "target": HEIST + 3},
        {"phase": SEND, "target": RAID + KIND[RED]},
        {"phase": ROLL, "turn": CHANCE, "target": HEIST, "dice": [TO_ROLL] * 2 + [0] * 9},
        {"phase": ROLL, "turn": CHANCE, "target": HEIST, "dice": [6] + [0] * 10},
        {"phase": ROLL, "turn": CHANCE, "target": HEIST, "dice": [0, TO_ROLL] + [0] * 9},
        {"dice": [3] + [0] * 10},
        {"target": HEIST},
        {"target": TAKE_FROM, "dice": [3] + [0] * 10},
        {"turns": 400},
        {"opening": [0, 0, 1, 0, 0]},
        {"kind_count": [1] * KINDS},
    ],
)
def test_positions_that_do_not_fit_together_are_refused(change):
    play = at([RED])
    position = {name: getattr(play.state, name) for name in ("phase", "turn", "shown", "left")}
    new("dice_heist", 2, position=position)
    with pytest.raises(Refused, match="position"):
        new("dice_heist", 2, position={**position, **change})


def test_sidekicks_are_ten_wherever_they_are_and_cards_are_never_lost():
    for seats in (2, 5):
        for play in random_game(seats, seats, targeted_raid=True):
            s = play.state
            assert s.supply + sum(s.sidekicks) == 10
            assert sum(s.left) + sum(s.shown) + sum(map(sum, s.stolen)) == 52


def test_there_is_a_reason_and_a_sentence_for_every_move_that_is_refused():
    known = find("dice_heist").rule
    random = Random(3)
    for seed in range(6):
        for play in random_game(seed, 2 + seed % 4, targeted_raid=bool(seed % 2)):
            if random.random() < 0.1:
                for move in range(-2, MOVES + 2):
                    reason, sentence = words.why_not(play.state, move)
                    assert reason in known, move
                    assert sentence[0].isupper(), move
                    assert sentence.endswith("."), move


def test_news_and_questions_read_well():
    play = at([RED, RED, CHEAP, "Metropolitan painting 10"], deck=[DEAR], sidekicks=(2, 0))
    names = ["You", "Bob"]
    said = []
    for move in ("heist Hermitage", "roll with 2 sidekicks", 3, 4, 1, f"reveal {DEAR}", "heist Louvre", "roll alone", 5):
        before = play.view(0)
        ply = play.chance(move) if play.turn == CHANCE else play.play(move)
        said.append(words.news(before, ply.move, play.view(0), names))
    assert said == [
        "You plan a heist at the Hermitage.",
        "You send 2 sidekicks along.",
        "The thief rolls 3.",
        "A sidekick rolls 4.",
        "A sidekick rolls 1. You steal 2 red gems and a painting worth 10. 2 sidekicks return to the supply.",
        "A painting worth 45 arrives in the Louvre. It was the last card of the deck.",
        "Bob plans a heist at the Louvre.",
        "Bob rolls alone.",
        "The thief rolls 5. The heist fails: no die shows a 6.",
    ]
    assert words.question(play.view(0), names) == "You recruit a sidekick, or try a heist."


def test_the_news_of_the_end_tells_all_points_and_who_won():
    play = at([DEAR], [[RED]], deck=[])
    play.play("heist Louvre")
    play.play("roll alone")
    before = play.view(0)
    ply = play.chance(6)
    said = words.news(before, ply.move, play.view(0), ["You", "Bob"])
    mine, others = points(play)
    assert said.endswith(f"Nothing is left to steal: You {mine} and Bob {others}. Bob wins.")


def test_the_table_fits_100_columns_and_shows_every_card_that_lies_open():
    names = ["Ann", "Bartholomew the Elder", "Cy", "Dee", "Eve"]
    for play in random_game(2, 5, targeted_raid=True):
        if play.ply % 9 == 0:
            text = drawn(play, play.ply % 5, names)
            assert max(len(line.rstrip()) for line in text.split("\n")) <= 100
            paintings = sum(n for kind, n in enumerate(play.state.shown) if play.state.kind_what[kind] == rules.PAINTING)
            hidden = sum(n for kind, n in enumerate(play.state.left) if play.state.kind_what[kind] == rules.PAINTING)
            assert len(re.findall(r"▣\d", text)) == paintings + hidden


def test_80_columns_show_every_chance_and_all_that_a_seat_has():
    names = ["Ann", "Bartholomew the Elder", "Cy", "Dee", "Eve"]
    held = [[MINOR], [DEAR, RED, RED, GREEN, BLUE, MAJOR]]
    play = at([CHEAP], held, sidekicks=(0, 5, 2), seats=5, thief=1, targeted_raid=True)
    text = drawn(play, 1, names, width=80)
    assert max(map(len, text.split("\n"))) <= 80
    assert re.search("player +sidekicks +paintings +red +green +blue +artifacts +points", text)
    assert re.search(r"Ann .* 1 hidden +-4 \+ \?", text)
    assert re.search(r"▶ Bartholomew .* □x5 +▣ 45 \(\+8\) +◆◆ 3 +◆ 1 +◆ 1 +● 2 +15", text)
    assert re.search(r"Louvre .* 17%  \+1 31%  \+2 42%  \+5 67%", text)
    assert re.search(r"level 5 .* 33%  \+1 56%  \+2 70%  \+5 91% raid", text)


def test_moving_the_seats_around_the_table_moves_whom_a_sidekick_is_taken_from():
    play = at([RED], sidekicks=(0, 5, 5), seats=3)
    rotated = [play.game.verbs.rotated(play._states, 0, move, 2) for move in (TAKE_FROM + 1, TAKE_FROM + 2, HEIST)]
    assert rotated == [TAKE_FROM + 0, TAKE_FROM + 1, HEIST]


def test_worth_is_between_0_and_1_and_higher_for_who_is_ahead():
    states = kernel.rows(rules.State, 1)
    play = at([RED], [[DEAR], [GREEN], []], seats=3)
    kernel.load(rules.State, states, 0, play.bytes)
    out = kernel.reals(5)
    rules.worth(states[0], out)
    assert 1 >= out[0] > 0.5 > out[1] > out[2] >= 0


def test_what_a_page_prints_on_the_museums_is_what_the_terminal_says():
    state = new("dice_heist", 2).state
    state.sidekicks[0] = 2
    printed = words.cards(state)
    assert [(museum["name"], museum["level"]) for museum in printed] == list(zip(words.MUSEUMS, rules.LEVELS, strict=True))
    for number, museum in enumerate(printed):
        chances = museum["heist"]["chances"]
        assert table.chances(state, 0, number).plain == f"{chances[0]}%  +1 {chances[1]}%  +2 {chances[2]}%"


def test_the_face_and_the_chances_printed_for_a_heist_and_a_raid_are_those_of_the_rules():
    needs = plain(rules.needs)
    state = new("dice_heist", 2, {"targeted_raid": True}).state
    for number, museum in enumerate(words.cards(state)):
        state.target = HEIST + number
        assert museum["heist"]["face"] == needs(state)
        state.target = RAID + next(kind for kind in range(KINDS) if state.kind_museum[kind] == number)
        assert museum["raid"]["face"] == needs(state)
    louvre = words.cards(state)[3]
    assert louvre["heist"]["chances"][:3] == [17, 31, 42]
    assert louvre["raid"]["chances"][:3] == [33, 56, 70]
    assert all(max(museum[what]["chances"]) < 100 for museum in words.cards(state) for what in ("heist", "raid"))


# Hints.


def chance_to_rob(play, move, joining):
    """By the rules: over all faces of all dice of a heist or raid, how often something is taken."""
    faces = range(1, 7)
    taken = 0
    for rolled in product(faces, repeat=1 + joining):
        tried = new("dice_heist", play.seats, {"targeted_raid": bool(play.state.targeted_raid)}, position=vars_of(play))
        tried.play(move)
        if tried.turn != CHANCE:
            tried.play(JOIN + joining)
        for face in rolled:
            if tried.state.phase == ROLL:
                tried.chance(face)
        taken += any(tried.state.stolen[0])
    return taken / len(faces) ** (1 + joining)


def vars_of(play):
    return {name: getattr(play.state, name) for name in State.fields}


def test_hints_give_the_exact_chance_of_each_heist_and_raid_with_each_number_of_sidekicks():
    play = at([MINOR, DEAR], sidekicks=[2, 0], targeted_raid=True)
    said = "\n".join(words.hints(play.view(0), 0))
    for museum, name in ((HERMITAGE, "Hermitage"), (LOUVRE, "Louvre")):
        heist, raid = (re.search(rf"{kind} at the {name}: (.*)", said)[1] for kind in ("Exact chance", "A raid"))
        card = next(kind for kind in range(KINDS) if play.state.shown[kind] and play.state.kind_museum[kind] == museum)
        for joining in range(3):
            for line, move in ((heist, HEIST + museum), (raid, RAID + card)):
                percent = f"{100 * chance_to_rob(play, move, joining):.3g} %"
                assert (f"{percent} alone" if joining == 0 else f"{joining} {percent}") in line
    assert said.count("at the") == 4


def test_when_sidekicks_are_sent_hints_tell_of_that_target_only():
    play = at([MINOR, DEAR], sidekicks=[1, 0])
    play.play(HEIST + LOUVRE)
    assert words.hints(play.view(0), 0) == ["Exact chance at the Louvre: 16.7 % alone, with sidekicks: 1 30.6 %"]


def test_no_hint_promises_certainty():
    play = at([MINOR], sidekicks=[10, 0])
    assert "10 99.9 %" in words.hints(play.view(0), 0)[0]
    assert "100 %" not in words.hints(play.view(0), 0)[0]
