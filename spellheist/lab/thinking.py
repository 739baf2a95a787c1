"""How fast bots think on this machine, and whether they keep to their time.

Positions are decisions of games between greedy bots, the same in every run. Rates are the best of interleaved passes,
as in `speed`: iterations a second of master's thoughts, on one thread and on two. The overrun is how much longer than its
budget a decision took, at the 99th percentile of many decisions in a warm process, from the view to the move.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from spellheist.bots import LEVELS, bot
from spellheist.bots.search import Bot
from spellheist.core.dice import Luck
from spellheist.core.game import Game, find, names
from spellheist.core.play import new
from spellheist.core.state import CHANCE
from spellheist.lab.speed import Figure, clocked, head, interleaved, machine

ITERATIONS = LEVELS["master"]  # of a thought whose speed is measured
BUDGETS = (0.010, 0.100)  # seconds, of decisions whose overrun is measured
POSITIONS = 40
PASSES = 6

Position = tuple[Any, int, Any]  # a view, its seat, and the past


def positions(game: Game, count: int = POSITIONS) -> list[Position]:
    """Decisions with a choice, of two seats, spread over games between greedy bots."""
    player, seed = bot("greedy", game), 0
    found: list[Position] = []
    while len(found) < count:
        seed += 1
        play, luck = new(game, game.seats[0]), Luck(seed)
        asked = 0
        while not play.over and len(found) < count:
            if play.turn == CHANCE:
                play.roll(luck)
                continue
            seat = play.turn
            if len(play.legal()) > 1:
                asked += 1
                if asked % 7 == 0:
                    found.append((play.view(seat), seat, play.recall(seat)))
            play.play(player.choose(play.view(seat), seat, play.past(seat), luck))
    return found


class Pace:
    """The figures of one game."""

    def __init__(self, game: Game, budgets: Sequence[float], decisions: int) -> None:
        self.game, self.budgets, self.decisions = game, budgets, decisions
        self.asked = positions(game)
        self.one, self.two = (Figure(self.thoughts(Bot(game, iterations=ITERATIONS, threads=n))) for n in (1, 2))

    def thoughts(self, player: Bot) -> Any:
        luck = Luck(1)

        def think(count: int) -> None:
            for n in range(count):
                view, seat, past = self.asked[n % len(self.asked)]
                player.think(view, seat, past, luck)

        return clocked(think)

    def overrun(self, budget: float) -> dict[str, float]:
        """How late decisions were, in milliseconds: the middle one, the 99th of a hundred, the latest."""
        player, luck = Bot(self.game, seconds=budget), Luck(2)
        player.choose(*self.asked[0], luck)
        late = []
        for n in range(self.decisions):
            view, seat, past = self.asked[n % len(self.asked)]
            began = time.perf_counter()
            player.choose(view, seat, past, luck)
            late.append(1000 * (time.perf_counter() - began - budget))
        late.sort()
        return {"middle": late[len(late) // 2], "percentile_99": late[-1 - len(late) // 100], "latest": late[-1]}

    def result(self) -> dict[str, Any]:
        one, two = ITERATIONS * self.one.best, 2 * ITERATIONS * self.two.best
        return {
            "iterations_a_second": one,
            "two_threads": two / one,
            "late": {f"{1000 * budget:.0f} ms": self.overrun(budget) for budget in self.budgets},
        }


def measure(
    seconds: float, chosen: Sequence[str] = (), budgets: Sequence[float] = BUDGETS, decisions: int = 300
) -> dict[str, Any]:
    """All games, unless some are chosen; about so many seconds for each rate."""
    facts = machine()
    paces = [Pace(find(name), budgets, decisions) for name in chosen or names()]
    interleaved([figure for pace in paces for figure in (pace.one, pace.two)], seconds, PASSES)
    return {
        "machine": facts, "mode": "fast", "seconds": seconds, "passes": PASSES, "decisions": decisions,
        "games": {pace.game.name: pace.result() for pace in paces},
    }  # fmt: skip


def table(result: dict[str, Any]) -> str:
    """The figures as text."""
    budgets = next(iter(result["games"].values()))["late"]
    lines = [
        *head(result), "",
        "Search, two seats. Late: milliseconds over the budget, the middle one and the 99th of 100 decisions",
        f"{'':15} {'iterations/s':>13} {'two threads':>12} " + " ".join(f"{f'late at {name}':>18}" for name in budgets),
    ]  # fmt: skip
    for name, game in result["games"].items():
        late = " ".join(f"{row['middle']:9.1f} {row['percentile_99']:8.1f}" for row in game["late"].values())
        lines.append(f"{name:15} {game['iterations_a_second']:13,.0f} {game['two_threads']:10.2f} x {late}")
    return "\n".join(lines)
