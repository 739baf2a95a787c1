"""PettingZoo: its own tests for all games and seat counts, live too."""

import warnings

import numpy as np
import pytest

from spellheist.core.game import find, names
from spellheist.core.refused import Refused

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed here.")

from pettingzoo.test import api_test, seed_test

from spellheist.adapters.pettingzoo import env

EVERY = [(name, seats, {}) for name in names() for seats in find(name).seats]
LIVE = [("spell_stealers", seats, {"stealing": "live"}) for seats in (2, 4, 6)]


@pytest.mark.parametrize(("name", "seats", "options"), EVERY + LIVE)
def test_their_own_tests_pass(name, seats, options, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of theirs, about what an environment may but need not do
        api_test(env(name, seats, options), num_cycles=60)
        seed_test(lambda: env(name, seats, options), num_cycles=40)


def test_a_game_goes_to_its_end_and_rewards_are_shares_of_the_win():
    game = env("abraca_what", 3)
    game.reset(seed=7)
    total = dict.fromkeys(game.possible_agents, 0.0)
    luck = np.random.default_rng(1)
    for agent in game.agent_iter():
        seen, reward, terminated, _, _ = game.last()
        total[agent] += reward
        game.step(None if terminated else int(luck.choice(np.flatnonzero(seen["action_mask"]))))
    assert sum(total.values()) == pytest.approx(1)


def test_in_live_seats_may_wait_but_not_the_one_that_the_table_waits_for():
    game = env("spell_stealers", 3, {"stealing": "live"}).unwrapped
    game.reset(seed=3)
    wait = game.count - 1
    asked = []
    while game.observe(game.agent_selection)["action_mask"][wait]:
        asked.append(game.agent_selection)
        game.step(wait)
    assert len(set(asked)) == 2 and game.agent_selection not in asked
    with pytest.raises(Refused, match="which cannot wait itself"):
        game.step(wait)


def test_a_move_that_is_not_legal_is_refused_and_nothing_changes():
    game = env("abraca_what", 3).unwrapped
    game.reset(seed=3)
    before = game.asking.play.bytes
    for action in (0, 99, None):
        with pytest.raises(Refused):
            game.step(action)
    assert game.asking.play.bytes == before
    with pytest.raises(Refused, match="render_mode='ansi', not 'human'"):
        env("abraca_what", 3, render_mode="human")


def test_the_table_is_drawn_as_text():
    game = env("abraca_what", 3, render_mode="ansi")
    game.reset(seed=3)
    assert "[?]" in game.render()
