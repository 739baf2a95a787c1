"""The schema of both stores, as the changes that led to it. Each runs once in the life of a store, in order and under a
lock; a store says how many it has behind it. A store with more of them than there are here is a newer version's.

An older version has to fail at such a store, and at its start: the first one wrote its indexes anew each time it was
started, so change 2 renames a column of theirs.
"""

from __future__ import annotations

from spellheist.core.refused import Refused

# People: the devices by which they are known, and links for others. Keys and tokens are stored as hashes; `old` is a
# token that also worked as a link, as all did once.
PEOPLE = (
    """create table devices (
        device text primary key, person text not null, name text not null, since bigint not null, seen bigint not null,
        old integer not null, ended integer not null)""",
    "create index devices_person on devices (person)",
    """create table links (
        link text primary key, person text not null, made bigint not null, until bigint not null)""",
    "create index links_person on links (person)",
)

SQLITE: tuple[tuple[str, ...], ...] = (
    (
        """create table if not exists entries (
            table_id text not null, entry integer not null, body blob not null, primary key (table_id, entry)
        ) without rowid""",
        """create table if not exists tables (
            table_id text primary key, game text not null, state text not null, listed integer not null,
            created integer not null, updated integer not null, due integer, record text
        ) without rowid""",
        "create index if not exists tables_open on tables (listed, state, updated)",
        "create index if not exists tables_due on tables (due) where due is not null",
        """create table if not exists holders (
            token text not null, table_id text not null, seat integer not null, primary key (token, table_id, seat)
        ) without rowid""",
        """create table if not exists snapshots (
            table_id text primary key, entry integer not null, body blob not null
        ) without rowid""",
        """create trigger if not exists archived before insert on entries
            when exists (select 1 from tables where table_id = new.table_id and record is not null)
            begin select raise(abort, 'archived'); end""",
    ),
    (
        # How many milliseconds the service has run; twice, so that damage to one of them is seen.
        "create table service (one integer primary key check (one = 1), ms integer not null, again integer not null)",
        "insert into service values (1, 0, 0)",
        "update tables set due = 0 where due is not null",  # was the time of day: all are looked at once
        "drop index tables_open",
        "alter table tables rename column listed to shown",
        "create index tables_shown on tables (shown, state, updated)",
    ),
    PEOPLE,
)

POSTGRESQL: tuple[tuple[str, ...], ...] = (
    (
        """create table if not exists entries (
            table_id text not null, entry integer not null, body bytea not null, primary key (table_id, entry))""",
        """create table if not exists tables (
            table_id text primary key, game text not null, state text not null, listed boolean not null,
            created bigint not null, updated bigint not null, due bigint, record text)""",
        "create index if not exists tables_open on tables (listed, state, updated)",
        "create index if not exists tables_due on tables (due) where due is not null",
        """create table if not exists holders (
            token text not null, table_id text not null, seat integer not null, primary key (token, table_id, seat))""",
        "create table if not exists snapshots (table_id text primary key, entry integer not null, body bytea not null)",
    ),
    (
        # In the order in which a server of the version before takes them, so that one that still runs cannot be
        # waited for while it waits.
        "lock table entries, tables, holders, snapshots in access exclusive mode",
        """create table service (one integer primary key check (one = 1), ms bigint not null, again bigint not null,
            version integer not null)""",
        "insert into service values (1, 0, 0, 0)",
        "update tables set due = 0 where due is not null",
        "drop index tables_open",
        "alter table tables rename column listed to shown",
        "create index tables_shown on tables (shown, state, updated)",
    ),
    PEOPLE,
)

VERSION = len(SQLITE)
assert len(POSTGRESQL) == VERSION


def missing(version: int, where: str) -> range:
    """The changes that a store of this version needs; none for one of today."""
    if version > VERSION:
        raise Refused(
            f"{where} was written by a newer version of Spellheist, which this one cannot read; "
            "start that version, or name another store."
        )
    return range(max(0, version), VERSION)
