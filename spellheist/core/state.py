"""States: what a game's packed state is made of, and its plain form of integers and lists.

A rules file declares one `State = packed(SEATS, ...)`, a line a field. Every number is an int16
and has a range, so that a position typed in by hand can be refused before any rule reads it.
Compiled, a state is a row of a NumPy array; plain, it is a `Plain` object with the same
fields. Both have the same bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

# Who is asked, besides the seats 0, 1, 2, ...
CHANCE, OVER, ANYONE = -1, -2, -4
# Who looks, besides the seats.
WATCHER = -5
# To whom a move belongs, besides the seats.
JUDGE = -6
# What a value may be, besides a number of the game.
HIDDEN, NONE = -3, -9

LOWEST, HIGHEST = -32768, 32767


@dataclass(frozen=True)
class Field:
    """One field of a state: its shape, its range, and what it means to rotate the seats."""

    shape: tuple[int, ...]
    low: int
    high: int
    per_seat: bool = False  # the first axis counts seats
    names_seat: bool = False  # the value is a seat, or one of the sentinels
    sentinels: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        count = 1
        for length in self.shape:
            count *= length
        return count


@dataclass(frozen=True)
class EachSeat:
    """A field with one value, or one row of values, for each seat."""

    low: int
    high: int
    shape: tuple[int, ...]


def number(low: int, high: int) -> Field:
    """One number from `low` to `high`."""
    return Field((), low, high)


def numbers(low: int, high: int, *shape: int) -> Field:
    """A row (or table) of numbers from `low` to `high`."""
    return Field(shape, low, high)


def each_seat(low: int, high: int, *shape: int) -> EachSeat:
    """A number, or a row of them, for each seat."""
    return EachSeat(low, high, shape)


def a_seat(*sentinels: int) -> Field:
    """The number of a seat, or one of these sentinels."""
    return Field((), min((0, *sentinels)), HIGHEST, names_seat=True, sentinels=sentinels)


SWITCH = number(0, 1)


Place = tuple[int, int, tuple[int, ...]]  # of a field among the numbers: the first, one after the last; the shape


class Plain:
    """A state as integers and lists, fields as attributes."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        names: tuple[str, ...] = self.__slots__
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names: tuple[str, ...] = self.__slots__
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


class Schema:
    """The fields of a game's state, in order, and the ways between its forms."""

    def __init__(self, seats: int, fields: dict[str, Field]) -> None:
        self.seats = seats
        self.fields = fields
        self.size = sum(field.size for field in fields.values())
        self.where: dict[str, Place] = {}
        at = 0
        for name, field in fields.items():
            self.where[name] = at, at + field.size, field.shape
            at += field.size
        self._struct = struct.Struct(f"<{self.size}h")
        self.Plain: type[Plain] = type("State", (Plain,), {"__slots__": tuple(fields)})

    def blank(self) -> Any:
        """A plain state of zeros."""
        return self.unpack(bytes(2 * self.size))

    def unpack(self, data: bytes) -> Any:
        """The plain state of these bytes."""
        return self.unflatten(self._struct.unpack(data))

    def numbers(self, data: bytes) -> tuple[int, ...]:
        """All numbers of these bytes, in the order of the fields."""
        return self._struct.unpack(data)

    def pack(self, plain: Any) -> bytes:
        """The bytes of a plain state."""
        return self._struct.pack(*self.flatten(plain))

    def flatten(self, plain: Any) -> list[int]:
        """All numbers of a plain state in the order of the fields."""
        flat: list[int] = []
        for name, field in self.fields.items():
            value = getattr(plain, name)
            if not field.shape:
                flat.append(value)
            elif len(field.shape) == 1:
                flat.extend(value)
            else:
                for row in value:
                    flat.extend(row)
        return flat

    def unflatten(self, flat: Sequence[int]) -> Any:
        """The plain state of these numbers."""
        plain = self.Plain()
        for name, place in self.where.items():
            setattr(plain, name, self.value(flat, place))
        return plain

    def value(self, flat: Sequence[int], place: Place) -> Any:
        """The value of one field among all numbers of a state."""
        first, end, shape = place
        if not shape:
            return flat[first]
        if len(shape) == 1:
            return list(flat[first:end])
        return [list(flat[i : i + shape[1]]) for i in range(first, end, shape[1])]

    def copy(self, target: Any, source: Any) -> None:
        """Write one plain state over another, in place."""
        for name, field in self.fields.items():
            value = getattr(source, name)
            if not field.shape:
                setattr(target, name, value)
            elif len(field.shape) == 1:
                getattr(target, name)[:] = value
            else:
                for row, other in zip(getattr(target, name), value, strict=True):
                    row[:] = other

    def number_names(self) -> list[str]:
        """The name of each number, in the order of `flatten`: turn, lives[2], hand[0][4]."""
        found: list[str] = []
        for name, field in self.fields.items():
            found += [name + "".join(f"[{i}]" for i in place) for place in product(*map(range, field.shape))]
        return found

    def bounds(self) -> tuple[list[int], list[int]]:
        """The lowest and the highest value of each number, in the order of `flatten`."""
        lows: list[int] = []
        highs: list[int] = []
        for field in self.fields.values():
            lows += [field.low] * field.size
            highs += [self.seats - 1 if field.names_seat else field.high] * field.size
        return lows, highs

    def outside(self, plain: Any) -> str | None:
        """The name of a field with a value outside its range, if there is one."""
        lows, highs = self.bounds()
        flat = self.flatten(plain)
        at = 0
        for name, field in self.fields.items():
            if any(not lows[i] <= flat[i] <= highs[i] for i in range(at, at + field.size)):
                return name
            if field.names_seat and not 0 <= flat[at] < plain.seats and flat[at] not in field.sentinels:
                return name
            at += field.size
        return None

    def rotate(self, plain: Any, by: int) -> Any:
        """The same position with every seat moved on by `by` places around the table."""
        turned = self.unpack(self.pack(plain))
        count = plain.seats
        for name, field in self.fields.items():
            value = getattr(plain, name)
            if field.names_seat and value >= 0:
                setattr(turned, name, (value + by) % count)
            elif field.per_seat:
                rows = getattr(turned, name)
                for place in range(count):
                    row = value[place]
                    rows[(place + by) % count] = list(row) if isinstance(row, list) else row
        return turned


def packed(seats: int, /, **fields: Field | EachSeat) -> Schema:
    """The state of a game that seats up to `seats`: a line a field, in this order in memory."""
    resolved: dict[str, Field] = {}
    for name, field in fields.items():
        if isinstance(field, EachSeat):
            field = Field((seats, *field.shape), field.low, field.high, per_seat=True)
        if not (LOWEST <= field.low <= field.high <= HIGHEST and len(field.shape) <= 2):
            raise ValueError(f"the field {name} does not fit a packed state")
        resolved[name] = field
    return Schema(seats, resolved)
