"""Positions for tests: one that a random game reaches, and the same with a few numbers changed."""

from __future__ import annotations

import copy
from typing import Any

from spellheist.core.dice import Luck
from spellheist.core.play import Play, new
from spellheist.core.record import position_of
from spellheist.core.state import CHANCE


def reached(name: str, seats: int, phase: int, seed: int = 1, **options: Any) -> Play:
    """A seeded random game where it first comes to this phase."""
    luck = Luck(seed)
    for _ in range(100):
        play = new(name, seats, options)
        while play.state.phase != phase and not play.over:
            step(play, luck)
        if play.state.phase == phase:
            return play
    raise AssertionError(f"no random game of {name} came to phase {phase}")


def step(play: Play, luck: Luck) -> None:
    """One random ply."""
    if play.turn == CHANCE:
        play.roll(luck)
    else:
        moves = play.legal()
        play.play(moves[luck.below(len(moves))])


def altered(play: Play, change: dict[str, Any]) -> Play:
    """The same position with other values in some fields, loaded anew; in a row `{2: 5}` changes one place only."""
    position = copy.deepcopy(position_of(play))
    for name, value in change.items():
        if isinstance(value, dict):
            place(position[name], value)
        else:
            position[name] = value
    return Play(play.game, play.seats, play.settings, position=position)


def place(row: list[Any], values: dict[int, Any]) -> None:
    for index, value in values.items():
        if isinstance(value, dict):
            place(row[index], value)
        else:
            row[index] = value
