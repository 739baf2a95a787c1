"""What was seen of a game: its plies, and what one seat recalls of them."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from spellheist.core import kernel
from spellheist.core.game import Game

VIEW = 1  # row 0 is the truth, row 1 is scratch for views
RECALL = 256  # plies back to which a seat recalls what it saw


class Ply(NamedTuple):
    """One move that was made: who made it (a seat, CHANCE or JUDGE), which, and who learned which."""

    who: int
    move: int
    seen_by: int


class Past(list[tuple[int, int]]):
    """The plies as one seat saw them: who, and which move or HIDDEN. `views` are the bytes of what it saw before each
    of the last plies, up to RECALL."""

    def __init__(self, plies: list[tuple[int, int]], views: list[bytes]) -> None:
        super().__init__(plies)
        self.views = views

    @classmethod
    def of(cls, plies: list[tuple[int, int]]) -> Past:
        """A past, which may be that of somebody who recalls no views."""
        return plies if isinstance(plies, Past) else cls(plies, [])


class Follower:
    """Plays a game again beside it, from what it was at ply `since`, so that games pay nothing for it until it is asked."""

    def __init__(self, game: Game, seat: int, first: bytes, since: int) -> None:
        self.verbs, self.schema, self.seat = game.verbs, game.rules.State, seat
        self.states = kernel.rows(self.schema, 2)
        kernel.load(self.schema, self.states, 0, first)
        self.ply = since

    def view(self) -> bytes:
        """What the seat sees at this ply."""
        kernel.copy(self.states, VIEW, self.states, 0)
        self.verbs.hide(self.states, VIEW, self.seat)
        return kernel.dump(self.schema, self.states, VIEW)

    def follow(self, ply: Ply) -> None:
        self.verbs.play(self.states, 0, ply.move)
        self.ply += 1


class Memory(Follower):
    """What one seat saw before each of the last plies."""

    def __init__(self, game: Game, seat: int, first: bytes, since: int = 0) -> None:
        super().__init__(game, seat, first, since)
        self.views: deque[bytes] = deque(maxlen=RECALL)

    def up_to(self, plies: list[Ply]) -> list[bytes]:
        """The views before each of the last plies."""
        for ply in plies[self.ply :]:
            if len(plies) - self.ply <= RECALL:
                self.views.append(self.view())
            self.follow(ply)
        return list(self.views)


class Information(Follower):
    """Everything that one seat (or WATCHER) has seen, as text: how the game was set up, what it saw then, and for each
    ply who moved, which move if it was seen, and what changed in its view. Equal texts, equal knowledge."""

    def __init__(self, game: Game, seat: int, first: bytes, since: int, before: str) -> None:
        super().__init__(game, seat, first, since)
        self.names = game.rules.State.number_names()
        self.seen = self.schema.numbers(self.view()) if before else (0,) * self.schema.size
        self.parts = [before] if before else []

    def begin(self, heading: str) -> None:
        """The first line, and all that there is to see then."""
        now = self.schema.numbers(self.view())
        self.parts.append(f"{heading} {self.changed(now)}".rstrip())

    def changed(self, now: tuple[int, ...]) -> str:
        """The numbers of the view that are not what they were, by their names."""
        pairs = zip(self.names, self.seen, now, strict=True)
        told = " ".join(f"{name}={new}" for name, old, new in pairs if old != new)
        self.seen = now
        return told

    def up_to(self, plies: list[Ply], seats: int) -> str:
        """The text after all these plies."""
        bit = self.seat if self.seat >= 0 else seats
        for ply in plies[self.ply :]:
            self.follow(ply)
            move = str(ply.move) if ply.seen_by >> bit & 1 else "?"
            self.parts.append(f"{ply.who}:{move} {self.changed(self.schema.numbers(self.view()))}".rstrip())
        if len(self.parts) > 1:
            self.parts = ["\n".join(self.parts)]
        return self.parts[0]
