"""The store: what is kept of yesterday, what is damaged, what is full or locked, and who may use it."""

import asyncio
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest
from people import Person, Server, play_out
from stores import beaten, left_alone, twice
from websockets.exceptions import ConnectionClosed
from yesterday import FIXTURES, HOW, goes_on

from spellheist.server import service
from spellheist.server.store import Append, Unsure, schema
from spellheist.server.store.locks import hold
from spellheist.server.store.sqlite import SQLite
from spellheist.server.table import journal, levels
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.moving import Moved
from spellheist.server.table.actions.talking import Said

DAMAGED = "This table's journal is damaged at entry {}, so it cannot go on."


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(levels, "STAND_IN", "random")
    monkeypatch.setattr(service, "SWEEP", 0.2)


def spellheist(*words):
    return subprocess.run([sys.executable, "-m", "spellheist", *words], capture_output=True, text=True, timeout=120)


@contextmanager
def served(store, *words):
    """A server as people start it."""
    command = [sys.executable, "-m", "spellheist", "serve", "--port", "0", "--bots", "plain", "--pace", "0", "--rate", "0"]
    process = subprocess.Popen([*command, "--store", store, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)  # fmt: skip
    try:
        said = process.stdout.readline().split()
        assert said, process.stderr.read()
        yield process, said[3].replace("localhost", "127.0.0.1")
    finally:
        process.terminate()
        process.communicate(timeout=60)


def with_store(path, work, **how):
    """Do something with a store of its own."""

    async def whole():
        store = SQLite(path, **how)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(whole())


def change(path, *statement):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(*statement)
    connection.close()


# Yesterday.


def test_yesterdays_tables_open_look_the_same_and_are_played_to_their_end(tmp_path):
    shutil.copy(FIXTURES / "yesterday.db", tmp_path / "t.db")
    server = Server(f"sqlite:///{tmp_path}/t.db", **HOW).start()
    try:
        goes_on(server, "db")
    finally:
        server.stop()


def test_yesterdays_clocks_and_starts_are_all_looked_at_once_since_their_times_were_those_of_the_day(tmp_path):
    shutil.copy(FIXTURES / "yesterday.db", tmp_path / "t.db")

    async def work(store):
        return await store.due(0, 100)

    assert len(with_store(tmp_path / "t.db", work)) == 3


# The schema.


def test_the_schema_is_changed_once_and_never_at_a_later_start(tmp_path):
    async def work(store):
        return store.path

    shutil.copy(FIXTURES / "yesterday.db", tmp_path / "old.db")
    for name in ("old.db", "new.db"):
        numbers = []
        for _ in range(2):
            with_store(tmp_path / name, work)
            connection = sqlite3.connect(tmp_path / name)
            numbers.append([connection.execute(f"pragma {what}_version").fetchone()[0] for what in ("user", "schema")])
            connection.close()
        assert numbers[0] == numbers[1] and numbers[0][0] == schema.VERSION


def test_processes_that_open_an_old_store_at_once_change_it_once(tmp_path):
    shutil.copy(FIXTURES / "yesterday.db", tmp_path / "t.db")
    command = [sys.executable, "-m", "spellheist", "tables", "list", "--store", f"sqlite:///{tmp_path}/t.db"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        out, said = process.communicate(timeout=60)
        assert (process.returncode, said, len(out.splitlines())) == (0, "", 10)


def test_a_store_of_a_newer_version_is_refused_and_not_touched(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    assert spellheist("tables", "list", "--store", url).returncode == 2, "there is none yet"
    with_store(tmp_path / "t.db", lambda store: asyncio.sleep(0))
    change(tmp_path / "t.db", f"pragma user_version = {schema.VERSION + 1}")
    before = (tmp_path / "t.db").read_bytes()
    for words in (("serve", "--port", "0"), ("tables", "list")):
        done = spellheist(*words, "--store", url)
        assert (done.returncode, done.stdout) == (2, "")
        assert "was written by a newer version of Spellheist, which this one cannot read" in done.stderr
        assert done.stderr.count("\n") == 1
    assert (tmp_path / "t.db").read_bytes() == before


def test_the_version_before_cannot_use_a_store_of_today(tmp_path):
    """It wrote its schema anew at each start, in these words, and was refused the start by any error in that."""
    with_store(tmp_path / "t.db", lambda store: asyncio.sleep(0))
    connection = sqlite3.connect(tmp_path / "t.db")
    with pytest.raises(sqlite3.OperationalError, match="no such column: listed"):
        connection.executescript(";".join(schema.SQLITE[0]))
    connection.close()


# Damage.


def flip(body, bit):
    return bytes([*body[: bit // 8], body[bit // 8] ^ 1 << bit % 8, *body[bit // 8 + 1 :]])


def test_any_flipped_bit_of_an_entry_is_damage():
    body = journal.encode(Moved(at=1, seat=0, plies=[(0, 3, 7), (-1, 2, 7)], check=99, id=1001))
    assert read_entry(body).id == 1001
    for bit in range(8 * len(body)):
        with pytest.raises(journal.Damaged):
            read_entry(flip(body, bit))
    text = len(body) - len(journal.MARK) - journal.DIGITS
    for end in {*range(len(body))} - {text, text + 1}:
        with pytest.raises(journal.Damaged):
            read_entry(body[:end])
    assert read_entry(body[:text]) == read_entry(body), "without its checksum it is an entry of yesterday"


class Tables:
    """Three listed tables in one store, one of which is to be damaged while no server runs."""

    def __init__(self, folder):
        self.path, self.url = folder / "t.db", f"sqlite:///{folder}/t.db"
        self.server = Server(self.url).start()
        self.ann, self.bob = Person(self.server.base), Person(self.server.base)
        self.names = [self.made() for _ in range(3)]
        self.hurt, *self.others = self.names

    def made(self):
        table = self.ann.make("dice_heist", "me", "open", listed=True, options={"turn_limit": 60})
        self.bob.sit(table, 1, "Bob")
        with self.ann.at(table, 0) as a, self.bob.at(table, 1) as b:
            a.start(b)
            play_out(a, b, most=4)
        return table

    def damage(self, *statement):
        self.server.stop()
        change(self.path, *statement)
        self.start()

    def start(self):
        self.server = Server(self.url).start()
        for person in (self.ann, self.bob):
            person.base, person.http.base_url = self.server.base, self.server.base
            person.http.headers["origin"] = self.server.base

    def body(self, number):
        connection = sqlite3.connect(self.path)
        query = "select body from entries where table_id = ? and entry = ?"
        (body,) = connection.execute(query, (self.hurt, number)).fetchone()
        connection.close()
        return body

    def close(self):
        self.server.stop()
        for person in (self.ann, self.bob):
            person.http.close()

    def others_go_on(self):
        """Lists show the other tables, and they are played on."""
        assert {row["table"] for row in self.ann.get("/api/tables").json()} == set(self.others)
        mine = {row["table"]: row["state"] for row in self.bob.get("/api/mine").json()}
        assert [mine.pop(name) for name in self.others] == ["playing", "playing"]
        assert set(mine.values()) <= {"frozen", "closed"}
        for name in self.others:
            with self.ann.at(name, 0) as a, self.bob.at(name, 1) as b:
                for socket in (a, b):
                    socket.until(lambda s: s.ply is not None)
                play_out(a, b, most=2)


@pytest.fixture
def tables(tmp_path):
    made = Tables(tmp_path)
    yield made
    made.close()


UPDATE = "update entries set body = ? where table_id = ? and entry = ?"


def damages(tables):
    """What can happen to a journal: the statement that does it, and the entry at which it is seen."""
    hurt = tables.hurt
    yield "a bit of an entry", (UPDATE, (flip(tables.body(7), 99), hurt, 7)), 7
    yield "a hole", ("delete from entries where table_id = ? and entry = 6", (hurt,)), 6
    yield "a number", ("update entries set entry = 99 where table_id = ? and entry = 8", (hurt,)), 8
    yield "a type", (UPDATE, (12.5, hurt, 5)), 5
    yield "nothing in it", (UPDATE, (b"", hurt, 4)), 4


@pytest.mark.parametrize("which", range(5))
def test_a_damaged_table_is_frozen_alone_and_its_host_closes_it(tables, which):
    name, statement, number = list(damages(tables))[which]
    tables.damage(*statement)
    tables.others_go_on()
    with tables.ann.at(tables.hurt, 0) as a, tables.bob.at(tables.hurt, 1) as b:
        for socket in (a, b):
            socket.until(lambda s: s.table)
            assert (socket.table["state"], socket.table["reason"]) == ("frozen", DAMAGED.format(number)), name
            assert socket.ply is None, "nothing of the game is shown"
        for kind, what in (("move", {"ply": 0, "move": 0}), ("chat", {"text": "Hello"}), ("resign", {})):
            assert a.do(kind, **what)["t"] == "refused"
        assert "Only the host" in b.do("close")["sentence"]
        assert a.do("close")["t"] == "did"
        b.until(lambda s: s.table["state"] == "closed")
    tables.server.stop()
    tables.start()
    tables.others_go_on()
    with tables.bob.at(tables.hurt, 1) as b:
        b.until(lambda s: s.table)
        assert (b.table["state"], b.table["reason"]) == ("closed", "Ann closed the table.")
    for what in ("record", "frames", "cards"):
        assert tables.ann.get(f"/api/tables/{tables.hurt}/{what}").status_code < 500


def test_an_entry_that_this_version_does_not_know_freezes_the_table_with_another_sentence(tables):
    text = b'{"e":"invented","at":1}'
    tables.damage(UPDATE, (b"%b #%08x" % (text, journal.checksum(text)), tables.hurt, 9))
    with tables.ann.at(tables.hurt, 0) as a:
        a.until(lambda s: s.table)
        assert "is not understood by this version at entry 9" in a.table["reason"]


@pytest.mark.parametrize("how", ["a bit", "gone", "another game"])
def test_a_table_whose_first_entry_is_damaged_is_passed_by_and_closed_and_archived_by_the_operator(tables, how):
    first = tables.body(1)
    other = journal.encode(Said(at=1, text="no table"))
    body = {"a bit": flip(first, 77), "gone": None, "another game": other}[how]
    if body is None:
        tables.damage("delete from entries where table_id = ?", (tables.hurt,))
    else:
        tables.damage(UPDATE, (body, tables.hurt, 1))
    tables.others_go_on()
    code, sentence = tables.ann.turned_away(tables.hurt, 0)
    assert code == 4410 and sentence.startswith("This table's journal ") and sentence.endswith("so it cannot go on.")
    assert tables.ann.get(f"/api/tables/{tables.hurt}/frames").status_code == 410
    listed = spellheist("tables", "list", "--store", tables.url).stdout
    assert tables.hurt in listed
    assert spellheist("tables", "close", tables.hurt, "--store", tables.url).stdout == f"{tables.hurt} is closed.\n"
    assert spellheist("tables", "close", tables.hurt, "--store", tables.url).returncode == 2
    tables.others_go_on()
    assert spellheist("tables", "archive", tables.hurt, "--store", tables.url).stdout == "1 archived.\n"
    assert tables.ann.turned_away(tables.hurt, 0) == (4404, "This table was archived; only its record is kept.")


def test_the_operator_closes_a_frozen_table_and_its_pages_hear_it(tables):
    tables.damage(UPDATE, (flip(tables.body(6), 40), tables.hurt, 6))
    with tables.bob.at(tables.hurt, 1) as b:
        b.until(lambda s: s.table)
        assert spellheist("tables", "close", tables.hurt, "--store", tables.url).returncode == 0
        b.until(lambda s: s.table["state"] == "closed")


def test_a_damaged_snapshot_is_left_aside(tmp_path, monkeypatch):
    monkeypatch.setattr("spellheist.server.table.live.SNAPSHOT", 5)
    tables = Tables(tmp_path)
    try:
        shown = []
        for statement in (
            ("update snapshots set body = ?", (b"damaged" * 9,)),
            ("update snapshots set entry = entry + 1000",),
            ("update snapshots set entry = 2",),
            ("update snapshots set body = 7, entry = 'x'",),
        ):
            tables.damage(*statement)
            with tables.ann.at(tables.hurt, 0) as a:
                a.until(lambda s: s.ply is not None)
                shown.append((a.ply, a.view))
        assert all(one == shown[0] for one in shown)
        assert len(tables.ann.get("/api/tables").json()) == 3
    finally:
        tables.close()


def test_rows_with_wrong_values_hide_no_other_table_and_archive_none(tables):
    hurt = tables.hurt
    wrong = "update tables set game = 7, created = 'x', updated = 1, due = -5, shown = 'x' where table_id = ?"
    tables.damage(wrong, (hurt,))
    mine = {row["table"] for row in tables.ann.get("/api/mine").json()}
    assert mine == set(tables.names)
    swept(tables.server)
    assert tables.server.ask(tables.server.app.service.store.entries(hurt)), "it was used lately, whatever its row says"
    with tables.ann.at(hurt, 0) as a:
        a.until(lambda s: s.ply is not None)
    tables.damage("update tables set state = ?, updated = ? where table_id = ?", (b"\xff\xfe", 2**62, hurt))
    assert {row["table"] for row in tables.ann.get("/api/mine").json()} == set(tables.names)
    assert spellheist("tables", "list", "--all", "--store", tables.url).returncode == 0


def swept(server):
    """Wait until the server has looked at what is due and what is old, twice."""
    store, looks = server.app.service.store, []
    old = store.old
    seen = threading.Event()

    async def counted(*given):
        looks.append(given)
        if len(looks) > 2:
            seen.set()
        return await old(*given)

    store.old = counted
    assert seen.wait(60)
    store.old = old


# Who may use it.


def test_a_second_server_on_one_file_is_refused_and_the_command_line_is_not(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    with served(url, "--workers", "2") as (process, base):
        ann = Person(base)
        table = ann.make("dice_heist", "me", "me")
        for words in ((), ("--workers", "2")):
            done = spellheist("serve", "--port", "0", "--store", url, *words)
            sentence = f"The store {tmp_path}/t.db is in use by another server: stop that one, or name another store."
            assert (done.returncode, done.stdout, done.stderr) == (2, "", f"spellheist: {sentence}\n")
        assert spellheist("tables", "close", table, "--store", url).returncode == 0
        ann.http.close()
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    with served(url) as (_, base):
        ann = Person(base)
        assert ann.get("/api/tables").status_code == 200, "a server that was killed is in nobody's way"
        ann.http.close()


def test_the_store_is_readable_by_its_owner_only(tmp_path):
    folder = tmp_path / "new"
    url = f"sqlite:///{folder}/t.db"
    kept = hold(url)

    async def work(store):
        await store.append(Append("table", 1, b"{}"))
        return modes()

    def modes():
        return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}

    assert stat.S_IMODE((folder).stat().st_mode) == 0o700
    found = with_store(folder / "t.db", work, shared=True)
    assert set(found) == {"t.db", "t.db-wal", "t.db-shm", "t.db-lock", "t.db-server"}
    assert set(found.values()) == {0o600}
    kept.close()
    for file in folder.iterdir():
        file.chmod(0o644)
    kept = hold(url)
    assert set(modes().values()) == {0o600}
    kept.close()


# Writing.


def test_of_two_entries_of_one_number_in_one_batch_the_first_is_written(tmp_path):
    with_store(tmp_path / "t.db", twice)


def test_an_entry_for_which_nobody_waits_any_more_is_written_all_the_same(tmp_path):
    with_store(tmp_path / "t.db", left_alone)


def test_the_time_of_the_service_never_goes_back(tmp_path):
    with_store(tmp_path / "t.db", beaten)
    with_store(tmp_path / "t.db", beaten)
    change(tmp_path / "t.db", "update service set ms = 1 << 60")

    async def after(store):
        assert await store.beat(0) == 9_000, "of two numbers that should be the same the smaller one is taken"

    with_store(tmp_path / "t.db", after)


def test_one_entry_that_cannot_be_stored_fails_alone(tmp_path):
    async def work(store):
        wrong = store.append(Append("t", 2**70, b"a"))
        right = [store.append(Append(name, 1, b"b")) for name in "uvw"]
        done = await asyncio.gather(wrong, *right, return_exceptions=True)
        assert isinstance(done[0], Unsure) and done[1:] == [None] * 3

    with_store(tmp_path / "t.db", work)


def test_a_file_that_somebody_else_has_locked_is_read_and_not_written_until_it_is_free(tmp_path, monkeypatch):
    monkeypatch.setattr("spellheist.server.store.sqlite.PATIENCE", 100)
    server = Server(f"sqlite:///{tmp_path}/t.db").start()
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me")
        with ann.at(table, 0) as a, ann.at(table, 1) as b:
            a.start(b)
            other = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
            other.execute("begin immediate")
            mover = a if a.moves else b
            refused = mover.move()
            assert (refused["t"], refused["sentence"]) == ("refused", "The journal cannot be written now; try again.")
            assert ann.get("/api/mine").json()[0]["table"] == table
            answer = ann.post("/api/tables", {"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}]})
            assert (answer.status_code, answer.json()["sentence"]) == (503, "No table can be written now; try again.")
            other.execute("rollback")
            other.close()
            assert mover.move()["t"] == "did"
            play_out(a, b, most=3)
        ann.http.close()
    finally:
        server.stop()


def test_a_full_disk_loses_nothing_and_is_told_in_a_sentence(tmp_path):
    path = tmp_path / "t.db"
    with served(f"sqlite:///{path}") as (process, base):
        ann = Person(base)
        table = ann.make("dice_heist", "me", "me", options={"turn_limit": 90})
        with ann.at(table, 0) as a, ann.at(table, 1) as b:
            a.start(b)
            play_out(a, b, most=3)
            _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
            full = max(path.with_name(name).stat().st_size for name in ("t.db", "t.db-wal"))
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (full, most))
            for socket in (a, b):
                socket.drain(0.05)
            for _ in range(3):
                mover = a if a.moves else b
                refused = mover.do("move", ply=mover.ply, move=mover.moves[0][0])
                assert (refused["t"], refused["sentence"]) == ("refused", "The journal cannot be written now; try again.")
            assert ann.get("/api/mine").status_code == 200
            answer = ann.post("/api/tables", {"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}]})
            assert answer.status_code == 503
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
            for socket in (a, b):
                socket.drain(0.05)
            play_out(a, b, most=5)
            ply = a.ply
        with ann.at(table, 0) as a:
            a.until(lambda s: s.ply is not None)
            assert a.ply >= ply
        ann.http.close()


def test_what_cannot_be_read_is_told_in_a_sentence(tmp_path):
    """Nobody may see an error of ours for a store that does not answer."""
    server = Server(f"sqlite:///{tmp_path}/t.db").start()
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me")
        del server.app.service.tables[table]
        change(tmp_path / "t.db", "alter table entries rename to elsewhere")
        for path in (f"/api/tables/{table}/frames", f"/api/tables/{table}/cards", "/api/mine"):
            answer = ann.get(path)
            assert (answer.status_code, answer.json()["sentence"]) == (503, "The tables cannot be read now; try again.")
        assert ann.turned_away(table, 0)[0] == 4503
        change(tmp_path / "t.db", "alter table elsewhere rename to entries")
        assert ann.get("/api/mine").json()[0]["table"] == table
        ann.http.close()
    finally:
        server.stop()


# Whoever writes beside the server.


def test_pages_hear_within_a_sweep_that_their_table_was_closed_or_archived_from_the_command_line(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/t.db").start()
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me")
        with ann.at(table, 0) as a:
            a.until(lambda s: s.table)
            assert spellheist("tables", "close", table, "--store", server.url).returncode == 0
            a.until(lambda s: s.table["state"] == "closed")
            assert spellheist("tables", "archive", table, "--store", server.url).returncode == 0
            with pytest.raises(ConnectionClosed):
                a.until(lambda s: False)
        ann.http.close()
    finally:
        server.stop()
