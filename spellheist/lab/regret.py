"""What a bot gives away in a game: how much better the moves of another one are, in points of win share.

A match needs thousands of games to tell a point or two. Here two bots are asked about the same decisions, some of those
in games between quicker bots. Mostly they agree, and nothing is lost. Where they do not, a judge thinks about it longer
than both, and says what either move is worth. What a seat would gain in a whole game is the mean gain of a decision
times the decisions it has. The judge is a search as well: what it overlooks is not found here either.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from spellheist.bots import bot
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE
from spellheist.lab.match import in_parallel, lot, made
from spellheist.lab.share import Share, mean_of

WALKER = "sharp"  # plays the games
EVERY = 7  # decisions, of which one is compared


@dataclass(frozen=True)
class Compared:
    """The decisions of one game that were compared."""

    decisions: float  # of a seat, with a choice
    agreed: int  # how often both bots made the same move
    gains: list[float]  # of win share, by the other bot's move, at each decision that was compared

    @property
    def whole(self) -> float:
        """What a seat would gain in this game."""
        return self.decisions * sum(self.gains) / len(self.gains)


@dataclass(frozen=True)
class Regret:
    """What a bot gives away."""

    compared: int  # decisions
    agreed: float  # share of the decisions
    decisions: float  # of a seat in a game
    whole: Share  # of win share, in a game


def regret(
    game: str, one: str, other: str, judge: str, games: int, seed: int, workers: int, options: dict[str, Any],
    progress: Callable[[int], None] | None = None,
) -> Regret:  # fmt: skip
    """What the first bot gives away against the other, from so many games; on Ctrl-C from those so far."""
    chosen = find(game)
    chosen.settings(chosen.seats[0], options)
    players = [bot(name, chosen) for name in (one, other, judge)]
    if not hasattr(players[-1], "worth"):
        raise Refused(f"The bot {judge} cannot judge: it does not search.")
    found: list[Compared] = []
    tasks = [(game, one, other, judge, options, number) for number in range(seed, seed + games)]
    with suppress(KeyboardInterrupt):
        for count, played in enumerate(in_parallel(compare, tasks, workers), 1):
            if played.gains:
                found.append(played)
            if progress:
                progress(count)
    if not found:
        raise Refused("No decision was compared; more games are needed.")
    gains = [gain for played in found for gain in played.gains]
    return Regret(
        len(gains), sum(played.agreed for played in found) / len(gains),
        sum(played.decisions for played in found) / len(found), mean_of([played.whole for played in found]),
    )  # fmt: skip


def compare(game: str, one: str, other: str, judge: str, options: dict[str, Any], seed: int) -> Compared:
    """Play one game and compare some of its decisions."""
    chosen = find(game)
    play, dice, luck = new(chosen, chosen.seats[0], options), Luck(seed), lot(seed, 0)
    decisions, agreed, gains = 0, 0, []
    while play.asks(dice):
        if play.turn == ANYONE:
            raise Refused(f"Where anyone may move, decisions cannot be compared: play {chosen.title} another way.")
        seat = play.turn
        seen = play.view(seat), seat, play.recall(seat)
        if len(play.legal()) > 1:
            decisions += 1
            if (decisions + seed) % EVERY == 0:
                first, second = (made(game, name, place).choose(*seen, luck) for place, name in enumerate((one, other)))
                agreed += first == second
                gains.append(0.0 if first == second else judged(made(game, judge, 2), seen, first, second, luck))
        play.play(made(game, WALKER, 3).choose(*seen, luck), seat)
    return Compared(decisions / play.seats, agreed, gains)


def judged(judge: Any, seen: tuple[Any, ...], first: int, second: int, luck: Luck) -> float:
    """How much more the second move is worth than the first. Both get the same time and the same luck: in a search for
    the best move the worse one is hardly looked at, and seems even worse than it is."""
    number = luck.below(1 << 31)
    worth = [judge.worth(*seen, Luck(number), move).chance for move in (first, second)]
    return float(worth[1] - worth[0])


def sentence(one: str, other: str, judge: str, found: Regret) -> str:
    whole = f"{100 * found.whole.value:+.1f} ± {100 * found.whole.half:.1f}"
    return (
        f"{other} makes the same move as {one} in {100 * found.agreed:.1f} % of {found.compared:,} decisions. "
        f"As {judge} judges them, its moves are worth {whole} points of win share a game, "
        f"in which a seat makes {found.decisions:.0f} decisions."
    )
