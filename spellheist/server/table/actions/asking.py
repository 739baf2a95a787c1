"""Asking: for the whole, for the rule in the way of a move, for what a strong bot thinks. Nothing changes by it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from spellheist.core.refused import Refused
from spellheist.server.process.bot_pool import Stopped
from spellheist.server.table.messages import Id, Message, Number, Out, Who
from spellheist.server.table.rights import playing
from spellheist.server.table.views import views_of

if TYPE_CHECKING:
    from spellheist.server.table.connections import Connection
    from spellheist.server.table.live import Live

ADVISER = "master@300ms"


class Whole(Message, tag="whole", frozen=True):
    """Asks for table and view."""

    who = Who.ANYBODY
    cost = 8

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        live.telling.describe(connection)
        live.telling.show(connection)
        return False


class Why(Message, tag="why", frozen=True):
    """Why is that move not allowed now?"""

    who = Who.ANYBODY
    cost = 3

    move: Annotated[int, Meta(ge=-1, le=10**6)]

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        table = live.table
        if not table.begun or not live.may_look(connection):
            raise Refused("The game has not begun.")
        rule, sentence = table.game.words.why_not(table.play.view(connection.looks_from), self.move)
        connection.tell(WhyOut(move=self.move, rule=rule, sentence=sentence))
        return False


class WhyOut(Out, tag="why", frozen=True):
    """Answers `why`."""

    move: int
    rule: str
    sentence: str


class Hint(Message, tag="hint", frozen=True):
    """Asks what a strong bot thinks, where the table allows it."""

    seat_limit = "seat_hints"
    address_limit = "hints"

    id: Id
    ply: Number

    async def carry_out(self, live: Live, connection: Connection) -> bool:
        """From the seat's own view. Nobody waits for it: not the table, and not this seat."""
        table, seat = live.table, connection.looks_from
        playing(table)
        if not table.made.hints:
            raise Refused("This table is played without hints.")
        if seat not in table.asked() or self.ply != table.play.ply:
            raise Refused("Only the player to move gets hints.")
        if connection.advised and not connection.advised.done():
            raise Refused("The adviser is still thinking.")
        game = table.game
        lines = game.words.hints(table.play.view(seat), seat)
        view = views_of(game.name).view(table.truth, seat)
        thinking = live.service.pool.think(ADVISER, game, view, seat, table.play.recall(seat))
        connection.advised = live.service.start(self.advise(live, connection, lines, thinking))
        return False

    async def advise(self, live: Live, connection: Connection, lines: list[str], thinking: Awaitable[list[Any]]) -> None:
        """Tell what a bot has thought of the moment in which it was asked."""
        try:
            thoughts = await thinking
        except Stopped:
            live.telling.refuse(connection, self.id, Refused("The adviser stopped thinking. Ask again."))
        except Refused as refusal:
            live.telling.refuse(connection, self.id, refusal)
        else:
            moves = [(t["move"], round(t["chance"], 4), round(t["error"], 4)) for t in thoughts]
            connection.tell(Thoughts(id=self.id, ply=self.ply, lines=lines, moves=moves))


class Thoughts(Out, tag="thoughts", frozen=True):
    """Answers `hint`: sentences, and moves, each `[move, chance, error]`."""

    id: int
    ply: int
    lines: list[str]
    moves: list[tuple[int, float, float]]
