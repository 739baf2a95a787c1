"""Measuring how bots think. No test asserts a time."""

import json

from spellheist.core.game import find
from spellheist.lab.thinking import measure, positions, table


def test_positions_are_decisions_with_a_choice_and_the_same_every_time():
    game = find("dice_heist")
    found = positions(game, 3)
    assert [view for view, _, _ in found] == [view for view, _, _ in positions(game, 3)]
    assert all(view.turn == seat and past.views for view, seat, past in found)


def test_rates_and_overruns_of_a_game_are_in_the_table_and_fit_into_json(monkeypatch):
    monkeypatch.setattr("spellheist.lab.thinking.ITERATIONS", 20)
    monkeypatch.setattr("spellheist.lab.thinking.POSITIONS", 2)
    result = measure(0.01, ["dice_heist"], budgets=[0.005], decisions=2)
    game = result["games"]["dice_heist"]
    assert all(game[rate] > 0 for rate in ("iterations_a_second", "two_threads", "two_threads_by_time", "side_by_side"))
    assert set(game["late"]["5 ms"]) == {"middle", "percentile_99", "latest"}
    assert game["late"]["5 ms"]["middle"] <= game["late"]["5 ms"]["latest"]
    assert "dice_heist" in table(json.loads(json.dumps(result)))
