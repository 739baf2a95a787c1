"""The games for PettingZoo, seat by seat (AEC).

    from spellheist.adapters.pettingzoo import env

    game = env("abraca_what", seats=3)
    game.reset(seed=7)
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, info = game.last()
        game.step(None if terminated else choose(seen["observation"], seen["action_mask"]))

What a seat sees is `Play.observation`, turned so that it comes first; the reward at the end is its share of the win. A move
that is not legal is refused, and nothing changes. In `live` seats are asked one by one and may answer that they wait:
the last action. There is no parallel form, because in no game all seats move at once.
"""

from __future__ import annotations

from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise ImportError("This adapter needs PettingZoo: pip install spellheist[pettingzoo]") from None

from spellheist.adapters.asking import Asking, actions, mask
from spellheist.core.dice import Luck
from spellheist.core.game import Game
from spellheist.core.play import new
from spellheist.core.refused import Refused


def env(game: Game | str, seats: int, options: dict[str, Any] | None = None, render_mode: str | None = None) -> Any:
    """A game as an environment that also insists on the order of calls."""
    return wrappers.OrderEnforcingWrapper(RawEnv(game, seats, options, render_mode))


class RawEnv(AECEnv):
    """A game as an environment."""

    def __init__(
        self, game: Game | str, seats: int, options: dict[str, Any] | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise Refused(f"A table is drawn as text, render_mode='ansi', not {render_mode!r}.")
        self.opening = new(game, seats, options)
        self.render_mode = render_mode
        self.metadata = {"name": self.opening.game.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.count = actions(self.opening.game)
        legend = self.opening.legend
        seen = spaces.Box(legend.lows, legend.highs, dtype=np.int16)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (self.count,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.count) for agent in self.possible_agents}
        self.seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.seeds = np.random.default_rng(seed)
        first = int(self.seeds.integers(1 << 62))
        self.asking = Asking(self.opening.clone(), Luck(first), Luck(~first))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.asking.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        asked = seat == self.asking.seat
        moves = mask(self.asking, self.count) if asked else np.zeros(self.count, np.int8)
        return {"observation": self.asking.play.observation(seat), "action_mask": moves}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Refused(f"It is {agent} that is asked: None is no move.")
        self.asking.answer(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.asking.play.over:
            self.rewards = dict(zip(self.agents, self.asking.play.score(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.asking.seat]
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        seat = max(0, self.asking.seat)
        return self.asking.play.picture(seat)

    def close(self) -> None:
        """There is nothing to close."""
