"""How fast the rules run on this machine.

    print(table(measure(seconds=1.0)))

Every figure is the best of several passes, and the passes of all figures are interleaved, so that a
busy moment of the machine does not fall on one figure alone. Compare figures of one run only.

- random: whole random games, from setup to score, on one core;
- threads: the same on two threads, each with its own state and generator;
- batch: many games at once, each to its next decision, with masks and views filled;
- call: one ply made from Python: `play` asks for legality, `repeat` does not, `verb` is the verb alone;
- start: a process that compiles everything and plays a game, and the same again from the cache.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any, Protocol

from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game, find, names
from spellheist.core.memory import Ply
from spellheist.core.play import new
from spellheist.core.state import CHANCE
from spellheist.core.warm import PLAYOUTS

PASSES = 8
BATCH = 1024
APART = 8  # generators between two that are used: threads that share a cache line slow each other down

Work = Callable[[int], float]  # does something so many times, answers how many seconds that took


class Pass(Protocol):
    """Something that is measured in passes."""

    def run(self, seconds: float) -> None: ...


class Figure:
    """The best rate at which something was done."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.count = 0  # how often in one pass
        self.best = 0.0  # times a second

    def run(self, seconds: float) -> None:
        """One pass of about this many seconds."""
        if not self.count:
            self._fit(seconds)
        spent = self.work(self.count)
        self.best = max(self.best, self.count / max(spent, 1e-9))

    def _fit(self, seconds: float) -> None:
        """Find the count that takes so long. The first time is not counted: it may have to compile."""
        self.work(1)
        self.count = 1
        while (spent := self.work(self.count)) < seconds / 4:
            self.count *= 4
        self.count = max(1, int(self.count * seconds / spent))


def interleaved(figures: Iterable[Pass], seconds: float, passes: int = PASSES) -> None:
    """Run all figures in turns, each for so many seconds in all."""
    chosen = list(figures)
    for _ in range(passes):
        for figure in chosen:
            figure.run(seconds / passes)


def clocked(work: Callable[[int], object]) -> Work:
    """Something that is timed as a whole."""

    def spent(count: int) -> float:
        began = time.perf_counter()
        work(count)
        return time.perf_counter() - began

    return spent


def opening(game: Game, seats: int, options: dict[str, Any] | None = None) -> bytes:
    """The bytes of a game that is about to begin."""
    return new(game, seats, options).bytes


class RandomGames:
    """Random games of one game, with statistics of their length and of who won."""

    def __init__(self, game: Game, seats: int, options: dict[str, Any] | None = None, seed: int = 1) -> None:
        self.playouts = game.bound(PLAYOUTS)
        self.states = kernel.rows(game.rules.State, 1)
        kernel.load(game.rules.State, self.states, 0, opening(game, seats, options))
        self.rngs = rngs(2 * APART + 1)
        start(self.rngs, APART, seed)
        self.stats = kernel.reals(self.playouts.STATS)
        self.seats = seats

    def play(self, count: int) -> None:
        """Play so many more."""
        self.playouts.random_games(self.states, 0, self.rngs, APART, count, self.stats)

    def mean(self, what: str) -> float:
        """Of one game: "PLIES", "DECISIONS", "STAGES"."""
        return float(self.stats[getattr(self.playouts, what)] / self.stats[self.playouts.GAMES])

    def variance(self, what: str) -> float:
        """Of one game: "DECISIONS", "STAGES"."""
        return max(0.0, self.mean(f"{what}_SQUARED") - self.mean(what) ** 2)

    @property
    def count(self) -> int:
        """How many were played."""
        return int(self.stats[self.playouts.GAMES])

    @property
    def shares(self) -> list[float]:
        """Each seat's share of the wins."""
        first = self.playouts.SHARES
        return [float(self.stats[first + seat]) / self.count for seat in range(self.seats)]


def on_threads(runs: Sequence[RandomGames], pool: ThreadPoolExecutor) -> Work:
    """As many random games on each of several threads."""
    return clocked(lambda count: [job.result() for job in [pool.submit(run.play, count) for run in runs]])


def grid(width: int, height: int, room: Callable[[int], Any]) -> Any:
    """Room for width x height numbers that are found by [i, j]."""
    if kernel.PLAIN:
        return dict.fromkeys(product(range(width), range(height)), 0)
    return room(width * height).reshape(width, height)


