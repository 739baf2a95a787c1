"""Reading a table: the fold of its whole journal. What cannot be read to its end is frozen where it is."""

from __future__ import annotations

import logging
from contextlib import suppress

from spellheist.core.refused import Refused
from spellheist.server.table.actions import read_entry
from spellheist.server.table.journal import Damaged, checksum
from spellheist.server.table.table import Differs, Table

log = logging.getLogger("spellheist")


class Unreadable(Refused):
    """Not even the first entry of a journal can be read, so nothing is known of the table."""


def read_table(name: str, bodies: list[bytes], snapshot: tuple[int, bytes] | None = None) -> Table:
    """The table of a journal. One that cannot be read to its end, or no longer agrees with the rules, is frozen, with a
    sentence. A snapshot that does not fit the journal is left aside."""
    table = Table(name)
    try:
        upto = snapshot[0] if snapshot else 0
        table.skipping = upto > 0
        for body in bodies:
            table.apply(read_entry(body))
            if table.skipping and table.count == upto:
                assert snapshot
                stand_at(table, snapshot[1])
        if table.skipping:
            raise Differs("The snapshot is of an entry that is not there.")
    except Exception as error:
        if snapshot:
            return read_table(name, bodies)
        freeze(table, error, bodies[table.count + 1 :])
    return table


def stand_at(table: Table, truth: bytes) -> None:
    """Be where a snapshot says: up to here no rule was run."""
    if checksum(truth) != table.check:
        raise Differs("The snapshot is another one than that of this journal.")
    table.skipping = False
    table.truth = truth
    table.play.stand_at(truth, table.play.plies)
    if table.play.over:
        table.end("over", table.play.score())


def freeze(table: Table, error: Exception, rest: list[bytes]) -> None:
    """The game cannot be folded any further. Who sits here, and whether it was closed, is still read from the rest."""
    table.count += 1
    sentence = str(error) if isinstance(error, Differs) else why_broken(error, table.count)
    if not isinstance(error, Differs | Damaged):
        log.error("an entry could not be taken in", exc_info=error)
    if "dice" not in vars(table):  # not even who made it is known
        raise Unreadable(sentence) from error
    table.state, table.reason, table.broken = "frozen", sentence, sentence
    table.wish = table.proposal = table.heat = None  # nothing is asked here any more
    for body in rest:
        count = table.count
        with suppress(Exception):
            entry = read_entry(body)
            if entry.survives:
                table.apply(entry)
        table.count = count + 1


def why_broken(error: Exception, number: int) -> str:
    what = str(error) if isinstance(error, Damaged) else "does not fit together"
    return f"This table's journal {what} at entry {number}, so it cannot go on."
