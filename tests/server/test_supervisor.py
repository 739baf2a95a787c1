"""Background work that fails goes on: work of our own, bots that are killed or stopped, stores that fail for a while."""

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from people import Person, Server, play_out
from starlette.requests import HTTPConnection

from spellheist.core.refused import Refused
from spellheist.server import service as services
from spellheist.server import sweep
from spellheist.server.http import visitors
from spellheist.server.http.table_socket import round_trips
from spellheist.server.process import supervisor
from spellheist.server.process.supervisor import Delay, Supervisor
from spellheist.server.table import clocks

ROOT = Path(__file__).parents[2]
on_linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes in /proc")


def until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.05)


async def soon(true):
    """Wait until something is true, in a loop."""
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end, "it does not come true"
        await asyncio.sleep(0.01)


# Work of our own.


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(supervisor, "FIRST", 0.001)
    monkeypatch.setattr(Delay.__init__, "__defaults__", (0.001, 0.01, time.monotonic))


def test_the_delay_grows_up_to_a_bound_and_is_short_again_after_a_good_while():
    now = 0.0
    delay = Delay(1.0, 5.0, lambda: now)
    assert [delay.next() for _ in range(5)] == [1, 2, 4, 5, 5]
    now = 30.0
    assert delay.next() == 5
    now += supervisor.CALM + 6
    assert delay.next() == 1
    assert delay.next() == 2
    delay.reset()
    assert delay.next() == 1


def test_work_that_fails_is_logged_with_its_traceback_counted_and_goes_on(quick, caplog):
    async def story():
        watching, runs = Supervisor(), []

        async def work():
            runs.append(1)
            if len(runs) < 4:
                raise ValueError("a fault of ours")

        watching.every("sweep", 0.001, work)
        await soon(lambda: len(runs) > 6)
        await watching.close()
        return watching

    watching = asyncio.run(story())
    assert watching.faults == {"sweep": 3} and watching.ago()["sweep"] is not None
    errors = [line for line in caplog.records if line.levelno == logging.ERROR]
    assert [line.getMessage() for line in errors] == ["sweep failed"] * 3
    assert all(line.exc_info[0] is ValueError for line in errors)


@pytest.mark.parametrize("how", ["ends", "raises", "waits for something that is cancelled"])
def test_work_that_is_to_run_until_the_end_is_begun_again_however_it_ended(how, quick):
    async def story():
        watching, runs = Supervisor(), []

        async def work():
            runs.append(1)
            if how == "raises":
                raise ValueError
            if how != "ends":
                lost = asyncio.get_running_loop().create_future()
                lost.cancel()
                await lost

        watching.keep("listener", work)
        await soon(lambda: len(runs) > 3)
        await watching.close()
        return watching.faults["listener"], len(runs)

    faults, runs = asyncio.run(story())
    assert 3 <= faults <= runs


def test_work_that_is_done_once_is_tried_until_it_succeeds(quick):
    async def story():
        watching, runs = Supervisor(), []

        async def work():
            runs.append(1)
            if len(runs) < 3:
                raise OSError
            return "done"

        return await watching.finish("warming", work), watching.faults["warming"]

    assert asyncio.run(story()) == ("done", 2)


def test_a_task_that_fails_is_counted_and_a_refusal_is_not():
    async def story():
        watching = Supervisor()

        async def work(error):
            raise error

        watching.start(work(KeyError("x")), "timer")
        watching.start(work(KeyError("x")), "a name that nobody knows")
        watching.start(work(Refused("No.")))
        await soon(lambda: not watching.tasks)
        return watching.faults

    assert asyncio.run(story()) == {"timer": 1, "other": 1}


def test_at_the_end_all_work_ends_but_what_its_owner_ends(quick):
    async def story():
        watching, closing, log = Supervisor(), [], []

        async def forever():
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)  # it may take its last steps
                log.append("ended")

        async def writer():
            while not closing:
                await asyncio.sleep(0.001)

        async def late():
            watching.start(forever())
            await asyncio.Event().wait()

        watching.keep("listener", forever)
        watching.every("sweep", 60, late)
        kept = watching.keep("writer", writer, until=lambda: bool(closing))
        await asyncio.sleep(0.01)
        await watching.close()
        assert not kept.done() and log == ["ended"] * 2
        closing.append(True)
        await asyncio.wait_for(kept, 30)
        assert not watching.faults

    asyncio.run(story())


