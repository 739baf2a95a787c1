"""A table: what its journal tells of it. It knows no clock, no socket and no store; it is told entries.

What may be done at a table, which entry that makes and what the entry does to the table is in `actions/`; how a whole
journal is read in `reading.py`; what a seat sees of it in `views.py`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spellheist.core import record
from spellheist.core.dice import Fair
from spellheist.core.game import Game
from spellheist.core.kernel import plain
from spellheist.core.memory import Ply
from spellheist.core.play import Ahead, Play
from spellheist.core.state import ANYONE, OVER
from spellheist.server.table.journal import Plies, checksum

if TYPE_CHECKING:
    from spellheist.server.table.actions.making import Made
    from spellheist.server.table.actions.pressing import DeadHeat, Pressed
    from spellheist.server.table.actions.proposing import Proposal
    from spellheist.server.table.actions.taking_back import Wish

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


class Table:
    """A table as its journal tells it."""

    made: Made
    game: Game
    seats: int
    play: Play
    chairs: list[Chair]
    dice: Fair

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0  # entries
        self.state = "gathering"
        self.reason: str | None = None
        self.updated = 0
        self.promising_since = 0  # when the start was requested
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
        self.presses: list[Pressed] = []  # at the present ply
        self.attempts: dict[int, deque[Pressed]] = {}  # the latest of each seat in the live window
        self.least: dict[int, float] = {}  # the smallest round trip that each seat has shown there
        self.marks: dict[int, list[str]] = {}  # of each seat: what no person or no honest line shows
        self.heat: DeadHeat | None = None
        self.skipping = False  # before the entry of the snapshot: no rules are run
        self.check = 0  # the checksum that the journal gives the state, while skipping
        self.broken = ""  # why the journal cannot be read to its end: nothing of the game is shown then

    def apply(self, entry: Any, ahead: Ahead | None = None) -> None:
        """Add an entry; given what was played ahead to decide on it, no rule is run again."""
        if ahead is None:
            entry.apply(self)
        else:
            entry.apply(self, ahead)  # those that move the game on take it
        self.count += 1
        self.updated = entry.at
        number = getattr(entry, "id", 0)
        if number:  # that of the message which is carried out by this
            asker = getattr(entry, "asker", None)
            done = self.did.setdefault(entry.seat if asker is None else asker, {})
            done[number] = self.play.ply
            if len(done) > IDS:
                del done[next(iter(done))]

    # Questions.

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
        turn = self.play.turn
        return turn >= 0 and self.chairs[turn].person

    def used(self, now: int) -> int:
        """The milliseconds that whoever is asked has spent on the present question."""
        return self.spent + max(0, now - self.since) if self.ticking() else self.spent

    def deadline(self) -> int | None:
        """When the person who is asked runs out of time."""
        clock = self.made.clock
        return self.since + 1000 * clock.seconds - self.spent if clock.kind != "none" and self.ticking() else None

    def due(self) -> int | None:
        """When something happens here by itself, whoever is connected."""
        if self.state == "promising":
            return self.promising_since + REVEAL
        due = self.deadline()
        if self.proposal and (due is None or self.proposal.until < due):
            due = self.proposal.until
        return due

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

    # What entries do to it.

    def name_chairs(self) -> None:
        self.play.names = [chair.name or f"Seat {seat}" for seat, chair in enumerate(self.chairs)]

    def remove(self, chair: Chair) -> None:
        """The chair is no longer that person's, whose page can say why."""
        self.removed.setdefault(chair.token, []).append(chair.name)
        chair.token = ""

    def advance(self, plies: Plies, check: int, t: int, ahead: Ahead | None) -> None:
        """Make these plies; the clock of the next question begins."""
        self.since, self.spent = t, 0
        self.presses, self.heat, self.wish = [], None, None
        if self.skipping:
            self.play.plies += map(Ply._make, plies)
            self.check = check
            return
        self.follow(plies, check, ahead)
        if self.play.turn == OVER:
            self.end("over", self.play.score())

    def follow(self, plies: Plies, check: int, ahead: Ahead | None = None) -> None:
        """Go on to where these plies lead, which must be where they once led."""
        states = self.play.go_ahead(ahead) if ahead else self.play.repeat_all(plies)
        *between, self.truth = [self.truth, *states]
        self.recent.extend(between)
        if checksum(self.truth) != check:
            raise Differs(f"{self.game.title} no longer plays as it did when this game was begun, so it cannot go on.")

    def go_back(self, to: int, t: int, check: int) -> None:
        """Take back all plies but the first so many; what the question there took before stays spent."""
        self.since, self.spent = t, self.took.get(to, 0)
        kept = self.play.plies[:to]
        if self.skipping:
            self.play.plies = kept
            self.check = check
            return
        self.play.start()
        self.recent.clear()
        self.truth = self.play.bytes
        self.follow(kept, check)

    def end(self, state: str, result: list[float] | None) -> None:
        self.state, self.result = state, result
        self.wish = self.proposal = None

    def say(self, text: str, at: int, seat: int | None = None) -> None:
        """A line of chat; with no seat it is the table's own word."""
        self.chat.append((seat, "" if seat is None else self.chairs[seat].name, text, at))
        self.said += 1
