"""A table: the fold of its journal over a game. It knows no clock, no socket and no store; it is told entries.

`Table.read` folds a whole journal, `apply` adds one entry. What may be done at a table, and which entry that makes,
is in `house.py`; what a seat sees of it in `sights.py`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from spellheist.core import record
from spellheist.core.dice import Fair
from spellheist.core.game import Game, find
from spellheist.core.kernel import plain
from spellheist.core.play import Play, Ply, new
from spellheist.core.state import ANYONE
from spellheist.server import entries as e

RECENT = 40  # plies whose states are kept, for news
LINES = 50  # of chat that are kept
IDS = 64  # messages of a seat that are remembered, so that none is carried out twice
REVEAL = 15_000  # milliseconds in which promised words must be revealed


class Differs(Exception):
    """The journal no longer gives the states that it once gave; the sentence says why."""


@dataclass
class Chair:
    """A place at the table and who has it."""

    kind: str  # person, bot or open
    name: str
    level: str = ""  # of the bot that plays here, for itself or for a person who is away
    token: str = ""
    promise: str = ""
    words: str = ""
    away: bool = False  # a bot plays for the person
    final: bool = False  # and the person cannot come back

    @property
    def person(self) -> bool:
        """Does a person decide here?"""
        return self.kind == "person" and not self.away


@dataclass
class Wish:
    """Somebody wants to take a move back; these others have not agreed yet."""

    by: int
    to: int
    waits_for: list[int]


@dataclass
class Heat:
    """A dead heat that is voted on."""

    ply: int
    seats: list[int]
    until: int
    votes: dict[int, int] = field(default_factory=dict)


class Table:
    """A table as its journal tells it."""

    made: e.Made
    game: Game
    play: Play
    chairs: list[Chair]
    dice: Fair

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0  # entries
        self.state = "gathering"
        self.reason: str | None = None
        self.updated = 0
        self.asked_at = 0  # when the start was asked for
        self.since = 0  # when the present question was asked, moved on by pauses
        self.paused_at = 0
        self.left_out: list[int] = []
        self.truth = b""
        self.recent: deque[bytes] = deque(maxlen=RECENT)  # the states before the latest plies
        self.chat: deque[tuple[int | None, str, str, int]] = deque(maxlen=LINES)
        self.did: dict[int, dict[int, int]] = {}  # seat: {id: ply}
        self.wish: Wish | None = None
        self.removed: dict[str, list[str]] = {}  # by the host: the hash of a token, and the names that it sat under
        self.rematch: str | None = None
        self.result: list[float] | None = None  # the shares, once it is decided
        self.presses: list[e.Window] = []  # at the present ply
        self.bucket: dict[int, float] = {}  # of each seat, in the live window
        self.claims: dict[int, list[bool]] = {}  # of each seat: was more lag claimed than believed?
        self.heat: Heat | None = None
        self.skipping = False  # before the entry of the snapshot: no rules are run

    @classmethod
    def read(cls, name: str, bodies: list[bytes], snapshot: tuple[int, bytes] | None = None) -> Table:
        """The table of a journal. One that no longer agrees with the rules is frozen, with a sentence."""
        table = cls(name)
        upto = snapshot[0] if snapshot else 0
        table.skipping = upto > 0
        try:
            for body in bodies:
                table.apply(e.decode(body))
                if table.skipping and table.count == upto:
                    assert snapshot
                    table.stand_at(snapshot[1])
        except Differs as differs:
            table.state, table.reason = "frozen", str(differs)
        return table

    def stand_at(self, truth: bytes) -> None:
        self.skipping = False
        self.truth = truth
        self.play.stand_at(truth, self.play.plies)
        self.finish_if_over()

    def apply(self, entry: Any) -> None:
        """Add an entry."""
        FOLDS[type(entry)](self, entry)
        self.count += 1
        self.updated = entry.at
        number = getattr(entry, "id", 0)
        if number:
            done = self.did.setdefault(entry.seat, {})
            done[number] = self.play.ply
            if len(done) > IDS:
                del done[next(iter(done))]

    # Questions.

    @property
    def seats(self) -> int:
        return self.made.seats

    @property
    def begun(self) -> bool:
        return bool(self.truth) and self.state != "frozen"

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def commitment(self) -> str:
        return self.dice.commitment

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.chairs]

    def seats_of(self, token: str) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if token and chair.token == token]

    def asked(self) -> list[int]:
        """The seats that can move now."""
        if self.state not in ("playing", "paused"):
            return []
        turn = self.play.turn
        if turn == ANYONE:
            owners = {self.play.owner(move) for move in self.play.legal()}
            return [seat for seat in range(self.seats) if seat in owners]
        return [turn] if turn >= 0 else []

    def sides(self) -> list[int]:
        """The side of each seat."""
        side = plain(self.game.rules.side)
        state = self.play.state
        return [int(side(state, seat)) for seat in range(self.seats)]

    def two_sides(self) -> bool:
        return len(set(self.sides())) == 2

    def deadline(self) -> int | None:
        """When the person who is asked runs out of time."""
        if self.state != "playing" or self.made.clock.kind == "none":
            return None
        asked = self.play.turn
        if asked < 0 or not self.chairs[asked].person:
            return None
        return self.since + 1000 * self.made.clock.seconds

    def due(self) -> int | None:
        """When something happens here by itself, whoever is connected."""
        return self.asked_at + REVEAL if self.state == "promising" else self.deadline()

    def record(self, seat: int | None = None) -> str:
        """The record as text: whole when the game is decided or given up, else as one seat saw it."""
        ended = self.state in ("over", "closed")
        players = [c.level if c.kind == "bot" else "you" for c in self.chairs]
        return record.write(self.play, self.dice, None if ended else seat, reveal=ended, players=players)

    # The fold.

    def _made(self, entry: e.Made) -> None:
        self.made = entry
        self.game = find(entry.game)
        self.play = new(self.game, entry.seats, dict(entry.settings))
        self.chairs = [Chair(c.kind, c.name, c.level, c.token, c.promise) for c in entry.chairs]
        self.dice = Fair(bytes.fromhex(entry.secret))
        self._name()
        if entry.signature != self.game.signature or entry.deck != e.deck_hash(self.play.bytes):
            raise Differs(f"The rules of {self.game.title} have changed since this table was made, so it cannot go on.")

    def _name(self) -> None:
        self.play.names = [chair.name or f"Seat {seat}" for seat, chair in enumerate(self.chairs)]

    def _sat(self, entry: e.Sat) -> None:
        self.chairs[entry.seat] = Chair("person", entry.name, token=entry.token, promise=entry.promise)
        self.removed.pop(entry.token, None)
        self._name()

    def _rose(self, entry: e.Rose) -> None:
        if entry.by_host:
            self._remove(self.chairs[entry.seat])
        self.chairs[entry.seat] = Chair("open", "")
        self._name()

    def _remove(self, chair: Chair) -> None:
        """The chair is no longer that person's, whose page can say why."""
        self.removed.setdefault(chair.token, []).append(chair.name)
        chair.token = ""

    def _asked(self, entry: e.Asked) -> None:
        self.state = "promising"
        self.asked_at = entry.at

    def _revealed(self, entry: e.Revealed) -> None:
        self.chairs[entry.seat].words = entry.words

    def _begun(self, entry: e.Begun) -> None:
        self.state = "playing"
        self.left_out = entry.left_out
        self.dice = Fair(bytes.fromhex(self.made.secret), entry.words)
        self.truth = self.play.bytes
        self._advance(entry)

    def _advance(self, entry: Any) -> None:
        """Make the plies of an entry again."""
        self.since = entry.at
        self.presses, self.heat, self.wish = [], None, None
        if self.skipping:
            self.play.plies += map(Ply._make, entry.plies)
            return
        self._repeat(entry.plies)
        if e.checksum(self.truth) != entry.check:
            raise Differs(f"{self.game.title} no longer plays as it did when this game was begun, so it cannot go on.")
        self.finish_if_over()

    def _repeat(self, plies: e.Plies) -> None:
        *between, self.truth = [self.truth, *self.play.repeat_all(plies)]
        self.recent.extend(between)

    def finish_if_over(self) -> None:
        if self.play.over:
            self.state, self.result = "over", self.play.score()

    def _window(self, entry: e.Window) -> None:
        self.presses.append(entry)
        self.bucket[entry.seat] = entry.bucket
        self.claims.setdefault(entry.seat, []).append(entry.clamped)

    def _heat(self, entry: e.Heat) -> None:
        self.heat = Heat(entry.ply, entry.seats, entry.until)

    def _voted(self, entry: e.Voted) -> None:
        if self.heat:
            self.heat.votes[entry.seat] = entry.choice

    def _wished(self, entry: e.Wished) -> None:
        others = [k for k, chair in enumerate(self.chairs) if chair.person and k != entry.seat]
        self.wish = Wish(entry.seat, entry.to, others)
        if entry.done:
            self._take_back(entry.to, entry)

    def _agreed(self, entry: e.Agreed) -> None:
        if self.wish is None:
            return
        if not entry.yes:
            self.wish = None
        elif entry.done:
            self._take_back(self.wish.to, entry)
        else:
            self.wish.waits_for.remove(entry.seat)

    def _take_back(self, to: int, entry: e.Wished | e.Agreed) -> None:
        self.wish = None
        self.since = entry.at
        kept = self.play.plies[:to]
        if self.skipping:
            self.play.plies = kept
            return
        self.play.start()
        self.recent.clear()
        self.truth = self.play.bytes
        self._repeat(kept)
        if e.checksum(self.truth) != entry.check:
            raise Differs(f"{self.game.title} no longer plays as it did when this game was begun, so it cannot go on.")

    def _resigned(self, entry: e.Resigned) -> None:
        sides = self.sides()
        left = [seat for seat in range(self.seats) if sides[seat] != sides[entry.seat]]
        self.result = [1 / len(left) if seat in left else 0.0 for seat in range(self.seats)]
        self.state, self.wish = "over", None
        name = self.chairs[entry.seat].name
        self.reason = f"{name} ran out of time." if entry.late else f"{name} resigned."

    def _away(self, entry: e.Away) -> None:
        chair = self.chairs[entry.seat]
        chair.away, chair.level, chair.final = True, entry.level, entry.final
        if entry.by_host:
            self._remove(chair)
        if self.wish and entry.seat in (self.wish.by, *self.wish.waits_for):
            self.wish = None

    def _back(self, entry: e.Back) -> None:
        self.chairs[entry.seat].away = False
        self.since = entry.at

    def _paused(self, entry: e.Paused) -> None:
        self.state = "paused" if entry.on else "playing"
        if entry.on:
            self.paused_at = entry.at
        else:
            self.since += entry.at - self.paused_at

    def _closed(self, entry: e.Closed) -> None:
        self.state, self.reason = "closed", entry.reason

    def _said(self, entry: e.Said) -> None:
        name = "" if entry.seat is None else self.chairs[entry.seat].name
        self.chat.append((entry.seat, name, entry.text, entry.at))

    def _rematch(self, entry: e.Rematch) -> None:
        self.rematch = entry.table


FOLDS: dict[type, Callable[[Table, Any], None]] = {
    e.Made: Table._made, e.Sat: Table._sat, e.Rose: Table._rose, e.Asked: Table._asked, e.Revealed: Table._revealed,
    e.Begun: Table._begun, e.Moved: Table._advance, e.Ruled: Table._advance, e.Window: Table._window,
    e.Heat: Table._heat, e.Voted: Table._voted, e.Wished: Table._wished, e.Agreed: Table._agreed,
    e.Resigned: Table._resigned, e.Away: Table._away, e.Back: Table._back, e.Paused: Table._paused,
    e.Closed: Table._closed, e.Said: Table._said, e.Rematch: Table._rematch,
}  # fmt: skip

