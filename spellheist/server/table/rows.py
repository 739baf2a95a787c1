"""Rows: what lists know of a table without reading its journal. They are no truth."""

from __future__ import annotations

from spellheist.server.store import TableRow
from spellheist.server.table.table import Table

OFTEN, LATE = 5_000, 10_000  # milliseconds: a row's due may be behind by the first; it is later than needed by the second


def row_of(table: Table) -> TableRow:
    made, due = table.made, due_of(table, table.due())
    return TableRow(table.name, table.game.name, table.state, made.listed, made.at, table.updated, due)


def due_of(table: Table, due: int | None) -> int | None:
    """When a table is to be looked at by whoever finds that nobody does. One with a clock always has something due: if
    only to look at it again. Whoever has the table sees to it before, so that no two do."""
    if due is None and table.made.clock.kind != "none" and table.state == "playing":
        due = table.since
    return None if due is None else due + LATE
