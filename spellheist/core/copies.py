"""A game as a value: copied, kept, taken back, imagined."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from spellheist.core import kernel
from spellheist.core.dice import Luck, plain_word, rngs, start
from spellheist.core.game import Game, find
from spellheist.core.memory import VIEW, Ply
from spellheist.core.refused import Refused
from spellheist.core.sight import Sight, View

if TYPE_CHECKING:
    from typing import Self


class Copies(Sight[View]):
    """The part of a `Play` that makes others of it, and goes back."""

    position: dict[str, Any] | None

    if TYPE_CHECKING:

        @property
        def bytes(self) -> builtins.bytes: ...
        def _room(self, game: Game, seats: int, settings: dict[str, Any], names: list[str]) -> None: ...
        def stand_at(self, state: builtins.bytes, plies: list[Ply], turn: int | None = None) -> None: ...
        def repeat(self, ply: Ply) -> None: ...
        def past(self, seat: int) -> list[tuple[int, int]]: ...

    def clone(self) -> Self:
        """The same game again: what is played in one does not change the other. `copy.copy` and `deepcopy` do this too.

        >>> from spellheist import Luck, new
        >>> play = new("dice_heist", seats=2)
        >>> other = play.clone()
        >>> other.roll_all(Luck(7)), play.ply
        (3, 0)
        """
        twin = object.__new__(type(self))
        twin._room(self.game, self.seats, dict(self.settings), list(self.names))
        twin.position = self.position
        twin._first, twin.since, twin._told = self._first, self.since, dict(self._told)
        twin.stand_at(self.bytes, list(self.plies), self.turn)
        return twin

    def __copy__(self) -> Self:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        kept = {
            "game": self.game.where, "signature": self.game.signature, "seats": self.seats, "settings": self.settings,
            "names": self.names, "position": self.position, "plies": [tuple(ply) for ply in self.plies],
            "state": self.bytes, "first": self._first, "since": self.since, "told": self._told,
        }  # fmt: skip
        return revived, (type(self), kept)

    def undo(self) -> Ply:
        """Take the last ply back, chance or not; the ply that it was.

        >>> from spellheist import CHANCE, Luck, new
        >>> play = new("dice_heist", seats=2)
        >>> play.roll_all(Luck(7))
        3
        >>> play.undo().who == CHANCE, play.ply
        (True, 2)
        """
        if self.ply == self.since:
            raise Refused(
                "This world was imagined here, so what came before is not known." if self.since
                else "No ply has been made, so none can be taken back."
            )  # fmt: skip
        *before, last = self.plies
        self.stand_at(self._first, before[: self.since])
        for ply in before[self.since :]:
            self.repeat(ply)
        self._forget()
        return last

    def _forget(self) -> None:
        """Let go of what was worked out from plies that are no more."""
        self._informed.clear()
        self._memories.clear()

    def imagine(self, seat: int, rng: Luck) -> Self:
        """A world in which this seat (or WATCHER) would know exactly what it knows: what it cannot see is filled in,
        any way that fits, in proportion to its chance. The past has the moves that the seat saw, and HIDDEN for others.

        >>> from spellheist import Luck, new
        >>> play = new("abraca_what", seats=2, options={"starter": 0})
        >>> play.roll_all(Luck(7))
        22
        >>> world = play.imagine(0, Luck(1))
        >>> play.state.hand[:2], world.state.hand[:2]
        ([[7, 4, 8, 8, 8], [8, 2, 3, 5, 4]], [[5, 8, 7, 6, 1], [8, 2, 3, 5, 4]])
        >>> world.information(0) == play.information(0)
        True
        """
        told = self.information(seat)
        kernel.copy(self._states, VIEW, self._states, 0)
        self.game.verbs.hide(self._states, VIEW, seat)
        generators = rngs(1)
        start(generators, 0, plain_word(rng.rng) >> 1)
        self.game.verbs.imagine(self._states, VIEW, generators, 0)
        world = kernel.dump(self._schema, self._states, VIEW)
        twin = self.clone()
        seen = [Ply(who, move, ply.seen_by) for (who, move), ply in zip(self.past(seat), self.plies, strict=True)]
        twin._first, twin.since, twin._told = world, self.ply, {seat: told}
        twin.stand_at(world, seen)
        return twin


def revived(kind: type[Any], kept: dict[str, Any]) -> Any:
    """The game that was pickled. Refuses one of other rules, whose moves would mean something else now."""
    game = find(kept["game"])
    if game.signature != kept["signature"]:
        raise Refused(f"This {game.title} was kept under other rules: {kept['signature']}, now {game.signature}.")
    play = object.__new__(kind)
    play._room(game, kept["seats"], kept["settings"], kept["names"])
    play.position = kept["position"]
    play._first, play.since, play._told = kept["first"], kept["since"], kept["told"]
    play.stand_at(kept["state"], [Ply(*ply) for ply in kept["plies"]])
    return play
