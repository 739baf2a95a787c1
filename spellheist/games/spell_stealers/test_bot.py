"""What the bots know of Spell Stealers, one sentence a test."""

from itertools import pairwise

import pytest
from thoughts import Thoughts

from spellheist.bots import bot
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import ANYONE, CHANCE, NONE
from spellheist.games.spell_stealers.rules import (
    BANK,
    CLOSE,
    DECLINE,
    DIAMOND,
    GOAL,
    ORB,
    PYRAMID,
    READY,
    RESET,
    ROLL,
    SPENT,
    STEAL,
    STEAL_BY,
    press_of,
)
from spellheist.games.spell_stealers.solve import usual
from spellheist.games.spell_stealers.test_rules import begun, seven, tell
from spellheist.lab.match import play_match

GAME = find("spell_stealers")
THOUGHTS = Thoughts(GAME)
row, advice, shares = THOUGHTS.row, THOUGHTS.advice, THOUGHTS.shares


def with_points(points, **rest):
    """The current player has so many artifact points and may roll again or bank."""
    rest["position"] = {
        "points": points, "rolled": 1, "die": ORB, "face": 1, "symbol": 3, "taker": rest.get("current", 0),
        **rest.get("position", {}),
    }  # fmt: skip
    return begun(**rest)


def own(play, seat):
    """The moves of a seat; where anyone may move, a thief may also do nothing."""
    waits = play.turn == ANYONE and seat != play.state.current
    return play.legal(seat) + [NONE] * waits


def weighed(play, seat):
    return dict(zip(own(play, seat), advice(row(play), seat, own(play, seat)), strict=True))


def best(play, seat=0):
    weights = weighed(play, seat)
    return max(weights, key=weights.__getitem__)


def positions(seed, seats, every=1, **options):
    """A game of random moves, before each decision of each seat."""
    play, luck = new(GAME, seats, options), Luck(seed)
    while not play.over:
        if play.turn == CHANCE:
            play.roll(luck)
            continue
        if play.ply % every == 0:
            yield play
        moves = play.legal()
        play.play(moves[luck.below(len(moves))])


ALL_SPENT = [READY, SPENT, SPENT]


@pytest.mark.parametrize("stealing", ["polite", "race", "live"])
def test_with_some_points_and_no_thief_the_diamond_is_rolled(stealing):
    assert best(with_points(6, position={"token": ALL_SPENT}, stealing=stealing)) == ROLL + DIAMOND - 1


@pytest.mark.parametrize("stealing", ["polite", "race", "live"])
def test_many_points_are_banked_and_few_are_not(stealing):
    assert best(with_points(20, stealing=stealing, position={"token": ALL_SPENT})) == BANK
    assert best(with_points(2, stealing=stealing, position={"token": ALL_SPENT})) != BANK


def test_who_is_watched_by_a_thief_banks_with_fewer_points():
    def bank_from(tokens):
        return next(n for n in range(1, 30) if best(with_points(n, seats=2, position={"token": tokens})) == BANK)

    assert bank_from([READY, READY]) < bank_from([READY, SPENT])


def test_points_that_win_are_banked():
    """The last turn of the last round: ahead is enough, and behind is nothing."""
    position = {"pawn": [40, 30], "last": 1, "token": [READY, READY]}
    assert best(with_points(11, seats=2, current=1, position=position), 1) == BANK
    assert best(with_points(9, seats=2, current=1, position=position), 1) != BANK


def test_the_last_point_to_the_lead_is_rolled_for_with_the_surest_die():
    position = {"pawn": [40, 30], "last": 1, "token": [READY, SPENT]}
    assert best(with_points(10, seats=2, current=1, position=position), 1) == ROLL + PYRAMID - 1


@pytest.mark.parametrize("stealing", ["polite", "race"])
def test_a_small_number_is_stolen_and_the_highest_is_not(stealing):
    low = tell(begun(2, position={"pawn": [10, 10]}, stealing=stealing), "roll orb", "orb 6 yellow", "green or yellow")
    high = tell(begun(2, position={"pawn": [10, 10]}, stealing=stealing), "roll orb", "orb 12 green", "green")
    assert best(low, 1) == STEAL
    assert best(high, 1) == DECLINE


def test_in_live_the_matching_die_is_thrown_while_the_window_is_open_and_nothing_else_ever():
    open_window = seven(seats=2, position={"pawn": [10, 10]}, stealing="live")
    assert best(open_window, 1) == press_of(STEAL_BY, 1, ORB)
    assert weighed(open_window, 1)[press_of(STEAL_BY, 1, PYRAMID)] == 0
    assert best(open_window, 0) == CLOSE
    for elsewhere in (
        begun(2, stealing="live"),  # nothing is rolled
        tell(begun(2, stealing="live"), "roll pyramid", "pyramid 2 green", "red"),  # no match
        seven("close", seats=2, stealing="live"),  # too late
        seven(seats=2, stealing="live", position={"token": [READY, SPENT]}),
        seven("seat 1 steals with orb", "seat 1 rolls orb 7", seats=2, stealing="live"),
    ):
        weights = weighed(elsewhere, 1)
        assert weights[NONE] == 1
        assert sum(weights.values()) == 1


