"""The adapter through which OpenSpiel's searches play our games."""

import sys
from pathlib import Path

import pytest

from spellheist.bots import bot
from spellheist.core.game import find
from spellheist.core.play import new

pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
openspiel_search = pytest.importorskip("openspiel_search")


@pytest.mark.parametrize("name", ["abraca_what", "dice_heist"])
def test_its_search_makes_legal_moves_against_a_bot_of_ours(name):
    game = find(name)
    theirs = openspiel_search.Theirs(game, 2, None, 3)
    outcome = openspiel_search.play_one(new(game, 2), [bot("random", game), theirs], [1, 0], 1)
    assert sum(outcome.shares) == pytest.approx(1)
    assert theirs.thoughts > 3


def test_what_its_search_sees_of_a_position_is_the_view_of_the_seat_that_moves():
    game = find("abraca_what")
    adapter = openspiel_search.Adapter(game, 2)
    state = openspiel_search.State(adapter, game.rules.State.pack(openspiel_search.first_question(game)[0]))
    seat = state.current_player()
    for _ in range(5):
        world = state.resample_from_infostate(seat, None)
        assert world.observation_string() == state.observation_string()
        assert world.legal_actions() == state.legal_actions()
