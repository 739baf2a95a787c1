"""What a seat believes: which of the worlds that fit its view are likely after what its rivals did.

Used for games whose `bot.py` has `earlier`, by searches with FAITH and by reviews with BELIEF; elsewhere all worlds are as
likely as chance makes them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game
from spellheist.core.memory import RECALL, Past
from spellheist.core.state import CHANCE

WORLDS = 1024  # that are weighed, before a search
FEW = 32  # that are weighed before the clock is read
OWN, APART = 4, 10  # a thread's first row, and how many keep its rows clear of the cache lines that other threads write


class Part:
    """What one thread weighs: worlds of the pool from `first` up to `last`."""

    def __init__(self, game: Game, first: int, last: int) -> None:
        self.first, self.last = first, last
        self.scratch = kernel.rows(game.rules.State, APART)[OWN : OWN + 2]
        self.rngs = rngs(APART)[OWN : OWN + 1]


class Belief:
    """Worlds weighed by how likely they make what rivals did in this stage, if those follow the game's advice."""

    def __init__(self, game: Game, worlds: int, threads: int = 1, faith: float = 1.0, sure: float = 0.0) -> None:
        self.game, self.bound = game, with_knowledge(game, "belief")
        self.faith, self.sure = faith, sure
        self.back: int = game.bot.LOOK_BACK
        self.worlds = kernel.rows(game.rules.State, worlds)
        self.before = kernel.rows(game.rules.State, RECALL)
        self.who, self.made = kernel.shorts(RECALL), kernel.shorts(RECALL)
        self.chances = kernel.reals(worlds)
        ends = [worlds * n // threads for n in range(threads + 1)]
        self.parts = [Part(game, first, last) for first, last in pairwise(ends)]

    def weigh(
        self, views: Any, seat: int, past: Any, rng: Luck, seconds: float | None, shared: Callable[..., list[int]]
    ) -> tuple[Any, Any]:
        """A pool of worlds and which of them to think about, each as often as it is likely; none if nothing is told.
        `shared` is a `map` over the parts."""
        import numpy as np

        for part in self.parts:
            start(part.rngs, 0, rng.below(1 << 31))
        plies = self.recall(views, seat, past)
        if not plies:
            return self.worlds, nothing()
        until = None if seconds is None else time.perf_counter() + seconds

        def weighed(part: Part) -> int:
            done = part.first
            self.chances[part.first : part.last] = [0.0] * (part.last - part.first)
            while done < part.last and (done == part.first or until is None or time.perf_counter() < until):
                last = min(done + FEW, part.last)
                self.bound.weigh(
                    views, self.worlds, done, last, self.chances, part.rngs, 0, seat,
                    self.before, self.who, self.made, plies, part.scratch, self.faith, self.sure,
                )  # fmt: skip
                done = last
            return done - part.first

        done = sum(shared(weighed, self.parts))
        sums = np.cumsum(self.chances)
        at = (np.arange(done) + rng.below(1 << 31) / (1 << 31)) / done * sums[-1]
        return self.worlds, np.minimum(np.searchsorted(sums, at, side="right"), np.flatnonzero(self.chances)[-1])

    def recall(self, views: Any, seat: int, past: Any) -> int:
        """Write down the seat's views of this stage, or of some before it, the latest first, back to the first decision of
        a rival."""
        schema, verbs = self.game.rules.State, self.game.verbs
        plies = 0
        told = Past.of(past).views
        for back in range(min(RECALL, len(told))):
            kernel.load(schema, self.before, back, told[-1 - back])
            if verbs.stage(views, 0) - verbs.stage(self.before, back) > self.back:
                break
            self.who[back], self.made[back] = past[-1 - back]
            if self.who[back] not in (seat, CHANCE):
                plies = back + 1
        return plies


def nothing() -> Any:
    """No picks: worlds are imagined as the search goes on."""
    import numpy as np

    return np.zeros(0, np.int64)
