"""How fast bots think on this machine, and whether they keep to their time.

Positions are decisions of games between greedy bots, the same in every run. Rates are the best of interleaved passes over
the same positions, as in `speed`: iterations a second of master's thoughts, on one thread and on two, and by two searches
side by side that know nothing of each other, which is what the machine has to give. Two threads are measured by iterations,
where the quicker one waits for the other, and by time, where nobody waits. The overrun is how much longer than
its budget a decision took, at the 99th percentile of many decisions in a warm process, from the view to the move; it
is below zero where a choice was settled before.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from spellheist.bots import LEVELS, bot
from spellheist.bots.search import Bot
from spellheist.core.dice import Luck
from spellheist.core.game import Game, find, names
from spellheist.core.play import new
from spellheist.lab.speed import Figure, clocked, head, interleaved, machine

ITERATIONS = LEVELS["master"]  # of a thought whose speed is measured
BUDGETS = (0.010, 0.100)  # seconds, of decisions whose overrun is measured
POSITIONS = 40
EVERY = 5  # of them, one is thought about in a pass
PASSES = 6
MOMENT = 0.050  # seconds, of a thought by time

Position = tuple[Any, int, Any]  # a view, its seat, and the past


def positions(game: Game, count: int = POSITIONS) -> list[Position]:
    """Decisions with a choice, of two seats, spread over games between greedy bots."""
    player, seed = bot("greedy", game), 0
    found: list[Position] = []
    while len(found) < count:
        seed += 1
        play, luck = new(game, game.seats[0]), Luck(seed)
        decisions = 0
        while len(found) < count and play.asks(luck):
            seat = play.turn
            if len(play.legal()) > 1:
                decisions += 1
                if decisions % 7 == 0:
                    found.append((play.view(seat), seat, play.recall(seat)))
            play.play(player.choose(play.view(seat), seat, play.past(seat), luck))
    return found


class ByTime:
    """The best rate at which a search by time makes iterations."""

    def __init__(self, game: Game, threads: int, chosen: list[Position]) -> None:
        self.player, self.positions = Bot(game, seconds=MOMENT, threads=threads), chosen
        self.best = 0.0  # iterations a second

    def run(self, _: float) -> None:
        """One pass, however long it takes."""
        luck, done, began = Luck(1), 0, time.perf_counter()
        for position in self.positions:
            self.player.think(*position, luck)
            done += self.player.done
        self.best = max(self.best, done / (time.perf_counter() - began))


class Pace:
    """The figures of one game."""

    def __init__(self, game: Game, budgets: Sequence[float], decisions: int) -> None:
        self.game, self.budgets, self.decisions = game, budgets, decisions
        self.positions = positions(game)
        alone, two, left, right = (self.thoughts(Bot(game, iterations=ITERATIONS, threads=n)) for n in (1, 2, 1, 1))
        pool = ThreadPoolExecutor(2)
        self.one, self.two = Figure(clocked(alone)), Figure(clocked(two))
        self.beside = Figure(clocked(lambda count: list(pool.map(lambda think: think(count), (left, right)))))
        self.one_by_time, self.two_by_time = (ByTime(game, n, self.positions[::EVERY]) for n in (1, 2))

    @property
    def figures(self) -> list[Figure | ByTime]:
        return [self.one, self.two, self.beside, self.one_by_time, self.two_by_time]

    def thoughts(self, player: Bot) -> Callable[[int], None]:
        luck, chosen = Luck(1), self.positions[::EVERY]

        def think(count: int) -> None:
            for _ in range(count):
                for view, seat, past in chosen:
                    player.think(view, seat, past, luck)

        return think

    def overrun(self, budget: float) -> dict[str, float]:
        """How late decisions were, in milliseconds: the middle one, the 99th of a hundred, the latest."""
        player, luck = Bot(self.game, seconds=budget), Luck(2)
        player.choose(*self.positions[0], luck)
        late = []
        for n in range(self.decisions):
            view, seat, past = self.positions[n % len(self.positions)]
            began = time.perf_counter()
            player.choose(view, seat, past, luck)
            late.append(1000 * (time.perf_counter() - began - budget))
        late.sort()
        return {"middle": late[len(late) // 2], "percentile_99": late[-1 - len(late) // 100], "latest": late[-1]}

    def result(self) -> dict[str, Any]:
        return {
            "iterations_a_second": ITERATIONS * len(self.positions[::EVERY]) * self.one.best,
            "two_threads": 2 * self.two.best / self.one.best,
            "two_threads_by_time": self.two_by_time.best / self.one_by_time.best,
            "side_by_side": 2 * self.beside.best / self.one.best,
            "late": {f"{1000 * budget:.0f} ms": self.overrun(budget) for budget in self.budgets},
        }


def measure(
    seconds: float, chosen: Sequence[str] = (), budgets: Sequence[float] = BUDGETS, decisions: int = 300
) -> dict[str, Any]:
    """All games, unless some are chosen; about so many seconds for each rate."""
    facts = machine()
    paces = [Pace(find(name), budgets, decisions) for name in chosen or names()]
    interleaved([figure for pace in paces for figure in pace.figures], seconds, PASSES)
    return {
        "machine": facts, "mode": "fast", "seconds": seconds, "passes": PASSES, "decisions": decisions,
        "games": {pace.game.name: pace.result() for pace in paces},
    }  # fmt: skip


def table(result: dict[str, Any]) -> str:
    """The figures as text."""
    budgets = next(iter(result["games"].values()))["late"]
    columns = f"{'iterations/s':>13} {'two threads':>12} {'by time':>9} {'side by side':>13} "
    lines = [
        *head(result), "",
        "Search, two seats. Late: milliseconds over the budget, the middle one and the 99th of 100 decisions",
        f"{'':15} {columns}" + " ".join(f"{f'late at {name}':>18}" for name in budgets),
    ]  # fmt: skip
    for name, game in result["games"].items():
        rates = f"{game['iterations_a_second']:13,.0f} {game['two_threads']:10.2f} x {game['two_threads_by_time']:7.2f} x"
        rates += f" {game['side_by_side']:11.2f} x"
        late = " ".join(f"{row['middle']:9.1f} {row['percentile_99']:8.1f}" for row in game["late"].values())
        lines.append(f"{name:15} {rates} {late}")
    return "\n".join(lines)
