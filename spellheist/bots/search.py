"""A bot that searches: information-set Monte Carlo tree search by time or by iterations, on one or more threads.

Where a game is solved and the bot may use that (`exact`), there is nothing to search. Else each thread grows a tree of
its own from the same view, and their results at the root are added up. By time, it goes on in the tree of the last
decision where that is still exact (`kept`).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from spellheist.bots import CONSTANTS
from spellheist.bots.belief import APART, OWN, WORLDS, Belief, nothing
from spellheist.bots.knowledge import own_moves, with_knowledge
from spellheist.bots.nodes import Nodes
from spellheist.bots.tree_reuse import Last
from spellheist.core import kernel
from spellheist.core.contract import bot as contract
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game
from spellheist.core.refused import Refused
from spellheist.core.warm import PLAYOUTS

BYTES = 256 * 1024 * 1024  # that the nodes of one tree may take, once they are used
NODES = 100_000  # that a tree may have at the most
FIRST, CHUNK = 32, 0.004  # iterations before the clock is read first; seconds between two readings
FASTER = 1.25  # times as many iterations as expected may still fit into the time that is left


@dataclass(frozen=True)
class Thought:
    """What a search thinks of one move."""

    move: int  # or NONE: to wait, where anyone may move
    chance: float  # of winning: the mean share
    error: float  # its standard error
    share: float  # of all iterations


class Tree:
    """The nodes of one thread's search."""

    def __init__(self, game: Game, iterations: int | None, moves: int) -> None:
        import numpy as np

        nodes = min(NODES, BYTES // (24 * moves), (iterations or NODES) + 1)
        slots = 1 << (2 * nodes).bit_length()
        self.nodes = Nodes(
            visits=np.zeros((nodes, moves), np.int32), offered=np.zeros((nodes, moves), np.int32),
            won=np.zeros((nodes, moves)), squares=np.zeros((nodes, moves)),
            keys=np.zeros(slots, np.uint64), kids=np.zeros(slots, np.int32),
        )  # fmt: skip
        self.worlds = kernel.rows(game.rules.State, APART)[OWN : OWN + 1]
        self.rngs = rngs(APART)[OWN : OWN + 1]
        self.used, self.root = 1, 0

    def clear(self) -> None:
        """Forget everything."""
        for table in (self.nodes.visits, self.nodes.offered, self.nodes.won, self.nodes.squares):
            table[: self.used] = 0
        self.nodes.kids[:] = 0
        self.used, self.root = 1, 0

    @property
    def lead(self) -> int:
        """How many more iterations the most visited move has than the next."""
        second, first = sorted(self.nodes.visits[self.root].tolist())[-2:]
        return int(first - second)


class Bot:
    """Thinks for `seconds`, or for `iterations`, or until whichever comes first."""

    def __init__(
        self, game: Game, seconds: float | None = None, iterations: int | None = None, threads: int = 1,
        exact: bool = False, **constants: float,
    ) -> None:  # fmt: skip
        if (seconds is None and iterations is None) or (seconds or 1) <= 0 or (iterations or 1) <= 0 or threads < 1:
            raise Refused("A search needs a time or a number of iterations above zero.")
        known, self.game = game.bot, game
        self.exact = known.exact if exact else contract.exact
        self.seconds, self.iterations = seconds, iterations
        self.constants = [float(constants.get(name, getattr(known, name.upper()))) for name in CONSTANTS]
        self.search = with_knowledge(game, "search", playouts=game.bound(PLAYOUTS), advice=with_knowledge(game, "advice"))
        self.trees = [Tree(game, iterations, self.search.COLUMNS) for _ in range(threads)]
        self.views = kernel.rows(game.rules.State, 1)
        self.belief = Belief(game, min(iterations or WORLDS, WORLDS), threads, known.FAITH) if known.FAITH else None
        self.picked = kernel.rows(game.rules.State, 1), nothing()
        self.pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.done = 0  # iterations of the last thought, all threads together
        self.last = Last(game)

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        """The move that is thought about most. One thread ends as soon as no other move can catch up."""
        legal = own_moves(self.game, self.views, view, seat)
        if len(legal) == 1:
            return legal[0]
        return max(self.think(view, seat, past, rng, whole=False), key=lambda thought: thought.share).move

    def think(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck, whole: bool = True) -> list[Thought]:
        """All moves of the seat with what the search thinks of them, the most thought about first."""
        legal = own_moves(self.game, self.views, view, seat)
        chances = self.exact(view)
        if chances:
            best = max(chances, key=chances.__getitem__)
            found = [Thought(move, chances[move], 0.0, float(move == best)) for move in legal]
            return sorted(found, key=lambda thought: -thought.chance)
        self.run(seat, past, rng, self.search.ANY, whole)
        total = self.visits
        return sorted((self.thought(move, total) for move in legal), key=lambda thought: -thought.share)

    def worth(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck, move: int) -> Thought:
        """What it thinks of one move after spending everything on that one."""
        if move not in own_moves(self.game, self.views, view, seat):
            raise Refused(f"Seat {seat} cannot make move {move} here.")
        chances = self.exact(view)
        if chances:
            return Thought(move, chances[move], 0.0, 1.0)
        self.run(seat, past, rng, self.search.column(move), whole=True)
        return self.thought(move, self.visits)

    def run(self, seat: int, past: list[tuple[int, int]], rng: Luck, only: int, whole: bool) -> None:
        """Grow all trees from the view in `views`."""
        until = None if self.seconds is None else time.perf_counter() + self.seconds
        numbers = [rng.below(1 << 31) for _ in self.trees]
        if self.belief:
            at_most = None if self.seconds is None else self.seconds / 4
            self.picked = self.belief.weigh(self.views, seat, past, rng, at_most, self.shared)
        whole = whole or len(self.trees) > 1
        moves: list[int] = []
        if self.iterations is not None or only != self.search.ANY:
            self.last.forget()
        else:
            moves = self.last.since(self.views, seat, past)

        def grown(tree: Tree, number: int) -> int:
            tree.root = self.reached(tree, seat, moves)
            if not tree.root:
                tree.clear()
            start(tree.rngs, 0, number)
            return self.grow(tree, seat, only, until, whole)

        self.done = sum(self.shared(grown, self.trees, numbers))

    def shared(self, work: Callable[..., int], *pieces: list[Any]) -> list[int]:
        """Like `map`: the first piece is worked on here, the others on threads of their own."""
        elsewhere = self.pool.map(work, *(each[1:] for each in pieces)) if self.pool else ()
        return [work(*(each[0] for each in pieces)), *elsewhere]

    def reached(self, tree: Tree, seat: int, moves: list[int]) -> int:
        """The node to which these moves led since the last thought; 0 if there is none, or little room for more."""
        if not moves or tree.used > len(tree.nodes.visits) // 2:
            return 0
        node = tree.root
        for at, move in enumerate(moves):
            node = int(self.search.known_child(self.last.after, at, seat, node, move, tree.nodes))
            if not node:
                return 0
        return node

    def grow(self, tree: Tree, seat: int, only: int, until: float | None, whole: bool) -> int:
        """Search in one tree until time or iterations are used up, or, if that need not be, until they cannot change
        which move is thought about most; how many iterations that were."""
        done, chunk = 0, min(FIRST, self.iterations or FIRST)
        while True:
            began = time.perf_counter()
            tree.used = int(self.search.think(
                self.views, *self.picked, tree.worlds, tree.rngs, 0, seat, only, chunk, tree.root, tree.used,
                tree.nodes, *self.constants,
            ))  # fmt: skip
            done += chunk
            now = time.perf_counter()
            pace = max(now - began, 1e-6) / chunk
            left, spare = math.inf, CHUNK
            if self.iterations is not None:
                left = self.iterations - done
            if until is not None:
                left, spare = min(left, FASTER * (until - now) / pace), min(CHUNK, (until - now) * 0.8)
            if left <= 0 or (not whole and tree.lead > left):
                return done
            chunk = max(1, int(min(left, spare / pace)))

    @property
    def visits(self) -> int:
        """Iterations at the roots: those of the last thought, and those that were kept from the one before."""
        return sum(int(tree.nodes.visits[tree.root].sum()) for tree in self.trees)

    def thought(self, move: int, total: int) -> Thought:
        at = self.search.column(move)
        roots = [(tree.nodes, (tree.root, at)) for tree in self.trees]
        visits = sum(int(nodes.visits[here]) for nodes, here in roots)
        if not visits:
            return Thought(move, 0.0, 1.0, 0.0)
        mean = sum(float(nodes.won[here]) for nodes, here in roots) / visits
        square = sum(float(nodes.squares[here]) for nodes, here in roots) / visits
        return Thought(move, mean, (max(0.0, square - mean * mean) / visits) ** 0.5, visits / total)
