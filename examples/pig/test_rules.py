"""The rules of Pig, one or more tests for each id."""

from pathlib import Path

import pytest
from rich.console import Console

from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.kernel import plain
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, OVER, WATCHER

GAME = find(str(Path(__file__).parent))
rule = pytest.mark.rule
limited = plain(GAME.rules.limited)


def at(points, roller=0, total=0, turns=0, **options):
    """A position in which `roller` decides."""
    points = [*points, *[0] * (GAME.rules.SEATS - len(points))]
    seats = options.pop("seats", 2)
    position = {"points": points, "roller": roller, "turn": roller, "total": total, "turns": turns}
    return new(GAME, seats, options, names=["Ann", "Bob", "Cy"][:seats], position=position)


def roll(play, *faces):
    """Roll the die, which shows these numbers."""
    for face in faces:
        play.play("roll")
        play.chance(f"die {face}")


def tell(play, advance):
    """The news of one ply for a watcher."""
    before = play.view(WATCHER)
    ply = advance()
    return GAME.words.news(before, ply.move, play.view(WATCHER), play.names)


@rule("PG-1")
@pytest.mark.parametrize("seats", GAME.seats)
def test_seat_0_begins_without_points_and_the_turn_goes_round(seats):
    play = new(GAME, seats)
    assert play.state.points == [0] * 6
    for seat in [*range(seats), 0]:
        assert play.turn == seat
        play.play("hold", seat=seat)


@rule("PG-1")
def test_nobody_plays_in_the_turn_of_another():
    with pytest.raises(Refused, match=r"Ann's turn, not Bob's.*PG-1"):
        at([0, 0]).play("roll", seat=1)


@rule("PG-2")
def test_a_turn_is_rolling_or_holding():
    play = at([0, 0])
    assert play.moves() == {0: "roll", 1: "hold"}
    with pytest.raises(Refused, match=r"no move 2.*PG-2"):
        play.play(2)


@rule("PG-2", "PG-3")
def test_the_die_has_six_equal_faces():
    play = at([0, 0])
    play.play("roll")
    assert play.turn == CHANCE
    assert play.odds() == [0, 1, 1, 1, 1, 1, 1]


@rule("PG-3")
def test_rolls_of_2_to_6_add_up_and_the_turn_goes_on():
    play = at([10, 0])
    roll(play, 2, 3, 4, 5, 6)
    assert (play.turn, play.state.total, play.state.points[0]) == (0, 20, 10)


@rule("PG-4")
def test_a_1_takes_the_total_away_but_not_the_points():
    play = at([30, 0], total=18)
    roll(play, 1)
    assert (play.turn, play.state.total, play.state.points[:2]) == (1, 0, [30, 0])


@rule("PG-5")
def test_holding_banks_the_total_and_passes_the_turn():
    play = at([30, 0], total=18)
    play.play("hold")
    assert (play.turn, play.state.total, play.state.points[:2]) == (1, 0, [48, 0])


@rule("PG-6")
@pytest.mark.parametrize("total", [20, 25])
def test_a_hundred_points_or_more_win_at_once(total):
    play = at([99, 80], roller=1, total=total)
    play.play("hold")
    assert play.turn == OVER
    assert play.score() == [0, 1]


@rule("PG-6")
def test_points_that_are_not_banked_win_nothing():
    play = at([0, 95])
    play.play("hold")
    roll(play, 6)
    assert not play.over


@rule("PG-6")
def test_the_target_can_be_another_one():
    play = at([0, 0], target=4)
    roll(play, 4)
    play.play("hold")
    assert play.score() == [1, 0]


@rule("PG-7")
@pytest.mark.parametrize(("points", "shares"), [([7, 12, 9], [0, 1, 0]), ([7, 9, 9], [0, 0.5, 0.5])])
def test_at_the_turn_limit_the_most_points_win_and_equal_points_share(points, shares):
    play = at(points, roller=2, turns=5, turn_limit=6, seats=3)
    roll(play, 1)
    assert play.score() == shares
    assert limited(play.state)


@rule("PG-7")
def test_a_target_reached_in_the_last_turn_wins():
    play = at([40, 98], roller=1, total=3, turns=5, turn_limit=6)
    play.play("hold")
    assert play.score() == [0, 1]
    assert not limited(play.state)


@rule("PG-s1")
def test_everyone_sees_everything():
    play = at([30, 20, 10], total=18, seats=3)
    play.play("roll")
    for seat in (0, 1, 2, WATCHER):
        assert play.view(seat) == play.state
    play.chance("die 4")
    assert play.past(2) == play.past(WATCHER) == [(0, 0), (CHANCE, 4)]


@rule("PG-a")
def test_holding_before_the_first_roll_banks_nothing():
    play = at([30, 20])
    play.play("hold")
    assert (play.turn, play.state.points[:2]) == (1, [30, 20])


@rule("PG-b")
def test_who_has_reached_the_target_can_only_hold():
    play = at([90, 0], total=10)
    assert play.moves() == {1: "hold"}
    with pytest.raises(Refused, match=r"holding wins.*PG-b"):
        play.play(GAME.rules.ROLL)


@pytest.mark.parametrize(
    "impossible",
    [
        {"points": [100, 0]},  # PG-6: the game would be over
        {"points": [0, 0, 5]},  # nobody sits there
        {"points": [90, 0], "total": 16},  # PG-b: the last roll was made at 100
        {"points": [0, 0], "total": 1},  # PG-4
        {"points": [0, 0], "turns": 1000},  # PG-7
    ],
)
def test_a_position_that_cannot_be_reached_is_refused(impossible):
    with pytest.raises(Refused, match="counts do not fit"):
        at(**impossible)


def test_the_news_tells_every_ply():
    play = at([90, 0], total=4)
    assert tell(play, lambda: play.play("roll")) == "Ann takes the die."
    assert tell(play, lambda: play.chance("die 2")) == "Ann rolls a 2: 6 so far."
    play.play("roll")
    assert tell(play, lambda: play.chance("die 1")) == "Ann rolls a 1 and loses 6."
    assert tell(play, lambda: play.play("hold")) == "Bob holds 0 and now has 0."
    roll(play, 6, 6)
    assert GAME.words.question(play.state, play.names) == "Ann holds and wins."
    assert tell(play, lambda: play.play("hold")) == "Ann holds 12 and now has 102. Ann wins."


def test_the_news_tells_how_a_limited_game_ended():
    play = at([5, 5], roller=1, turns=1, turn_limit=2)
    assert tell(play, lambda: play.play("hold")).endswith("The limit of 2 turns is reached: Ann and Bob share the win.")


def test_the_table_shows_every_player_and_fits_80_columns():
    console = Console(width=80)
    play, luck = new(GAME, 6), Luck(3)
    while not play.over:
        with console.capture() as capture:
            console.print(GAME.table.draw(play.view(0), 0, play.names))
        assert all(name in capture.get() for name in play.names)
        assert len(capture.get().splitlines()) == 7
        play.roll_all(luck)
        play.play(play.legal()[luck.below(len(play.legal()))])