def stepping(game: Game, seats: int, size: int) -> Work:
    """Steps of so many games at once, moves chosen at random from the masks."""
    rules, playouts = game.rules, game.bound(PLAYOUTS)
    states, views = kernel.rows(rules.State, size), kernel.rows(rules.State, size)
    first = opening(game, seats)
    for i in range(size):
        kernel.load(rules.State, states, i, first)
    generators = rngs(1)
    start(generators, 0, 1)
    masks, shares = grid(size, rules.MOVES, kernel.shorts), grid(size, rules.SEATS, kernel.reals)
    choices, turns = kernel.shorts(size), kernel.shorts(size)
    playouts.begin(states, views, generators, 0, masks, turns)

    def steps(count: int) -> None:
        for _ in range(count):
            playouts.any_moves(masks, generators, 0, choices)
            playouts.advance(states, views, generators, 0, choices, masks, turns, shares)

    return clocked(steps)


class Calls:
    """Plies made one by one from Python, along one random game."""

    def __init__(self, game: Game, seats: int, seed: int = 1) -> None:
        self.play = new(game, seats)
        self.first = self.play.bytes
        luck = Luck(seed)
        while self.play.asks(luck):
            moves = self.play.legal()
            self.play.play(moves[luck.below(len(moves))])
        self.plies: list[Ply] = list(self.play.plies)
        self.schema, self.verbs = game.rules.State, game.verbs

    def checked(self, count: int) -> float:
        """Decisions through `Play.play`; the chance plies between them are not timed."""
        spent, left, clock = 0.0, count, time.perf_counter
        while left > 0:
            self.play.start()
            for ply in self.plies:
                if ply.who == CHANCE:
                    self.play.repeat(ply)
                    continue
                began = clock()
                self.play.play(ply.move)
                spent += clock() - began
                left -= 1
                if not left:
                    break
        return spent

    def repeated(self, count: int) -> float:
        """Plies through `Play.repeat`, which takes them as legal."""
        repeat = self.play.repeat

        def make(plies: list[Ply]) -> None:
            for ply in plies:
                repeat(ply)

        return self._along(count, self.play.start, make)

    def bare(self, count: int) -> float:
        """Plies through the compiled verb, without a `Play`."""
        states, play = kernel.rows(self.schema, 1), self.verbs.play

        def make(plies: list[Ply]) -> None:
            for ply in plies:
                play(states, 0, ply.move)

        return self._along(count, lambda: kernel.load(self.schema, states, 0, self.first), make)

    def _along(self, count: int, begin: Callable[[], None], make: Callable[[list[Ply]], None]) -> float:
        """So many plies, along the game again and again; going back to its beginning is not timed."""
        spent, left, once = 0.0, count, clocked(lambda n: make(self.plies[:n]))
        while left > 0:
            begin()
            spent += once(left)
            left -= len(self.plies)
        return spent


class GameFigures:
    """All figures of one game."""

    def __init__(self, game: Game, batch: int, pool: ThreadPoolExecutor) -> None:
        self.game, self.batch = game, batch
        self.most = game.seats[-1]
        self.runs = {seats: RandomGames(game, seats) for seats in game.seats}
        self.random = {seats: Figure(clocked(run.play)) for seats, run in self.runs.items()}
        pair = [RandomGames(game, self.most, seed=seed) for seed in (2, 3)]
        self.two = Figure(on_threads(pair, pool))
        self.steps = Figure(stepping(game, self.most, batch))
        calls = Calls(game, self.most)
        self.calls = {"play": Figure(calls.checked), "repeat": Figure(calls.repeated), "verb": Figure(calls.bare)}

    def all(self) -> list[Figure]:
        """In the order of a pass: what is compared stands together."""
        return [*self.random.values(), self.two, self.steps, *self.calls.values()]

    def result(self) -> dict[str, Any]:
        """The figures as numbers."""
        one, two = self.random[self.most].best, 2 * self.two.best
        return {
            "title": self.game.title,
            "random": {str(seats): self._random(seats) for seats in self.runs},
            "threads": {"seats": self.most, "one": one, "two": two, "ratio": two / one},
            "batch": {"seats": self.most, "games": self.batch, "decisions_a_second": self.batch * self.steps.best},
            "call": {"seats": self.most} | {f"{k}_microseconds": 1e6 / figure.best for k, figure in self.calls.items()},
        }

    def _random(self, seats: int) -> dict[str, float]:
        rate, run = self.random[seats].best, self.runs[seats]
        return {
            "games_a_second": rate,
            "plies_a_second": rate * run.mean("PLIES"),
            "plies_a_game": run.mean("PLIES"),
            "decisions_a_game": run.mean("DECISIONS"),
        }


