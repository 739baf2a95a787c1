"""Entries: what a table's journal is made of. A table is the fold of its entries, and nothing else.

Every entry has two times, stamped when it is written: `at`, the time of day in milliseconds since 1970, which is shown
to people and decides nothing; and `t`, the milliseconds that the service has run, on which clocks are counted. Entries
of older versions have no `t`. Entries that move the game on, or stop or start a clock, tell in `spent` how long whoever is
asked has thought about the present question so far; tables without a clock have none.

Entries that somebody at the table asked for carry the seat and the number `id` that the page gave the message, so that a
message sent twice is carried out once. Entries that move the game on have its plies, each `(who, move, seen_by)`, and
the checksum of the state after them.

An entry is stored as its JSON, then ` #` and eight digits: the CRC-32 of that JSON. Entries of earlier versions have
none, and are taken as they are.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

Plies = Sequence[tuple[int, int, int]]
MARK, DIGITS = b" #", 8  # before the checksum of an entry, and how long that is


class Entry(msgspec.Struct, tag_field="e", omit_defaults=True, frozen=True, kw_only=True):
    """One line of a journal."""

    at: int = 0
    t: int = 0


class Seating(msgspec.Struct, omit_defaults=True, frozen=True):
    """A chair as the table was made: who is to sit there."""

    kind: Literal["person", "bot", "open"]
    name: str = ""
    level: str = ""
    token: str = ""  # the hash of the person's token
    promise: str = ""


class Clock(msgspec.Struct, omit_defaults=True, frozen=True):
    """How long a move may take."""

    kind: Literal["none", "move", "days"] = "none"
    seconds: int = 0


class Made(Entry, tag="made", frozen=True):
    """The table: always the first entry."""

    game: str
    seats: int
    settings: dict[str, str]
    signature: str  # of the rules, when the table was made
    deck: str  # the hash of what is in the state before the first ply
    secret: str
    host: str  # the hash of the token of whoever made the table
    chairs: list[Seating]
    clock: Clock = Clock()
    listed: bool = False
    watchers: bool = True
    hints: bool = False
    leavers: Literal["bot", "wait"] = "bot"
    compensation: int = 300  # of the live window: the most milliseconds of lag that are ever taken off


class Sat(Entry, tag="sat", frozen=True):
    seat: int
    name: str
    token: str
    promise: str = ""


class Rose(Entry, tag="rose", frozen=True):
    """A person gave up a seat before the game began, or was sent away by the host."""

    seat: int
    id: int = 0
    by_host: bool = False
    asker: int | None = None  # the seat whose message `id` is, where it is another one


class Asked(Entry, tag="asked", frozen=True):
    """The host asked for the start; pages now reveal their words."""

    seat: int
    id: int


class Revealed(Entry, tag="revealed", frozen=True):
    seat: int
    words: str


class Begun(Entry, tag="begun", frozen=True):
    """The dice are made; `left_out` are those who promised words and did not reveal them in time."""

    words: list[str]
    left_out: list[int]
    plies: Plies
    check: int


class Moved(Entry, tag="moved", frozen=True):
    """A decision with the chance plies that follow it."""

    seat: int
    plies: Plies
    check: int
    id: int = 0
    by: str = ""  # the bot that decided, where it was not the person
    late: bool = False  # because the person's time was over
    spent: int = 0


class Pressed(Entry, tag="window", frozen=True):
    """The live window: a press as it was measured, all in milliseconds."""

    seat: int
    ply: int
    move: int
    elapsed: float  # from the cue to the arrival
    reaction: float | None  # what the page says
    rtt: float
    allowance: float
    score: float
    bucket: float  # in old entries: what was left of the lag that was believed beyond the allowance; now 0
    clamped: bool = False  # more lag was claimed than allowed
    early: bool = False  # a false start
    flagged: bool = False  # in old entries: this seat had claimed too much in most of its presses
    least: float = 0  # the smallest round trip of its pings, but one
    recent: float = 0  # what its latest pings took
    fresh: bool = False  # a person's attempt to steal in answer to the roll, when nobody had thrown a die at it yet
    late: bool = False  # over a line that was opened after the cue: its reaction is no claim
    id: int = 0


class Heat(Entry, tag="heat", frozen=True):
    """A dead heat: these seats pressed at the same instant, and the others vote."""

    ply: int
    seats: list[int]
    until: int


class Voted(Entry, tag="voted", frozen=True):
    seat: int
    ply: int
    choice: int  # a seat, or -1: undecided
    id: int = 0


class Ruled(Entry, tag="ruled", frozen=True):
    """The ruling on the presses at a ply: the plies it makes, in order, and how it came about."""

    ply: int
    plies: Plies
    check: int
    verdicts: list[dict[str, Any]]


class Wished(Entry, tag="wished", frozen=True):
    """Somebody asks to take the last own move back, to before ply `to`; `done` when nobody else has to agree."""

    seat: int
    id: int
    to: int
    done: bool = False
    check: int = 0


class Agreed(Entry, tag="agreed", frozen=True):
    """An answer to that; `done` when it was the last one needed."""

    seat: int
    id: int
    yes: bool
    done: bool = False
    check: int = 0


class Resigned(Entry, tag="resigned", frozen=True):
    """With two sides: a person gave up, or ran out of time, and the game is lost for that side."""

    seat: int
    id: int = 0
    late: bool = False


class Away(Entry, tag="away", frozen=True):
    """A bot plays for a person from here on; `final` when the person cannot come back."""

    seat: int
    level: str
    final: bool = False
    by_host: bool = False  # removed by others
    asker: int | None = None  # the seat whose message `id` is, where it is another one
    id: int = 0
    spent: int = 0


class Back(Entry, tag="back", frozen=True):
    """The person plays again."""

    seat: int
    spent: int = 0


class Proposed(Entry, tag="proposed", frozen=True):
    """Somebody asks the others to agree to what nobody decides alone while people play."""

    what: Literal["remove", "pause", "close"]
    seat: int
    id: int
    about: int | None = None  # the seat that is to be removed


class Answered(Entry, tag="answered", frozen=True):
    """One of the others agrees to a proposal, or does not, and that is its end."""

    seat: int
    id: int
    yes: bool
    asker: int | None = None  # the seat whose message `id` is, where somebody has several


class Paused(Entry, tag="paused", frozen=True):
    on: bool
    seat: int = 0
    id: int = 0
    spent: int = 0


class Closed(Entry, tag="closed", frozen=True):
    reason: str
    seat: int = 0
    id: int = 0


class Said(Entry, tag="said", frozen=True):
    """Chat, or with no seat the table's own word."""

    text: str
    seat: int | None = None
    id: int = 0


