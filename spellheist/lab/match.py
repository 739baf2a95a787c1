"""Matches: many games between bots, with seats rotated and the same dice for each rotation.

A deal is one seed of the dice, played once for each rotation of the bots around the table, so that luck of the
dice and of the seats cancels out as far as it can. Deals are the independent units that intervals are made from.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from spellheist.bots import Bot, bot, warm
from spellheist.core import kernel, record
from spellheist.core.dice import Luck
from spellheist.core.game import Game, find
from spellheist.core.play import Play, new
from spellheist.core.refused import Refused
from spellheist.core.state import NONE
from spellheist.lab.share import Share, mean_of, share_of

T = TypeVar("T")
LONGEST = 200_000  # plies: a game that takes longer is given up as nobody's win
INTERRUPTED = "It was stopped early."
DEATHS = 3  # of a process, after which a task is given up


class Deadly(Refused):
    """Whichever process tries a task dies of it."""


@dataclass
class Outcome:
    """One game of a match. What belongs to bots is in their order, not in that of seats."""

    seed: int
    seating: list[int]  # which bot sat on each seat
    shares: list[float]
    plies: int
    decisions: list[int]
    seconds: list[float]  # that each bot thought
    slowest: list[float]  # the longest thought of each bot
    fault: str | None = None  # what a bot did wrong, if one did
    record: str | None = None  # the game up to then
    adjusted: list[float] | None = None  # shares with the luck taken out, where that was asked for

    @classmethod
    def begun(cls, seed: int, seating: list[int]) -> Outcome:
        """Of a game in which nothing has happened yet."""
        bots = len(seating)
        return cls(seed, seating, [0.0] * bots, 0, [0] * bots, [0.0] * bots, [0.0] * bots)


@dataclass
class Result:
    """What is known of a match so far."""

    game: str
    bots: list[str]
    options: dict[str, Any]
    outcomes: list[Outcome] = field(default_factory=list)
    stopped: str | None = None  # why it is not whole

    def deals(self) -> dict[int, list[Outcome]]:
        """The games of each deal that was played in all its rotations."""
        found: dict[int, list[Outcome]] = {}
        for outcome in self.outcomes:
            found.setdefault(outcome.seed, []).append(outcome)
        return {seed: games for seed, games in found.items() if len(games) == len(self.bots)}

    def share(self, bot: int) -> Share:
        """The mean share of the win of a bot."""
        return share_of([sum(game.shares[bot] for game in games) / len(games) for games in self.deals().values()])

    def adjusted(self, bot: int) -> Share:
        """The same with the luck taken out, of games without a fault."""
        deals = [[game.adjusted[bot] for game in games if game.adjusted] for games in self.deals().values()]
        whole = [sum(shares) / len(shares) for shares in deals if len(shares) == len(self.bots)]
        return mean_of(whole) if whole else Share(0.0, 1.0)


def play_match(
    game: str, bots: list[str], games: int, seed: int = 1, workers: int = 1,
    options: dict[str, Any] | None = None, progress: Callable[[Result], None] | None = None, adjusted: bool = False,
) -> Result:  # fmt: skip
    """Play a match of at least so many games, if asked with luck-adjusted shares; on Ctrl-C the result so far."""
    chosen = find(game)
    chosen.settings(len(bots), options)
    for name in bots:
        bot(name, chosen)
    result = Result(game, bots, options or {})
    deals = -(-games // len(bots))
    tasks = [(game, tuple(bots), tuple(sorted((options or {}).items())), seed + deal) for deal in range(deals)]
    try:
        for outcomes in in_parallel(play_adjusted_deal if adjusted else play_deal, tasks, workers):
            result.outcomes += outcomes
            if progress:
                progress(result)
    except KeyboardInterrupt:
        result.stopped = INTERRUPTED
    except Deadly as deadly:
        result.stopped = f"It ended early. {deadly}"
    return result


def in_parallel(work: Callable[..., T], tasks: list[tuple[Any, ...]], workers: int) -> Iterator[T]:
    """The results of the tasks, in their order. Whoever stops listening stops the work. When a process dies, what was
    under way is begun anew, and gives the same. The last thing in a task is its seed, or its seeds."""
    if workers == 1:
        yield from (work(*task) for task in tasks)
        return
    left = deque(range(len(tasks)))
    deaths: Counter[int] = Counter()
    early: dict[int, T] = {}  # results whose turn has not come
    told = 0
    while told < len(tasks):
        with closing(until_one_dies(work, tasks, left, workers, deaths)) as finished:
            for number, result in finished:
                early[number] = result
                while told in early:
                    yield early.pop(told)
                    told += 1
        for number, died in deaths.items():
            if died >= DEATHS:
                raise Deadly(f"{DEATHS} processes died while playing {seed_of(tasks[number])}.")


def until_one_dies(
    work: Callable[..., T], tasks: list[tuple[Any, ...]], left: deque[int], workers: int, deaths: Counter[int]
) -> Generator[tuple[int, T]]:
    """Results with the numbers of their tasks, as they are finished, until all are or a process has died."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), leave_interrupts)
    waiting: dict[Future[T], int] = {}
    try:
        while left or waiting:
            while left and len(waiting) < room(left[0], waiting, workers, deaths):
                future = pool.submit(work, *tasks[left[0]])
                waiting[future] = left.popleft()
            done, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                result = future.result()
                yield waiting.pop(future), result
        pool.shutdown()
    except BrokenProcessPool:
        deaths.update(waiting.values())
        left.extendleft(sorted(waiting.values(), reverse=True))
    finally:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)


