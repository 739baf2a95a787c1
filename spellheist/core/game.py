"""A game: its title, seats and options, and the folder where its rules and words are.

A game is a folder with an `__init__.py` that makes one `Game`; nothing else has to know of it.
Rules and words are imported when they are first needed, so that listing the games is quick.
"""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.core.options import Deck, Option
from spellheist.core.refused import Refused, did_you_mean

GAMES = Path(__file__).parent.parent / "games"


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