def test_vital_work_that_has_not_run_well_for_long_is_missed():
    async def story():
        now = [100.0]
        watching = Supervisor(lambda: now[0])
        fails = [False]

        async def sweep():
            if fails[0]:
                raise OSError

        async def listener():
            if fails[0]:
                raise OSError
            await asyncio.Event().wait()

        watching.every("sweep", 0.001, sweep)
        task = watching.keep("listener", listener)
        await asyncio.sleep(0.01)
        assert watching.missed() == []
        now[0] += 1000
        await asyncio.sleep(0.05)
        assert watching.missed() == [] and watching.ago()["listener"] == 0
        fails[0] = True
        await asyncio.sleep(0.05)
        now[0] += supervisor.LONG + 1
        assert watching.missed() == ["sweep"]  # the other one still runs
        task.cancel()
        await watching.close()

    asyncio.run(story())


# A server whose store fails for a while.


@contextlib.contextmanager
def locked(path):
    """While this lasts, somebody else writes."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as other:
        other.execute("begin immediate")
        yield
        other.execute("rollback")


@pytest.fixture
def serving(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/tables.db").start()
    server.path = tmp_path / "tables.db"
    yield server
    server.stop()


def figure(person, name):
    lines = person.get("/metrics").text.splitlines()
    return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"spellheist_{name} ")))


def faults(person, work):
    return figure(person, f'faults_total{{work="{work}"}}')


def test_who_cannot_write_lives_but_is_not_ready(serving):
    ann = Person(serving.base)
    until(lambda: ann.get("/readyz").json()["seconds_ago"].get("sweep") is not None)
    answer = ann.get("/readyz")
    assert answer.status_code == 200 and answer.json()["ready"] and answer.json()["missed"] == []
    with locked(serving.path):
        answer = ann.get("/readyz")
        assert (answer.status_code, answer.json()["writes"]) == (503, False)
        assert ann.get("/healthz").status_code == 200
    until(lambda: ann.get("/readyz").status_code == 200)
    ann.http.close()


def test_who_has_not_swept_for_long_is_not_ready(serving):
    ann = Person(serving.base)
    until(lambda: ann.get("/readyz").status_code == 200)
    serving.app.service.supervisor.known("sweep").well = time.monotonic() - 1000
    answer = ann.get("/readyz")
    assert (answer.status_code, answer.json()["missed"], answer.json()["writes"]) == (503, ["sweep"], True)
    assert ann.get("/healthz").status_code == 200
    ann.http.close()


def test_a_clock_whose_entry_could_not_be_written_rings_again(serving, monkeypatch):
    monkeypatch.setattr(clocks, "RETRY", 0.2)
    ann = Person(serving.base)
    table = ann.make("dice_heist", "me", "me", clock={"kind": "move", "seconds": 5})
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        with locked(serving.path):
            until(lambda: faults(ann, "timer"))
        a.until(lambda s: s.over)
        a.until(lambda s: s.table["reason"])
        assert "ran out of time" in a.table["reason"]
    ann.http.close()


def test_bots_go_on_when_the_store_can_be_written_again(serving, monkeypatch):
    monkeypatch.setattr(clocks, "RETRY", 0.2)
    ann = Person(serving.base)
    with ann.at(ann.make("dice_heist", "random", "random", options={"turn_limit": 30})) as w:
        serving.app.service.settings.pace = 0.02
        assert w.do("start")["t"] == "did"
        w.until(lambda s: s.ply and s.ply > 3)
        with locked(serving.path):
            until(lambda: faults(ann, "bot"))
        w.until(lambda s: s.over, 60)
    ann.http.close()


def test_a_table_that_cannot_be_read_does_not_keep_the_sweep_from_the_others(tmp_path, monkeypatch):
    path = tmp_path / "tables.db"
    first = Server(f"sqlite:///{path}").start()
    ann = Person(first.base)
    tables = [ann.make("dice_heist", "me", "me", clock={"kind": "move", "seconds": 5}) for _ in range(3)]
    for table in tables:
        with ann.at(table, 0) as a, ann.at(table, 1) as b:
            a.start(b)
    ann.http.close()
    first.stop()
    monkeypatch.setattr(services, "SWEEP", 0.1)
    monkeypatch.setattr(sweep, "SPARED", (600.0, 600.0))
    second = Server(f"sqlite:///{path}")
    begun = second.start
    bad = tables[1]

    def breaks(store):
        entries = store.entries

        async def read(table):
            if table == bad:
                raise ValueError("this cannot be read")
            return await entries(table)

        store.entries = read
        return store

    monkeypatch.setattr("people.store_at", lambda url, real=sys.modules["people"].store_at: breaks(real(url)))
    begun()
    bob = Person(second.base)
    try:
        until(lambda: {tables[0], tables[2]} <= set(second.app.service.tables))
        until(lambda: faults(bob, "sweep"))
        until(lambda: all(second.app.service.tables[t].table.state == "over" for t in (tables[0], tables[2])))
        assert faults(bob, "sweep") == 1, "it is left alone for a while"
        assert bad not in second.app.service.tables and bob.get("/readyz").status_code == 200
    finally:
        bob.http.close()
        second.stop()


def test_a_part_of_the_sweep_that_fails_does_not_keep_the_others_from_being_done(serving, caplog):
    service, done = serving.app.service, []

    async def fail():
        raise ValueError("a fault of ours")

    async def archive():
        done.append(True)

    service.sweep.look_elsewhere, service.sweep.archive_old = fail, archive
    with pytest.raises(ExceptionGroup):
        serving.ask(service.sweep.run())
    assert done


def test_the_time_of_the_service_never_goes_back_while_it_is_being_written(serving):
    service = serving.app.service
    beat = service.store.beat

    async def slow(ms):
        service.ran += 5000  # as much time passes until it is written
        return await beat(ms)

    async def story():
        before = service.clock()
        service.store.beat = slow
        await service.beat()
        return before, service.clock()

    before, after = serving.ask(story())
    assert after >= before + 5000


def test_the_end_comes_also_when_something_in_it_fails(tmp_path, caplog):
    server = Server(f"sqlite:///{tmp_path}/tables.db").start()
    ann = Person(server.base)
    table = ann.make("dice_heist", "me", "me")
    ann.http.close()

    def fail():
        raise ValueError("a fault of ours")

    server.app.service.tables[table].stop = fail
    server.app.service.pool.close = fail
    server.stop()
    assert server.app.service.store.thread is None, "the store was closed"
    assert sum("a fault of ours" in str(line.exc_info) for line in caplog.records) == 2


# Bots.


class Served:
    """A server in a process of its own, as people run it."""

    def __init__(self, store, *how):
        command = [sys.executable, "-m", "spellheist", "serve", "--port", "0", "--rate", "0", "--bots", "plain",
                   "--thinkers", "1", "--store", store, *how]  # fmt: skip
        surroundings = {**os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.base = re.search(r"http://\S+", self.process.stdout.readline())[0].replace("localhost", "127.0.0.1")

    def bots(self):
        """The processes of bots."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            return [int(child) for child in children if b"bots.worker" in Path(f"/proc/{child}/cmdline").read_bytes()]
        return []

    def stop(self):
        self.process.terminate()
        try:
            return self.process.communicate(timeout=30)[1]
        finally:
            self.process.kill()
            self.process.communicate()


