"""The same store behind PostgreSQL, where its programs are installed."""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from people import Person, Server, play_out
from websockets.exceptions import ConnectionClosed

from spellheist.core import record
from spellheist.server.live import row_of
from spellheist.server.store import Append, Row


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
    process.terminate()
    process.communicate(timeout=20)
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
    second.ask(second.app.hall.archive(table))
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
    for person in (ann, elsewhere):
        person.http.close()
    one.stop(), other.stop()


def test_a_table_that_is_archived_while_a_server_has_it_in_memory_stays_archived(database):
    one, other = Server(database).start(), Server(database).start()
    ann = Person(one.base)
    table = ann.make("dice_heist", "me", "me")
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    live = one.app.hall.tables[table]
    one.app.hall.store.moved = None  # the notification is a hint, and may be lost
    other.ask(other.app.hall.archive(table))
    mover = a if a.moves else b
    refused = mover.do("move", ply=mover.ply, move=mover.moves[0][0])
    assert (refused["t"], refused["sentence"]) == ("refused", "This table was archived; only its record is kept.")
    assert ann.turned_away(table, 0) == (4404, "This table was archived; only its record is kept.")
    one.ask(noted(one.app.hall.store, live))
    assert one.ask(one.app.hall.store.row(table)).state == "archived"
    assert one.ask(one.app.hall.store.entries(table)) == []
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
        other.ask(other.app.hall.archive(table))
        with pytest.raises(ConnectionClosed):
            a.until(lambda s: False)
    ann.http.close()
    one.stop(), other.stop()


def test_an_entry_that_is_under_way_while_its_table_is_archived_goes_with_its_journal(database):
    from spellheist.server.postgres import PUT

    async def race(store, name):
        await store.append(Append(name, 1, b"{}", Row(name, "dice_heist", "closed", False, 1, 1)))
        async with await store.connect() as elsewhere:
            async with elsewhere.transaction():
                assert await (await elsewhere.execute(PUT, ([name], [2], [b"{}"]))).fetchall() == [(name, 2)]
                archiving = asyncio.create_task(store.archive(name, "its record"))
                await asyncio.wait([archiving], timeout=0.5)
            await archiving
            assert await (await elsewhere.execute(PUT, ([name], [3], [b"{}"]))).fetchall() == []
        return await store.entries(name)

    server = Server(database).start()
    assert server.ask(race(server.app.hall.store, "raced for")) == []
    server.stop()
