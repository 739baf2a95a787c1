"""A game: its title, seats and options, and the folder where its rules and words are.

A game is a folder with an `__init__.py` that makes one `Game`; nothing else has to know of it.
Rules and words are imported when they are first needed, so that listing the games is quick.
"""

from __future__ import annotations

import difflib
import importlib
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.core.state import NONE

GAMES = Path(__file__).parent.parent / "games"


class Refused(ValueError):
    """What somebody asked for cannot be done; the message is one sentence that says why."""

    def __init__(self, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence if rule is None else f"{sentence} ({rule})")
        self.rule = rule


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """' Did you mean x?', or nothing."""
    near = difflib.get_close_matches(word, list(known), 1, 0.5)
    return f" Did you mean {near[0]}?" if near else ""


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
        self, name: str, default: tuple[int, ...], low: int, high: int, sentence: str,
        *, condition: str, holds: Callable[[tuple[int, ...]], bool], samples: Sequence[tuple[int, ...]],
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


@dataclass
class Game:
    """One game: what it is called, who can play, what can be varied, and its modules."""

    title: str
    sentence: str  # the game in one sentence
    seats: range
    credits: str
    signature: str  # the digest of seeded games: changes when the rules change, on purpose
    options: tuple[Option, ...] = ()
    folder: Path = field(default_factory=Path)
    package: str = ""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def where(self) -> str:
        """What another process finds it by: its name, or its folder if that is not in this package."""
        return self.name if self.folder.parent == GAMES else str(self.folder)

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def completed(self, name: str) -> ModuleType:
        """A file of the folder, with the default answers of the contract."""
        from spellheist.core import contract

        return contract.completed(self, name)

    @cached_property
    def rules(self) -> ModuleType:
        """The verbs, and questions about them."""
        return self.completed("rules")

    @cached_property
    def words(self) -> ModuleType:
        """Labels and sentences."""
        return self.completed("words")

    @cached_property
    def table(self) -> ModuleType:
        """The table in a terminal."""
        return self.completed("table")

    @cached_property
    def bot(self) -> ModuleType:
        """What bots know of the game."""
        return self.completed("bot")

    @cached_property
    def deck(self) -> ModuleType:
        """Cards from a file."""
        return self.completed("deck")

    @cached_property
    def window(self) -> ModuleType:
        """What presses mean in a live window."""
        return self.completed("window")

    def bound(self, template: Path, **more: Any) -> ModuleType:
        """A template module, run for this game."""
        from spellheist.core.kernel import bind

        return bind(template, self.rules, **more)

    @cached_property
    def verbs(self) -> ModuleType:
        """The verbs, callable from Python."""
        return self.bound(Path(__file__).parent / "templates" / "verbs.py")

    @property
    def page(self) -> str:
        """The rules for a player, in Markdown."""
        return (self.folder / "rules.md").read_text(encoding="utf-8")

    @cached_property
    def rule(self) -> dict[str, str]:
        """The sentence of each rule id on the game's page."""
        rows = re.findall(r"^\| ([A-Z]{2}-\w+) \| (.+?) \|(?: .* \|)?$", self.page, re.M)
        return dict(rows)

    def option(self, name: str) -> Option:
        for option in self.options:
            if option.name == name:
                return option
        known = [option.name for option in self.options]
        has = f"Its options are {', '.join(known)}." if known else "It has no options."
        raise Refused(f"{self.title} has no option {name!r}. {has}{did_you_mean(name, known)}")

    def settings(self, seats: int, given: dict[str, Any] | None = None) -> dict[str, Any]:
        """All options with their values: those given, read and checked, and the defaults."""
        if seats not in self.seats:
            raise Refused(f"{self.title} seats {self.seats[0]} to {self.seats[-1]} players, not {seats}.")
        settings = {option.name: option.default for option in self.options}
        for name, value in (given or {}).items():
            settings[name] = self.option(name).read(value, seats)
            if isinstance(self.option(name), Deck) and value != "standard":
                settings[name] = self.deck.text(value)
        return settings

    def table_settings(self, given: dict[str, Any], seats: int, people: int, over_days: bool) -> dict[str, Any]:
        """The settings of a table where so many people sit, among bots or not: what was not given is as usual there."""
        usual = {o.name: o.usual(people, over_days) for o in self.options}
        settings = self.settings(seats, {**usual, **given})
        if over_days:
            for option in self.options:
                option.check_days(settings[option.name])
        return settings

    def fields(self, seats: int, settings: dict[str, Any]) -> dict[str, Any]:
        """What is in the state before `setup`: seats, options, and the cards of a deck."""
        fields: dict[str, Any] = {"seats": seats}
        for option in self.options:
            if isinstance(option, Deck):
                fields |= self.deck.fields(settings[option.name])
            else:
                fields[option.name] = option.numbers(settings[option.name])
        return fields


def names() -> list[str]:
    """The names of the games in this package."""
    return sorted(path.parent.name for path in GAMES.glob("*/rules.py"))


def find(name: str) -> Game:
    """The game of this name, or in this folder."""
    if name in names():
        package = f"spellheist.games.{name}"
        module = importlib.import_module(package)
    elif "/" in name and (Path(name) / "__init__.py").is_file():
        module, package = _from_folder(Path(name).resolve())
    elif name.isidentifier() and f"spellheist.games.{name}" in sys.modules:  # found by its folder before
        package = f"spellheist.games.{name}"
        module = sys.modules[package]
    else:
        raise Refused(f"There is no game {name!r}. The games are {', '.join(names())}.{did_you_mean(name, names())}")
    game: Game = module.game
    game.folder = Path(module.__file__ or "").parent
    game.package = package
    return game


def _from_folder(folder: Path) -> tuple[ModuleType, str]:
    """Import a game that lives outside this package."""
    package = f"spellheist.games.{folder.name}"
    if package not in sys.modules:
        spec = spec_from_file_location(package, folder / "__init__.py", submodule_search_locations=[str(folder)])
        assert spec and spec.loader
        sys.modules[package] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules[package])
    return sys.modules[package], package
