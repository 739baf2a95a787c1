"""Taking a move back: its seat asks for it, and the others have to agree. What has told somebody something stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from spellheist.core.refused import Refused
from spellheist.core.speech import whose
from spellheist.core.state import ANYONE
from spellheist.server.table.actions.moving import STALE
from spellheist.server.table.actions.proposing import OTHER_FIRST, Answered, answer
from spellheist.server.table.journal import Entry, checksum
from spellheist.server.table.messages import Asker, Number, Request
from spellheist.server.table.rights import playing
from spellheist.server.table.table import Table
from spellheist.server.table.views import views_of

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live


@dataclass
class Wish:
    """Somebody wants to take a move back; these others have not agreed yet."""

    by: int
    to: int
    waits_for: list[int]


class Wished(Entry, tag="wished", frozen=True):
    """Somebody asks to take the last own move back, to before ply `to`; `done` when nobody else has to agree."""

    tells = ("table", "views")

    seat: int
    id: int
    to: int
    done: bool = False
    check: int = 0

    def apply(self, table: Table) -> None:
        others = [k for k, chair in enumerate(table.chairs) if chair.person and k != self.seat]
        table.wish = Wish(self.seat, self.to, others)
        if self.done:
            table.wish = None
            table.go_back(self.to, self.t, self.check)


class Agreed(Entry, tag="agreed", frozen=True):
    """An answer to that; `done` when it was the last one needed."""

    tells = ("table", "views")

    seat: int
    id: int
    yes: bool
    done: bool = False
    check: int = 0

    def apply(self, table: Table) -> None:
        wish = table.wish
        if wish is None:
            return
        if self.done or not self.yes:
            table.wish = None
        else:
            wish.waits_for.remove(self.seat)
        if self.yes and self.done:
            table.go_back(wish.to, self.t, self.check)


class Undo(Request, tag="undo", frozen=True):
    """Asks to take the last own move back."""

    cost = 10

    ply: Number

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        """Whether the move has told somebody something takes a while to find out, so that is done before."""
        table, plies = live.table, live.table.play.plies
        told: tuple[bytes, int, bool] | None = None
        if table.recent and self.ply == len(plies) and plies[-1].who == connection.seat and table.play.turn != ANYONE:
            before, move = table.recent[-1], plies[-1].move
            looking = views_of(table.made.game).look_for(before, move, table.seats)
            told = before, move, await live.service.rate_limits.work.do(connection.address, looking)
        return await live.once(connection, self.id, lambda table, asker, now: undo(table, asker.seat, self, told))


class Agree(Request, tag="agree", frozen=True):
    """Answers a wish to take a move back, or a proposal."""

    yes: bool

    def decide(self, table: Table, asker: Asker, now: int) -> Agreed | Answered:
        if table.proposal:
            return answer(table, asker.seat, self.yes, self.id)
        if table.wish is None or asker.seat not in table.wish.waits_for:
            raise Refused("There is nothing to agree to.")
        done = self.yes and table.wish.waits_for == [asker.seat]
        check = checksum(table.recent[-1]) if done else 0
        return Agreed(seat=asker.seat, id=self.id, yes=self.yes, done=done, check=check)


def undo(table: Table, seat: int, message: Undo, told: tuple[bytes, int, bool] | None) -> Wished:
    """Ask to take the last own move back, given what is known of a move that was made in a state: whether it has told
    somebody something."""
    playing(table)
    plies = table.play.plies
    if message.ply != len(plies):
        raise Refused(STALE)
    if table.proposal:
        raise Refused(OTHER_FIRST)
    if table.wish:
        raise Refused(f"{whose(table.chairs[table.wish.by].name)} request to take a move back comes first.")
    if not plies or plies[-1].who != seat:
        raise Refused("Only your own move can be taken back, and only while nothing else has happened since.")
    if table.play.turn == ANYONE or not table.recent:
        raise Refused("This move cannot be taken back.")
    last = table.recent[-1], plies[-1].move
    known = told is not None and told[:2] == last  # else the game has moved on meanwhile
    if told[2] if told and known else views_of(table.made.game).reveals(*last, table.seats):
        raise Refused("Your move showed somebody something that was hidden, so it stands.")
    alone = not any(chair.person for k, chair in enumerate(table.chairs) if k != seat)
    check = checksum(table.recent[-1]) if alone else 0
    return Wished(seat=seat, id=message.id, to=len(plies) - 1, done=alone, check=check)