class Rematch(Entry, tag="rematch", frozen=True):
    """The same people go on at another table."""

    table: str
    seat: int = 0
    id: int = 0


AnyEntry = (
    Made | Sat | Rose | Asked | Revealed | Begun | Moved | Pressed | Heat | Voted | Ruled | Wished | Agreed
    | Resigned | Away | Back | Proposed | Answered | Paused | Closed | Said | Rematch
)  # fmt: skip

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEntry)


class Damaged(Exception):
    """What was stored cannot be read; the end of a sentence says why."""


def encode(entry: Entry) -> bytes:
    text = _encoder.encode(entry)
    return b"%b%b%08x" % (text, MARK, zlib.crc32(text))


def decode(body: bytes) -> Any:
    """An entry as it was stored; damaged if its bytes are not those that were written."""
    if not isinstance(body, bytes):
        raise Damaged("is damaged")
    sealed = body[-len(MARK) - DIGITS : -DIGITS] == MARK
    text = body[: -len(MARK) - DIGITS] if sealed else body
    if sealed and body[-DIGITS:] != b"%08x" % zlib.crc32(text):
        raise Damaged("is damaged")
    try:
        return _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Damaged("is not understood by this version" if sealed else "is damaged") from None


def checksum(state: bytes) -> int:
    """Of the bytes of a state."""
    return zlib.crc32(state)


def deck_hash(first: bytes) -> str:
    """Of the state before the first ply: it holds the options and the deck."""
    return hashlib.sha256(first).hexdigest()[:16]
