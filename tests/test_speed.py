"""Measuring speed: what the figures are made of. No test asserts a time."""

import json
from numbers import Real

import pytest

from spellheist.core import kernel
from spellheist.core.game import find, names
from spellheist.core.state import CHANCE
from spellheist.lab.speed import Calls, Figure, RandomGames, interleaved, measure, starts, table

TOP = {"machine", "mode", "seconds", "passes", "games", "start"}
MACHINE = {"cpu", "cores", "load", "system", "python", "numba", "numpy"}
GAME = {
    "random": None,  # a row for each number of seats
    "threads": {"seats", "one", "two", "ratio"},
    "batch": {"seats", "games", "decisions_a_second"},
    "call": {"seats", "play_microseconds", "repeat_microseconds", "verb_microseconds"},
}
RANDOM = {"games_a_second", "plies_a_second", "plies_a_game", "decisions_a_game"}


@pytest.fixture(scope="module")
def result():
    return measure(0.01, batch=4, passes=2)


def numbers(tree):
    """All numbers in a tree of dicts."""
    if isinstance(tree, dict):
        for value in tree.values():
            yield from numbers(value)
    elif isinstance(tree, Real):
        yield tree


def test_the_keys_are_stable_in_every_mode(result):
    assert set(result) == TOP
    assert set(result["machine"]) == MACHINE
    assert list(result["games"]) == names()
    for name, game in result["games"].items():
        assert set(game) == {"title", *GAME}
        assert all(set(game[part]) == keys for part, keys in GAME.items() if keys)
        assert list(game["random"]) == [str(seats) for seats in find(name).seats]
        assert all(set(row) == RANDOM for row in game["random"].values())


def test_all_figures_are_positive_and_fit_into_json(result):
    assert all(number > 0 for number in numbers(result["games"]))
    assert json.loads(json.dumps(result)) == result


def test_the_result_says_in_which_mode_it_was_measured(result):
    assert result["mode"] == kernel.MODE
    assert f"rules {kernel.MODE};" in table(result)


def test_the_table_has_every_game_with_every_number_of_seats(result):
    lines = [line.split() for line in table(result).splitlines()]
    for name in names():
        for seats in find(name).seats:
            assert any(line[:2] == [name, str(seats)] for line in lines)


def test_games_can_be_chosen_and_other_figures_stand_beside_them():
    other = Figure(lambda count: count / 1000)
    found = measure(0.001, ["abraca_what"], batch=1, passes=1, beside=[other])
    assert list(found["games"]) == ["abraca_what"]
    assert other.best == pytest.approx(1000)


def test_a_figure_keeps_its_best_pass_and_does_not_count_the_first_call():
    speeds = iter([9.0, 0.1, 0.1, 0.2, 0.05, 0.4])  # seconds a time: the first call compiles, the second fits
    figure = Figure(lambda count: count * next(speeds))
    interleaved([figure], 0.4, passes=4)
    assert figure.best == pytest.approx(20)


def test_passes_are_interleaved():
    order = []

    def work(name):
        def spent(count):
            order.append(name)
            return float(count)

        return spent

    interleaved([Figure(work("a")), Figure(work("b"))], 1.0, passes=3)
    assert "".join(order) == "aaabbb" + "abab"  # the first pass also fits the count


def test_random_games_are_counted():
    run = RandomGames(find("abraca_what"), 3, {"starter": 0})
    run.play(5)
    run.play(2)
    assert run.count == 7
    assert sum(run.shares) == pytest.approx(1)
    assert run.mean("PLIES") > run.mean("DECISIONS") > run.mean("STAGES") >= 1
    assert run.variance("DECISIONS") > 0


def test_calls_make_as_many_plies_as_they_say_and_go_round_the_game():
    calls = Calls(find("abraca_what"), 2)
    decisions = sum(ply.who != CHANCE for ply in calls.plies)
    assert calls.checked(decisions + 3) > 0
    assert sum(ply.who != CHANCE for ply in calls.play.plies) == 3
    assert calls.repeated(len(calls.plies) + 4) > 0
    assert calls.play.plies == calls.plies[:4]
    assert calls.bare(10) > 0


def test_a_start_is_measured_in_processes_of_its_own(result):
    assert result["start"] is None
    found = starts(find("abraca_what"), warm_starts=1)
    assert set(found) == {"game", "cold_seconds", "warm_seconds"}
    assert found["cold_seconds"] > 0 < found["warm_seconds"]
    assert "A process that plays abraca_what" in table(result | {"start": found})
