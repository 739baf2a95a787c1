"""The same store behind PostgreSQL, where its programs are installed."""

import asyncio
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest
from people import Person, Server, play_out
from stores import beaten, left_alone, twice
from websockets.exceptions import ConnectionClosed
from yesterday import FIXTURES, HOW, goes_on

from spellheist.core import record
from spellheist.core.refused import Refused
from spellheist.server.store import Append, TableRow, Unsure, schema, store_at
from spellheist.server.table import levels
from spellheist.server.table.rows import row_of

NUMBERS = itertools.count(1)


def program(name):
    found = shutil.which(name) or next(iter(sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None)
    if found is None:
        pytest.skip(f"PostgreSQL's {name} is not installed here")
    return str(found)


@pytest.fixture(scope="module")
def database():
    """A database of its own on a unix socket; PostgreSQL refuses to run as root, so it runs as postgres there."""
    pytest.importorskip("psycopg")
    initdb, postgres = program("initdb"), program("postgres")
    folder = Path(tempfile.mkdtemp(prefix="spellheist-pg-"))
    how = {}
    if os.geteuid() == 0:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL refuses to run as root and there is no user postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        how = {"user": user.pw_uid, "group": user.pw_gid}
    data = folder / "data"
    setting_up = [initdb, "-D", data, "-A", "trust", "-U", "spellheist", "--no-sync"]
    made = subprocess.run(setting_up, capture_output=True, cwd=folder, **how)
    if made.returncode:
        pytest.skip(f"PostgreSQL cannot be set up here: {made.stderr.decode()[-200:]}")
    command = [postgres, "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=folder, text=True, **how)
    for line in process.stderr:
        if "ready to accept connections" in line:
            break
    yield f"postgresql://spellheist@/postgres?host={folder}"
    process.send_signal(signal.SIGINT)  # not SIGTERM, which waits for connections that nobody has closed
    process.communicate(timeout=60)
    shutil.rmtree(folder, ignore_errors=True)


def test_a_game_goes_on_after_a_restart_and_its_record_verifies(database):
    first = Server(database).start()
    ann = Person(first.base)
    table = ann.make("dice_heist", "me", "me", listed=True, options={"turn_limit": 12})
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    play_out(a, b, most=5)
    a.drain(0.1)
    assert [row["table"] for row in ann.get("/api/mine").json()] == [table]
    assert table in [row["table"] for row in ann.get("/api/tables").json()]
    first.stop()
    second = Server(database).start()
    ann.base, ann.http.base_url = second.base, second.base
    ann.http.headers["origin"] = second.base
    again = [ann.at(table, seat) for seat in (0, 1)]
    for socket in again:
        socket.until(lambda s: s.ply is not None)
    assert again[0].view == a.view
    play_out(*again)
    assert record.verify(record.read(ann.get(f"/api/tables/{table}/record").text))
    second.ask(second.app.service.archive(table))
    assert ann.get(f"/api/tables/{table}/record").text.startswith("spellheist record 1")
    ann.http.close()
    second.stop()


def test_two_servers_on_one_database_serve_the_same_table(database):
    one, other = Server(database).start(), Server(database).start()
    ann, elsewhere = Person(one.base), Person(other.base)
    table = ann.make("dice_heist", "me", "me")
    elsewhere.http.cookies = ann.http.cookies
    a, b = ann.at(table, 0), elsewhere.at(table, 1)
    a.do("start")
    b.until(lambda s: s.table.get("state") in ("promising", "playing"))
    for socket in (a, b):
        socket.until(lambda s: s.ply is not None)
    for _ in range(6):
        for socket in (a, b):
            socket.drain(0.02)
        mover, reader = (a, b) if a.moves else (b, a)
        answer = mover.move()
        assert answer["t"] == "did", answer
        reader.until(lambda s, mover=mover: s.ply == mover.ply)
        assert reader.view["phase"] == mover.view["phase"]
    for speaker, reader in ((a, b), (b, a)):
        speaker.do("chat", text=f"seat {speaker.seat} says hello")
        reader.until(lambda s, text=f"seat {speaker.seat} says hello": text in [line[2] for line in s.chat])
    for person in (ann, elsewhere):
        person.http.close()
    one.stop(), other.stop()


def test_a_table_that_is_archived_while_a_server_has_it_in_memory_stays_archived(database):
    one, other = Server(database).start(), Server(database).start()
    ann = Person(one.base)
    table = ann.make("dice_heist", "me", "me")
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    live = one.app.service.tables[table]
    one.app.service.store.moved = None  # the notification is a hint, and may be lost
    other.ask(other.app.service.archive(table))
    mover = a if a.moves else b
    mover.tell("move", ply=mover.ply, move=mover.moves[0][0])
    with pytest.raises(ConnectionClosed, match="This table was archived; only its record is kept"):
        mover.until(lambda s: False)
    assert ann.turned_away(table, 0) == (4404, "This table was archived; only its record is kept.")
    one.ask(noted(one.app.service.store, live))
    assert one.ask(one.app.service.store.row(table)).state == "archived"
    assert one.ask(one.app.service.store.entries(table)) == []
    ann.http.close()
    one.stop(), other.stop()


async def noted(store, live):
    """A row that a server writes late, and another entry after it, so that it has been written."""
    store.note(row_of(live.table))
    await store.append(Append("another", 1 + store.commits, b"{}"))


def test_pages_hear_at_once_that_another_server_has_archived_their_table(database):
    one, other = Server(database).start(), Server(database).start()
    ann = Person(one.base)
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a:
        a.hear()
        other.ask(other.app.service.archive(table))
        with pytest.raises(ConnectionClosed):
            a.until(lambda s: False)
    ann.http.close()
    one.stop(), other.stop()


def test_an_entry_that_is_under_way_while_its_table_is_archived_goes_with_its_journal(database):
    from spellheist.server.store.postgres import PUT, shares

    async def race(store, name):
        await store.append(Append(name, 1, b"{}", TableRow(name, "dice_heist", "closed", False, 1, 1)))
        async with await store.connect() as elsewhere:
            async with elsewhere.transaction():
                await elsewhere.execute(*shares([Append(name, 2, b"{}")]))
                assert await (await elsewhere.execute(PUT, ([name], [2], [b"{}"]))).fetchall() == [(name, 2)]
                archiving = asyncio.create_task(store.archive(name, "its record"))
                await asyncio.wait([archiving], timeout=0.5)
            await archiving
            assert await (await elsewhere.execute(PUT, ([name], [3], [b"{}"]))).fetchall() == []
        return await store.entries(name)

    server = Server(database).start()
    assert server.ask(race(server.app.service.store, "raced for")) == []
    server.stop()


@pytest.fixture
def in_new_database(database):
    """Do something with the store of a database of its own; its URL is given, too."""
    import psycopg

    name = f"db{next(NUMBERS)}"
    with psycopg.connect(database, autocommit=True) as line:
        line.execute(f"create database {name}")
    url = database.replace("/postgres?", f"/{name}?")

    def do(work=None):
        async def whole():
            store = store_at(url)
            await store.open()
            try:
                return await work(store)
            finally:
                await store.close()

        return asyncio.run(whole()) if work else url

    return do


def test_yesterdays_tables_open_look_the_same_and_are_played_to_their_end(in_new_database, monkeypatch):
    import psycopg

    monkeypatch.setattr(levels, "STAND_IN", "random")
    with psycopg.connect(in_new_database(), autocommit=True) as line:
        line.execute((FIXTURES / "yesterday.sql").read_text())
    server = Server(in_new_database(), **HOW).start()
    try:
        goes_on(server, "sql")
    finally:
        server.stop()


@pytest.mark.parametrize("work", [twice, left_alone, beaten])
def test_it_does_what_every_store_does(in_new_database, work):
    in_new_database(work)


def test_one_entry_that_cannot_be_stored_fails_alone(in_new_database):
    async def work(store):
        wrong = store.append(Append("t\0", 1, b"a"))
        right = [store.append(Append(name, 1, b"b")) for name in "uvw"]
        done = await asyncio.gather(wrong, *right, return_exceptions=True)
        assert isinstance(done[0], Unsure) and done[1:] == [None] * 3

    in_new_database(work)


def test_a_database_of_a_newer_version_is_refused_and_one_of_today_by_the_version_before(in_new_database):
    import psycopg

    in_new_database(beaten)
    with psycopg.connect(in_new_database(), autocommit=True) as line:
        with pytest.raises(psycopg.Error, match='column "listed" does not exist'):
            line.execute(";".join(schema.POSTGRESQL[0]))
        line.execute("update service set version = version + 1")
    with pytest.raises(Refused, match="This database was written by a newer version of Spellheist"):
        in_new_database(beaten)


def test_servers_that_start_at_once_beside_one_that_writes_wait_for_nobody_who_waits_for_them(in_new_database):
    """The schema of the version before is there, and somebody writes as that version did."""
    import psycopg

    with psycopg.connect(in_new_database(), autocommit=True) as line:
        line.execute(";".join(schema.POSTGRESQL[0]))
    stopped = threading.Event()
    faults = []

    def write():
        put = "insert into entries values (%s, %s, 'x') on conflict do nothing"
        with psycopg.connect(in_new_database(), autocommit=True) as line:
            for number in itertools.count(1):
                if stopped.is_set():
                    return
                try:
                    with line.transaction():
                        line.execute(put, ("t", number))
                        line.execute("select 1 from tables where table_id = 't'")
                        line.execute("delete from tables where table_id = 't'")
                except psycopg.Error as error:
                    faults.append(error)
                    return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(3):

            async def both():
                stores = [store_at(in_new_database()) for _ in range(3)]
                await asyncio.gather(*(store.open() for store in stores))
                for store in stores:
                    await store.close()

            asyncio.run(both())
    finally:
        stopped.set()
        writer.join()
    assert not faults


def test_while_a_table_is_archived_others_are_written(in_new_database):
    from spellheist.server.store.postgres import ARCHIVING, stripe

    async def work(store):
        await store.append(Append("old", 1, b"{}", TableRow("old", "dice_heist", "closed", False, 1, 1)))
        other = next(name for name in map(str, range(9)) if stripe(name) != stripe("old"))
        async with await store.connect() as elsewhere, elsewhere.transaction():
            await elsewhere.execute("select pg_advisory_xact_lock(%s, %s)", (ARCHIVING, stripe("old")))
            await store.append(Append(other, 1, b"{}"))
            waiting = store.append(Append("old", 2, b"{}"))
            done, _ = await asyncio.wait([waiting], timeout=0.3)
            assert not done, "an entry of the table itself waits until it is known whether there is a journal"
        await waiting

    in_new_database(work)


def test_a_database_that_is_gone_is_told_in_a_sentence(in_new_database):
    server = Server(in_new_database()).start()
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me")
        store = server.app.service.store
        right, store.url = store.url, store.url.replace("/db", "/nowhere")
        server.ask(store.reader.close())
        del server.app.service.tables[table]
        for path in ("/api/tables", "/api/mine", f"/api/tables/{table}/frames"):
            answer = ann.get(path)
            assert (answer.status_code, answer.json()["sentence"]) == (503, "The tables cannot be read now; try again.")
        assert ann.turned_away(table, 0)[0] == 4503
        store.url = right
        assert ann.get("/api/mine").json()[0]["table"] == table
        ann.http.close()
    finally:
        server.stop()


def test_a_server_whose_connections_are_cut_writes_and_hears_again(database):
    import psycopg

    def faults(person):
        lines = person.get("/metrics").text.splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith('spellheist_faults_total{work="listener"}')))

    one, other = Server(database).start(), Server(database).start()
    ann, elsewhere = Person(one.base), Person(other.base)
    try:
        table = ann.make("dice_heist", "me", "me")
        elsewhere.http.cookies = ann.http.cookies
        deadline = time.monotonic() + 60
        while listeners(database) < 2:
            assert time.monotonic() < deadline
        with psycopg.connect(database, autocommit=True) as line:
            line.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()")
        while not (faults(ann) and faults(elsewhere) and ann.get("/readyz").json()["writes"] and listeners(database) == 2):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        with ann.at(table, 0) as a, elsewhere.at(table, 1) as b:
            while (answer := a.do("start"))["t"] != "did":  # who writes finds out that its line was cut
                assert "try again" in answer["sentence"] and time.monotonic() < deadline
            b.until(lambda s: s.table.get("state") in ("promising", "playing"))
    finally:
        for person in (ann, elsewhere):
            person.http.close()
        one.stop(), other.stop()


def listeners(database):
    """How many servers listen."""
    import psycopg

    with psycopg.connect(database) as line:
        return line.execute("select count(*) from pg_stat_activity where query = 'listen spellheist'").fetchone()[0]
