"""The journal: what a table is made of. A table is the fold of its entries, and nothing else. What an entry is, and what it
does to a table, stands with its class in `actions/`; this is what all of them share.

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
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

import msgspec

from spellheist.core.play import Ahead

if TYPE_CHECKING:
    from spellheist.server.table.table import Table

Plies = Sequence[tuple[int, int, int]]
Told = Literal["plies", "window", "table", "views"]
MARK, DIGITS = b" #", 8  # before the checksum of an entry, and how long that is


class Entry(msgspec.Struct, tag_field="e", omit_defaults=True, frozen=True, kw_only=True):
    """One line of a journal. Its class says what it does, and what everybody is told after it: `plies`, what has changed
    for each seat; `window`, what has happened in the live window; `table`, all there is around the game; `views`, the game
    from each seat, whole. New lines of chat are always told."""

    tells: ClassVar[tuple[Told, ...]] = ("table",)
    survives: ClassVar[bool] = False  # it counts also where what is before it cannot be read
    when_broken: ClassVar[bool] = False  # it can be made at such a table

    at: int = 0
    t: int = 0

    def apply(self, table: Table) -> None:
        """Change the table. Those that move the game on take what was played ahead as well."""
        raise NotImplementedError

    def holders(self) -> tuple[tuple[str, int], ...]:
        """Who has taken a seat by this: the hash of a token and the seat."""
        return ()


class Decided(NamedTuple):
    """An entry that moves the game on, and what was played ahead to decide on it, so that no rule is run twice."""

    entry: Entry
    ahead: Ahead


Decision = Entry | Decided | None  # None: there is nothing to do


class Damaged(Exception):
    """What was stored cannot be read; the end of a sentence says why."""


checksum: Callable[[bytes], int] = zlib.crc32  # of the bytes of a state
_encoder = msgspec.json.Encoder()


def encode(entry: Entry) -> bytes:
    text = _encoder.encode(entry)
    return b"%b%b%08x" % (text, MARK, zlib.crc32(text))


def unsealed(body: bytes) -> tuple[bytes, bool]:
    """The JSON of an entry as it was stored, and whether it had a checksum; damaged if its bytes are not those that were
    written."""
    if not isinstance(body, bytes):
        raise Damaged("is damaged")
    sealed = body[-len(MARK) - DIGITS : -DIGITS] == MARK
    text = body[: -len(MARK) - DIGITS] if sealed else body
    if sealed and body[-DIGITS:] != b"%08x" % zlib.crc32(text):
        raise Damaged("is damaged")
    return text, sealed


def deck_hash(first: bytes) -> str:
    """Of the state before the first ply: it holds the options and the deck."""
    return hashlib.sha256(first).hexdigest()[:16]
