"""Options: the switches and numbers of a game, as people give them and as the state holds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from spellheist.core.refused import Refused
from spellheist.core.state import NONE


class Option:
    """A switch or number of a game. Each kind reads a value from a person and writes it into the state."""

    kind = ""

    def __init__(self, name: str, default: Any, sentence: str) -> None:
        self.name = name
        self.default = default
        self.sentence = sentence

    @property
    def range(self) -> str:
        """What values it takes, in words."""
        raise NotImplementedError

    def read(self, value: Any, seats: int) -> Any:
        """The value that a person gave, as the option's own type. Refuses what is not in range."""
        raise NotImplementedError

    def numbers(self, value: Any) -> Any:
        """What goes into the state's field of this name."""
        return value

    def samples(self, seats: int) -> list[Any]:
        """Values that together try the option out, the default among them."""
        raise NotImplementedError

    def usual(self, people: int, over_days: bool) -> Any:
        """The value at a table of so many people if its maker chose none. Elsewhere that is the default."""
        return self.default

    def check_days(self, value: Any) -> None:
        """Refuses a value that cannot be played with a clock of days."""

    def show(self, value: Any) -> str:
        """The value as a person would write it."""
        return str(value)

    def refuse(self, value: Any) -> Refused:
        return Refused(f"The option {self.name} takes {self.range}, not {value!r}.")


class Switch(Option):
    """On or off."""

    kind = "switch"
    range = "true or false"

    def __init__(self, name: str, sentence: str, default: bool = False) -> None:
        super().__init__(name, default, sentence)

    def read(self, value: Any, seats: int) -> bool:
        if isinstance(value, bool):
            return value
        word = str(value).strip().lower()
        if word in ("true", "yes", "on", "1"):
            return True
        if word in ("false", "no", "off", "0"):
            return False
        raise self.refuse(value)

    def numbers(self, value: bool) -> int:
        return int(value)

    def samples(self, seats: int) -> list[bool]:
        return [False, True]

    def show(self, value: bool) -> str:
        return "true" if value else "false"


class Number(Option):
    """A whole number in a range."""

    kind = "number"

    def __init__(self, name: str, default: int, low: int, high: int, sentence: str, samples: Sequence[int] = ()) -> None:
        super().__init__(name, default, sentence)
        self.low, self.high = low, high
        self.tries = list(samples) or sorted({low, default, high})

    @property
    def range(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def read(self, value: Any, seats: int) -> int:
        number = whole(value)
        if number is None or not self.low <= number <= self.high:
            raise self.refuse(value)
        return number

    def samples(self, seats: int) -> list[int]:
        return self.tries


class Numbers(Option):
    """A row of whole numbers, with a condition on the whole row."""

    kind = "numbers"

    def __init__(
        self,
        name: str,
        default: tuple[int, ...],
        low: int,
        high: int,
        sentence: str,
        *,
        condition: str,
        holds: Callable[[tuple[int, ...]], bool],
        samples: Sequence[tuple[int, ...]],
    ) -> None:
        super().__init__(name, default, sentence)
        self.low, self.high = low, high
        self.condition, self.holds = condition, holds
        self.tries = list(samples)

    @property
    def range(self) -> str:
        return f"{len(self.default)} whole numbers from {self.low} to {self.high}, {self.condition}"

    def read(self, value: Any, seats: int) -> tuple[int, ...]:
        parts = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
        row = tuple(whole(part) for part in parts) if isinstance(parts, list | tuple) else ()
        if len(row) != len(self.default) or not all(n is not None and self.low <= n <= self.high for n in row):
            raise self.refuse(value)
        if not self.holds(row):  # type: ignore[arg-type]
            raise self.refuse(value)
        return row  # type: ignore[return-value]

    def numbers(self, value: tuple[int, ...]) -> list[int]:
        return list(value)

    def samples(self, seats: int) -> list[tuple[int, ...]]:
        return [self.default, *self.tries]

    def show(self, value: tuple[int, ...]) -> str:
        return ",".join(map(str, value))


class Choice(Option):
    """One of several words."""

    kind = "choice"

    def __init__(
        self, name: str, choices: Sequence[str], sentence: str,
        *, among_people: str | None = None, at_once: dict[str, str] | None = None,
    ) -> None:  # fmt: skip
        """`among_people` is what a table of two or more people plays if its maker chose nothing. The choices of `at_once`
        need everybody there at the same time, by the rule that stands with each: they are not for games over days."""
        super().__init__(name, choices[0], sentence)
        self.choices = list(choices)
        self.among_people = among_people
        self.at_once = at_once or {}

    @property
    def range(self) -> str:
        return f"{', '.join(self.choices[:-1])} or {self.choices[-1]}"

    def read(self, value: Any, seats: int) -> str:
        word = str(value).strip().lower()
        if word not in self.choices:
            raise self.refuse(value)
        return word

    def numbers(self, value: str) -> int:
        return self.choices.index(value)

    def samples(self, seats: int) -> list[str]:
        return self.choices

    def usual(self, people: int, over_days: bool) -> str:
        word = self.among_people if people > 1 else None
        return self.default if word is None or (over_days and word in self.at_once) else word

    def check_days(self, value: str) -> None:
        if value in self.at_once:
            sentence = f"The option {self.name} cannot be {value} over days: everybody has to be there at the same time."
            raise Refused(sentence, self.at_once[value])


class Starter(Option):
    """Which seat begins: one by its number, or a random one."""

    kind = "seat"
    range = "random or the number of a seat, from 0"

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(name, "random", sentence)

    def read(self, value: Any, seats: int) -> str | int:
        if str(value).strip().lower() == "random":
            return "random"
        number = whole(value)
        if number is None or not 0 <= number < seats:
            raise Refused(f"The option {self.name} takes {self.range} to {seats - 1}, not {value!r}.")
        return number

    def numbers(self, value: str | int) -> int:
        return NONE if isinstance(value, str) else value

    def samples(self, seats: int) -> list[str | int]:
        return ["random", seats - 1]


class Deck(Option):
    """A file of cards, or the standard deck. The game's `deck.py` reads it into fields of the state.
    The value is `standard`, or the text of the deck, so that a game does not depend on a file."""

    kind = "deck"
    range = "standard or the path of a deck file"

    def __init__(self, sentence: str) -> None:
        super().__init__("deck", "standard", sentence)

    def read(self, value: Any, seats: int) -> str:
        return str(value)

    def samples(self, seats: int) -> list[str]:
        return ["standard"]


def whole(value: Any) -> int | None:
    """The whole number that somebody wrote, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", value):
        return int(value)
    return None