@on_linux
def test_a_bot_that_is_killed_while_nobody_asks_it_is_replaced_and_nobody_notices(tmp_path):
    served = Served(f"sqlite:///{tmp_path}/tables.db", "--pace", "0")
    ann = Person(served.base)
    try:
        with ann.at(ann.make("dice_heist", "me", "random", options={"turn_limit": 40}), 0) as a:
            a.start()
            a.until(lambda s: s.moves)
            for _ in range(2):
                while not (killed := served.bots()):
                    play_out(a, most=1)
                    a.until(lambda s: s.moves)  # nobody asks the bot now
                for bot in killed:
                    os.kill(bot, signal.SIGKILL)
                until(lambda killed=killed: not set(killed) & set(served.bots()))  # whether or not they are buried
            play_out(a)
            assert a.over and a.chat == []
        assert killed and figure(ann, "bots_replaced_total") == 2 and faults(ann, "bot") == 0
    finally:
        said = served.stop()
        ann.http.close()
    assert "Traceback" not in said, said


@on_linux
def test_bots_that_are_killed_again_and_again_never_stop_a_game(tmp_path):
    served = Served(f"sqlite:///{tmp_path}/tables.db", "--pace", "0")
    ann = Person(served.base)
    try:
        tables = [ann.make("dice_heist", "greedy", "greedy", options={"turn_limit": 30}) for _ in range(2)]
        watching = [ann.at(table) for table in tables]
        for w in watching:
            assert w.do("start")["t"] == "did"
        killed = 0
        while killed < 8 and not watching[0].over:
            for bot in served.bots():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(bot, signal.SIGKILL)
                    killed += 1
            watching[0].drain(0.2)
        for w in watching:
            w.until(lambda s: s.over, 60)
            w.__exit__()
        assert figure(ann, "bots_replaced_total") > 0
        assert ann.get("/readyz").json()["seconds_ago"]["bot"] is not None
    finally:
        served.stop()
        ann.http.close()


