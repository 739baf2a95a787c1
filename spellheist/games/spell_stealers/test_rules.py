"""The rules of Spell Stealers, one sentence a test. What seats may know is in test_secrets.py."""

import io
import random

import pytest
from rich.console import Console

from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE, CHANCE, HIDDEN, JUDGE, NONE, WATCHER
from spellheist.games.spell_stealers import rules, table, words
from spellheist.games.spell_stealers.rules import (
    ARTIFACT,
    ASK,
    ATTEMPT,
    BANK,
    CHOOSE,
    CLOSE,
    DEEPEST,
    DIAMOND,
    DONE,
    EITHER,
    GREEN,
    MISSED,
    MOST,
    MOVES,
    ORB,
    ORDER,
    PASS,
    PUNISH,
    PYRAMID,
    READY,
    RED,
    RESET,
    SEATS,
    SPENT,
    STEAL,
    STEAL_BY,
    SUCCESS,
    UNCLEAR,
    VOID,
    WINDOW,
    YES,
)

GAME = find("spell_stealers")
PEOPLE = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"]


def tell(game, *said):
    """Let the game go on by words: a move where somebody is asked, an outcome where chance is."""
    for word in said:
        game.chance(word) if game.turn == CHANCE else game.play(word)
    return game


def begun(seats=3, current=0, starter=0, position=None, **options):
    """A game in which `current` begins a turn."""
    live = options.get("stealing") == "live"
    fields = {
        "turn": ANYONE if live else current, "phase": CHOOSE, "current": current, "starter": starter, "roller": NONE,
    }  # fmt: skip
    for name, value in (position or {}).items():
        fields[name] = value + [0] * (SEATS - len(value)) if isinstance(value, list) else value
    return new("spell_stealers", seats, options, PEOPLE[:seats], fields)


def seven(*said, **rest):
    """The current player has found a yellow 7 on the orb; then the rest is told."""
    return tell(begun(**rest), "roll orb", "orb 7 yellow", "green or yellow", *said)


def pawns(game):
    return game.state.pawn[: game.seats]


def tokens(game):
    return game.state.token[: game.seats]


def lines(game):
    return set(game.moves().values())


# Set-up and the turn.


@pytest.mark.rule("SS-1")
def test_all_pawns_start_at_the_entrance_with_ready_tokens_and_the_highest_orb_begins():
    game = new("spell_stealers", 4)
    assert pawns(game) == [0] * 4
    assert tokens(game) == [READY] * 4
    assert game.odds() == [0] + [1] * 12
    tell(game, "seat 0 rolls orb 3", "seat 1 rolls orb 2", "seat 2 rolls orb 9", "seat 3 rolls orb 8")
    assert (game.turn, game.state.current, game.state.starter) == (2, 2, 2)
    assert game.state.playing[:4] == [1] * 4


@pytest.mark.rule("SS-1")
def test_only_those_tied_for_the_highest_roll_again_until_one_is_ahead():
    game = new("spell_stealers", 4)
    tell(game, "seat 0 rolls orb 9", "seat 1 rolls orb 9", "seat 2 rolls orb 9", "seat 3 rolls orb 8")
    tell(game, "seat 0 rolls orb 5", "seat 1 rolls orb 11", "seat 2 rolls orb 11")
    assert game.turn == CHANCE
    assert game.state.playing[:4] == [0, 1, 1, 0]
    tell(game, "seat 1 rolls orb 1", "seat 2 rolls orb 1", "seat 1 rolls orb 1", "seat 2 rolls orb 2")
    assert game.state.starter == 2
    assert game.state.playing[:4] == [1] * 4


@pytest.mark.rule("SS-2", "SS-a")
def test_a_turn_begins_without_points_and_with_a_ready_token():
    game = begun(position={"token": [READY, SPENT, SPENT]})
    tell(game, "roll pyramid", "pyramid 4 green", "green", "bank")
    assert (game.turn, game.state.points) == (1, 0)
    assert tokens(game) == [READY, READY, SPENT]


@pytest.mark.rule("SS-3")
def test_a_turn_starts_with_a_choice_of_three_dice_and_no_bank():
    game = begun()
    assert lines(game) == {"roll pyramid", "roll diamond", "roll orb"}
    with pytest.raises(Refused, match=r"at least one roll.*SS-3"):
        game.play(BANK)


@pytest.mark.rule("SS-3")
@pytest.mark.parametrize(("die", "sides"), [("pyramid", 4), ("diamond", 8), ("orb", 12)])
def test_each_die_has_its_numbers_all_equally_likely(die, sides):
    game = tell(begun(), f"roll {die}")
    assert game.odds() == [0] + [1] * sides + [0] * (12 - sides)


@pytest.mark.rule("SS-3")
def test_the_success_die_has_two_green_four_green_or_yellow_and_two_red_faces_unless_the_option_says_otherwise():
    game = tell(begun(), "roll orb", "orb 1 red")
    assert game.odds()[:4] == [0, 2, 4, 2]
    game = tell(begun(success_faces="0,7,1"), "roll orb", "orb 1 red")
    assert game.odds()[:4] == [0, 0, 7, 1]
    assert set(game.outcomes().values()) == {"green or yellow", "red"}


@pytest.mark.parametrize("faces", ["2,4,1", "4,4,0", "3,4,2", "9,-2,1", "2,6", "8"])
def test_success_faces_must_be_eight_with_a_red_one(faces):
    with pytest.raises(Refused, match="8 in all and at least one red"):
        begun(success_faces=faces)


COLOURS = [
    *((PYRAMID, face, "green") for face in range(1, 5)),
    *((DIAMOND, face, "yellow") for face in range(1, 5)),
    *((DIAMOND, face, "green") for face in range(5, 9)),
    *((ORB, face, "red") for face in range(1, 6)),
    *((ORB, face, "yellow") for face in range(6, 10)),
    *((ORB, face, "green") for face in range(10, 13)),
]
FITTING = {"green": {"green"}, "green or yellow": {"green", "yellow"}, "red": {"red"}}


@pytest.mark.rule("SS-4", "SS-5", "SS-7")
@pytest.mark.parametrize("symbol", FITTING)
@pytest.mark.parametrize(("die", "face", "colour"), COLOURS)
def test_a_number_succeeds_exactly_with_the_symbols_of_its_colour(die, face, colour, symbol):
    name = words.NAMES[die]
    game = begun(position={"token": [READY, SPENT, SPENT]})
    tell(game, f"roll {name}", f"{name} {face} {colour}", symbol)
    assert words.colour_of(die, face) == words.COLOURS.index(colour)
    if colour in FITTING[symbol]:
        assert (game.turn, game.state.points) == (0, face)
    else:
        assert (game.turn, game.state.points) == (1, 0)


