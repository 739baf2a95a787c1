"""Sitting down, and coming back to a seat."""

from __future__ import annotations

from spellheist.core.refused import Refused
from spellheist.server.http import bodies
from spellheist.server.table.actions.making import fit_name
from spellheist.server.table.journal import Entry
from spellheist.server.table.rights import Quicker, chair_at
from spellheist.server.table.table import Chair, Table


class Sat(Entry, tag="sat", frozen=True):
    """A person has taken a seat, or says something else about the own one."""

    survives = True

    seat: int
    name: str
    token: str
    promise: str = ""

    def apply(self, table: Table) -> None:
        table.chairs[self.seat] = Chair("person", self.name, token=self.token, promise=self.promise)
        table.removed.pop(self.token, None)
        table.name_chairs()

    def holders(self) -> tuple[tuple[str, int], ...]:
        return ((self.token, self.seat),)


class Back(Entry, tag="back", frozen=True):
    """The person plays again."""

    tells = ("table", "views")
    survives = True

    seat: int
    spent: int = 0

    def apply(self, table: Table) -> None:
        table.chairs[self.seat].away = False
        table.since, table.spent = self.t, self.spent


def sit(table: Table, body: bodies.SitIn, token: str, now: int) -> Sat | Back | None:
    """Take a seat, say something else about the own one, or come back to it; whoever sits there already stays."""
    chair = chair_at(table, body.seat)
    own = chair.kind == "person" and chair.token == token
    begun = table.state in ("promising", "playing", "paused")
    if own and begun and not chair.away:
        return None
    if own and begun:
        if chair.final:
            raise Refused("You have given up this seat for good.")
        return Back(seat=body.seat, spent=table.used(now))
    if table.state != "gathering":
        raise Quicker("The game has already begun.")
    if chair.kind == "bot":
        raise Quicker("A bot sits there.")
    if chair.kind == "person" and not own:
        raise Quicker("Somebody else already sits there.")
    names = [name for seat, name in enumerate(table.names) if seat != body.seat]
    return Sat(seat=body.seat, name=fit_name(body.name, names), token=token, promise=body.promise or chair.promise)
