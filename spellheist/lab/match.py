"""Matches: many games between bots, with seats rotated and the same dice for each rotation.

A deal is one seed of the dice, played once for each rotation of the bots around the table, so that luck of the
dice and of the seats cancels out as far as it can. Deals are the independent units that intervals are made from.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from spellheist.bots import Bot, bot, warm
from spellheist.core import record
from spellheist.core.dice import Luck
from spellheist.core.game import Game, find
from spellheist.core.play import Play, new
from spellheist.core.state import CHANCE, NONE

T = TypeVar("T")
PATIENCE = 60.0  # seconds: a bot that takes longer for a move has lost the game
LONGEST = 200_000  # plies: a game that takes longer is given up as nobody's win


@dataclass
class Outcome:
    """One game of a match."""

    seed: int
    seating: list[int]  # which bot sat on each seat
    shares: list[float]  # of each bot, not seat
    plies: int
    decisions: int
    seconds: list[float]  # that each bot thought
    slowest: list[float]  # the longest thought of each bot
    fault: str | None = None  # what a bot did wrong, if one did
    record: str | None = None  # the game up to then


@dataclass
class Result:
    """What is known of a match so far."""

    game: str
    bots: list[str]
    options: dict[str, Any]
    outcomes: list[Outcome] = field(default_factory=list)

    def deals(self) -> dict[int, list[Outcome]]:
        """The games of each deal that was played in all its rotations."""
        found: dict[int, list[Outcome]] = {}
        for outcome in self.outcomes:
            found.setdefault(outcome.seed, []).append(outcome)
        return {seed: games for seed, games in found.items() if len(games) == len(self.bots)}

    def share(self, bot: int) -> tuple[float, float]:
        """The mean share of the win of a bot, and half the width of its 95 % interval."""
        means = [sum(game.shares[bot] for game in games) / len(games) for games in self.deals().values()]
        if not means:
            return 0.0, 1.0
        mean = sum(means) / len(means)
        if len(means) < 2:
            return mean, 1.0
        variance = sum((value - mean) ** 2 for value in means) / (len(means) - 1)
        return mean, 1.96 * (variance / len(means)) ** 0.5


def play_match(
    game: str, bots: list[str], games: int, seed: int = 1, workers: int = 1,
    options: dict[str, Any] | None = None, progress: Callable[[Result], None] | None = None,
) -> Result:  # fmt: skip
    """Play a match of at least so many games; on Ctrl-C the result so far."""
    chosen = find(game)
    chosen.settings(len(bots), options)
    for name in bots:
        bot(name, chosen)
    result = Result(game, bots, options or {})
    deals = -(-games // len(bots))
    tasks = [(game, tuple(bots), tuple(sorted((options or {}).items())), seed + deal) for deal in range(deals)]
    for outcomes in in_parallel(play_deal, tasks, workers):
        result.outcomes += outcomes
        if progress:
            progress(result)
    return result


def in_parallel(work: Callable[..., T], tasks: list[tuple[Any, ...]], workers: int) -> Iterator[T]:
    """The results of the tasks as they are finished. Ctrl-C ends it."""
    if workers == 1:
        try:
            yield from (work(*task) for task in tasks)
        except KeyboardInterrupt:
            return
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        waiting: set[Future[T]] = set()
        left = iter(tasks)
        try:
            while True:
                for task in left:
                    waiting.add(pool.submit(work, *task))
                    if len(waiting) >= 2 * workers:
                        break
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)


@cache
def made(game: str, name: str, seat: int) -> Bot:
    """A bot of this process; one for each place in the match, so that none shares memory with another."""
    player = bot(name, find(game))
    if not name.endswith(".py"):
        warm(player, find(game))
    return player


def play_deal(game: str, bots: tuple[str, ...], options: tuple[tuple[str, Any], ...], seed: int) -> list[Outcome]:
    """One seed, every rotation."""
    seats = len(bots)
    return [
        play_game(find(game), bots, [(seat + shift) % seats for seat in range(seats)], dict(options), seed)
        for shift in range(seats)
    ]


def play_game(game: Game, bots: tuple[str, ...], seating: list[int], options: dict[str, Any], seed: int) -> Outcome:
    """One game. A bot that raises, makes an illegal move or takes too long has lost it."""
    play = new(game, len(bots), options, [bots[b] + f" ({seat})" for seat, b in enumerate(seating)])
    dice = Luck(seed)
    lucks = [Luck(seed * 1_000 + 17 * seat + 1) for seat in range(len(bots))]
    quickest = Luck(seed * 1_000 + 999)
    outcome = Outcome(seed, seating, [0.0] * len(bots), 0, 0, [0.0] * len(bots), [0.0] * len(bots))
    while not play.over and play.ply < LONGEST:
        if play.turn == CHANCE:
            play.roll(dice)
            continue
        seats = play.askable(quickest)
        for seat in seats:
            mover = seating[seat]
            player = made(game.name, bots[mover], mover)
            view, past = play.view(seat), play.recall(seat)
            began = time.perf_counter()
            try:
                with patience(PATIENCE):
                    move = player.choose(view, seat, past, lucks[seat])
                waits = move == NONE and seat != seats[-1]
                if not waits:
                    play.play(move, seat)
            except Exception as error:
                return at_fault(outcome, play, dice, mover, f"{bots[mover]}: {type(error).__name__}: {error}")
            took = time.perf_counter() - began
            outcome.decisions += 1
            outcome.seconds[mover] += took
            outcome.slowest[mover] = max(outcome.slowest[mover], took)
            if not waits:
                break
    outcome.plies = play.ply
    if play.over:
        for seat, share in enumerate(play.score()):
            outcome.shares[seating[seat]] += share
    return outcome


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raises TimeoutError in whatever takes longer. Where there are no alarms, only after it has come to its end."""

    def too_long(*_: Any) -> None:
        raise TimeoutError(f"no move within {seconds:g} s")

    began = time.monotonic()
    alarms = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if alarms:
        before = signal.signal(signal.SIGALRM, too_long)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if alarms:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if time.monotonic() - began > seconds:
        too_long()


def at_fault(outcome: Outcome, play: Play, dice: Luck, guilty: int, fault: str) -> Outcome:
    """The game is lost for the bot that did something wrong, and shared by the others."""
    outcome.plies = play.ply
    outcome.fault = fault
    outcome.record = record.write(play, dice)
    for number in range(len(outcome.shares)):
        outcome.shares[number] = 0.0 if number == guilty else 1 / (len(outcome.shares) - 1)
    return outcome