@pytest.mark.rule("SS-5")
def test_an_artifact_that_nobody_steals_is_added_to_the_points():
    game = seven("decline", "decline")
    assert (game.turn, game.state.phase, game.state.points, game.state.taker) == (0, CHOOSE, 7, 0)
    assert pawns(game) == [0, 0, 0]


@pytest.mark.rule("SS-6")
def test_after_an_artifact_the_player_rolls_any_die_again_or_banks_and_the_turn_passes_left():
    game = seven("decline", "decline")
    assert lines(game) == {"roll pyramid", "roll diamond", "roll orb", "bank"}
    tell(game, "roll pyramid", "pyramid 3 green", "green", "decline", "decline", "bank")
    assert pawns(game) == [10, 0, 0]
    assert (game.turn, game.state.points) == (1, 0)
    game = tell(begun(current=2), "roll pyramid", "pyramid 3 green", "green", "decline", "decline", "bank")
    assert game.turn == 0


@pytest.mark.rule("SS-6")
def test_nobody_plays_out_of_turn():
    with pytest.raises(Refused, match=r"Ann's turn, not Bob's.*SS-6"):
        begun().play(0, seat=1)


@pytest.mark.rule("SS-7")
def test_no_match_loses_the_points_of_the_turn_and_nothing_else():
    game = tell(begun(position={"pawn": [12, 3, 5]}), "roll orb", "orb 7 yellow", "green or yellow", "decline", "decline")
    tell(game, "roll diamond", "diamond 4 yellow", "green")
    assert pawns(game) == [12, 3, 5]
    assert (game.turn, game.state.points) == (1, 0)
    assert (game.state.die, game.state.face, game.state.symbol) == (DIAMOND, 4, GREEN), "the dice stay in sight"


# Stealing.


@pytest.mark.rule("SS-8", "SS-9")
@pytest.mark.parametrize("roll", range(1, 13))
def test_a_seven_on_the_orb_is_stolen_by_seven_to_twelve(roll):
    game = seven("steal", f"seat 1 rolls orb {roll}", position={"pawn": [2, 20, 5]})
    if roll >= 7:
        assert pawns(game) == [2, 27, 5]
        assert (game.turn, game.state.phase, game.state.points, game.state.taker) == (0, CHOOSE, 0, 1)
    else:
        assert pawns(game) == [2, 20 - roll, 5]
        assert (game.turn, game.state.phase, game.state.taker) == (2, ASK, NONE)
    assert tokens(game) == [READY, SPENT, READY]


@pytest.mark.rule("SS-8")
def test_after_a_theft_the_current_player_keeps_earlier_points_and_goes_on():
    game = seven("decline", "decline")
    tell(game, "roll diamond", "diamond 8 green", "green", "decline", "steal", "seat 2 rolls diamond 8")
    assert game.state.points == 7
    assert lines(game) == {"roll pyramid", "roll diamond", "roll orb", "bank"}
    tell(game, "bank")
    assert pawns(game) == [7, 0, 8]


@pytest.mark.rule("SS-9")
def test_a_failed_thief_never_goes_back_past_the_entrance_and_others_may_still_try():
    game = seven("steal", "seat 1 rolls orb 6", position={"pawn": [0, 4, 5]})
    assert pawns(game) == [0, 0, 5]
    tell(game, "steal", "seat 2 rolls orb 7")
    assert pawns(game) == [0, 0, 12]
    assert game.turn == 0


@pytest.mark.rule("SS-9", "SS-5")
def test_when_all_thieves_fail_the_artifact_is_kept():
    game = seven("steal", "seat 1 rolls orb 6", "steal", "seat 2 rolls orb 1", position={"pawn": [0, 9, 9]})
    assert pawns(game) == [0, 3, 8]
    assert (game.turn, game.state.points, game.state.taker) == (0, 7, 0)


@pytest.mark.rule("SS-10")
def test_in_a_race_attempts_after_a_success_fail_and_are_punished_whatever_they_roll():
    game = seven("steal", "steal", "steal", stealing="race", seats=4, position={"pawn": [0, 15, 15, 15]})
    tell(game, "seat 2 is next", "seat 2 rolls orb 3", "seat 3 is next", "seat 3 rolls orb 7")
    assert game.state.phase == PUNISH
    tell(game, "seat 1 rolls orb 12")
    assert pawns(game) == [0, 3, 12, 22]
    assert tokens(game) == [READY, SPENT, SPENT, SPENT]
    assert (game.turn, game.state.phase, game.state.points, game.state.taker) == (0, CHOOSE, 0, 3)


@pytest.mark.rule("SS-10", "SS-12")
def test_in_live_a_theft_closes_the_window_and_a_later_throw_is_punished():
    game = seven("seat 2 steals with orb", "seat 2 rolls orb 9", stealing="live", position={"pawn": [0, 20, 0]})
    assert (game.turn, game.state.phase) == (ANYONE, CHOOSE)
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 12")
    assert pawns(game) == [0, 8, 7]
    assert game.state.points == 0


@pytest.mark.rule("SS-10")
def test_in_live_a_failed_attempt_leaves_the_window_open_for_the_next():
    game = seven("seat 2 steals with orb", "seat 2 rolls orb 2", stealing="live")
    assert game.state.phase == WINDOW
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 7")
    assert pawns(game) == [0, 7, 0]


@pytest.mark.rule("SS-11", "SS-b")
def test_in_live_an_attempt_with_a_spent_token_is_punished_even_with_a_high_roll():
    game = seven("seat 1 steals with orb", stealing="live", position={"pawn": [0, 20, 0], "token": [READY, SPENT, READY]})
    assert game.state.phase == PUNISH
    tell(game, "seat 1 rolls orb 12")
    assert pawns(game) == [0, 8, 0]
    assert game.state.phase == WINDOW


@pytest.mark.rule("SS-11", "SS-b")
def test_in_live_an_attempt_before_the_first_roll_is_outside_the_window():
    game = tell(begun(stealing="live", position={"pawn": [0, 20, 0]}), "seat 1 steals with diamond")
    assert game.odds() == [0] + [1] * 8 + [0] * 4, "the punishment is a roll of the die that was thrown"
    tell(game, "seat 1 rolls diamond 5")
    assert pawns(game) == [0, 15, 0]
    assert tokens(game) == [READY, SPENT, READY]
    assert (game.turn, game.state.phase) == (ANYONE, CHOOSE)


@pytest.mark.rule("SS-11", "SS-b")
def test_in_live_the_wrong_die_is_punished_by_its_own_roll():
    game = seven("seat 1 steals with pyramid", stealing="live", position={"pawn": [0, 20, 0]})
    assert game.odds() == [0] + [1] * 4 + [0] * 8
    tell(game, "seat 1 rolls pyramid 4")
    assert pawns(game) == [0, 16, 0]
    assert game.state.phase == WINDOW


