"""What bots know of a game besides its rules: the `bot.py` in a game's folder, or nothing.

A `bot.py` may have:

    advise(s, seat, moves, n, weights)   how good each of the n legal moves looks to that seat: weights from 0 up.
                                         It may use only what the seat knows: the same in its view and in any world.
    value(s, out)                        an estimate of each seat's share of the win, for searches that stop early.
    earlier(s, seat, later, who, move)   fills in s, a view of that seat, as it was in a world in which this ply (a move
                                         or HIDDEN) led to `later`; with it, worlds are weighed by what rivals did.
    FAITH                                in which share of their plies rivals are believed to follow the advice; 0: worlds
                                         are not weighed.
    STAGES                               how many rounds a search looks ahead before it asks `value`; 0: to the end.
    RIVALS_SEARCH                        do rivals in the tree search too (True), or follow `advise` (False)?
    EXPLORE, TRUST, FOLLOW               constants of the search: how much it explores, how much it trusts the advice
                                         as a prior, and in which share of plies a playout follows the advice.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.core import kernel as kernels
from spellheist.core.game import Game
from spellheist.core.kernel import kernel

DEFAULTS = {"STAGES": 0, "RIVALS_SEARCH": True, "EXPLORE": 1.0, "TRUST": 1.0, "FOLLOW": 0.0, "FAITH": 0.0}


@kernel
def advise(s, seat, moves, n, weights):
    """Without knowledge all moves look the same."""
    for i in range(n):
        weights[i] = 1.0


@kernel
def value(s, out):
    """Without knowledge all seats are as good."""
    for seat in range(s.seats):
        out[seat] = 1.0 / s.seats


@kernel
def earlier(s, seat, later, who, move):
    """Without knowledge nothing is filled in."""


def knowledge(game: Game) -> ModuleType:
    """The game's `bot.py` with defaults filled in."""
    module = game.module("bot") if (game.folder / "bot.py").is_file() else ModuleType(f"{game.package}.bot")
    for name, default in (*DEFAULTS.items(), ("advise", advise), ("value", value), ("earlier", earlier)):
        if not hasattr(module, name):
            setattr(module, name, default)
    return module


def with_knowledge(game: Game, template: str, **more: Any) -> ModuleType:
    """A template of the bots, run for a game and what is known of it."""
    return game.bound(Path(__file__).parent / "bound" / f"{template}.py", known=knowledge(game), **more)


def own_moves(game: Game, rows: Any, view: Any, seat: int) -> list[int]:
    """Write a view into rows[0]; the moves that belong to the seat there."""
    schema, door = game.rules.State, game.door
    kernels.load(schema, rows, 0, schema.pack(view))
    moves = kernels.shorts(game.rules.MOVES)
    found = [int(moves[i]) for i in range(door.legal(rows, 0, moves))]
    return [move for move in found if door.owner(rows, 0, move) == seat]