def room(number: int, waiting: dict[Future[T], int], workers: int, deaths: Counter[int]) -> int:
    """How many tasks may be under way. A pool does not say who died of what: a task that was there at all deaths but the
    last is tried alone, and is the reason if it happens again."""
    alone = any(deaths[one] == DEATHS - 1 for one in (number, *waiting.values()))
    return 1 if alone else 2 * workers


def seed_of(task: tuple[Any, ...]) -> str:
    seed = task[-1]
    return f"the seeds {seed[0]} to {seed[-1]}" if isinstance(seed, range) else f"the seed {seed}"


def leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; only the first one decides what follows from it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@cache
def made(game: str, name: str, place: int) -> Bot:
    """A bot of this process; one for each place in the match, so that none shares memory with another."""
    player = bot(name, find(game))
    if not name.endswith(".py"):
        warm(player, find(game))
    return player


def play_adjusted_deal(game: str, bots: tuple[str, ...], options: tuple[tuple[str, Any], ...], seed: int) -> list[Outcome]:
    """One seed, every rotation, and what came out of it with the luck taken out."""
    return play_deal(game, bots, options, seed, adjusted=True)


def play_deal(
    game: str, bots: tuple[str, ...], options: tuple[tuple[str, Any], ...], seed: int, adjusted: bool = False
) -> list[Outcome]:
    """One seed, every rotation."""
    seats = len(bots)
    return [
        play_game(find(game), bots, [(seat + shift) % seats for seat in range(seats)], dict(options), seed, adjusted)
        for shift in range(seats)
    ]


def play_game(
    game: Game, bots: tuple[str, ...], seating: list[int], options: dict[str, Any], seed: int, adjusted: bool = False
) -> Outcome:
    """One game. A bot that raises, makes an illegal move or takes too long has lost it."""
    play = new(game, len(bots), options, [bots[b] + f" ({seat})" for seat, b in enumerate(seating)])
    dice, quickest = Luck(seed), lot(seed, len(bots))
    lots = [lot(seed, seat) for seat in range(len(bots))]
    outcome = Outcome.begun(seed, seating)
    while play.ply < LONGEST and play.asks(dice):
        seats = play.askable(quickest)
        for seat in seats:
            mover = seating[seat]
            player = made(game.where, bots[mover], mover)
            view, past = play.view(seat), play.recall(seat)
            began = time.perf_counter()
            try:
                move = player.choose(view, seat, past, lots[seat])
                waits = move == NONE and seat != seats[-1]
                if not waits:
                    play.play(move, seat)
            except Exception as error:
                what = str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
                return at_fault(outcome, play, dice, seat, f"{bots[mover]}: {what}")
            took = time.perf_counter() - began
            outcome.decisions[mover] += 1
            outcome.seconds[mover] += took
            outcome.slowest[mover] = max(outcome.slowest[mover], took)
            if not waits:
                break
    outcome.plies = play.ply
    if play.over:
        for seat, share in enumerate(play.score()):
            outcome.shares[seating[seat]] += share
        if adjusted:
            shares = import_module("spellheist.lab.adjusted").adjuster(game.where).shares(play, seed)
            outcome.adjusted = [shares[seating.index(number)] for number in range(len(bots))]
    return outcome


def lot(seed: int, which: int) -> Luck:
    """What a bot draws from: the same for the same seed, and nothing that the dice could be told from at a glance."""
    return Luck(int.from_bytes(hashlib.blake2b(f"{seed} {which}".encode(), digest_size=7).digest(), "big"))


def at_fault(outcome: Outcome, play: Play, dice: Luck, guilty: int, fault: str) -> Outcome:
    """The game is lost for the side of the seat that did something wrong, and shared by the others."""
    outcome.plies = play.ply
    outcome.fault = fault
    outcome.record = record.write(play, dice)
    side = kernel.plain(play.game.rules.side)
    others = [seat for seat in range(play.seats) if side(play.state, seat) != side(play.state, guilty)]
    for seat in others:
        outcome.shares[outcome.seating[seat]] = 1 / len(others)
    return outcome
