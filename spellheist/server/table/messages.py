"""Messages between page and server: what all of them share, and those from the server that are of no single feature. All
others stand with what they do in `actions/`. `docs/protocol.md` is the list of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from spellheist.server.table.journal import Decision

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live
    from spellheist.server.table.table import Table

LARGEST = 4096  # bytes of a message from a page
HOST = -1  # the seat of a host who has none

Id = Annotated[int, Meta(ge=1, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
Number = Annotated[int, Meta(ge=0, le=10**6)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


# From the page, over the socket.


class Who(Enum):
    """Who may send a message."""

    SEATED = "seats"
    HOST = "seats, host"  # also one without a seat
    ANYBODY = "anybody"


class Asker(NamedTuple):
    """Who asks for something: the seat, or HOST, and the hash of the token."""

    seat: int
    token: str


class AlreadyDone(Exception):
    """This message was carried out before."""

    def __init__(self, ply: int) -> None:
        self.ply = ply


class Message(msgspec.Struct, tag_field="t", frozen=True, kw_only=True):
    """Something that a page says. Its class says who may say it, what it costs and what it does; the docstring and the
    fields are what `docs/protocol.md` says of it."""

    who: ClassVar[Who] = Who.SEATED
    cost: ClassVar[float] = 1  # of what an address may send, in messages
    seat_limit: ClassVar[str] = ""  # another limit that it counts for, of its seat
    address_limit: ClassVar[str] = ""  # and of its address
    answers_ply: ClassVar[bool] = False  # if it is refused because the game has moved on, the page is sent the whole view

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        """Do what is asked. Is it still to be answered?"""
        raise NotImplementedError


class Request(Message, frozen=True):
    """A message that changes the table: it is carried out once, however often it is sent, and answered."""

    id: Id

    def decide(self, table: Table, asker: Asker, now: int) -> Decision:
        """The entry that this makes at a table, or a refusal with a sentence. Nothing changes here."""
        raise NotImplementedError

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        return await live.once(connection, self.id, self.decide)


def said(error: msgspec.ValidationError) -> str:
    """What is wrong, without the value."""
    text = str(error)
    return text[0].lower() + text[1:] if len(text) <= 160 else "it has a wrong part"


# From the server, over the socket.


class Out(msgspec.Struct, tag_field="t", frozen=True, kw_only=True):
    """Something that the server says. The docstring and the fields are what `docs/protocol.md` says of it."""


class ChairOut(msgspec.Struct, frozen=True):
    kind: str
    name: str
    level: str
    here: bool
    side: int
    away: bool = False
    marks: list[str] = []  # of the live window, told to those who sit at the table


class ProposalOut(msgspec.Struct, frozen=True):
    """What the others are asked to agree to."""

    what: str
    by: int | None
    about: int | None
    waits_for: list[int]
    left: int


class TableOut(Out, tag="table", frozen=True):
    """Everything around the game; sent first, and again whenever something in it changes but `here` and `watching`."""

    table: str
    game: str
    title: str
    seats: int
    seat: int | None
    mine: list[int]
    settings: dict[str, str]
    state: str
    host: bool
    commitment: str
    names: list[str]
    chairs: list[ChairOut]
    clock: dict[str, Any]
    watchers: bool
    watching: int
    hints: bool
    leavers: str
    undo: dict[str, Any] | None
    proposal: ProposalOut | None
    rematch: str | None
    reason: str | None
    left_out: list[int]
    removed: list[str]


class HereOut(Out, tag="here", frozen=True):
    """Who is connected now, for each chair, and how many watch; told together for all who came and went within
    half a second."""

    here: list[bool]
    watching: int


News = tuple[int, int, str, int]  # who, move, sentence, the ply after it
Next = tuple[int, int, str]  # the same, of the ply after the one before


class ViewOut(Out, tag="view", frozen=True):
    """The whole view of this seat; after `table` once the game has begun, when the page asks with `whole`, and after
    whatever is not a ply (an undo, a pause, somebody leaving)."""

    ply: int
    view: dict[str, Any]
    turn: int
    asked: list[int]
    question: str
    moves: list[tuple[int, str]]
    rules: list[str]
    news: list[News]
    over: bool
    score: list[float] | None
    standings: list[str]
    left: int | None


class PliesOut(Out, tag="plies", frozen=True):
    """What has changed since the view at ply `base`. A page whose ply is not `base` asks for the whole."""

    base: int
    ply: int
    change: list[int]
    news: list[News | Next]
    asked: list[int] | UnsetType = UNSET
    question: str | UnsetType = UNSET
    moves: list[tuple[int, str]] | UnsetType = UNSET
    rules: list[str] | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    score: list[float] | UnsetType | None = UNSET
    standings: list[str] | UnsetType = UNSET
    left: int | UnsetType | None = UNSET
    show: bool | UnsetType = UNSET
    did: int | UnsetType = UNSET


class DidOut(Out, tag="did", frozen=True):
    """The message `id` was carried out (also when it was sent twice), where no `plies` says so."""

    id: int
    ply: int


class RefusedOut(Out, tag="refused", frozen=True):
    """The message `id` was not carried out, and nothing has changed. A stale move is also answered with the whole view."""

    id: int | None
    sentence: str
    rule: str | None
    ply: int


write: Callable[[Out], bytes] = msgspec.json.Encoder().encode


def changed(view: dict[str, Any], change: list[int]) -> dict[str, Any]:
    """A view after a change: runs of numbers, each with the place of the first and how many they are. This is for
    clients in Python; the page has its own."""
    news: dict[int, int] = {}
    while change:
        place, count, *rest = change
        news |= {place + k: number for k, number in enumerate(rest[:count])}
        change = rest[count:]
    places = itertools.count()

    def now(value: Any) -> Any:
        return [now(one) for one in value] if isinstance(value, list) else news.get(next(places), value)

    return {field: now(value) for field, value in view.items()}
