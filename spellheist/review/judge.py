"""The judge: what positions are worth to every seat, and what a seat's answers are, by what it could know.

`chances` looks at the whole truth. `decision` gets what the seat saw and nothing else: two worlds that looked the same to
it get the same verdict. Both are functions of what they are given and of numbers that the dice start from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spellheist.bots.belief import Belief, nothing
from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game
from spellheist.core.memory import Past
from spellheist.core.state import NONE
from spellheist.core.warm import PLAYOUTS
from spellheist.review.account import Decision

ROLLOUTS = Path(__file__).parent / "templates" / "rollouts.py"
NEAR = 2.5  # standard errors within which an answer may still be the best
FRESH = 64  # rollouts of the first measurement with fresh dice
PURPOSES = 8  # numbers that each ply has for its dice
GRAPH, CHOOSE, MEASURE, WEIGH, CONFIRM = 0, 1, 3, 5, 6  # CHOOSE and MEASURE take two each
HARDLY = 0.005  # a difference between seats at the start that is none
START_MOST = 16_384  # rollouts for what the seats have before the first ply, where they are not alike


@dataclass(frozen=True)
class Settings:
    """How exactly a game is looked at. The same record and settings give the same review, byte for byte."""

    target: float = 0.01  # the error of a decision's verdict to aim at, in shares of the win
    seed: int = 1
    graph: int = 96  # rollouts for each point of the graph
    first: int = 32  # rollouts of every answer, to begin with
    most: int = 2_048  # and at the most
    worlds: int = 512  # that are weighed by what rivals did
    search: int = 3_200  # iterations for each of the two moves, to confirm a mistake


class Judge:
    """Values of one game."""

    def __init__(self, game: Game, settings: Settings) -> None:
        self.game, self.settings, self.schema = game, settings, game.rules.State
        known = game.bot
        self.stages: int = known.STAGES if known.HORIZON is None else known.HORIZON
        playouts, advice = game.bound(PLAYOUTS), with_knowledge(game, "advice")
        self.bound = game.bound(ROLLOUTS, known=known, playouts=playouts, advice=advice)
        faith, sure = known.BELIEF
        self.belief = Belief(game, settings.worlds, 1, faith, sure) if faith else None
        self.worlds, self.rngs = kernel.rows(self.schema, self.bound.WORLDS), rngs(self.bound.RNGS)
        self.state, self.view = kernel.rows(self.schema, 1), kernel.rows(self.schema, 1)
        self.moves, self.odds = kernel.shorts(self.bound.COLUMNS), kernel.reals(self.bound.COLUMNS)
        self.shares = kernel.reals(self.bound.COLUMNS * settings.most * self.bound.SEATS)
        self.rollouts = 0  # that were made so far

    def number(self, ply: int, purpose: int) -> int:
        """What dice start from; no two of a review are alike."""
        return (self.settings.seed << 27) + ply * PURPOSES + purpose

    def chances(self, state: bytes, seats: int, ply: int, count: int) -> tuple[float, ...]:
        """Every seat's share if all play on as par."""
        kernel.load(self.schema, self.state, 0, state)
        sums = kernel.reals(self.bound.SEATS)
        number = self.number(ply, GRAPH)
        self.bound.values(self.state, 0, self.worlds, self.rngs, number, count, self.stages, sums)
        self.rollouts += count
        return tuple(float(sums[seat]) / count for seat in range(seats))

    def start(self, state: bytes, seats: int) -> tuple[float, ...]:
        """What every seat has before the first ply: the same, where nothing tells one from another, or no more than could
        be noise."""
        equal = (1 / seats,) * seats
        if alike(self.game, self.schema.unpack(state), seats):
            return equal
        enough = math.ceil(4.0 / self.settings.target / self.settings.target)  # for a quarter of the target, as shares go
        found = self.chances(state, seats, 0, max(self.settings.graph, min(START_MOST, enough)))
        return equal if all(abs(share - 1 / seats) < HARDLY for share in found) else found

    def decision(self, view: bytes, seats: int, seat: int, past: Past, ply: int, move: int) -> Decision | None:
        """The verdict on a move of a seat, from what it saw; None if there was nothing to choose."""
        kernel.load(self.schema, self.view, 0, view)
        n = int(self.bound.par(self.view, self.worlds, self.rngs, seat, self.moves, self.odds))
        if n == 1:
            return None
        answers = kernel.first(self.moves, n)
        par = {answers[i]: float(self.odds[i]) for i in range(n) if self.odds[i] > 0}
        asked = Asked(self, seats, seat, past, ply)
        best, near = asked.best(answers)
        if list(par) == [move] == [best]:
            return Decision(ply, seat, move, best, tuple(near), tuple(par), n, (0.0,) * seats, (0.0,) * seats, 0.0, 0.0)
        return asked.measured(move, best, near, par, n)

    def hides(self) -> bool:
        """Is there something in the view that the seat does not know? Then `imagine` fills it in."""
        before = kernel.dump(self.schema, self.view, 0)
        kernel.load(self.schema, self.state, 0, before)
        start(self.rngs, 0, 1)
        self.game.verbs.imagine(self.state, 0, self.rngs, 0)
        return kernel.dump(self.schema, self.state, 0) != before


