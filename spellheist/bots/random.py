"""A bot that plays any legal move."""

from __future__ import annotations

from typing import Any

from spellheist.bots.knowledge import own_moves
from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import Game


class Bot:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.views = kernel.rows(game.rules.State, 1)

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        moves = own_moves(self.game, self.views, view, seat)
        return moves[rng.below(len(moves))]