@pytest.mark.rule("SS-11", "SS-7")
def test_in_live_an_attempt_on_nothing_is_punished_and_points_are_lost_when_the_dice_are_passed_on():
    game = seven("close", stealing="live", position={"pawn": [1, 20, 0]})
    tell(game, "roll orb", "orb 12 green", "red")
    assert game.state.phase == MISSED
    assert game.state.points == 7
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 12")
    assert pawns(game) == [1, 8, 0]
    assert game.state.phase == MISSED
    tell(game, "pass")
    assert (game.state.current, game.state.points) == (1, 0)
    assert pawns(game) == [1, 8, 0]


@pytest.mark.rule("SS-12", "SS-5")
def test_in_live_the_window_is_open_until_the_marker_is_let_go_of():
    game = seven(stealing="live")
    assert (game.turn, game.state.phase) == (ANYONE, WINDOW)
    assert set(game.moves(0).values()) == {"close"}
    assert game.state.points == 0
    tell(game, "close")
    assert (game.state.phase, game.state.points, game.state.taker) == (CHOOSE, 7, 0)
    tell(game, "seat 1 steals with orb")
    assert game.state.phase == PUNISH
    tell(game, "seat 1 rolls orb 7")
    assert game.state.points == 7


@pytest.mark.rule("SS-12")
def test_in_live_the_current_player_cannot_roll_or_bank_before_letting_go():
    game = seven(stealing="live")
    for move in (0, BANK, RESET):
        with pytest.raises(Refused, match=r"let go of the marker.*SS-12"):
            game.play(move)
    with pytest.raises(Refused, match="SS-7"):
        game.play(PASS)
    tell(game, "close")
    with pytest.raises(Refused, match=r"no open window.*SS-12"):
        game.play(CLOSE)


@pytest.mark.rule("SS-13")
def test_a_dead_heat_that_was_decided_is_taken_in_the_order_decided():
    game = seven("seat 2 steals with orb", "seat 2 rolls orb 1", stealing="live", seats=4, position={"pawn": [0, 5, 5, 5]})
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 8")
    assert pawns(game) == [0, 12, 4, 5]


@pytest.mark.rule("SS-13", "SS-h", "SS-b")
def test_all_attempts_of_an_undecided_dead_heat_fail_and_are_punished():
    game = seven("seat 1 void with orb", "seat 1 rolls orb 12", stealing="live", seats=4, position={"pawn": [0, 15, 15, 0]})
    tell(game, "seat 2 void with orb", "seat 2 rolls orb 7")
    assert pawns(game) == [0, 3, 8, 0]
    assert tokens(game) == [READY, SPENT, SPENT, READY]
    assert game.state.phase == WINDOW, "the artifact is still there for others"
    tell(game, "seat 3 steals with orb", "seat 3 rolls orb 7")
    assert pawns(game) == [0, 3, 8, 7]


# The end.


@pytest.mark.rule("SS-14", "SS-15")
def test_the_round_in_which_a_pawn_reaches_the_spell_is_played_to_its_end():
    game = begun(position={"pawn": [34, 30, 2], "token": [READY, SPENT, SPENT]})
    tell(game, "roll pyramid", "pyramid 1 green", "green", "bank")
    assert game.state.last == 1
    assert pawns(game) == [35, 30, 2]
    tell(game, "roll orb", "orb 12 green", "green", "decline", "bank")
    assert pawns(game) == [35, 42, 2]
    assert not game.over
    tell(game, "roll pyramid", "pyramid 1 green", "red")
    assert game.over
    assert game.score() == [0, 1, 0]
    assert not limited(game)


@pytest.mark.rule("SS-14")
def test_thirty_four_does_not_end_the_game_and_the_last_player_of_the_round_ends_it_at_once():
    game = begun(current=2, position={"pawn": [10, 33, 30], "token": [SPENT, SPENT, READY]})
    tell(game, "roll pyramid", "pyramid 4 green", "green", "bank")
    assert (game.turn, game.state.last, game.state.stage) == (0, 0, 1)
    game = begun(current=2, position={"pawn": [10, 33, 31], "token": [SPENT, SPENT, READY]})
    tell(game, "roll pyramid", "pyramid 4 green", "green", "bank")
    assert game.over
    assert game.score() == [0, 0, 1]


@pytest.mark.rule("SS-14")
def test_rounds_are_counted_from_the_starting_player():
    game = begun(current=2, starter=1, position={"pawn": [0, 33, 31], "token": [SPENT, SPENT, READY]})
    tell(game, "roll pyramid", "pyramid 4 green", "green", "bank")
    assert (game.turn, game.over, game.state.stage) == (0, False, 0)
    tell(game, "roll pyramid", "pyramid 4 green", "red")
    assert game.over
    assert game.state.stage == 1
    assert game.score() == [0, 0, 1]


@pytest.mark.rule("SS-14", "SS-15")
def test_a_theft_can_begin_the_last_round_and_it_stays_the_last_when_the_pawn_is_sent_back():
    game = seven("steal", "seat 1 rolls orb 9", position={"pawn": [0, 28, 34]})
    assert game.state.last == 1
    tell(game, "bank", "roll orb", "orb 12 green", "red")
    position = {name: getattr(game.state, name) for name in ("pawn", "token", "last", "turns", "stage")}
    assert position["last"] == 1
    game = begun(current=2, position={**position, "pawn": [0, 35, 34], "token": [READY, READY, READY]})
    tell(game, "roll pyramid", "pyramid 4 green", "green", "decline", "steal", "seat 1 rolls pyramid 3")
    assert pawns(game) == [0, 32, 34]
    tell(game, "roll pyramid", "pyramid 1 green", "red")
    assert game.over, "nobody is at 35 any more, but the round was the last"
    assert game.score() == [0, 0, 1]


@pytest.mark.rule("SS-15")
def test_positions_count_on_past_the_spell():
    game = begun(current=2, position={"pawn": [36, 60, 58], "last": 1, "token": [SPENT, SPENT, READY]})
    tell(game, "roll pyramid", "pyramid 3 green", "green", "bank")
    assert pawns(game) == [36, 60, 61]
    assert game.score() == [0, 0, 1]


def tie(pawn=(36, 20, 36, 36), token=(READY, READY, SPENT, READY), **rest):
    """Four seats, seat 1 began; seat 0 is the last of the last round and fails: seats 0, 2 and 3 are tied."""
    position = {"pawn": [*pawn], "token": [*token], "last": 1, "stage": 5, "turns": 23}
    game = begun(4, current=0, starter=1, position=position, **rest)
    return tell(game, "roll pyramid", "pyramid 1 green", "red")


