"""What a seat believes: which of the worlds that fit its view are likely after what its rivals did.

Used for games whose `bot.py` has FAITH and `earlier`; elsewhere all worlds are as likely as chance makes them.
"""

from __future__ import annotations

import time
from typing import Any

from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game
from spellheist.core.play import RECALL
from spellheist.core.state import CHANCE

WORLDS = 1024  # that are weighed, before a search
FEW = 32  # that are weighed before the clock is read


class Belief:
    """Worlds weighed by how likely they make what rivals did in this stage, if those follow the game's advice."""

    def __init__(self, game: Game, worlds: int) -> None:
        self.game, self.bound = game, with_knowledge(game, "belief")
        self.worlds = kernel.rows(game.rules.State, worlds)
        self.before = kernel.rows(game.rules.State, RECALL)
        self.scratch = kernel.rows(game.rules.State, 2)
        self.who, self.made = kernel.shorts(RECALL), kernel.shorts(RECALL)
        self.chances = kernel.reals(worlds)
        self.rngs = rngs(1)

    def weigh(self, views: Any, seat: int, past: Any, rng: Luck, seconds: float | None) -> tuple[Any, Any]:
        """A pool of worlds and which of them to think about, each as often as it is likely; none if nothing is told."""
        import numpy as np

        start(self.rngs, 0, rng.below(1 << 31))
        plies = self.recall(views, seat, past)
        if not plies:
            return self.worlds, nothing()
        until = None if seconds is None else time.perf_counter() + seconds
        done = 0
        while done < len(self.worlds) and (not done or until is None or time.perf_counter() < until):
            last = min(done + FEW, len(self.worlds))
            self.bound.weigh(
                views, self.worlds, done, last, self.chances, self.rngs, 0, seat,
                self.before, self.who, self.made, plies, self.scratch,
            )  # fmt: skip
            done = last
        sums = np.cumsum(self.chances[:done])
        at = (np.arange(done) + rng.below(1 << 31) / (1 << 31)) / done * sums[-1]
        return self.worlds, np.minimum(np.searchsorted(sums, at, side="right"), done - 1)

    def recall(self, views: Any, seat: int, past: Any) -> int:
        """Write down the seat's views of this stage, the latest first, back to the first decision of a rival."""
        schema, door = self.game.rules.State, self.game.door
        plies = 0
        told = getattr(past, "views", [])
        for back in range(min(RECALL, len(told))):
            kernel.load(schema, self.before, back, told[-1 - back])
            if door.stage(self.before, back) != door.stage(views, 0):
                break
            self.who[back], self.made[back] = past[-1 - back]
            if self.who[back] not in (seat, CHANCE):
                plies = back + 1
        return plies


def nothing() -> Any:
    """No picks: worlds are imagined as the search goes on."""
    import numpy as np

    return np.zeros(0, np.int64)
