"""The word cache: what a game's words say of views. Questions and labels are made from few numbers of a view; when those
are the same again, at any table, so are the words, and they are remembered. What they were made from is found out by noting
what is read of a view while they are made, so no game has to say so.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from spellheist.core.game import Game
from spellheist.core.state import CHANCE, OVER, Place, Schema

MOST = 10_000  # forks that are remembered of one kind of phrase
Labels = list[tuple[int, str]]  # moves, each with its words
NAMES = [chr(0xE000 + seat) for seat in range(16)]  # stand for names of seats; nobody's own name can hold them


class Glance(tuple[int, ...]):
    """A view with its fields as attributes: those that are one number each. TableField and tables are made when they are
    first read: most sentences need few of them."""

    bytes: bytes
    turn: int  # as every game has it


class RowField:
    """A row of a glance. What it gives is kept under its name, where it is found first from then on."""

    def __init__(self, name: str, place: Place) -> None:
        first, end, self.shape = place
        self.name, self.start = name, 2 * first
        self.unpack = struct.Struct(f"<{end - first}h").unpack_from

    def __get__(self, glance: Any, _: type) -> Any:
        found = glance.__dict__[self.name] = list(self.unpack(glance.bytes, self.start))
        return found


class TableField(RowField):
    """A table of a glance, row by row."""

    def __get__(self, glance: Any, _: type) -> Any:
        flat, wide = self.unpack(glance.bytes, self.start), self.shape[1]
        found = glance.__dict__[self.name] = [list(flat[k : k + wide]) for k in range(0, len(flat), wide)]
        return found


def glances(schema: Schema) -> tuple[type[Glance], struct.Struct]:
    """The class of all glances at one game, and what finds their numbers in the bytes of a view."""
    fields: dict[str, Any] = {}
    singles, layout = 0, "<"
    for name, place in schema.where.items():
        first, end, shape = place
        if not shape:
            fields[name] = property(itemgetter(singles))
            singles += 1
            layout += "h"
        else:
            fields[name] = RowField(name, place) if len(shape) == 1 else TableField(name, place)
            layout += f"{2 * (end - first)}x"
    return type("Glance", (Glance,), fields), struct.Struct(layout)


class Noted:
    """A glance that notes the fields that are read of it, each once."""

    def __init__(self, glance: Glance, read: list[str]) -> None:
        self._glance, self._read = glance, read

    def __getattr__(self, name: str) -> Any:  # asked for what is not there yet
        found = self.__dict__[name] = getattr(self._glance, name)
        self._read.append(name)
        return found


class Fork:
    """A field that was read of a view; for each value of it the next that was read, or what was said in the end."""

    __slots__ = ("part", "ways")

    def __init__(self, part: slice) -> None:
        self.part = part
        self.ways: dict[bytes, Any] = {}


class Remembered:
    """A function of a view that is asked again only where it would read something new."""

    def __init__(self, function: Callable[..., Any], schema: Schema) -> None:
        self.function = function
        self.places = {name: slice(2 * first, 2 * end) for name, (first, end, _) in schema.where.items()}
        self.start: dict[Any, Any] = {}
        self.forks = 0

    def __call__(self, view: Glance, given: Any) -> Any:
        """What the function says of this view and whatever else it is given."""
        found, numbers = self.start.get(given), view.bytes
        while type(found) is Fork:
            found = found.ways.get(numbers[found.part])
        return self.learn(view, given) if found is None else found

    def learn(self, view: Glance, given: Any) -> Any:
        if self.forks > MOST:
            self.start, self.forks = {}, 0
        read: list[str] = []
        said = self.function(Noted(view, read), given)
        ways, value = self.start, given
        for name in read:
            if value not in ways:
                ways[value] = Fork(self.places[name])
                self.forks += 1
            ways, value = ways[value].ways, view.bytes[self.places[name]]
        ways[value] = said
        return said


class Phrases:
    """The words of one game."""

    def __init__(self, game: Game) -> None:
        schema = game.rules.State
        self.Glance, self.singles = glances(schema)
        self._prompt = Remembered(prompt_of(game), schema)

    def glance(self, view: bytes) -> Any:
        """A view, to be read by words."""
        found = self.Glance(self.singles.unpack(view))
        found.bytes = view
        return found

    def prompt(self, view: Glance, seat: int, names: list[str], moves: Sequence[int]) -> tuple[str, Labels, list[str]]:
        """What is asked, as a seat reads it: the question, its moves with their labels, and the rules that explain it."""
        sentence, seats, labels, rules = self._prompt(view, (seat, len(names), *moves))
        for k in seats:
            sentence = sentence.replace(NAMES[k], names[k])
        return sentence, labels, rules

    def question(self, view: Glance, seat: int, names: list[str]) -> str:
        return self.prompt(view, seat, names, ())[0]


def prompt_of(game: Game) -> Callable[..., tuple[str, list[int], Labels, list[str]]]:
    """The question with marks for names, the seats that it names, the labels of moves, and the rules."""
    words = game.words

    def prompt(view: Any, given: tuple[int, ...]) -> tuple[str, list[int], Labels, list[str]]:
        seat, seats, *moves = given
        sentence = words.question(view, named(NAMES[:seats], seat))
        rules = [] if view.turn in (CHANCE, OVER) else list(words.rules_now(view))
        named_seats = [k for k in range(seats) if NAMES[k] in sentence]
        return sentence, named_seats, [(move, words.label(view, move)) for move in moves], rules

    return prompt


def named(names: list[str], seat: int) -> list[str]:
    """The names as a seat reads them: its own is You."""
    return [*names[:seat], "You", *names[seat + 1 :]] if seat >= 0 else names
