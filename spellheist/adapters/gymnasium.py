"""The games for Gymnasium: one learner against bots, alone or many games at once.

    import gymnasium

    game = gymnasium.make("spellheist.adapters.gymnasium:spellheist/abraca_what-v0", seats=3, bots="greedy")
    many = gymnasium.make_vec("spellheist/abraca_what-v0", num_envs=1024, seats=3, bots="greedy")

What the learner sees is `Play.observation`; the reward at the end is its share of the win. `action_masks()` says which
moves are legal, as sb3-contrib expects, and `info["action_mask"]` too. A move that is not legal loses a game that is played
alone, with the sentence why in `info["refused"]`; among many it is refused, and nothing changes. Arrays of many games are
written in place: copy what is to be kept. Only a game alone can be `live`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise ImportError("This adapter needs Gymnasium: pip install spellheist[gymnasium]") from None

from spellheist.adapters.asking import Asking, actions, mask
from spellheist.bots import bot
from spellheist.core.dice import Luck
from spellheist.core.game import Game, names
from spellheist.core.observation import legend
from spellheist.core.play import Play, new
from spellheist.core.refused import Refused
from spellheist.core.state import NONE
from spellheist.lab.batch import batch

LOST = -1.0  # the reward for a move that is not legal


def seen_space(game: Game) -> spaces.Box:
    """The observations of a game."""
    return spaces.Box(legend(game).lows, legend(game).highs, dtype=np.int16)


def read_bots(bots: str | Mapping[int, str], seats: int, seat: int) -> dict[int, str]:
    """The bot at each seat but the learner's."""
    if seat not in range(seats):
        raise Refused(f"There is no seat {seat}; the seats are 0 to {seats - 1}.")
    others = [other for other in range(seats) if other != seat]
    given = dict.fromkeys(others, bots) if isinstance(bots, str) else dict(bots)
    if sorted(given) != others:
        raise Refused(f"The learner has seat {seat}, so bots are needed for the seats {', '.join(map(str, others))}.")
    return given


class Env(gymnasium.Env[np.ndarray, int]):
    """One game against bots of any name that `spellheist.bot` knows."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self, game: Game | str, seats: int = 2, seat: int = 0, bots: str | Mapping[int, str] = "random",
        options: dict[str, Any] | None = None, render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self.opening = new(game, seats, options)
        self.seat, self.render_mode = seat, render_mode
        self.players = {at: bot(name, self.opening.game) for at, name in read_bots(bots, seats, seat).items()}
        self.count = actions(self.opening.game)
        self.action_space: Any = spaces.Discrete(self.count)
        self.observation_space: Any = seen_space(self.opening.game)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        while True:  # until a game comes to the learner: bots may have ended one before
            first = int(self.np_random.integers(1 << 62))
            self.asking = Asking(self.opening.clone(), Luck(first), Luck(~first))
            self._let_bots_play()
            if not self.asking.play.over:
                return self._seen()

    def _let_bots_play(self) -> None:
        play: Play = self.asking.play
        while self.asking.seat in self.players:
            at = self.asking.seat
            move = self.players[at].choose(play.view(at), at, play.recall(at), self.asking.luck)
            self.asking.answer(self.asking.wait if move == NONE else move)

    def _seen(self) -> tuple[np.ndarray, dict[str, Any]]:
        return self.asking.play.observation(self.seat), {"action_mask": mask(self.asking, self.count)}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        try:
            self.asking.answer(int(action))
        except Refused as refusal:
            seen, info = self._seen()
            return seen, LOST, True, False, info | {"refused": str(refusal)}
        self._let_bots_play()
        seen, info = self._seen()
        over = self.asking.play.over
        return seen, self.asking.play.score()[self.seat] if over else 0.0, over, False, info

    def action_masks(self) -> np.ndarray:
        """Which moves are legal now."""
        return mask(self.asking, self.count).astype(np.bool_)

    def render(self) -> Any:
        return self.asking.play.picture(self.seat) if self.render_mode == "ansi" else None


class ManyEnvs(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """Many games at once against the bots that a batch knows. A game that ends starts anew at once."""

    def __init__(
        self, game: str, num_envs: int = 1, seats: int = 2, seat: int = 0, bots: str | Mapping[int, str] = "random",
        options: dict[str, Any] | None = None, threads: int = 1,
    ) -> None:  # fmt: skip
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.games = batch(game, seats, num_envs, 0, options, bots=read_bots(bots, seats, seat), threads=threads)
        self.num_envs, self.seat = num_envs, seat
        self.single_observation_space: Any = seen_space(self.games.game)
        self.single_action_space: Any = spaces.Discrete(self.games.masks.shape[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        self.games.reset(seed=seed)
        return self.games.observations, {"action_mask": self.games.masks}

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        self.games.step(actions)
        info = {"action_mask": self.games.masks, "final_obs": self.games.finals, "_final_obs": self.games.done}
        rewards = self.games.rewards[:, self.seat]
        return self.games.observations, rewards, self.games.done, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> np.ndarray:
        """Which moves are legal in each game."""
        return self.games.masks


for name in names():
    home = "spellheist.adapters.gymnasium"
    gymnasium.register(f"spellheist/{name}-v0", f"{home}:Env", vector_entry_point=f"{home}:ManyEnvs", kwargs={"game": name})
