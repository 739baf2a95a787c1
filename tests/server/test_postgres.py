"""The same store behind PostgreSQL, where its programs are installed."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from people import Person, Server, play_out

from spellheist.core import record


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
