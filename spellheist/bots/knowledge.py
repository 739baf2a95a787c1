"""What bots know of a game besides its rules, and what they may do in it.

What a game's `bot.py` can say is in `core/contract/bot.py`.

Where anyone may move (`turn` is ANYONE), seats are asked one by one whether they want to, with their own moves and NONE:
"I do nothing now". The order is drawn anew for every ply, because anyone may be the quickest; last comes the seat that
the table waits for, the owner of the first legal move, who has to move. Whoever moves is seen by all, and then everybody
is asked again. That is how matches and the terminal ask, and how a search imagines it: each rival decides for itself,
without knowing who else would, and of those who want to move each is as likely to be first. What goes on between two
people within the time of a reaction is not part of it: here the slower one has seen that it is too late. `advise` gets
the NONE as the last move; where it gives weight to nothing else, a search does not ask that seat at all.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from spellheist.core import kernel as kernels
from spellheist.core.game import Game
from spellheist.core.state import ANYONE, NONE


def with_knowledge(game: Game, template: str, **more: Any) -> ModuleType:
    """A template of the bots, run for a game and what is known of it."""
    return game.bound(Path(__file__).parent / "templates" / f"{template}.py", known=game.bot, **more)


def own_moves(game: Game, rows: Any, view: Any, seat: int) -> list[int]:
    """Write a view into rows[0]; the moves that belong to the seat there, and NONE if it may wait."""
    schema, verbs = game.rules.State, game.verbs
    kernels.load(schema, rows, 0, schema.pack(view))
    moves = kernels.shorts(game.rules.MOVES)
    found = [int(moves[i]) for i in range(verbs.legal(rows, 0, moves))]
    mine = [move for move in found if verbs.owner(rows, 0, move) == seat]
    return [*mine, NONE] if view.turn == ANYONE and verbs.owner(rows, 0, found[0]) != seat else mine
