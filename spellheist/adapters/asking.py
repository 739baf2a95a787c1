"""Games that ask one seat at a time, for interfaces that can do no other: chance is rolled in between, and where anyone
may move, seats are asked one by one, in an order drawn anew for each ply, and may wait."""

from __future__ import annotations

from typing import Any

from spellheist.core.dice import Luck
from spellheist.core.game import Game
from spellheist.core.memory import Ply
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE, CHANCE, OVER


def actions(game: Game) -> int:
    """How many different answers there are: all moves, and to wait in a game that may ask anyone."""
    return int(game.rules.MOVES) + (ANYONE in game.rules.State.fields["turn"].sentinels)


class Asking:
    """A game and who is asked in it."""

    def __init__(self, play: Play, dice: Luck, luck: Luck) -> None:
        self.play, self.dice, self.luck = play, dice, luck
        self.wait = int(play.game.rules.MOVES)  # the answer of a seat that lets others move first
        self.order: list[int] = []
        self.go_on()

    @property
    def seat(self) -> int:
        """Who is asked; OVER when the game is over."""
        return self.order[0] if self.order else OVER

    def go_on(self) -> list[Ply]:
        """Roll until somebody is asked; the plies that this took."""
        made = []
        while self.play.turn == CHANCE:
            made.append(self.play.roll(self.dice))
        self.order = [] if self.play.over else self.play.askable(self.luck)
        return made

    def moves(self) -> list[int]:
        """What the seat that is asked may answer."""
        if not self.order:
            return []
        return [*self.play.legal(self.seat), *([self.wait] if len(self.order) > 1 else [])]

    def words(self) -> dict[int, str]:
        """The same with words, as the seat sees it."""
        view, label = self.play.view(self.seat), self.play.game.words.label
        return {move: "wait" if move == self.wait else label(view, move) for move in self.moves()}

    def answer(self, move: int) -> list[Ply]:
        """Take an answer; the plies that it led to, chance included."""
        if move not in self.moves():
            if not self.order:
                raise Refused("The game is over.")
            if move == self.wait:
                raise Refused(f"The table waits for seat {self.seat}, which cannot wait itself.")
            self.play.play(move, self.seat)  # says why not
        if move == self.wait:
            self.order.pop(0)
            return []
        return [self.play.play(move, self.seat), *self.go_on()]


def mask(asking: Asking, count: int) -> Any:
    """A 1 for each answer that may be given now, else 0."""
    import numpy as np

    found = np.zeros(count, np.int8)
    found[asking.moves()] = 1
    return found
