"""`bot.py`: what bots know of a game besides its rules. Without the file they know nothing.

`spellheist learn` needs FEATURES, `features` and `whose`; what it has learned is kept in the folder as `learned.py`.
"""

from __future__ import annotations

from typing import Any

from spellheist.core.kernel import kernel
from spellheist.core.state import HIDDEN

NEEDED: dict[str, str] = {}

STAGES: int = 0  # how many rounds a search looks ahead before it asks `value`; 0: to the end
RIVALS_SEARCH: bool = True  # do rivals in the tree search too, or do they follow `advise`?
PAST_CHANCE: bool = True  # does the tree go on past a chance ply, with one node for all outcomes, or is it played on there?
EXPLORE: float = 1.0  # how much a search explores
TRUST: float = 1.0  # how much it trusts the advice as a prior
FOLLOW: float = 0.0  # in which share of plies a playout follows the advice,
SHARP: float = 0.0  # and in which share of those it makes the best move of it instead of drawing by weight
FAITH: float = 0.0  # in which share of plies rivals are believed to follow the advice; 0: worlds are not weighed by it
BELIEF: tuple[float, float] = (0.0, 0.0)  # the same for reviews, and in which share of those plies they make the best move
LOOK_BACK: int = 0  # how many stages before the present one tell of what is hidden now
HORIZON: int | None = None  # how many rounds a review plays on before it asks `value`; None: as STAGES
LOOKS: int = 0  # how many of the best advised moves a review's reference player looks at again, by `value` at a turn's end
ERRORS: dict[str, float] = {}  # what bots give away at a choice, by reviews of their games, in shares of the win
ADJUST: float = 1.0  # how much of the luck `match --adjusted` takes out: less where much is hidden
FEATURES: int = 0  # how many numbers `features` writes; 0: there is nothing to learn from


@kernel
def advise(s, seat, moves, n, weights):
    """How good each of the n moves of that seat looks: weights from 0 up. It may use only what the seat knows: the same
    in its view and in any world. Where anyone may move, the last move may be NONE, to wait (`bots/knowledge.py`)."""
    for i in range(n):
        weights[i] = 1.0


@kernel
def value(s, out):
    """An estimate of each seat's share of the win, for searches that stop early."""
    for seat in range(s.seats):
        out[seat] = 1.0 / s.seats


@kernel
def earlier(s, seat, later, who, move):
    """Fills in s, a view of that seat, as it was in a world in which this ply (a move or HIDDEN) led to `later`. With it
    and FAITH, worlds are weighed by what rivals did."""


@kernel
def meant(later, who):
    """Which move a hidden ply of that seat was, in a world in which it led to `later`."""
    return HIDDEN


@kernel
def features(s, seen):
    """Writes numbers of a position at the start of a stage, as the side of the seat `whose` sees them."""


@kernel
def whose(s):
    """The seat whose side `features` looks from."""
    return s.turn


def exact(view: Any) -> dict[int, float] | None:
    """Where the game is solved: the chance to win of every move. The strongest bots play by it."""
    return None