@pytest.mark.rule("SS-16", "SS-d")
def test_only_the_tied_play_another_round_begun_by_the_first_of_them_with_tokens_as_they_were():
    game = tie()
    assert not game.over
    assert game.state.playing[:4] == [1, 0, 1, 1]
    assert game.turn == 2, "the first tied player from the starting player's seat"
    assert tokens(game) == [READY, READY, READY, READY], "the second became ready because the own turn began"
    tell(game, "roll pyramid", "pyramid 2 green", "green")
    assert game.turn == 3
    tell(game, "decline")
    assert game.turn == 0
    tell(game, "decline")
    assert game.turn == 2, "seat 1 is not tied and not asked"


@pytest.mark.rule("SS-16", "SS-d")
def test_spent_tokens_stay_spent_when_a_tie_break_begins():
    assert tokens(tie(token=(READY, READY, READY, SPENT))) == [READY, READY, READY, SPENT]


@pytest.mark.rule("SS-16")
def test_tie_breaks_repeat_until_one_is_deepest_among_those_still_tied():
    game = tie()
    tell(game, "roll pyramid", "pyramid 2 green", "green", "decline", "decline", "bank")
    tell(game, "roll pyramid", "pyramid 2 green", "green", "decline", "decline", "bank")
    tell(game, "roll pyramid", "pyramid 2 green", "red")
    assert pawns(game) == [36, 20, 38, 38]
    assert (game.turn, game.state.playing[:4]) == (2, [0, 0, 1, 1])
    tell(game, "roll pyramid", "pyramid 2 green", "red", "roll pyramid", "pyramid 2 green", "red")
    assert (game.turn, game.over) == (2, False)
    tell(game, "roll pyramid", "pyramid 2 green", "red", "roll pyramid", "pyramid 1 green", "green", "decline", "bank")
    assert game.over
    assert game.score() == [0, 0, 0, 1]


@pytest.mark.rule("SS-16")
def test_a_tied_player_who_falls_behind_an_untied_one_can_still_win_the_tie_break():
    game = tie(pawn=(36, 35, 36, 20))
    assert game.state.playing[:4] == [1, 0, 1, 0]
    tell(game, "roll orb", "orb 12 green", "green", "steal", "seat 0 rolls orb 11", "bank")
    assert pawns(game) == [25, 35, 48, 20]
    tell(game, "roll orb", "orb 12 green", "green", "steal", "seat 2 rolls orb 11", "bank")
    assert pawns(game) == [37, 35, 37, 20]
    tell(game, "roll orb", "orb 9 yellow", "green or yellow", "steal", "seat 0 rolls orb 8")
    tell(game, "roll orb", "orb 9 yellow", "red")
    tell(game, "roll orb", "orb 6 yellow", "green or yellow", "steal", "seat 2 rolls orb 5")
    tell(game, "roll orb", "orb 9 yellow", "red")
    assert pawns(game) == [29, 35, 32, 20]
    assert game.score() == [0, 0, 1, 0], "the untied are not counted"


@pytest.mark.rule("SS-16")
def test_in_live_only_the_tied_may_throw_in_a_tie_break():
    game = tie(stealing="live")
    tell(game, "pass")
    assert game.state.playing[:4] == [1, 0, 1, 1]
    assert not game.legal(1)
    with pytest.raises(Refused, match=r"Only the tied players.*SS-16"):
        game.play(STEAL_BY + 1 * 3, seat=1)
    assert len(game.legal(3)) == 3


@pytest.mark.rule("SS-17")
def test_in_polite_each_is_asked_from_the_left_until_one_succeeds():
    game = begun(5, current=3)
    tell(game, "roll diamond", "diamond 5 green", "green")
    asked = []
    for answer in ("decline", "steal", "decline"):
        asked.append(game.turn)
        tell(game, answer)
        if answer == "steal":
            tell(game, "seat 0 rolls diamond 4")
    assert asked == [4, 0, 1]
    assert game.turn == 2
    tell(game, "steal", "seat 2 rolls diamond 5")
    assert (game.turn, game.state.phase) == (3, CHOOSE)
    game = tell(begun(5, current=3), "roll diamond", "diamond 5 green", "green", "steal", "seat 4 rolls diamond 8")
    assert game.turn == 3, "after a success nobody else is asked"


@pytest.mark.rule("SS-17", "SS-k")
def test_in_polite_only_steal_and_decline_are_offered_and_the_matching_die_is_rolled():
    game = tell(begun(), "roll diamond", "diamond 5 green", "green")
    assert lines(game) == {"steal", "decline"}
    for move in (0, BANK, RESET):
        with pytest.raises(Refused, match=r"First steal or decline.*SS-17"):
            game.play(move)
    for move in (CLOSE, PASS):
        with pytest.raises(Refused, match="SS-17"):
            game.play(move)
    tell(game, "steal")
    assert game.odds() == [0] + [1] * 8 + [0] * 4


# Variations.


@pytest.mark.rule("SS-18")
@pytest.mark.parametrize("forgiving", [False, True])
def test_forgiving_spares_the_pawn_after_the_wrong_die(forgiving):
    game = seven("seat 1 steals with diamond", stealing="live", forgiving=forgiving, position={"pawn": [0, 9, 0]})
    assert tokens(game)[1] == SPENT
    if forgiving:
        assert (game.turn, game.state.phase, pawns(game)) == (ANYONE, WINDOW, [0, 9, 0])
    else:
        assert game.state.phase == PUNISH


@pytest.mark.rule("SS-18")
@pytest.mark.parametrize("die", ["orb", "pyramid"])
def test_forgiving_spares_the_pawn_after_an_attempt_on_nothing_with_whichever_die(die):
    game = begun(stealing="live", forgiving=True, position={"pawn": [0, 9, 0]})
    tell(game, "roll orb", "orb 12 green", "red", f"seat 1 steals with {die}")
    assert (game.turn, game.state.phase, pawns(game), tokens(game)[1]) == (ANYONE, MISSED, [0, 9, 0], SPENT)


@pytest.mark.rule("SS-18")
def test_forgiving_does_not_cover_other_faults():
    spent = {"pawn": [0, 9, 0], "token": [READY, SPENT, READY]}
    options = {"stealing": "live", "forgiving": True}
    assert seven("seat 1 steals with diamond", position=spent, **options).state.phase == PUNISH
    assert seven("close", "seat 1 steals with diamond", **options).state.phase == PUNISH
    assert seven("close", "seat 1 steals with orb", **options).state.phase == PUNISH
    assert seven("seat 1 void with diamond", **options).state.phase == PUNISH
    assert seven("seat 1 unclear with diamond", **options).state.phase == PUNISH
    assert seven("seat 1 steals with orb", **options).state.phase == ATTEMPT


