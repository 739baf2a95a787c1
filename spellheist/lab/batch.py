"""Many games at once, for learners: arrays in, arrays out, a row a game, and no Python for each.

    games = batch("abraca_what", seats=4, games=1024, seed=7)
    while training:
        games.step(moves_for(games.observations, games.masks, games.turns))

The arrays are written in place: what `step` changes is seen in those that a learner holds already. A game of a batch is the
same, byte for byte, as a single `Play` with the dice `Luck(seed)` of its row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import rngs
from spellheist.core.game import Game, find
from spellheist.core.observation import OBSERVING, Legend, legend, turned
from spellheist.core.play import Play, new
from spellheist.core.record import position_of
from spellheist.core.refused import Refused
from spellheist.core.warm import PLAYOUTS

TEMPLATE = Path(__file__).parent / "templates" / "batch.py"
PLAYERS = ("learner", "random", "greedy")  # in the order of the template's constants


class Arrays(NamedTuple):
    """What the template works on. A row a game, but for the last seven."""

    states: Any
    rngs: Any  # two for each game: its dice, and the luck of its bots
    seeds: Any
    plies: Any
    turns: Any
    masks: Any
    observations: Any
    finals: Any
    done: Any
    rewards: Any
    every: Any  # how much further on the seed of the next game in a row is
    first: Any  # a game before its first ply
    bots: Any  # who plays each seat
    views: Any  # room for a view
    cells: Any  # the same as numbers
    sources: Any  # and how its numbers are taken out of it
    named: Any


def batch(
    game: Game | str, seats: int, games: int, seed: int | Sequence[int] = 0, options: dict[str, Any] | None = None, *,
    bots: Mapping[int, str] | None = None, restart: bool = True, threads: int = 1,
) -> Batch:  # fmt: skip
    """So many games of one kind at once, each taken to its first decision.

    `seed` is that of the first game, and the others follow; or one for each. `bots` says which seats are played by
    `random` or `greedy` instead of the learner. A game that ends starts anew unless `restart` is False.

    >>> games = batch("abraca_what", seats=4, games=3, seed=7, bots={1: "greedy", 3: "random"})
    >>> games.turns, games.masks.shape, games.observations.shape
    (array([2, 0, 0], dtype=int16), (3, 9), (3, 120))
    >>> games.step([8, 8, 8])
    >>> games.done, games.seeds
    (array([False, False, False]), array([7, 8, 9], dtype=uint64))
    """
    return Batch(find(game) if isinstance(game, str) else game, seats, games, seed, options, bots or {}, restart, threads)


class Batch:
    """Many games at once."""

    turns: NDArray[np.int16]  # whose decision each game waits for; OVER where it is over and does not restart
    masks: NDArray[np.bool_]  # which moves are legal
    observations: NDArray[np.int16]  # what that seat sees, as `legend` says
    done: NDArray[np.bool_]  # did the game end in the last step?
    rewards: NDArray[np.float32]  # then, each seat's share of the win; else 0
    finals: NDArray[np.int16]  # then, what the seat that moved last saw at the end
    seeds: NDArray[np.uint64]  # of the game in each row
    plies: NDArray[np.int32]  # how many moves it has had

    def __init__(
        self, game: Game, seats: int, games: int, seed: int | Sequence[int], options: dict[str, Any] | None,
        bots: Mapping[int, str], restart: bool, threads: int,
    ) -> None:  # fmt: skip
        self.game, self.seats, self.games, self.restart, self.bots = game, seats, games, restart, dict(bots)
        opening = new(game, seats, options)
        self.settings = opening.settings
        for what, count in (("games", games), ("threads", threads)):
            if not isinstance(count, int) or count < 1:
                raise Refused(f"The number of {what} is a whole number above 0, not {count!r}.")
        self.legend: Legend = legend(game)
        self._template = self._bound()
        self._arrays = self._room(opening, read_bots(bots, seats))
        self.seeds[:] = read_seeds(seed, games)
        size = -(-games // threads)
        self._parts = list(pairwise([*range(0, games, size), games]))
        self._views = [self._own_views() for _ in self._parts]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None
        self._choices = np.zeros(games, np.int64)
        self._start(np.ones(games, np.bool_))

    def _bound(self) -> Any:
        game, advice = self.game, with_knowledge(self.game, "advice")
        return game.bound(TEMPLATE, playouts=game.bound(PLAYOUTS), observing=game.bound(OBSERVING), advice=advice)

    def _room(self, opening: Play, bots: list[int]) -> Arrays:
        rules, games, schema = self.game.rules, self.games, self.game.rules.State
        size = len(self.legend)
        self.turns = np.zeros(games, np.int16)
        self.masks = np.zeros((games, rules.MOVES), np.bool_)
        self.observations = np.zeros((games, size), np.int16)
        self.finals = np.zeros((games, size), np.int16)
        self.done = np.zeros(games, np.bool_)
        self.rewards = np.zeros((games, self.seats), np.float32)
        self.seeds = np.zeros(games, np.uint64)
        self.plies = np.zeros(games, np.int32)
        first = kernel.rows(schema, 1)
        kernel.load(schema, first, 0, opening.bytes)
        return Arrays(
            kernel.rows(schema, games), rngs(2 * games), self.seeds, self.plies, self.turns, self.masks, self.observations,
            self.finals, self.done, self.rewards, np.array([games], np.uint64), first, np.array(bots, np.int16), None, None,
            *turned(self.game, self.seats),
        )  # fmt: skip

    def _own_views(self) -> Arrays:
        """The arrays with room of its own for a thread's views."""
        views = kernel.rows(self.game.rules.State, self._template.BLOCK)
        return self._arrays._replace(views=views, cells=kernel.cells(self.game.rules.State, views))

    def _each(self, work: Callable[..., Any], *what: Any) -> list[Any]:
        """Do something with all games, on all threads."""
        jobs = [(arrays, *what, *part) for arrays, part in zip(self._views, self._parts, strict=True)]
        if self._pool is None:
            return [work(*jobs[0])]
        return [job.result() for job in [self._pool.submit(work, *job) for job in jobs]]

    def reset(
        self, rows: NDArray[np.bool_] | Sequence[bool] | None = None, seed: int | Sequence[int] | None = None
    ) -> None:
        """Start all games, or those of the rows that are True: from these seeds, or from new ones.

        >>> games = batch("dice_heist", seats=2, games=2, seed=7)
        >>> games.reset([False, True])
        >>> games.seeds
        array([ 7, 10], dtype=uint64)
        """
        chosen = np.ones(self.games, np.bool_) if rows is None else np.asarray(rows)
        if chosen.shape != (self.games,) or chosen.dtype != np.bool_:
            raise Refused(f"There are {self.games} games: {self.games} answers are needed which to start, True or False.")
        seeds = self.seeds + np.uint64(self.games) if seed is None else read_seeds(seed, self.games)
        self.seeds[chosen] = seeds[chosen]
        self._start(chosen)

    def _start(self, chosen: NDArray[np.bool_]) -> None:
        if any(self._each(self._template.begin, chosen, self.restart)):
            raise Refused(f"In this variant of {self.game.title} anyone may move at any time, which a batch cannot ask.")

    def step(self, moves: NDArray[np.integer[Any]] | Sequence[int]) -> None:
        """Make a move in each game, and take it to its next decision. If one of them is not legal, nothing changes. What is
        given for a game that is over does not matter."""
        given = np.asarray(moves)
        if given.shape != (self.games,) or given.dtype.kind not in "iu":
            raise Refused(f"There are {self.games} games, so {self.games} moves are needed, each a whole number.")
        self._choices[:] = given
        wrong = int(self._template.illegal(self._views[0], self._choices))
        if wrong >= 0:
            move, seat = self._choices[wrong], self.turns[wrong]
            raise Refused(f"Game {wrong}: {move} is not a legal move for seat {seat} now.")
        self._each(self._template.step, self._choices, self.restart)

    def random_moves(self) -> NDArray[np.int64]:
        """A random legal move for each game."""
        choices = np.zeros(self.games, np.int64)
        self._template.any_moves(self._views[0], choices)
        return choices

    def play(self, row: int) -> Play:
        """The game in a row as a `Play` that stands where it stands, without its past.

        >>> games = batch("dice_heist", seats=2, games=2, seed=7)
        >>> games.play(1)
        Play('dice_heist', seats=2, ply=0, turn=0)
        """
        if not 0 <= row < self.games:
            raise Refused(f"There is no game {row}; the games are 0 to {self.games - 1}.")
        play = Play(self.game, self.seats, self.settings)
        play.stand_at(kernel.dump(self.game.rules.State, self._arrays.states, row), [])
        return Play(self.game, self.seats, self.settings, position=position_of(play))


def read_bots(bots: Mapping[int, str], seats: int) -> list[int]:
    """Who plays each seat, as the template has it."""
    for seat, name in bots.items():
        if seat not in range(seats):
            raise Refused(f"There is no seat {seat} for a bot; the seats are 0 to {seats - 1}.")
        if name not in PLAYERS[1:]:
            raise Refused(f"In a batch the bots are random and greedy, not {name!r}.")
    if len(bots) == seats:
        raise Refused("All seats are played by bots, so there is nothing to decide: leave one for the learner.")
    return [PLAYERS.index(bots.get(seat, "learner")) for seat in range(seats)]


def read_seeds(seed: int | Sequence[int], games: int) -> NDArray[np.uint64]:
    """The seed of each game: those given, or so many from the first."""
    seeds = [seed + i for i in range(games)] if isinstance(seed, int) else [int(one) for one in seed]
    if len(seeds) != games:
        raise Refused(f"There are {games} games but {len(seeds)} seeds.")
    return np.array([one & kernel.MASK for one in seeds], np.uint64)
