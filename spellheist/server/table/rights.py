"""Rights: what must hold before something is done at a table. Each function refuses with a sentence, or does nothing."""

from __future__ import annotations

from spellheist.core.refused import Refused
from spellheist.server.table.table import Chair, Table

WITHOUT_WATCHERS = "This table is played without watchers."
ARCHIVED = "This table was archived; only its record is kept."
GIVEN_UP = "You have given up this seat."
REMOVED = "You were removed from the table."


class NoTable(Refused):
    """There is no table of that name."""


class NotYours(Refused):
    """Only somebody else may do that."""


class Quicker(Refused):
    """Somebody else was quicker."""


def chair_at(table: Table, seat: int) -> Chair:
    if not 0 <= seat < table.seats:
        raise Refused(f"There is no seat {seat}; the seats are 0 to {table.seats - 1}.")
    return table.chairs[seat]


def mine(table: Table, seat: int, token: str) -> None:
    if not (0 <= seat < table.seats and table.holds(seat, token)):
        given_up = chair_at(table, seat).token == token != ""
        raise NotYours(REMOVED if token in table.removed else GIVEN_UP if given_up else "That seat is not yours.")


def attend(table: Table, seat: int | None, token: str) -> None:
    """Refuses a connection that may not be here now: one for a seat belongs to whoever holds it, one without a seat to
    whoever may watch, has a seat here, or is the host. While people gather, everybody with the link may come in."""
    if seat is not None:
        mine(table, seat, token)
    elif not table.public and not table.held_by(token) and (not token or token != table.made.host):
        raise NotYours(REMOVED if token in table.removed else WITHOUT_WATCHERS)


def host(table: Table, token: str) -> None:
    if not token or table.made.host != token:
        raise NotYours("Only the host of the table can do that.")


def member(table: Table, token: str) -> None:
    """Refuses whoever is neither at this table nor its host."""
    if not table.held_by(token):
        host(table, token)


def playing(table: Table) -> None:
    """The game is under way, paused or not."""
    if table.state in ("gathering", "promising"):
        raise Refused("The game has not begun.")
    if table.state not in ("playing", "paused"):
        raise Refused(table.reason or "The game is over.")
