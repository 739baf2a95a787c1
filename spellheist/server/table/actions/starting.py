"""Starting: the host asks for it, pages reveal the words that they promised, and the dice are made of them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from spellheist.core.dice import Fair
from spellheist.core.play import Ahead
from spellheist.core.record import clean
from spellheist.core.refused import Refused
from spellheist.core.speech import listed
from spellheist.server.table.journal import Decided, Entry, Plies, checksum
from spellheist.server.table.messages import Asker, Message, Request, SeatNumber, Who
from spellheist.server.table.rights import host, mine
from spellheist.server.table.table import REVEAL, Table

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live


class StartRequested(Entry, tag="asked", frozen=True):
    """The host asked for the start; pages now reveal their words."""

    seat: int
    id: int

    def apply(self, table: Table) -> None:
        table.state = "promising"
        table.promising_since = self.t


class Revealed(Entry, tag="revealed", frozen=True):
    """Somebody's words are known."""

    seat: int
    words: str

    def apply(self, table: Table) -> None:
        table.chairs[self.seat].words = self.words


class Begun(Entry, tag="begun", frozen=True):
    """The dice are made; `left_out` are those who promised words and did not reveal them in time."""

    tells = ("table", "views")

    words: list[str]
    left_out: list[int]
    plies: Plies
    check: int

    def apply(self, table: Table, ahead: Ahead | None = None) -> None:
        table.state = "playing"
        table.left_out = self.left_out
        table.dice = Fair(bytes.fromhex(table.made.secret), self.words)
        table.truth = table.play.bytes
        table.advance(self.plies, self.check, self.t, ahead)


class Start(Request, tag="start", frozen=True):
    """The host starts once all sit."""

    who = Who.HOST

    def decide(self, table: Table, asker: Asker, now: int) -> StartRequested:
        host(table, asker.token)
        if table.state != "gathering":
            raise Refused("The game has already begun.")
        free = [str(k) for k, chair in enumerate(table.chairs) if chair.kind == "open"]
        if free:
            raise Refused(f"{f'Seat {free[0]} is' if len(free) == 1 else f'Seats {listed(free)} are'} still free.")
        return StartRequested(seat=asker.seat, id=self.id)


class Reveal(Message, tag="reveal", frozen=True):
    """The contribution to the dice that `promise` is the SHA-256 of (hex, of the UTF-8 text): one printable line of at most
    200 letters without `|`, without spaces at its ends or doubled."""

    words: Annotated[str, Meta(min_length=1, max_length=200)]
    seat: SeatNumber | None = None

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        seat: int = connection.seat if self.seat is None else self.seat  # type: ignore[assignment]
        if seat < live.table.seats and live.table.chairs[seat].words == self.words:
            return False
        await live.carry_out(lambda table, now: reveal(table, seat, connection.token, self.words))
        return False


def reveal(table: Table, seat: int, token: str, words: str) -> Revealed:
    """The words that were promised."""
    mine(table, seat, token)
    if table.state != "promising":
        raise Refused("Words are revealed when the game begins.")
    chair = table.chairs[seat]
    if chair.words:
        raise Refused("These words are already known.")
    if clean(words) != words or not words.isprintable():
        raise Refused("The words must be one line, without | and without leading, trailing or double spaces.")
    if hashlib.sha256(words.encode()).hexdigest() != chair.promise:
        raise Refused("These are not the words that were promised: their SHA-256 differs.")
    return Revealed(seat=seat, words=words)


def begin(table: Table, now: int) -> Decided | None:
    """The first plies, when all words are there or the time for them is over."""
    waiting = [k for k, chair in enumerate(table.chairs) if chair.promise and not chair.words]
    if waiting and now < table.promising_since + REVEAL:
        return None
    words = [chair.words for chair in table.chairs if chair.words]
    ahead = table.play.ahead(Fair(bytes.fromhex(table.made.secret), words))
    return Decided(Begun(words=words, left_out=waiting, plies=ahead.plies, check=checksum(ahead.end)), ahead)
