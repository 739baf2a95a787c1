"""Bodies of requests and answers over HTTP, as `docs/protocol.md` says: what they hold and how they are checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from spellheist.server.table.messages import ChairOut, Hex, Name, News, SeatNumber


class ChairIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["me", "open", "bot"]
    name: Name | None = None
    level: Annotated[str, Meta(max_length=20)] | None = None
    promise: Hex | None = None


class ClockIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["none", "move", "days"] = "none"
    seconds: Annotated[int, Meta(ge=0, le=60 * 60 * 24 * 30)] = 0


class TableIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is made from."""

    game: Annotated[str, Meta(max_length=40)]
    chairs: Annotated[list[ChairIn], Meta(min_length=1, max_length=10)]
    name: Name | None = None
    options: dict[str, Any] = {}
    clock: ClockIn = ClockIn()
    listed: bool = False
    watchers: bool = True
    hints: bool = False
    leavers: Literal["bot", "wait"] = "bot"
    compensation: Annotated[int, Meta(ge=0, le=300)] = 300


class MadeOut(msgspec.Struct, frozen=True):
    table: str
    link: str
    seat: int | None
    seats: list[int]
    commitment: str


class SitIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: SeatNumber
    name: Name
    promise: Hex | None = None


class SeatOut(msgspec.Struct, frozen=True):
    seat: int


class RiseIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: SeatNumber


class KeyIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The key of a personal link."""

    key: Annotated[str, Meta(max_length=64)]


class IdIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a device or a link is called in a list."""

    id: Annotated[str, Meta(max_length=16)]


class NothingIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class WhoOut(msgspec.Struct, frozen=True):
    """Somebody: the name at the latest table, and how many tables (twelve: or more)."""

    name: str
    tables: int


class LookOut(msgspec.Struct, frozen=True):
    """For whom a link is, and who this browser is without it."""

    link: WhoOut
    here: WhoOut
    same: bool


class DeviceOut(msgspec.Struct, frozen=True):
    id: str
    name: str
    since: int
    seen: int
    here: bool
    old: bool  # its token is in links of an earlier version


class LinkOut(msgspec.Struct, frozen=True):
    id: str
    made: int
    until: int


class NewLinkOut(msgspec.Struct, frozen=True):
    link: str
    id: str
    until: int


class MeOut(WhoOut, frozen=True):
    """Somebody, as they see themselves."""

    devices: list[DeviceOut]
    links: list[LinkOut]
    old_links: bool
    signed_out: bool


class OptionOut(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    kind: str
    default: str
    sentence: str
    range: str
    words: list[str] | None = None
    low: int | None = None
    high: int | None = None
    among_people: str | None = None  # where two or more people sit and nothing is chosen


class LevelOut(msgspec.Struct, frozen=True):
    name: str
    sentence: str


class GameOut(msgspec.Struct, frozen=True):
    name: str
    title: str
    sentence: str
    credits: str
    seats: list[int]
    options: list[OptionOut]
    levels: list[LevelOut]


class GamePageOut(GameOut, frozen=True):
    """A game with everything that its page needs."""

    constants: dict[str, int]
    rules: dict[str, str]
    page: str
    cards: Any


class OpenOut(msgspec.Struct, frozen=True):
    """A row of the lobby."""

    table: str
    game: str
    title: str
    host: str
    chairs: list[ChairOut]
    created: int
    running: bool
    watchers: bool


class MineOut(msgspec.Struct, frozen=True):
    """A row of "my games"."""

    table: str
    game: str
    title: str
    state: str
    seats: list[int]
    names: list[str]
    your_turn: bool
    updated: int


class Frame(msgspec.Struct, frozen=True):
    """One ply of a game told again."""

    ply: int
    who: int | None
    move: int | None
    news: list[News]
    turn: int
    question: str
    change: list[int] | UnsetType = UNSET
    view: dict[str, Any] | UnsetType = UNSET
    odds: list[int] | UnsetType = UNSET


class RefusalOut(msgspec.Struct, frozen=True):
    sentence: str
    rule: str | None = None
