"""Pig with two seats and no limit in reach is OpenSpiel's Pig: the same games, ply by ply."""

from pathlib import Path

import pytest

from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE

pyspiel = pytest.importorskip("pyspiel")
GAME = find(str(Path(__file__).parent))


@pytest.mark.parametrize("seats", GAME.seats)
def test_random_games_are_the_same_in_both(seats):
    peer = pyspiel.load_game("pig", {"players": seats, "horizon": 1_000_000})
    for seed in range(20):
        play, luck, state = new(GAME, seats, {"turn_limit": 10_000}), Luck(seed), peer.new_initial_state()
        while not play.over:
            if play.turn == CHANCE:
                assert state.is_chance_node()
                assert [(face - 1, pytest.approx(1 / 6)) for face in play.outcomes()] == state.chance_outcomes()
                state.apply_action(play.roll(luck).move - 1)
            else:
                assert (state.current_player(), state.legal_actions()) == (play.turn, play.legal())
                state.apply_action(play.play(play.legal()[luck.below(len(play.legal()))]).move)
            s = play.state
            assert str(state).startswith(f"Scores: {' '.join(map(str, s.points[:seats]))}, Turn total: {s.total}\n")
        assert state.is_terminal()
        assert [value > 0 for value in state.returns()] == [share == 1 for share in play.score()]