@pytest.mark.rule("SS-19", "SS-h")
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("option", [False, True])
def test_an_unclear_attempt_costs_only_the_token_with_the_option_and_is_too_late_without(option, closed):
    game = seven(stealing="live", seats=2, forgiving_window=option, position={"pawn": [0, 20]})
    tell(game, *(["close"] if closed else []), "seat 1 unclear with orb")
    assert tokens(game)[1] == SPENT
    if option:
        assert (game.turn, game.state.phase, pawns(game)) == (ANYONE, CHOOSE if closed else WINDOW, [0, 20])
    else:
        assert game.state.phase == PUNISH
        tell(game, "seat 1 rolls orb 12")
        assert pawns(game) == [0, 8]
    tell(game, *([] if closed else ["close"]))
    assert game.state.points == 7, "the artifact stays with the current player"


@pytest.mark.rule("SS-19")
def test_an_unclear_attempt_with_another_fault_is_punished():
    options = {"stealing": "live", "forgiving_window": True}
    spent = {"token": [READY, SPENT, READY]}
    assert seven("seat 1 unclear with orb", position=spent, **options).state.phase == PUNISH
    assert seven("seat 1 unclear with diamond", **options).state.phase == PUNISH
    missed = tell(begun(**options), "roll orb", "orb 7 yellow", "red", "seat 1 unclear with orb")
    assert missed.state.phase == PUNISH


@pytest.mark.rule("SS-19", "SS-10", "SS-n")
def test_an_unclear_attempt_on_an_artifact_already_stolen_is_punished():
    game = seven("seat 2 steals with orb", "seat 2 rolls orb 7", stealing="live", forgiving_window=True, forgiving=True)
    assert tell(game, "seat 1 unclear with orb").state.phase == PUNISH


@pytest.mark.rule("SS-n")
def test_with_both_forgiving_options_faults_of_both_kinds_together_are_forgiven():
    options = {"stealing": "live", "forgiving": True, "forgiving_window": True, "position": {"pawn": [0, 9, 0]}}
    game = seven("seat 1 unclear with diamond", **options)
    assert (game.turn, game.state.phase, pawns(game), tokens(game)[1]) == (ANYONE, WINDOW, [0, 9, 0], SPENT)
    assert seven("seat 1 void with diamond", **options).state.phase == PUNISH


@pytest.mark.rule("SS-o")
def test_an_unclear_attempt_before_the_first_roll_is_outside_the_window_under_every_option():
    game = begun(stealing="live", forgiving=True, forgiving_window=True)
    assert tell(game, "seat 1 unclear with orb").state.phase == PUNISH


@pytest.mark.rule("SS-20")
def test_a_token_that_is_not_reset_by_hand_stays_spent_until_the_next_turn():
    game = begun(reset_by_hand=True, position={"token": [SPENT, SPENT, SPENT]})
    assert lines(game) == {"roll pyramid", "roll diamond", "roll orb", "reset"}
    tell(game, "roll pyramid", "pyramid 2 green", "green")
    assert "reset" not in lines(game)
    with pytest.raises(Refused, match=r"before the first roll.*SS-20"):
        game.play(RESET)
    tell(game, "bank")
    assert tokens(game) == [SPENT, SPENT, SPENT]
    tell(game, "reset")
    assert tokens(game) == [SPENT, READY, SPENT]
    assert game.turn == 1
    with pytest.raises(Refused, match=r"ready side.*SS-20"):
        game.play(RESET)


@pytest.mark.rule("SS-20", "SS-2")
def test_without_the_option_there_is_nothing_to_reset():
    with pytest.raises(Refused, match=r"by itself.*SS-2"):
        begun().play(RESET)


@pytest.mark.rule("SS-20", "SS-g")
def test_in_live_the_current_player_resets_by_hand_too():
    game = begun(stealing="live", reset_by_hand=True, position={"token": [SPENT, READY, READY]})
    assert set(game.moves(0).values()) == {"roll pyramid", "roll diamond", "roll orb", "reset"}
    tell(game, "reset")
    assert tokens(game) == [READY] * 3


# Rulings.


@pytest.mark.rule("SS-a")
def test_nobody_steals_in_the_own_turn():
    game = begun(stealing="live")
    for kind in (STEAL_BY, VOID, UNCLEAR):
        with pytest.raises(Refused, match=r"own turn.*SS-a"):
            game.play(kind)
    tell(game, "roll pyramid", "pyramid 2 green", "green")
    assert not any(rules.STEAL_BY <= move < rules.STEAL_BY + 3 for move in game.legal())
    asked = tell(begun(), "roll pyramid", "pyramid 2 green", "green")
    seats = []
    while asked.turn != 0:
        seats.append(asked.turn)
        tell(asked, "decline")
    assert seats == [1, 2]


@pytest.mark.rule("SS-c")
def test_banking_nothing_is_allowed_when_everything_was_stolen():
    game = seven("steal", "seat 1 rolls orb 9")
    assert game.state.points == 0
    tell(game, "bank")
    assert (game.turn, pawns(game)) == (1, [0, 7, 0])


@pytest.mark.rule("SS-e")
def test_points_count_on_past_nineteen():
    game = begun(position={"token": [READY, SPENT, SPENT]})
    tell(game, *("roll orb", "orb 12 green", "green") * 3)
    assert game.state.points == 36
    tell(game, "bank")
    assert pawns(game) == [36, 0, 0]


def limited(game):
    return bool(GAME.verbs.limited(game._states, 0))


@pytest.mark.rule("SS-f")
def test_at_the_turn_limit_the_deepest_wins_even_in_the_middle_of_a_round():
    game = begun(turn_limit=7, position={"pawn": [3, 9, 4], "turns": 6, "stage": 2})
    tell(game, "roll pyramid", "pyramid 1 green", "red")
    assert game.over
    assert limited(game)
    assert game.score() == [0, 1, 0]


@pytest.mark.rule("SS-f")
def test_ties_at_the_turn_limit_share():
    game = begun(turn_limit=1, position={"pawn": [3, 9, 9]})
    tell(game, "roll pyramid", "pyramid 1 green", "red")
    assert limited(game)
    assert game.score() == [0, 0.5, 0.5]


@pytest.mark.rule("SS-f")
def test_at_the_turn_limit_in_a_tie_break_only_the_tied_count():
    game = tie(pawn=(36, 35, 36, 20), turn_limit=25)
    tell(game, "roll orb", "orb 12 green", "green", "steal", "seat 0 rolls orb 11", "roll orb", "orb 1 red", "green")
    assert game.over
    assert pawns(game) == [25, 35, 36, 20]
    assert limited(game)
    assert game.score() == [0, 0, 1, 0]