def measure(
    seconds: float,
    chosen: Sequence[str] = (),
    *,
    cold: bool = False,
    batch: int = BATCH,
    passes: int = PASSES,
    beside: Iterable[Figure] = (),
) -> dict[str, Any]:
    """Measure games (all, unless some are chosen), about so many seconds for each figure. With `cold`, also
    how long a start takes. Figures that stand `beside` are run in the same passes."""
    compile_first(chosen or names())
    facts = machine()
    with ThreadPoolExecutor(2) as pool:
        games = [GameFigures(find(name), batch, pool) for name in chosen or names()]
        interleaved([figure for game in games for figure in game.all()] + list(beside), seconds, passes)
    return {
        "machine": facts,
        "mode": kernel.MODE,
        "seconds": seconds,
        "passes": passes,
        "games": {game.game.name: game.result() for game in games},
        "start": starts(games[0].game) if cold and not kernel.PLAIN else None,
    }


def compile_first(games: Sequence[str]) -> None:
    """Compile in a process of its own. Code that is loaded from the cache, as it is at every start but the first,
    runs up to 1.2 times as fast as the same code in the process that compiled it."""
    if not kernel.PLAIN:
        subprocess.run([sys.executable, "-m", "spellheist", "warm", *games], check=True, stdout=subprocess.DEVNULL)


def starts(game: Game, warm_starts: int = 3) -> dict[str, Any]:
    """Seconds of a whole process that plays a game: with nothing compiled, and with everything in the cache."""
    code = "import sys; from spellheist.core import game, warm; warm.warm_up(game.find(sys.argv[1]))"
    name = game.name if game.name in names() else str(game.folder)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SPELLHEIST_CACHE": folder, "SPELLHEIST_KERNEL": kernel.MODE}
        command = [sys.executable, "-c", code, name]
        once = clocked(lambda _: subprocess.run(command, env=environment, check=True))
        cold = once(1)
        return {"game": game.name, "cold_seconds": cold, "warm_seconds": min(once(1) for _ in range(warm_starts))}


def machine() -> dict[str, Any]:
    """What the figures are measured on, and how busy it is with other things."""
    return {
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
    }


def cpu() -> str:
    """The model of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def version(package: str) -> str | None:
    """Of an installed package; None where there is none."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def table(result: dict[str, Any]) -> str:
    """The figures as text."""
    return "\n".join([*head(result), "", *random_lines(result), "", *other_lines(result), *start_lines(result)])


def head(result: dict[str, Any]) -> list[str]:
    m = result["machine"]
    load = "" if m["load"] is None else f" (load before: {m['load']:.1f})"
    return [
        f"{m['cpu']}, {m['cores']} cores; Python {m['python']}, Numba {m['numba']}, NumPy {m['numpy']}",
        f"rules {result['mode']}; best of {result['passes']} interleaved passes, {result['seconds']:g} s a figure{load}",
    ]


def random_lines(result: dict[str, Any]) -> list[str]:
    lines = [
        "Whole random games on one core",
        f"{'':15} {'seats':>5} {'games/s':>12} {'plies/s':>14} {'plies a game':>13}",
    ]
    for name, game in result["games"].items():
        for seats, row in game["random"].items():
            rates = f"{row['games_a_second']:12,.0f} {row['plies_a_second']:14,.0f}"
            lines.append(f"{name:15} {seats:>5} {rates} {row['plies_a_game']:13.1f}")
    return lines


def other_lines(result: dict[str, Any]) -> list[str]:
    size = next(iter(result["games"].values()))["batch"]["games"]
    lines = [
        f"Two threads to one; {size:,} games stepped together, with masks and views; one ply from Python in microseconds",
        f"{'':15} {'seats':>5} {'two threads':>12} {'decisions/s':>14} {'play':>8} {'unchecked':>10} {'verb alone':>11}",
    ]
    for name, game in result["games"].items():
        call, batch = game["call"], game["batch"]
        lines.append(
            f"{name:15} {call['seats']:5} {game['threads']['ratio']:10.2f} x {batch['decisions_a_second']:14,.0f} "
            f"{call['play_microseconds']:8.2f} {call['repeat_microseconds']:10.2f} {call['verb_microseconds']:11.2f}"
        )
    return lines


def start_lines(result: dict[str, Any]) -> list[str]:
    found = result["start"]
    if not found:
        return []
    return [
        "",
        f"A process that plays {found['game']}: {found['cold_seconds']:.1f} s with everything to compile, "
        f"{found['warm_seconds']:.2f} s from the cache",
    ]
