"""What a bot gives away: nothing against itself, much if it is random."""

import pytest
from click.testing import CliRunner

from spellheist.cli import main
from spellheist.core.refused import Refused
from spellheist.lab.regret import regret

SHORT = {"turn_limit": 24}


@pytest.fixture(autouse=True)
def _a_quick_walker(monkeypatch):
    monkeypatch.setattr("spellheist.lab.regret.WALKER", "greedy")


def test_bots_that_agree_give_nothing_away():
    found = regret("dice_heist", "greedy", "greedy", "sharp@50", 2, 1, 1, {})
    assert found.agreed == 1
    assert (found.whole.value, found.whole.half) == (0, 0)
    assert found.compared > 0 and found.decisions > 5


def test_a_random_bot_gives_a_lot_away_against_a_search_and_the_search_nothing_against_it():
    lost = regret("dice_heist", "random", "sharp@20", "sharp@40", 16, 1, 1, SHORT)
    assert lost.agreed < 1
    assert lost.whole.value - lost.whole.half > 0
    won = regret("dice_heist", "sharp@20", "random", "sharp@40", 16, 1, 1, SHORT)
    assert won.whole.value < 0


def test_a_judge_must_search():
    with pytest.raises(Refused, match="greedy cannot judge"):
        regret("dice_heist", "random", "steady", "greedy", 1, 1, 1, {})


def test_where_anyone_may_move_it_is_refused():
    with pytest.raises(Refused, match="Where anyone may move"):
        regret("spell_stealers", "random", "greedy", "sharp@10", 1, 1, 1, {"stealing": "live"})


def test_the_command_says_it_in_a_sentence():
    said = CliRunner().invoke(main, ["regret", "dice_heist", "greedy", "sharp@10", "--judge", "sharp@30", "--games", "2"])
    assert said.exit_code == 0
    assert "sharp@10 makes the same move as greedy in" in said.output
    assert "points of win share a game" in said.output
    refused = CliRunner().invoke(main, ["regret", "dice_heist", "greedy", "genlte", "--judge", "sharp@50"])
    assert refused.exit_code == 2
    assert "gentle" in refused.output and "Traceback" not in refused.output
