"""What a search may keep for its next decision: the tree below its own moves, where those told it nothing new.

Then every world that was imagined before fits the view now, and the iterations that went through those moves are as good
as new ones. After a roll, a move of a rival or a look at something hidden they are not, and the tree is grown anew.
Only searches by time keep anything. Those by iterations are a function of the question and the seed (`law`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from spellheist.core import kernel
from spellheist.core.dice import rngs, start
from spellheist.core.game import Game
from spellheist.core.memory import Past
from spellheist.core.state import HIDDEN

AHEAD = 8  # moves since the last decision, at the most
WORLDS = 8  # in which a move is tried out before it is believed that it told nothing


class Last:
    """The decision that was thought about last."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.seat, self.view = -1, b""
        self.past: list[tuple[int, int]] = []
        self.after = kernel.rows(game.rules.State, AHEAD)  # what was seen after each move since then
        self.tried, self.rngs = kernel.rows(game.rules.State, 1), rngs(1)

    def forget(self) -> None:
        self.seat = -1

    def since(self, views: Any, seat: int, past: Any) -> list[int]:
        """The own moves that led from the last decision to this one, which is the last from now on; none if something
        else happened, or if more is known than before."""
        view = kernel.dump(self.game.rules.State, views, 0)
        moves = self.made_since(view, past) if seat == self.seat else []
        self.seat, self.past, self.view = seat, list(past), view
        return moves

    def made_since(self, view: bytes, past: Any) -> list[int]:
        plies = past[len(self.past) :]
        seen = [*Past.of(past).views[-len(plies) :], view] if plies else []
        follows = past[: len(self.past)] == self.past and seen[:1] == [self.view]
        if not follows or len(seen) != len(plies) + 1 or len(plies) > AHEAD:
            return []
        for at, ((who, move), (before, after)) in enumerate(zip(plies, pairwise(seen), strict=True)):
            if who != self.seat or move == HIDDEN or not self.expected(before, move, after):
                return []
            kernel.load(self.game.rules.State, self.after, at, after)
        return [move for _, move in plies]

    def expected(self, before: bytes, move: int, after: bytes) -> bool:
        """Does this move lead to what was seen then, whatever is hidden, and is the seat asked again?"""
        schema, verbs = self.game.rules.State, self.game.verbs
        start(self.rngs, 0, len(self.past))
        for _ in range(WORLDS):
            kernel.load(schema, self.tried, 0, before)
            if verbs.turn(self.tried, 0) != self.seat:
                return False
            verbs.imagine(self.tried, 0, self.rngs, 0)
            verbs.play(self.tried, 0, move)
            verbs.hide(self.tried, 0, self.seat)
            if kernel.dump(schema, self.tried, 0) != after or verbs.turn(self.tried, 0) != self.seat:
                return False
        return True
