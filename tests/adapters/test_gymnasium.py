"""Gymnasium: its own test for all games and seat counts, masks as sb3-contrib asks for them, many games at once."""

import warnings

import numpy as np
import pytest

from spellheist.core.game import find, names
from spellheist.core.refused import Refused

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed here.")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from spellheist.adapters.gymnasium import LOST, Env, ManyEnvs  # noqa: E402

EVERY = [(name, seats, {}) for name in names() for seats in find(name).seats]
LIVE = [("spell_stealers", seats, {"stealing": "live"}) for seats in (2, 4, 6)]


@pytest.mark.parametrize(("name", "seats", "options"), EVERY + LIVE)
def test_their_own_test_passes(name, seats, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of theirs, about what an environment may but need not do
        check_env(gymnasium.make(f"spellheist/{name}-v0", seats=seats, seat=seats - 1, options=options).unwrapped)


@pytest.mark.parametrize(("name", "seats", "options"), EVERY + LIVE)
def test_legal_moves_lead_to_the_end_and_the_reward_is_the_share_of_the_win(name, seats, options):
    game = Env(name, seats, seat=seats // 2, bots="greedy", options=options)
    seen, info = game.reset(seed=4)
    luck = np.random.default_rng(1)
    over, reward = False, 0.0
    while not over:
        assert seen in game.observation_space and reward == 0
        assert np.array_equal(game.action_masks(), info["action_mask"].astype(bool)) and game.action_masks().any()
        seen, reward, over, truncated, info = game.step(luck.choice(np.flatnonzero(game.action_masks())))
        assert not truncated and "refused" not in info
    assert reward == game.asking.play.score()[game.seat]


def test_masks_are_found_through_wrappers_as_sb3_contrib_looks_for_them():
    game = gymnasium.make("spellheist/abraca_what-v0", seats=3)
    game.reset(seed=1)
    assert game.get_wrapper_attr("action_masks")().dtype == bool


def test_a_move_that_is_not_legal_loses_the_game_with_a_sentence():
    game = Env("abraca_what", 2)
    game.reset(seed=1)
    _, reward, over, _, info = game.step(0)
    assert (reward, over) == (LOST, True) and info["refused"].endswith(")")


@pytest.mark.parametrize(("name", "seats", "options"), EVERY)
def test_many_games_are_those_of_a_batch(name, seats, options):
    many = gymnasium.make_vec(
        f"spellheist/{name}-v0", num_envs=4, vectorization_mode="vector_entry_point", seats=seats, seat=1, bots="greedy"
    )
    seen, info = many.reset(seed=5)
    ended = 0
    for _ in range(60):
        assert seen in many.observation_space
        moves = np.array([np.flatnonzero(mask)[-1] for mask in many.unwrapped.action_masks()])
        seen, rewards, over, truncated, info = many.step(moves)
        ended += over.sum()
        assert rewards.shape == over.shape == truncated.shape == (4,) and not truncated.any()
        assert (rewards[~over] == 0).all() and np.array_equal(info["_final_obs"], over)
    assert many.unwrapped.games.bots == {0: "greedy", **dict.fromkeys(range(2, seats), "greedy")}


def test_what_cannot_be_asked_is_refused_with_a_sentence():
    with pytest.raises(Refused, match="which a batch cannot ask"):
        ManyEnvs("spell_stealers", 4, 3, options={"stealing": "live"})
    with pytest.raises(Refused, match="There is no seat 3"):
        Env("abraca_what", 3, seat=3)
    with pytest.raises(Refused, match="bots are needed for the seats 0, 2"):
        Env("abraca_what", 3, seat=1, bots={0: "random"})
    many = ManyEnvs("abraca_what", 2, 3)
    many.reset(seed=1)
    with pytest.raises(Refused, match="not a legal move"):
        many.step(np.array([0, 0]))
