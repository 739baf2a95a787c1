"""What a page is told around the game: who sits where, what is asked of the others, how the table was made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spellheist.server.table.connections import Connection
from spellheist.server.table.messages import ChairOut, HereOut, ProposalOut, TableOut
from spellheist.server.table.table import Table

if TYPE_CHECKING:
    from spellheist.server.table.live import Live


def described(live: Live, connection: Connection, chairs: list[ChairOut]) -> TableOut:
    """The `table` message for one connection."""
    table, made, wish = live.table, live.table.made, live.table.wish
    return TableOut(
        table=table.name, game=table.game.name, title=table.game.title, seats=table.seats,
        settings=shown_settings(table), state=table.state, commitment=table.commitment, names=table.play.names,
        chairs=chairs, clock={"kind": made.clock.kind, "seconds": made.clock.seconds},
        watchers=made.watchers, watching=live.watching, hints=made.hints, leavers=made.leavers,
        undo={"by": wish.by, "waits_for": wish.waits_for} if wish else None, proposal=proposed(live),
        rematch=table.rematch, reason=table.reason, left_out=table.left_out, **own(table, connection),
    )  # fmt: skip


def own(table: Table, connection: Connection) -> dict[str, Any]:
    """What of the `table` message is for one connection alone."""
    token = connection.token
    return {
        "seat": connection.seat, "mine": table.held_by(token), "removed": table.removed.get(token, []),
        "host": bool(token) and token == table.made.host,
    }  # fmt: skip


def proposed(live: Live) -> ProposalOut | None:
    """What the others are asked to agree to."""
    proposal = live.table.proposal
    if proposal is None:
        return None
    by = proposal.by if proposal.by >= 0 else None
    left = max(0, proposal.until - live.service.clock())
    return ProposalOut(proposal.what, by, proposal.about, proposal.waits_for, left)


def here(live: Live) -> HereOut:
    """Who is connected."""
    found = [chair.kind == "bot" or live.present[seat] > 0 for seat, chair in enumerate(live.table.chairs)]
    return HereOut(here=found, watching=live.watching)


def chairs(live: Live, marked: bool = False) -> list[ChairOut]:
    """All chairs, with the marks of the live window for those who sit there."""
    table, present = live.table, here(live).here
    sides = list(range(table.seats)) if table.broken else table.sides()
    return [
        ChairOut(chair.kind, chair.name, chair.level, present[seat], sides[seat], chair.away,
                 table.marks.get(seat, []) if marked else [])
        for seat, chair in enumerate(table.chairs)
    ]  # fmt: skip


def shown_settings(table: Table) -> dict[str, str]:
    """The options as the table has them; a deck of one's own is not told card by card."""
    settings = table.play.settings
    return {o.name: "own" if o.kind == "deck" and settings[o.name] != "standard" else o.show(settings[o.name])
            for o in table.game.options}  # fmt: skip
