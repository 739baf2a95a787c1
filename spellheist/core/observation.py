"""Observations: a view as an array of numbers for learners, and the legend that says what each number is.

The table is turned so that the seat that looks comes first, and the seats after it follow in turn order: to each
seat the same numbers mean the same. What never changes in a game, its seats and options and a deck, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from spellheist.core import kernel
from spellheist.core.game import Game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OBSERVING = Path(__file__).parent / "templates" / "observing.py"
FIELD = re.compile(r"^    (\w+)=.*?,(?:  # (.*))?$", re.M)


def meanings(game: Game) -> dict[str, str]:
    """What each field of a game's State means: the comment on its line in the rules, or its name."""
    text = (game.folder / "rules.py").read_text(encoding="utf-8")
    block = text[text.index("State = packed(") :]
    return {name: said or name.replace("_", " ") for name, said in FIELD.findall(block[: block.index("\n)")])}


class Number(NamedTuple):
    """One number of an observation."""

    name: str
    meaning: str
    low: int
    high: int


class Legend:
    """What the numbers of an observation are, in their order.

    >>> from spellheist.core.game import find
    >>> legend = Legend(find("abraca_what"))
    >>> len(legend), legend[0]
    (120, Number(name='turn', meaning='the seat to act, or CHANCE, or OVER; 0 is this seat', low=-2, high=4))
    >>> [(number.name, number.high) for number in legend if number.name.startswith("lives")][:2]
    [('lives[0]', 6), ('lives[1]', 6)]
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        schema = game.rules.State
        given = game.fields(game.seats[0], game.settings(game.seats[0]))
        self.fields = {name: field for name, field in schema.fields.items() if name not in given}
        self.places = [k for name in self.fields for k in range(*schema.where[name][:2])]  # in a state, as seat 0 sees it
        self.named = [i for i, k in enumerate(self.places) if any(schema.where[n][0] == k for n in self._naming())]

    def _naming(self) -> list[str]:
        return [name for name, field in self.fields.items() if field.names_seat]

    @cached_property
    def numbers(self) -> list[Number]:
        schema, said = self.game.rules.State, meanings(self.game)
        names, (lows, highs) = schema.number_names(), schema.bounds()
        found = []
        for k in self.places:
            field = names[k].partition("[")[0]
            meaning = said[field]
            if schema.fields[field].names_seat:
                meaning += "; 0 is this seat"
            elif schema.fields[field].per_seat:
                place = int(names[k].partition("[")[2].partition("]")[0])
                meaning += "; of this seat" if not place else f"; of the seat {place} after it"
            found.append(Number(names[k], meaning, lows[k], highs[k]))
        return found

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, i: int) -> Number:
        return self.numbers[i]

    def __iter__(self) -> Iterator[Number]:
        return iter(self.numbers)

    @cached_property
    def lows(self) -> NDArray[np.int16]:
        """The lowest value of each number."""
        return array([number.low for number in self.numbers])

    @cached_property
    def highs(self) -> NDArray[np.int16]:
        """The highest value of each number."""
        return array([number.high for number in self.numbers])

    def scaled(self, observations: NDArray[np.int16]) -> NDArray[np.float32]:
        """One observation or many of them as numbers from 0 to 1, each by its range."""
        import numpy

        lows, highs, now = (numbers.astype(numpy.float32) for numbers in (self.lows, self.highs, observations))
        return ((now - lows) / numpy.maximum(highs - lows, 1)).astype(numpy.float32, copy=False)

    def seen_by(self, seats: int) -> list[list[int]]:
        """For each of so many seats: where its numbers are in a state."""
        schema = self.game.rules.State
        found: list[list[int]] = [[] for _ in range(seats)]
        for seat, places in enumerate(found):
            for name, field in self.fields.items():
                first, end, _ = schema.where[name]
                width = field.size // field.shape[0] if field.per_seat else 0
                for k in range(end - first):
                    row = k // width if field.per_seat else seats
                    places.append(first + ((row + seat) % seats * width + k % width if row < seats else k))
        return found


_legends: dict[str, Legend] = {}


def legend(game: Game) -> Legend:
    """The legend of a game, made once."""
    if game.package not in _legends:
        _legends[game.package] = Legend(game)
    return _legends[game.package]


def array(numbers: Any) -> NDArray[np.int16]:
    """Numbers as learners take them."""
    import numpy

    return numpy.array(numbers, numpy.int16)


def turned(game: Game, seats: int) -> tuple[NDArray[np.uint16], NDArray[np.int16]]:
    """How a game of so many seats is observed, as the template has it: for each seat where its numbers are, and which are
    seats. Places are unsigned, so that compiled code need not ask whether one is counted from the end."""
    import numpy

    return numpy.array(legend(game).seen_by(seats), numpy.uint16), array(legend(game).named)


class Observer:
    """Turns states of a game for so many seats into observations."""

    def __init__(self, game: Game, seats: int) -> None:
        self.size = len(legend(game))
        self.observing = game.bound(OBSERVING)
        self.turned = turned(game, seats)
        self.views = kernel.rows(game.rules.State, 1)
        self.cells = kernel.cells(game.rules.State, self.views)
        self.seat = array([0])

    def observe(self, states: Any, seat: int) -> NDArray[np.int16]:
        """What a seat sees of the first of these states."""
        import numpy

        out = numpy.empty((1, self.size), numpy.int16)
        self.seat[0] = seat
        self.observing.observe(states, 0, 1, self.seat, self.views, self.cells, *self.turned, out)
        return out[0]
