"""A table: the fold of its journal over a game. It knows no clock, no socket and no store; it is told entries.

`Table.read` folds a whole journal, `apply` adds one entry. What may be done at a table, and which entry that makes,
is in `house.py`; what a seat sees of it in `sights.py`.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from spellheist.core import record
from spellheist.core.dice import Fair
from spellheist.core.game import Game, Refused, find
from spellheist.core.kernel import plain
from spellheist.core.play import Play, Ply, new
from spellheist.core.state import ANYONE
from spellheist.server.race.arbiter import LAST, marks_of
from spellheist.server.table import journal as e

RECENT = 40  # plies whose states are kept, for news
LINES = 50  # of chat that are kept
IDS = 64  # messages of a seat that are remembered, so that none is carried out twice
REVEAL = 15_000  # milliseconds in which promised words must be revealed
CONSENT = 60_000  # milliseconds in which the others can answer a proposal


log = logging.getLogger("spellheist")


class Differs(Exception):
    """The journal no longer gives the states that it once gave; the sentence says why."""


class Unreadable(Refused):
    """Not even the first entry of a journal can be read, so nothing is known of the table."""


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
class Proposal:
    """What somebody asks the others to agree to, and who has not answered yet."""

    what: str  # remove, pause or close
    by: int  # a seat, or below 0 a host without one
    about: int | None
    since: int
    waits_for: list[int]

    @property
    def until(self) -> int:
        """Whoever has not answered by then is not there."""
        return self.since + CONSENT


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
        self.since = 0  # when the clock began to run for the present question, or went on
        self.spent = 0  # milliseconds that were spent on it before that
        self.took: dict[int, int] = {}  # the milliseconds that each of the latest plies took
        self.left_out: list[int] = []
        self.truth = b""
        self.recent: deque[bytes] = deque(maxlen=RECENT)  # the states before the latest plies
        self.chat: deque[tuple[int | None, str, str, int]] = deque(maxlen=LINES)
        self.did: dict[int, dict[int, int]] = {}  # seat: {id: ply}
        self.said = 0  # lines of chat so far
        self.wish: Wish | None = None
        self.proposal: Proposal | None = None
        self.refused_at: int | None = None  # when the others last refused a proposal
        self.removed: dict[str, list[str]] = {}  # by the host: the hash of a token, and the names that it sat under
        self.rematch: str | None = None
        self.result: list[float] | None = None  # the shares, once it is decided
        self.presses: list[e.Pressed] = []  # at the present ply
        self.attempts: dict[int, deque[e.Pressed]] = {}  # the latest of each seat in the live window
        self.least: dict[int, float] = {}  # the smallest round trip that each seat has shown there
        self.marks: dict[int, list[str]] = {}  # of each seat: what no person or no honest line shows
        self.heat: Heat | None = None
        self.revealed = b"", 0, False  # a state, a move that was made there, and whether that told anybody something
        self.skipping = False  # before the entry of the snapshot: no rules are run
        self.check = 0  # the checksum that the journal gives the state, while skipping
        self.broken = ""  # why the journal cannot be read to its end: nothing of the game is shown then

    @classmethod
    def read(cls, name: str, bodies: list[bytes], snapshot: tuple[int, bytes] | None = None) -> Table:
        """The table of a journal. One that cannot be read to its end, or no longer agrees with the rules, is frozen,
        with a sentence. A snapshot that does not fit the journal is left aside."""
        table = cls(name)
        try:
            upto = snapshot[0] if snapshot else 0
            table.skipping = upto > 0
            for body in bodies:
                table.apply(e.decode(body))
                if table.skipping and table.count == upto:
                    assert snapshot
                    table.stand_at(snapshot[1])
            if table.skipping:
                raise Differs("The snapshot is of an entry that is not there.")
        except Exception as error:
            if snapshot:
                return cls.read(name, bodies)
            table.freeze(error, bodies[table.count + 1 :])
        return table

    def freeze(self, error: Exception, rest: list[bytes]) -> None:
        """The game cannot be folded any further. Who sits here, and whether it was closed, is still read from the rest."""
        self.count += 1
        sentence = str(error) if isinstance(error, Differs) else why_broken(error, self.count)
        if not isinstance(error, Differs | e.Damaged):
            log.error("an entry could not be taken in", exc_info=error)
        if not hasattr(self, "dice"):
            raise Unreadable(sentence) from error
        self.state, self.reason, self.broken = "frozen", sentence, sentence
        self.wish = self.proposal = self.heat = None  # nothing is asked here any more
        for body in rest:
            count = self.count
            with suppress(Exception):
                entry = e.decode(body)
                if isinstance(entry, AFTER_ALL):
                    self.apply(entry)
            self.count = count + 1

    def stand_at(self, truth: bytes) -> None:
        if e.checksum(truth) != self.check:
            raise Differs("The snapshot is another one than that of this journal.")
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
            asker = getattr(entry, "asker", None)
            done = self.did.setdefault(entry.seat if asker is None else asker, {})
            done[number] = self.play.ply
            if len(done) > IDS:
                del done[next(iter(done))]

    # Questions.

    @property
    def seats(self) -> int:
        return self.made.seats

    @property
    def begun(self) -> bool:
        return bool(self.truth) and not self.broken

    @property
    def over(self) -> bool:
        return self.result is not None

    @property
    def public(self) -> bool:
        """May anybody with the link be here?"""
        return self.made.watchers or self.state in ("gathering", "over", "closed")

    @property
    def commitment(self) -> str:
        return self.dice.commitment

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.chairs]

    def seats_of(self, token: str) -> list[int]:
        """The seats where somebody plays or has played."""
        return [seat for seat, chair in enumerate(self.chairs) if token and chair.token == token]

    def holds(self, seat: int, token: str) -> bool:
        """Is this seat theirs? Who has given it up for good holds it no longer."""
        chair = self.chairs[seat]
        return bool(token) and chair.token == token and not chair.final

    def held_by(self, token: str) -> list[int]:
        return [seat for seat in range(self.seats) if self.holds(seat, token)]

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

    def ticking(self) -> bool:
        """Does somebody's clock run? That of a person who is away stands still: a bot plays."""
        if self.state != "playing" or self.made.clock.kind == "none":
            return False
        asked = self.play.turn
        return asked >= 0 and self.chairs[asked].person

    def used(self, now: int) -> int:
        """The milliseconds that whoever is asked has spent on the present question."""
        return self.spent + max(0, now - self.since) if self.ticking() else self.spent

    def deadline(self) -> int | None:
        """When the person who is asked runs out of time."""
        return self.since + 1000 * self.made.clock.seconds - self.spent if self.ticking() else None

    def due(self) -> int | None:
        """When something happens here by itself, whoever is connected."""
        if self.state == "promising":
            return self.asked_at + REVEAL
        times = [self.deadline(), self.proposal.until if self.proposal else None]
        return min((time for time in times if time is not None), default=None)

    def consenting(self, token: str, about: int | None) -> list[int]:
        """Whom somebody has to ask before a running game is paused or closed, or the seat `about` is no longer its
        person's: a seat of everybody else who plays. The person concerned is asked only where there is nobody else."""
        found: dict[str, int] = {}
        for seat, chair in enumerate(self.chairs):
            if chair.person and chair.token and chair.token != token:
                found.setdefault(chair.token, seat)
        concerned = "" if about is None else self.chairs[about].token
        return [seat for who, seat in found.items() if who != concerned] or list(found.values())

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
        self.asked_at = entry.t

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
        self._time(entry)
        self.presses, self.heat, self.wish = [], None, None
        if self.skipping:
            self.play.plies += map(Ply._make, entry.plies)
            self.check = entry.check
            return
        self._repeat(entry.plies)
        if e.checksum(self.truth) != entry.check:
            raise Differs(f"{self.game.title} no longer plays as it did when this game was begun, so it cannot go on.")
        self.finish_if_over()

    def _repeat(self, plies: e.Plies) -> None:
        *between, self.truth = [self.truth, *self.play.repeat_all(plies)]
        self.recent.extend(between)

    def _time(self, entry: Any) -> None:
        """The clock of the next question begins; what this one took is kept, should it be taken back."""
        if isinstance(entry, e.Moved):
            if entry.spent:
                self.took[len(self.play.plies)] = entry.spent
                if len(self.took) > RECENT:
                    del self.took[next(iter(self.took))]
            if entry.late:
                name = self.chairs[entry.seat].name
                self._say(f"{name} ran out of time, so a bot made this move.", entry.at)
        self.since, self.spent = entry.t, 0

    def finish_if_over(self) -> None:
        if self.play.over:
            self._end("over", self.play.score())

    def _end(self, state: str, result: list[float] | None) -> None:
        self.state, self.result = state, result
        self.wish = self.proposal = None

    def _window(self, entry: e.Pressed) -> None:
        self.presses.append(entry)
        if not entry.fresh:
            return
        attempts = self.attempts.setdefault(entry.seat, deque(maxlen=LAST))
        attempts.append(entry)
        least = self.least[entry.seat] = min(entry.least, self.least.get(entry.seat, entry.least))
        marks = self.marks.setdefault(entry.seat, [])
        marks += [mark for mark in marks_of(attempts, least) if mark not in marks]

    def _heat(self, entry: e.Heat) -> None:
        self.heat = Heat(entry.ply, entry.seats, entry.until if entry.t else 0)  # older ones were by the time of day

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
        self.since, self.spent = entry.t, self.took.get(to, 0)
        kept = self.play.plies[:to]
        if self.skipping:
            self.play.plies = kept
            self.check = entry.check
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
        self._end("over", [1 / len(left) if seat in left else 0.0 for seat in range(self.seats)])
        name = self.chairs[entry.seat].name
        self.reason = f"{name} ran out of time." if entry.late else f"{name} resigned."

    def _away(self, entry: e.Away) -> None:
        chair = self.chairs[entry.seat]
        chair.away, chair.level, chair.final = True, entry.level, entry.final
        self.since, self.spent = entry.t, entry.spent
        if entry.by_host:
            self._remove(chair)
        if self.wish and entry.seat in (self.wish.by, *self.wish.waits_for):
            self.wish = None
        proposal = self.proposal
        if proposal and (entry.by_host or (entry.final and entry.seat in (proposal.by, proposal.about))):
            self.proposal = None
        elif proposal and entry.seat in proposal.waits_for:
            proposal.waits_for.remove(entry.seat)

    def _back(self, entry: e.Back) -> None:
        self.chairs[entry.seat].away = False
        self.since, self.spent = entry.t, entry.spent

    def _proposed(self, entry: e.Proposed) -> None:
        token = self.made.host if entry.seat < 0 else self.chairs[entry.seat].token
        self.proposal = Proposal(entry.what, entry.seat, entry.about, entry.t, self.consenting(token, entry.about))
        self.wish = None

    def _answered(self, entry: e.Answered) -> None:
        if self.proposal is None:
            return
        if not entry.yes:
            self.proposal, self.refused_at = None, entry.t
            self._say(f"{self.chairs[entry.seat].name} does not agree.", entry.at)
        elif entry.seat in self.proposal.waits_for:
            self.proposal.waits_for.remove(entry.seat)

    def _paused(self, entry: e.Paused) -> None:
        self.state = "paused" if entry.on else "playing"
        self.since, self.spent = entry.t, entry.spent
        self.proposal = None

    def _closed(self, entry: e.Closed) -> None:
        self._end("closed", self.result)
        self.reason = entry.reason

    def _said(self, entry: e.Said) -> None:
        self._say(entry.text, entry.at, entry.seat)

    def _say(self, text: str, at: int, seat: int | None = None) -> None:
        """A line of chat; with no seat it is the table's own word."""
        self.chat.append((seat, "" if seat is None else self.chairs[seat].name, text, at))
        self.said += 1

    def _rematch(self, entry: e.Rematch) -> None:
        self.rematch = entry.table


FOLDS: dict[type, Callable[[Table, Any], None]] = {
    e.Made: Table._made, e.Sat: Table._sat, e.Rose: Table._rose, e.Asked: Table._asked, e.Revealed: Table._revealed,
    e.Begun: Table._begun, e.Moved: Table._advance, e.Ruled: Table._advance, e.Pressed: Table._window,
    e.Heat: Table._heat, e.Voted: Table._voted, e.Wished: Table._wished, e.Agreed: Table._agreed,
    e.Resigned: Table._resigned, e.Away: Table._away, e.Back: Table._back, e.Proposed: Table._proposed,
    e.Answered: Table._answered, e.Paused: Table._paused, e.Closed: Table._closed,
    e.Said: Table._said, e.Rematch: Table._rematch,
}  # fmt: skip

AFTER_ALL = (e.Sat, e.Rose, e.Away, e.Back, e.Closed, e.Rematch)  # count also where what is before cannot be read


def why_broken(error: Exception, number: int) -> str:
    what = str(error) if isinstance(error, e.Damaged) else "does not fit together"
    return f"This table's journal {what} at entry {number}, so it cannot go on."
