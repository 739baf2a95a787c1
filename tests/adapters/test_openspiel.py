"""OpenSpiel: its own test with serialization for all games and seat counts, and its search on one of them."""

import numpy as np
import pytest

from spellheist.core.game import find, names
from spellheist.core.refused import Refused

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed here.")

import spellheist.adapters.openspiel  # noqa: E402, F401

EVERY = [(name, seats) for name in names() for seats in find(name).seats]
SHORT = {"spell_stealers": {"turn_limit": 7}, "dice_heist": {"turn_limit": 7}, "mages_dice": {"target": 1}}


def load(name, seats, **options):
    return pyspiel.load_game(f"spellheist_{name}", {"players": seats, **options})


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_their_own_test_passes(name, seats, capfd):
    pyspiel.random_sim_test(load(name, seats, **SHORT.get(name, {})), num_sims=1, serialize=True, verbose=False)


def test_states_are_those_of_a_play():
    state = load("abraca_what", 2, easy=True, die_faces="3 2 1", starter=1).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert state.play.settings["easy"] and state.play.settings["die_faces"] == (3, 2, 1)
    assert (state.current_player(), state.legal_actions()) == (1, list(range(1, 9)))
    assert state.action_to_string(8) == "call 8 Magic Drink"
    assert state.information_state_string(1) == state.play.information(1)
    assert np.allclose(state.observation_tensor(1), state.play.legend.scaled(state.play.observation(1)))
    other = state.clone()
    other.apply_action(8)
    assert (state.play.ply, other.play.ply) == (22, 23)


def test_their_search_plays_a_game_to_its_end():
    from open_spiel.python.algorithms import mcts

    game = load("mages_dice", 2, target=1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.0, 2, evaluator, random_state=np.random.RandomState(2))
    state, luck = game.new_initial_state(), np.random.RandomState(3)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(luck.choice(outcomes, p=odds)))
        else:
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == pytest.approx(1)


def test_live_is_refused_with_a_sentence():
    with pytest.raises(Refused, match="which OpenSpiel cannot ask"):
        load("spell_stealers", 3, stealing="live")
