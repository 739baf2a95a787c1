"""Luck-adjusted matches: the same on the mean; the raw share stands beside it."""

import math

import pytest
from bot_games import Table
from click.testing import CliRunner

from spellheist.cli import main
from spellheist.core.game import find, names
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.lab import adjusted
from spellheist.lab.adjusted import Adjuster
from spellheist.lab.match import play_match

FEW = 4


@pytest.fixture(autouse=True)
def _few_rollouts(monkeypatch):
    monkeypatch.setattr(adjusted, "ROLLOUTS", FEW)


@pytest.mark.parametrize("game", ["dice_heist", "spell_stealers"])
def test_adjusted_shares_are_one_in_all_and_the_same_for_the_same_seed(game):
    play = Table(game, ["random", "greedy"], {"turn_limit": 8}).play(1)
    one, again, other = (Adjuster(find(game)).shares(play, seed) for seed in (1, 1, 2))
    assert sum(one) == pytest.approx(1)
    assert one == again != other


def test_in_a_game_of_reference_players_nothing_but_revisions_is_left():
    play = Table("spell_stealers", ["greedy", "greedy"], {"turn_limit": 8}).play(1)
    adjuster = Adjuster(find("spell_stealers"))
    again = Play(play.game, 2, play.settings)
    for ply in play.plies:
        if again.turn >= 0:
            assert adjuster.is_par(again, ply.who, ply.move)
        again.repeat(ply)
    assert adjuster.shares(play, 1)[0] == pytest.approx(0.5, abs=0.3)


def test_the_adjusted_mean_is_the_raw_mean_within_errors():
    result = play_match("spell_stealers", ["random", "greedy"], 40, options={"stealing": "polite"}, adjusted=True)
    raw = [sum(game.shares[0] for game in deal) / 2 for deal in result.deals().values()]
    less = [sum(game.adjusted[0] for game in deal) / 2 for deal in result.deals().values()]
    apart = [one - other for one, other in zip(raw, less, strict=True)]
    mean = sum(apart) / len(apart)
    error = math.sqrt(sum((one - mean) ** 2 for one in apart) / (len(apart) - 1) / len(apart))
    assert abs(mean) < 3.3 * error
    assert all(game.shares[0] in (0, 0.5, 1) for game in result.outcomes)


def test_how_much_is_taken_out_is_fixed_in_the_sources():
    assert {name: find(name).bot.ADJUST for name in names()} == {
        "abraca_what": 0.45, "dice_heist": 1.0, "mages_dice": 1.0, "spell_stealers": 1.0, "spellcaster": 0.5,
    }  # fmt: skip


def test_the_commands_show_the_raw_share_always_and_the_adjusted_one_when_asked():
    asked = ["dice_heist", "greedy", "random", "--games", "4", "--option", "turn_limit=6"]
    plain, both = (CliRunner().invoke(main, ["match", *asked, *more]) for more in ([], ["--adjusted"]))
    assert plain.exit_code == both.exit_code == 0, both.output
    assert "taken out" not in plain.output and "With the luck of the dice taken out:" in both.output
    raw = next(line for line in plain.output.splitlines() if line.startswith("greedy ")).split("%")[0]
    assert raw in both.output
    ladder = CliRunner().invoke(main, ["ladder", *asked, "--adjusted"])
    assert ladder.exit_code == 0 and "<br>" in ladder.output


def test_where_anyone_may_move_it_is_refused():
    play = Table("spell_stealers", ["greedy", "greedy"], {"stealing": "live", "turn_limit": 4}).play(1)
    with pytest.raises(Refused, match="Where anyone may move"):
        Adjuster(find("spell_stealers")).shares(play, 1)
