"""The account of a finished game: what every seat started with, what was played, and the luck that is left.

    start + own play + others' play + luck = result

for every seat, by definition: luck is all that remains when what people chose is taken out. There are no dice here, so
these sums are exact; `fsum` makes them the same under every Python. Shares of the win are from 0 to 1, and a point is a
hundredth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Shares = tuple[float, ...]


@dataclass(frozen=True)
class Decision:
    """The verdict on one choice, by what the seat could know."""

    ply: int  # that it made: the number of plies before it
    seat: int
    played: int
    best: int  # chosen with other dice than those that measured it
    near: tuple[int, ...]  # answers that may be as good as the best, with it
    par: tuple[int, ...]  # what the reference player answers: more than one if it does not care
    answers: int  # how many there were
    skill: Shares  # for each seat: what the answer brings more than par's
    skill_errors: Shares
    error: float  # what the best answer brings more to the seat; below nothing only by noise
    spread: float  # the standard error of that
    worth: float | None = None  # what the seat could expect after its answer; None if all agreed
    best_worth: float | None = None  # and after the best


@dataclass(frozen=True)
class Step:
    """A decision, a forced move, or a run of chance: plies `first` up to `last`."""

    first: int
    last: int
    who: int  # a seat, CHANCE or JUDGE
    race: bool  # anyone could have moved: who was first is partly reaction, and nobody is judged
    luck: Shares


@dataclass(frozen=True)
class Mistake:
    """A choice that was clearly worse than another, by rollouts and by search."""

    ply: int
    seat: int
    played: int
    best: int
    worth: float  # of the move played, by rollouts
    best_worth: float
    cost: float  # by rollouts
    spread: float  # its standard error
    searched: float  # the cost by search, or by the exact solution
    kind: str  # inaccuracy, mistake or blunder


@dataclass(frozen=True)
class Seat:
    """The line of one seat in the account."""

    seat: int
    name: str
    start: float
    own: float
    partners: float
    rivals: float
    luck: float
    result: float
    race: float  # the part of luck that came when anyone could move
    spread: float  # the standard error of own play
    luck_spread: float  # that of luck, which is also that of all play together
    choices: int
    errors: float  # of all choices, added up

    @property
    def others(self) -> float:
        return self.partners + self.rivals


@dataclass(frozen=True)
class Review:
    """A finished game, looked at."""

    game: str
    signature: str
    names: tuple[str, ...]
    sides: tuple[int, ...]  # the team of each seat; a seat alone is its own
    target: float
    seed: int
    looked: int  # plies that were looked at: all, unless it was stopped
    start: Shares
    result: Shares
    chances: tuple[Shares, ...]  # to win, before the first ply and after each
    steps: tuple[Step, ...]
    decisions: tuple[Decision, ...]
    mistakes: tuple[Mistake, ...] = ()
    confirmed: bool = False  # are all mistakes among them?

    @property
    def whole(self) -> bool:
        """Was all of it looked at?"""
        return self.looked == len(self.chances) - 1

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(self.seat(seat) for seat in range(len(self.names)))

    def play_of(self, seat: int, by: Sequence[int]) -> float:
        """What the choices of some seats brought to one."""
        return math.fsum(decision.skill[seat] for decision in self.decisions if decision.seat in by)

    def seat(self, seat: int) -> Seat:
        """The account of one seat."""
        everyone = range(len(self.names))
        partners = [other for other in everyone if other != seat and self.sides[other] == self.sides[seat]]
        rivals = [other for other in everyone if self.sides[other] != self.sides[seat]]
        own, of_partners, of_rivals = (self.play_of(seat, by) for by in ([seat], partners, rivals))
        mine = [decision for decision in self.decisions if decision.seat == seat]
        return Seat(
            seat, self.names[seat], self.start[seat], own, of_partners, of_rivals,
            luck=self.result[seat] - self.start[seat] - own - of_partners - of_rivals, result=self.result[seat],
            race=math.fsum(step.luck[seat] for step in self.steps if step.race),
            spread=root_of_squares([decision.skill_errors[seat] for decision in mine]),
            luck_spread=root_of_squares([decision.skill_errors[seat] for decision in self.decisions]),
            choices=len(mine), errors=math.fsum(decision.error for decision in mine),
        )  # fmt: skip

    def luckiest(self, seat: int, count: int) -> list[Step]:
        """The steps that brought a seat the most luck, good or bad, the greatest first."""
        return sorted(self.steps, key=lambda step: (-abs(step.luck[seat]), step.first))[:count]

    def json(self) -> dict[str, Any]:
        """All of it, with the account of each seat, for other programs."""
        seats = [asdict(seat) | {"others": seat.others} for seat in self.seats]
        return {"review": 1, **asdict(self), "seats": seats}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Review:
        """What `json` has told."""
        fields = {name: frozen(data[name]) for name in cls.__dataclass_fields__}
        for name, kind in (("steps", Step), ("decisions", Decision), ("mistakes", Mistake)):
            rows = [{key: frozen(value) for key, value in row.items()} for row in data[name]]
            fields[name] = tuple(kind(**row) for row in rows)
        return cls(**fields)


def frozen(value: Any) -> Any:
    """Lists become tuples, all the way down."""
    return tuple(frozen(one) for one in value) if isinstance(value, list | tuple) else value


def root_of_squares(errors: Sequence[float]) -> float:
    return math.sqrt(math.fsum(error * error for error in errors))