class Asked:
    """One decision, whose view the judge has before it."""

    def __init__(self, judge: Judge, seats: int, seat: int, past: Past, ply: int) -> None:
        self.judge, self.bound, self.settings = judge, judge.bound, judge.settings
        self.seats, self.seat, self.past, self.ply = seats, seat, past, ply
        self.hidden = judge.hides()
        self.luck = Luck(judge.number(ply, WEIGH))
        self.one, self.sure = kernel.shorts(1), kernel.reals(1)
        self.sure[0] = 1.0

    def weigh(self) -> tuple[Any, Any]:
        """A pool of worlds, and which to pick from it; nothing to pick where worlds are imagined as they come."""
        judge = self.judge
        if not self.hidden or judge.belief is None:
            return judge.view, nothing()
        return judge.belief.weigh(judge.view, self.seat, self.past, self.luck, None, alone)

    def ask(self, wanted: list[int], weighed: tuple[Any, Any], purpose: int, first: int, count: int) -> None:
        """More rollouts of some answers."""
        judge = self.judge
        moves = kernel.shorts(len(wanted))
        for a, move in enumerate(wanted):
            moves[a] = move
        self.bound.answers(
            judge.view, *weighed, self.hidden, judge.worlds, judge.rngs, moves, len(wanted),
            judge.number(self.ply, purpose), first, count, judge.stages, self.settings.most, judge.shares,
        )  # fmt: skip
        judge.rollouts += count * len(wanted)

    def best(self, answers: list[int]) -> tuple[int, list[int]]:
        """The answer that is worth most to the seat, and all that may be as good."""
        weighed = self.weigh()
        alive, done, count = answers, 0, self.settings.first
        while True:
            self.ask(alive, weighed, CHOOSE, done, count)
            done += count
            worth = {move: self.worth(move, done) for move in alive}
            best = max(alive, key=worth.__getitem__)
            gains = {move: self.gain(best, move, self.seat, done) for move in alive}
            near = [move for move in alive if move == best or gains[move][0] < NEAR * gains[move][1]]
            error = max(gains[move][1] for move in near)
            if len(near) == 1 or error <= self.settings.target or done >= self.settings.most:
                return best, near
            alive, count = near, min(done, self.settings.most - done)

    def measured(self, move: int, best: int, near: list[int], par: dict[int, float], n: int) -> Decision:
        """By how much? With fresh dice and fresh worlds, because the others have chosen which is best."""
        wanted = list(dict.fromkeys([best, move, *par]))
        weighed = self.weigh()
        done, count = 0, min(FRESH, self.settings.most)
        while True:
            self.ask(wanted, weighed, MEASURE, done, count)
            done += count
            error, spread = self.gain(best, move, self.seat, done)
            skills = [self.gain_on(move, par, seat, done) for seat in range(self.seats)]
            if max(spread, skills[self.seat][1]) <= self.settings.target or done >= self.settings.most:
                break
            count = min(done, self.settings.most - done)
        return Decision(
            self.ply, self.seat, move, best, tuple(near), tuple(par), n, tuple(skill for skill, _ in skills),
            tuple(error for _, error in skills), error, spread, self.worth(move, done), self.worth(best, done),
        )  # fmt: skip

    def worth(self, move: int, done: int) -> float:
        column = self.column(move)
        return float(self.bound.worth(self.judge.shares, self.settings.most, column, self.seat, done))

    def gain(self, move: int, other: int, seat: int, done: int) -> tuple[float, float]:
        """How much more one answer brings to a seat than another, and the error of that."""
        self.one[0] = self.column(other)
        return self.more(move, self.one, self.sure, 1, seat, done)

    def gain_on(self, move: int, par: dict[int, float], seat: int, done: int) -> tuple[float, float]:
        """How much more an answer brings to a seat than what par answers."""
        others, chances = kernel.shorts(len(par)), kernel.reals(len(par))
        for a, (other, chance) in enumerate(par.items()):
            others[a], chances[a] = self.column(other), chance
        return self.more(move, others, chances, len(par), seat, done)

    def more(self, move: int, others: Any, chances: Any, n: int, seat: int, done: int) -> tuple[float, float]:
        shares, most = self.judge.shares, self.settings.most
        mean, error = self.bound.gain(shares, most, self.column(move), others, chances, n, seat, done)
        return float(mean), float(error)

    def column(self, move: int) -> int:
        return self.bound.COLUMNS - 1 if move == NONE else move


def alike(game: Game, first: Any, seats: int) -> bool:
    """Does nothing in the first position tell one seat from another?"""
    for name, field in game.rules.State.fields.items():
        value = getattr(first, name)
        if field.per_seat and any(value[seat] != value[0] for seat in range(seats)):
            return False
        if field.names_seat and any(0 <= number < seats for number in flat(value)):
            return False
    return True


def flat(value: Any) -> list[int]:
    return [number for row in value for number in flat(row)] if isinstance(value, list) else [value]


def alone(work: Any, *pieces: list[Any]) -> list[int]:
    """`map` over one piece: a review has one thread, so that it depends on none."""
    return [work(*(each[0] for each in pieces))]