@pytest.mark.rule("SS-f", "SS-q")
def test_a_tie_at_the_end_of_the_last_round_is_shared_when_the_limit_is_reached():
    game = tie(pawn=(35, 36, 36, 36), turn_limit=24)
    assert game.over
    assert limited(game)
    assert game.score() == [0, 1 / 3, 1 / 3, 1 / 3]
    position = {name: getattr(game.state, name) for name in rules.State.fields}
    assert new("spell_stealers", 4, {"turn_limit": 24}, position=position).over


@pytest.mark.rule("SS-q")
def test_a_game_that_ends_by_its_own_rules_in_its_last_turn_was_not_ended_by_the_limit():
    game = tie(pawn=(36, 20, 37, 36), turn_limit=24)
    assert game.over
    assert not limited(game)
    assert game.score() == [0, 0, 1, 0]


@pytest.mark.rule("SS-g")
def test_in_live_every_other_player_may_throw_any_die_once_a_roll():
    game = begun(stealing="live")
    assert set(game.moves(0).values()) == {"roll pyramid", "roll diamond", "roll orb"}
    mine = {f"seat 1 steals with {die}" for die in ("pyramid", "diamond", "orb")}
    assert set(game.moves(1).values()) == mine
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 1")
    assert not game.legal(1)
    with pytest.raises(Refused, match=r"already.*SS-g"):
        game.play(STEAL_BY + 3, seat=1)
    assert not any("seat 1" in line for line in lines(game)), "the judge has no second attempt of that seat either"
    tell(game, "roll pyramid", "pyramid 2 green", "green")
    assert set(game.moves(1).values()) == mine, "a spent token is punished, not forbidden"
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 1", "close")
    assert not game.legal(1), "until the next roll"
    assert set(game.moves(0).values()) == {"roll pyramid", "roll diamond", "roll orb", "bank"}
    tell(game, "bank")
    assert set(game.moves(0).values()) == {f"seat 0 steals with {die}" for die in ("pyramid", "diamond", "orb")}


@pytest.mark.rule("SS-g")
def test_in_live_nobody_makes_the_moves_of_another():
    game = begun(stealing="live")
    with pytest.raises(Refused, match=r"Only seat 0, whose turn it is.*SS-6"):
        game.play(0, seat=1)
    with pytest.raises(Refused, match=r"Only seat 1 can throw that pyramid.*SS-g"):
        game.play(STEAL_BY + 3, seat=2)
    for move in (STEAL, rules.DECLINE):
        with pytest.raises(Refused, match=r"nobody is asked.*SS-g"):
            game.play(move)
    tell(game, "roll orb", "orb 7 yellow", "red")
    with pytest.raises(Refused, match=r"pass the dice on.*SS-7"):
        game.play(BANK)
    with pytest.raises(Refused, match="SS-12"):
        game.play(CLOSE)


@pytest.mark.rule("SS-h")
def test_void_and_unclear_belong_to_the_judge_and_to_no_seat():
    game = seven(stealing="live")
    judged = [move for move in game.legal() if move >= VOID]
    assert len(judged) == 12
    assert {game.owner(move) for move in judged} == {JUDGE}
    assert all(move < VOID for seat in range(3) for move in game.legal(seat))
    for move in judged:
        with pytest.raises(Refused, match=r"Only the judge.*SS-h"):
            game.play(move, seat=1)
    assert tell(game, "seat 1 void with orb").plies[-1].who == JUDGE


@pytest.mark.rule("SS-h", "SS-11")
def test_a_late_throw_is_a_plain_steal_after_the_close():
    game = seven("close", stealing="live", position={"pawn": [0, 20, 0]})
    tell(game, "seat 1 steals with orb", "seat 1 rolls orb 9")
    assert pawns(game) == [0, 11, 0]
    assert game.state.points == 7


@pytest.mark.rule("SS-j", "SS-3")
@pytest.mark.parametrize("stealing", ["polite", "race", "live"])
def test_between_pick_and_roll_nobody_can_act(stealing):
    game = tell(begun(stealing=stealing), "roll orb")
    for phase, outcome in ((ARTIFACT, "orb 7 yellow"), (SUCCESS, "green or yellow")):
        assert (game.turn, game.state.phase) == (CHANCE, phase)
        assert not game.legal()
        with pytest.raises(Refused, match="nobody's turn"):
            game.play(STEAL_BY + 3, seat=1)
        tell(game, outcome)
    for seat in (0, 1, 2, WATCHER):
        view = game.view(seat)
        assert (view.die, view.face, view.symbol) == (ORB, 7, EITHER)


@pytest.mark.rule("SS-k")
@pytest.mark.parametrize("stealing", ["polite", "race"])
def test_only_players_with_a_ready_token_are_asked(stealing):
    game = seven(seats=4, stealing=stealing, position={"token": [READY, SPENT, READY, SPENT]})
    assert game.turn == 2
    tell(game, "decline")
    assert (game.turn, game.state.phase) == (0, CHOOSE)
    nobody = seven(stealing=stealing, position={"token": [READY, SPENT, SPENT]})
    assert (nobody.turn, nobody.state.points) == (0, 7)


@pytest.mark.rule("SS-k")
@pytest.mark.parametrize("stealing", ["polite", "race"])
def test_forgiving_options_change_nothing_where_players_are_asked(stealing):
    plain = seven(stealing=stealing, position={"pawn": [0, 9, 0]})
    kind = seven(stealing=stealing, forgiving=True, forgiving_window=True, position={"pawn": [0, 9, 0]})
    for game in (plain, kind):
        tell(game, "steal", *(["decline"] if stealing == "race" else []), "seat 1 rolls orb 6")
        assert pawns(game) == [0, 3, 0]
        with pytest.raises(Refused, match=r"nobody presses.*SS-k"):
            tell(game, *(["decline"] if game.turn == 2 else [])).play(STEAL_BY + 3)
        with pytest.raises(Refused, match=r"no artifact to steal.*SS-k"):
            game.play(STEAL)


@pytest.mark.rule("SS-l")
def test_a_throw_is_taken_from_any_seat_in_any_order_whenever_it_comes():
    for order in ([1, 2, 3], [3, 1, 2], [2, 3, 1]):
        game = seven(stealing="live", seats=4)
        for seat in order:
            game.play(f"seat {seat} steals with orb", seat)
            tell(game, f"seat {seat} rolls orb 1")
        assert [ply.who for ply in game.plies if ply.who > 0] == order
        assert game.state.phase == WINDOW


