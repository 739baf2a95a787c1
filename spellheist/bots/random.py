"""A bot that plays any legal move."""

from __future__ import annotations

from typing import Any

from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import Game


class Bot:
    def __init__(self, game: Game) -> None:
        self.game = game
        self._states = kernel.rows(game.rules.State, 1)
        self._moves = kernel.shorts(game.rules.MOVES)

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Luck) -> int:
        schema, door = self.game.rules.State, self.game.door
        kernel.load(schema, self._states, 0, schema.pack(view))
        count = door.legal(self._states, 0, self._moves)
        moves = [int(self._moves[i]) for i in range(count)]
        mine = [move for move in moves if door.owner(self._states, 0, move) == seat]
        return mine[rng.below(len(mine))]