def test_a_thief_in_a_crowd_is_less_eager_in_a_race():
    def eager(seats):
        weights = weighed(seven(seats=seats, stealing="race", position={"pawn": [10] * seats}), 1)
        return weights[STEAL] / weights[DECLINE]

    assert eager(6) < eager(2)


def test_a_thief_who_can_lose_nothing_steals_what_another_would_leave():
    """The thief at the entrance cannot be sent back."""

    def eager(pawn):
        game = tell(begun(2, position={"pawn": [10, pawn]}), "roll diamond", "diamond 7 green", "green")
        weights = weighed(game, 1)
        return weights[STEAL] / weights[DECLINE]

    assert eager(0) > 1 > eager(20)


def test_a_spent_token_is_reset_by_hand_before_the_first_roll():
    game = begun(2, reset_by_hand=True, position={"token": [SPENT, READY]})
    assert best(game) == RESET
    assert best(begun(2, reset_by_hand=True)) != RESET


@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize(
    "options",
    [
        {"stealing": "polite", "turn_limit": 40}, {"stealing": "race", "turn_limit": 60},
        {"stealing": "live", "turn_limit": 20, "forgiving": True}, {"reset_by_hand": True, "turn_limit": 40},
        {"success_faces": (0, 0, 8), "turn_limit": 30}, {"stealing": "race", "success_faces": (7, 0, 1), "turn_limit": 40},
    ],
)  # fmt: skip
def test_the_advice_is_the_same_in_the_view_of_the_seat_and_in_every_world(seats, options):
    luck = rngs(1)
    start(luck, 0, 7)
    for play in positions(seats, seats, **options):
        for seat in range(seats):
            moves, states = own(play, seat), row(play)
            if not play.legal(seat):
                continue
            truth = advice(states, seat, moves)
            GAME.verbs.hide(states, 0, seat)
            assert advice(states, seat, moves) == truth
            GAME.verbs.imagine(states, 0, luck, 0)
            assert advice(states, seat, moves) == truth
            assert max(truth) == pytest.approx(1) and min(truth) >= 0


@pytest.mark.parametrize("stealing", ["polite", "race", "live"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_estimated_shares_are_shares(seats, stealing):
    assert sum(shares(new(GAME, seats))) == pytest.approx(1), "before the start"
    for play in positions(seats, seats, 3, stealing=stealing, turn_limit=30):
        estimate = shares(play)
        assert sum(estimate) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in estimate)


@pytest.mark.parametrize("seats", [2, 4])
def test_each_space_ahead_is_a_higher_share_for_oneself_and_a_lower_one_for_the_others(seats):
    for other in (0, 12, 30):
        for seat in (0, seats - 1):
            pawns = [other] * seats
            estimates = []
            for at in range(GOAL):
                pawns[seat] = at
                estimates.append(shares(begun(seats, position={"pawn": pawns})))
            assert all(after[seat] > before[seat] for before, after in pairwise(estimates))
            rival = (seat + 1) % seats
            assert all(after[rival] < before[rival] for before, after in pairwise(estimates))


def test_in_a_tie_break_who_plays_later_has_the_better_share_and_who_is_out_has_none():
    position = {"pawn": [40, 36, 40], "last": 1, "playing": [1, 0, 1], "stage": 4, "turns": 12}
    first, out, second = shares(begun(3, position=position))
    assert out == 0
    assert second > first > 0


def test_at_the_end_the_shares_are_the_result():
    play = tell(with_points(11, seats=2, current=1, position={"pawn": [40, 30], "last": 1}), "bank")
    assert shares(play) == [0, 1]


@pytest.mark.parametrize(("seats", "options"), [(3, {}), (4, {"stealing": "race"}), (2, {"reset_by_hand": True})])
def test_greedy_bots_end_their_games(seats, options):
    result = play_match("spell_stealers", ["greedy"] * seats, seats, seed=3, options=options)
    assert all(outcome.fault is None and outcome.plies < 2_000 for outcome in result.outcomes)


def test_greedy_beats_random():
    result = play_match("spell_stealers", ["greedy", "random"], 40, seed=1)
    share, half = result.share(0)
    assert share - half > 0.6


def test_the_strongest_bot_plays_by_the_exact_solution_where_there_is_one_and_weaker_ones_do_not():
    play = new("spell_stealers", 2)
    play.roll_all(Luck(3))
    chances = usual().chances(play.view(play.turn))
    thoughts = bot("master@2", GAME).think(play.view(play.turn), play.turn, [], Luck(1))
    assert {thought.move: thought.chance for thought in thoughts} == chances
    assert thoughts[0].share == 1 and all(thought.error == 0 for thought in thoughts)
    move = thoughts[-1].move
    assert bot("master@2", GAME).worth(play.view(play.turn), play.turn, [], Luck(1), move).chance == chances[move]
    assert any(thought.error for thought in bot("sharp@2", GAME).think(play.view(play.turn), play.turn, [], Luck(1)))
    three = new("spell_stealers", 3)
    three.roll_all(Luck(3))
    assert any(thought.error for thought in bot("master@2", GAME).think(three.view(three.turn), three.turn, [], Luck(1)))