@pytest.mark.rule("SS-l")
def test_live_is_usual_among_people_and_refused_over_days():
    def stealing(people, over_days=False, **given):
        return GAME.table_settings(given, 3, people, over_days)["stealing"]

    assert [stealing(people) for people in (0, 1, 2, 3)] == ["polite", "polite", "live", "live"]
    assert stealing(3, over_days=True) == "polite"
    assert stealing(3, stealing="race") == "race"
    assert GAME.settings(3)["stealing"] == "polite", "in Python and in a terminal"
    with pytest.raises(Refused, match=r"cannot be live over days: .*\(SS-l\)"):
        stealing(3, over_days=True, stealing="live")


@pytest.mark.rule("SS-m")
def test_points_stop_at_999_and_pawns_at_9999():
    lies = {"rolled": 1, "die": PYRAMID, "face": 4, "symbol": GREEN, "taker": 0, "token": [READY, SPENT, SPENT]}
    game = begun(position={**lies, "points": MOST - 2, "pawn": [DEEPEST - 5, 0, 0], "last": 1})
    tell(game, "roll pyramid", "pyramid 4 green", "green")
    assert game.state.points == MOST == 999
    tell(game, "bank")
    assert pawns(game) == [DEEPEST, 0, 0] == [9999, 0, 0]
    thief = seven("steal", "seat 1 rolls orb 9", position={"pawn": [0, DEEPEST - 1, 0], "last": 1})
    assert pawns(thief) == [0, DEEPEST, 0]


@pytest.mark.rule("SS-p")
def test_in_a_race_the_order_is_drawn_fairly_one_after_the_other_and_not_at_all_for_one():
    game = seven("steal", "decline", "steal", "steal", stealing="race", seats=5)
    assert (game.turn, game.state.phase) == (CHANCE, ORDER)
    assert game.odds()[:5] == [0, 1, 0, 1, 1]
    tell(game, "seat 3 is next", "seat 3 rolls orb 1")
    assert game.odds()[:5] == [0, 1, 0, 0, 1]
    tell(game, "seat 4 is next", "seat 4 rolls orb 2")
    assert game.state.phase == ATTEMPT, "one is left: no order to draw"
    tell(game, "seat 1 rolls orb 8")
    assert pawns(game) == [0, 7, 0, 0, 0]
    alone = seven("decline", "steal", stealing="race")
    assert (alone.state.phase, alone.state.roller) == (ATTEMPT, 2)


# Words, positions, and games at random.


def drawn(view, seat, names):
    console = Console(width=100, file=io.StringIO())
    console.print(table.draw(view, seat, names))
    return console.file.getvalue()


def test_news_and_questions_read_well():
    game = begun(stealing="race", position={"pawn": [0, 5, 30]})
    game.names[0] = "You"

    def say(word):
        before = game.view(0)
        tell(game, word)
        return words.news(before, game.past(0)[-1][1], game.view(0), game.names)

    assert words.question(game.view(0), game.names) == "You pick an artifact die and roll it."
    assert say("roll orb") == "You roll the orb with the success die."
    assert say("orb 7 yellow") == "The orb shows a yellow 7."
    assert say("green or yellow") == "The success die shows green or yellow: a match."
    assert words.question(game.view(0), game.names) == "Bob may steal the yellow 7 on the orb."
    assert say("steal") == "Bob has decided."
    assert say("steal") == "Cy has decided. Bob and Cy try to steal."
    assert say("seat 2 is next") == "Cy is first to roll."
    assert say("seat 2 rolls orb 9") == (
        "Cy rolls 9 on the orb, steals the 7 and moves to 37. Cy reaches the spell: this round is the last."
    )
    assert say("seat 1 rolls orb 12") == "Bob rolls 12 on the orb, and goes back to the entrance."
    assert words.question(game.view(0), game.names) == "You roll again, or bank no points."
    assert say("bank") == "You bank no points and are at 0. It is Bob's turn."


def test_the_news_says_what_was_wrong_with_an_attempt():
    def say(game, word):
        before = game.view(0)
        tell(game, word)
        return words.news(before, game.plies[-1].move, game.view(0), game.names)

    options = {"stealing": "live", "position": {"pawn": [0, 9, 9]}}
    assert say(seven(**options), "seat 1 steals with orb") == "Bob throws a stealing orb."
    assert say(seven(**options), "seat 1 steals with diamond").endswith("in vain: it is the wrong die.")
    assert say(seven("close", **options), "seat 1 steals with orb").endswith("in vain: the window is closed.")
    assert say(seven(**options), "seat 1 void with orb").endswith("in vain: it is judged to fail.")
    assert say(seven(**options, forgiving=True), "seat 1 steals with diamond") == (
        "Bob throws a stealing diamond, but it is the wrong die. The token is spent, the pawn stays."
    )
    missed = tell(begun(**options), "roll orb", "orb 7 yellow", "red")
    assert say(missed, "seat 1 steals with orb").endswith("in vain: there is no artifact to steal.")
    assert say(missed, "seat 1 rolls orb 4") == "Bob rolls 4 on the orb, and goes back to 5."
    assert say(missed, "pass") == "Ann loses no points and passes the dice on. It is Bob's turn."
    stolen = seven("seat 2 steals with orb", "seat 2 rolls orb 7", **options)
    assert say(stolen, "seat 1 unclear with orb").endswith("in vain: the artifact was stolen before.")


def test_the_end_is_told():
    game = tie(pawn=(36, 20, 35, 20), token=(READY, SPENT, SPENT, SPENT))
    assert game.over
    before = new("spell_stealers", 4, names=PEOPLE[:4], position=None).state
    assert words.round_news(before, game.state, PEOPLE)[-1] == "Ann is deepest, at 36, and wins."
    shared = tie(turn_limit=24)
    assert words.round_news(before, shared.state, PEOPLE)[-2:] == [
        "The turn limit is reached.", "Ann, Cy and Dee are deepest, at 36, and share the win.",
    ]  # fmt: skip


def test_why_not_has_an_answer_for_every_move_at_every_phase():
    luck = Luck(2)
    for stealing in ("polite", "race", "live"):
        game = new("spell_stealers", 3, {"stealing": stealing, "turn_limit": 12, "reset_by_hand": True})
        while not game.over:
            for move in range(-2, MOVES + 2):
                rule, sentence = words.why_not(game.view(WATCHER), move)
                assert rule in GAME.rule
                assert sentence.endswith(".")
            if game.turn == CHANCE:
                game.roll(luck)
            else:
                moves = game.legal()
                game.play(moves[luck.below(len(moves))])
        assert words.why_not(game.state, STEAL)[0] == "SS-15"


