"""What bots know of a game besides its rules: the `bot.py` in a game's folder, or nothing.

A `bot.py` may have:

    advise(s, seat, moves, n, weights)   how good each of the n moves of that seat looks: weights from 0 up. It may use
                                         only what the seat knows: the same in its view and in any world.
    value(s, out)                        an estimate of each seat's share of the win, for searches that stop early.
    earlier(s, seat, later, who, move)   fills in s, a view of that seat, as it was in a world in which this ply (a move
                                         or HIDDEN) led to `later`; with it, worlds are weighed by what rivals did.
    meant(later, who)                    which move a hidden ply of that seat was, in a world in which it led to `later`.
    FAITH                                in which share of their plies rivals are believed to follow the advice; 0: worlds
                                         are not weighed.
    BELIEF                               the same for reviews, and in which share of those plies to make the best move.
    LOOK_BACK                            how many stages before the present one tell of what is hidden now.
    exact(view)                          where the game is solved: the chance to win of every move, in a dict; else None.
                                         The strongest bots play by it.
    features(s, seen), whose(s), FEATURES
                                         what `spellheist learn` learns from: so many numbers of a position at the start of
                                         a stage, as the side of that seat sees them. What was learned is in `learned.py`.
    STAGES                               how many rounds a search looks ahead before it asks `value`; 0: to the end.
    HORIZON                              how many rounds a review plays on before it asks `value`; as STAGES if not told.
    LOOKS                                how many of the best advised moves the reference player of reviews looks at again,
                                         by `value` at the end of the turn; 0: it makes the best advised one.
    ERRORS                               what bots give away at a choice, by reviews of their games, in shares of the win.
    ADJUST                               how much of the luck `match --adjusted` takes out: less where much is hidden.
    RIVALS_SEARCH                        do rivals in the tree search too (True), or follow `advise` (False)?
    PAST_CHANCE                          does the tree go on past a chance ply, with one node for all its outcomes (True),
                                         or is it played on from there (False)?
    EXPLORE, TRUST, FOLLOW, SHARP        constants of the search: how much it explores, how much it trusts the advice
                                         as a prior, in which share of plies a playout follows the advice, and in which
                                         share of those it makes the best move of it instead of drawing by weight.

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
from spellheist.core.kernel import kernel
from spellheist.core.state import ANYONE, HIDDEN, NONE

DEFAULTS = {
    "STAGES": 0, "RIVALS_SEARCH": True, "PAST_CHANCE": True,
    "EXPLORE": 1.0, "TRUST": 1.0, "FOLLOW": 0.0, "SHARP": 0.0, "FAITH": 0.0,
    "BELIEF": (0.0, 0.0), "LOOK_BACK": 0, "LOOKS": 0, "ERRORS": {}, "ADJUST": 1.0,
}  # fmt: skip


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


@kernel
def meant(later, who):
    """Without knowledge a hidden move stays hidden."""
    return HIDDEN


def nothing_exact(view: Any) -> dict[int, float] | None:
    """Without knowledge nothing is solved."""
    return None


def knowledge(game: Game) -> ModuleType:
    """The game's `bot.py` with defaults filled in."""
    module = game.module("bot") if (game.folder / "bot.py").is_file() else ModuleType(f"{game.package}.bot")
    functions = {"advise": advise, "value": value, "earlier": earlier, "meant": meant, "exact": nothing_exact}
    for name, default in {**DEFAULTS, **functions}.items():
        if not hasattr(module, name):
            setattr(module, name, default)
    if not hasattr(module, "HORIZON"):
        module.HORIZON = module.STAGES  # type: ignore[attr-defined]
    return module


def with_knowledge(game: Game, template: str, **more: Any) -> ModuleType:
    """A template of the bots, run for a game and what is known of it."""
    return game.bound(Path(__file__).parent / "templates" / f"{template}.py", known=knowledge(game), **more)


def own_moves(game: Game, rows: Any, view: Any, seat: int) -> list[int]:
    """Write a view into rows[0]; the moves that belong to the seat there, and NONE if it may wait."""
    schema, verbs = game.rules.State, game.verbs
    kernels.load(schema, rows, 0, schema.pack(view))
    moves = kernels.shorts(game.rules.MOVES)
    found = [int(moves[i]) for i in range(verbs.legal(rows, 0, moves))]
    mine = [move for move in found if verbs.owner(rows, 0, move) == seat]
    return [*mine, NONE] if view.turn == ANYONE and verbs.owner(rows, 0, found[0]) != seat else mine
