"""Bots: players that see what their seat sees, and nothing else.

A bot is made for one game and answers `choose(view, seat, past, rng) -> move`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from spellheist.core.dice import Luck
from spellheist.core.game import Game, Refused, did_you_mean

NAMES = ("random",)


class Bot(Protocol):
    """A player of one game."""

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        """The move of this seat, from its view and its past."""
        ...


def bot(name: str, game: Game) -> Bot:
    """The bot of this name, made for a game."""
    if name not in NAMES:
        raise Refused(f"There is no bot {name!r}; there is {', '.join(NAMES)}.{did_you_mean(name, NAMES)}")
    made: Bot = import_module(f"spellheist.bots.{name}").Bot(game)
    return made