def test_the_table_fits_in_a_hundred_columns_and_names_every_colour():
    game = seven(stealing="live", seats=6, position={"pawn": [3, 60, 0, 34, 35, 9], "last": 1})
    game.names[1] = "A very long name indeed, for a thief"
    text = drawn(game.view(2), 2, game.names)
    assert max(map(len, text.splitlines())) <= 100
    game = new("spell_stealers", 6, {"stealing": "live", "turn_limit": 24}, PEOPLE)
    luck = Luck(8)
    phases = set()
    while not game.over:
        if game.ply % 5 == 0 or game.state.phase not in phases:
            phases.add(game.state.phase)
            assert max(map(len, drawn(game.view(3), 3, game.names).splitlines())) <= 100
        moves = game.legal()
        game.roll(luck) if game.turn == CHANCE else game.play(moves[luck.below(len(moves))])
    assert phases == {*range(DONE)} - {ASK, ORDER}
    assert "The end, after 24 turns" in drawn(game.state, WATCHER, game.names)
    for word in ("7 yellow", "green or yellow", "1-5 red", "6 of 12", "the last round", "matches 75 %", "ready", "60/35"):
        assert word in text


def test_the_worth_of_a_round_is_shared_by_depth():
    states = kernel.rows(rules.State, 1)
    game = begun(4, position={"pawn": [12, 6, 6, 0]})
    kernel.load(rules.State, states, 0, game.bytes)
    out = kernel.reals(SEATS)
    rules.worth(states[0], out)
    assert [round(float(out[seat]) * 9, 6) for seat in range(4)] == [4, 2, 2, 1]


WRONG = [
    {"phase": rules.START}, {"phase": ARTIFACT}, {"phase": SUCCESS}, {"phase": ASK}, {"phase": ORDER},
    {"phase": ATTEMPT}, {"phase": PUNISH}, {"phase": WINDOW}, {"phase": MISSED}, {"phase": DONE}, {"turn": 1},
    {"turn": ANYONE}, {"turn": HIDDEN}, {"points": 3}, {"rolled": 1}, {"pawn": [35, 0, 0]}, {"playing": [1, 1, 0]},
    {"playing": [1, 0, 0], "last": 1}, {"playing": [0, 1, 1], "last": 1}, {"taker": 1}, {"taker": -2}, {"roller": 1},
    {"tries": [HIDDEN]}, {"tries": [YES]}, {"threw": [0, ORB]}, {"shows": [0, 4]}, {"die": ORB},
    {"die": ORB, "face": 7}, {"die": PYRAMID, "face": 7, "symbol": RED}, {"turns": 500}, {"stage": 1},
    {"pawn": [0, 0, 0, 1]}, {"token": [1, 1, 1, 1]}, {"token": [2, 1, 1]}, {"starter": NONE}, {"current": NONE},
    {"current": 3}, {"pawn": [DEEPEST + 1, 0, 0], "last": 1},
]  # fmt: skip


@pytest.mark.parametrize("position", WRONG, ids=str)
def test_positions_that_cannot_be_are_refused(position):
    with pytest.raises(Refused, match="position"):
        begun(position=position)


def some_positions(count, dice):
    """Positions out of random games, as fields."""
    for number in range(count):
        stealing = ("polite", "race", "live")[number % 3]
        options = {"stealing": stealing, "turn_limit": 9, "reset_by_hand": number % 2 == 0, "forgiving": number % 5 == 0}
        seats = 2 + number % 5
        game = new("spell_stealers", seats, options)
        luck = Luck(number)
        for _ in range(dice.randrange(60)):
            if game.over:
                break
            if game.turn == CHANCE:
                game.roll(luck)
            else:
                moves = game.legal()
                game.play(moves[luck.below(len(moves))])
        yield seats, options, {name: getattr(game.state, name) for name in rules.State.fields}


def test_a_position_changed_at_random_is_refused_or_plays_on_to_its_end():
    dice = random.Random(1)
    taken = 0
    for seats, options, fields in some_positions(400, dice):
        for name in dice.sample(sorted(fields), dice.choice((1, 1, 2, 3))):
            field = rules.State.fields[name]
            value = dice.randint(max(field.low, -9), min(field.high, 40))
            if field.shape:
                fields[name] = list(fields[name])
                fields[name][dice.randrange(field.shape[0])] = value
            else:
                fields[name] = value
        try:
            game = new("spell_stealers", seats, options, position=fields)
        except Refused:
            continue
        taken += 1
        luck = Luck(taken)
        while not game.over:
            if game.turn == CHANCE:
                game.roll(luck)
            else:
                moves = game.legal()
                game.play(moves[luck.below(len(moves))])
            assert rules.State.outside(game.state) is None
        assert sum(game.score()) == pytest.approx(1)
    assert taken > 60


@pytest.mark.parametrize("stealing", ["polite", "race", "live"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_along_random_games_pawns_move_only_as_banks_and_thefts_and_punishments_say(stealing, seats):
    luck = Luck(seats)
    game = new("spell_stealers", seats, {"stealing": stealing, "turn_limit": 40})
    while not game.over:
        before, turn = game.state, game.turn
        if turn == CHANCE:
            move = game.roll(luck).move
        else:
            moves = game.legal()
            move = moves[luck.below(len(moves))]
            game.play(move)
        steps = [0] * SEATS
        if turn == CHANCE and before.phase == ATTEMPT and move >= before.face:
            steps[before.roller] = before.face
        elif turn == CHANCE and before.phase in (ATTEMPT, PUNISH):
            steps[before.roller] = -min(move, before.pawn[before.roller])
        elif turn != CHANCE and move == BANK:
            steps[before.current] = before.points
        assert [a - b for a, b in zip(game.state.pawn, before.pawn, strict=True)] == steps
        assert (game.state.last == 1) == (before.last == 1 or max(game.state.pawn) >= 35)
    depths = {seat: game.state.pawn[seat] for seat in range(seats) if game.state.playing[seat]}
    winners = [seat for seat in depths if depths[seat] == max(depths.values())]
    assert game.score() == [1 / len(winners) if seat in winners else 0 for seat in range(seats)]


def sensible(game):
    """A move of a player who does not throw dice about: banks at six points, steals what is likely."""
    s = game.state
    if s.phase == ASK:
        sides = rules.SIDES[s.die]
        return STEAL if 2 * (sides - s.face + 1) >= sides else rules.DECLINE
    return BANK if s.rolled and s.points > 5 else DIAMOND - 1


@pytest.mark.rule("SS-f")
@pytest.mark.parametrize("stealing", ["polite", "race"])
def test_sensible_players_never_meet_the_turn_limit(stealing):
    for number in range(30):
        luck = Luck(number)
        game = new("spell_stealers", 2 + number % 5, {"stealing": stealing})
        while not game.over:
            game.roll(luck) if game.turn == CHANCE else game.play(sensible(game))
        assert not limited(game)
        assert game.state.turns < 200


def test_the_page_lists_the_options_as_they_are():
    for option in GAME.options:
        row = f"| `{option.name}` | {option.kind} | {option.show(option.default)} | {option.range} | {option.sentence} |"
        assert row in GAME.page
