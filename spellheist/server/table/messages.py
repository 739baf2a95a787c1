"""Messages between page and server, as `docs/protocol.md` says: what they hold, how they are read and written."""

from __future__ import annotations

import itertools
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from spellheist.core.game import Refused

LARGEST = 4096  # bytes of a message from a page

Id = Annotated[int, Meta(ge=1, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=9)]
Number = Annotated[int, Meta(ge=0, le=10**6)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


# From the page, over the socket.


class Message(msgspec.Struct, tag_field="t", frozen=True, kw_only=True):
    pass


class Move(Message, tag="move", frozen=True):
    id: Id
    ply: Number
    move: Number


class Whole(Message, tag="whole", frozen=True):
    pass


class Start(Message, tag="start", frozen=True):
    id: Id


class Reveal(Message, tag="reveal", frozen=True):
    words: Annotated[str, Meta(min_length=1, max_length=200)]
    seat: SeatNumber | None = None


class Press(Message, tag="press", frozen=True):
    id: Id
    ply: Number
    move: Number
    reaction: Annotated[float, Meta(ge=-1e6, le=1e9)] | None = None


class Vote(Message, tag="vote", frozen=True):
    id: Id
    ply: Number
    seat: Annotated[int, Meta(ge=-1, le=9)]


class Chat(Message, tag="chat", frozen=True):
    id: Id
    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Hint(Message, tag="hint", frozen=True):
    id: Id
    ply: Number


class Why(Message, tag="why", frozen=True):
    move: Annotated[int, Meta(ge=-1, le=10**6)]


class Undo(Message, tag="undo", frozen=True):
    id: Id
    ply: Number


class Agree(Message, tag="agree", frozen=True):
    id: Id
    yes: bool


class Resign(Message, tag="resign", frozen=True):
    id: Id


class Kick(Message, tag="kick", frozen=True):
    id: Id
    seat: SeatNumber


class Pause(Message, tag="pause", frozen=True):
    id: Id
    on: bool


class Close(Message, tag="close", frozen=True):
    id: Id


class Again(Message, tag="rematch", frozen=True):
    id: Id


class Pong(Message, tag="pong", frozen=True):
    n: Number


AnyMessage = (
    Move | Whole | Start | Reveal | Press | Vote | Chat | Hint | Why | Undo | Agree | Resign | Kick | Pause | Close
    | Again | Pong
)  # fmt: skip

_reader = msgspec.json.Decoder(AnyMessage)


def read(text: str | bytes) -> Any:
    """A message from a page. Refuses what is none with a sentence."""
    if len(text) > LARGEST:
        raise Refused(f"A message has at most {LARGEST} bytes.")
    try:
        return _reader.decode(text)
    except msgspec.ValidationError as error:
        raise Refused(f"This message is not understood: {said(error)}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused("This message is not JSON.") from None


def said(error: msgspec.ValidationError) -> str:
    """What is wrong, without the value."""
    text = str(error)
    return text[0].lower() + text[1:] if len(text) <= 160 else "it has a wrong part"


# From the server, over the socket.


class Out(msgspec.Struct, tag_field="t", frozen=True, kw_only=True):
    pass


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
    here: list[bool]
    watching: int


News = tuple[int, int, str, int]  # who, move, sentence, the ply after it
Next = tuple[int, int, str]  # the same, of the ply after the one before


class ViewOut(Out, tag="view", frozen=True):
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


class Did(Out, tag="did", frozen=True):
    id: int
    ply: int


class RefusedOut(Out, tag="refused", frozen=True):
    id: int | None
    sentence: str
    rule: str | None
    ply: int


class Thoughts(Out, tag="thoughts", frozen=True):
    id: int
    ply: int
    lines: list[str]
    moves: list[tuple[int, float, float]]


class ChatOut(Out, tag="chat", frozen=True):
    lines: list[tuple[int | None, str, str, int]]


class Ping(Out, tag="ping", frozen=True):
    n: int


class WindowOut(Out, tag="window", frozen=True):
    ply: int
    open: bool | UnsetType = UNSET
    pressed: list[int] | UnsetType = UNSET
    vote: list[int] | UnsetType = UNSET
    until: int | UnsetType = UNSET
    ruling: list[dict[str, Any]] | UnsetType = UNSET


class WhyOut(Out, tag="why", frozen=True):
    move: int
    rule: str
    sentence: str


_writer = msgspec.json.Encoder()


def write(message: Out) -> bytes:
    return _writer.encode(message)


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