@on_linux
def test_a_bot_that_hangs_is_ended_after_a_while_and_the_table_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("spellheist.server.process.bot_pool.PATIENCE", 1.0)
    server = Server(f"sqlite:///{tmp_path}/tables.db").start()
    ann = Person(server.base)
    try:
        with ann.at(ann.make("dice_heist", "me", "random", options={"turn_limit": 40}), 0) as a:
            a.start()
            a.until(lambda s: s.moves or s.over)
            thinker = server.app.service.pool.thinkers[0]
            while not thinker.knows:  # until the bot has been asked about this game
                play_out(a, most=1)
                a.until(lambda s: s.moves or s.over)
            hung = thinker.process
            hung.send_signal(signal.SIGSTOP)
            play_out(a)
            assert a.over and "The bot of Morgana stopped thinking and was replaced." in [line[2] for line in a.chat]
        assert hung.returncode == -signal.SIGKILL
    finally:
        server.stop()
        ann.http.close()


def test_bots_whose_process_cannot_be_begun_make_random_moves_and_the_table_says_so_once(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/tables.db", command=["/nowhere/at/all"]).start()
    ann = Person(server.base)
    pool = server.app.service.pool
    pool.delays[pool.thinkers[0]] = Delay(0.01, 0.02)
    try:
        with ann.at(ann.make("dice_heist", "greedy", "greedy", options={"turn_limit": 6})) as w:
            w.do("start")
            w.until(lambda s: s.over)
            said = [line[2] for line in w.chat]
            assert len(said) == len(set(said)) == 4 and sum("a random move is made" in text for text in said) == 2
        assert ann.get("/readyz").status_code == 200
    finally:
        server.stop()
        ann.http.close()


def test_a_table_survives_whatever_its_bots_raise(serving, monkeypatch):
    monkeypatch.setattr(clocks, "RETRY", 0.05)
    choose, times = serving.app.service.pool.choose, iter(range(10**6))

    async def moody(*asked):
        if next(times) % 3:
            raise [KeyError("x"), Refused("No."), TypeError("y")][next(times) % 3]
        return await choose(*asked)

    serving.app.service.pool.choose = moody
    ann = Person(serving.base)
    with ann.at(ann.make("dice_heist", "me", "random", options={"turn_limit": 8}), 0) as a:
        a.start()
        while not a.over:
            a.until(lambda s: s.moves or s.over, 60)
            play_out(a, most=1)
    assert faults(ann, "bot") > 0
    ann.http.close()


# Lines that have gone.


@pytest.mark.skipif(sys.platform == "win32", reason="there is no uvloop")
@pytest.mark.parametrize("looked", [False, True])
def test_a_line_that_has_just_gone_can_still_be_asked_where_it_came_from(looked):
    import uvloop

    class Keeps(asyncio.Protocol):
        def connection_made(self, transport):
            self.transport = transport
            if looked:  # as uvicorn does
                transport.get_extra_info("socket")

    async def story():
        with socket.create_server(("127.0.0.1", 0)) as listening:
            there = socket.create_connection(listening.getsockname())
            here, _ = listening.accept()
        here.setblocking(False)
        there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        there.close()  # before anybody has looked at it, as happens to connections that wait for a worker
        _, line = await asyncio.get_running_loop().connect_accepted_socket(Keeps, here)
        await soon(line.transport.is_closing)
        await asyncio.sleep(0.05)
        ends = {"spellheist.socket": SimpleNamespace(transport=line.transport)}
        headers = [(b"x-forwarded-for", b"192.0.2.1")]
        gone = HTTPConnection({"type": "websocket", "headers": headers, "extensions": ends})
        return visitors.through_proxy(gone), round_trips(gone)

    assert uvloop.run(story()) == (True, None)
