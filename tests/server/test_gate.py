"""Several workers behind one address: real processes, real sockets, real kills."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from people import Person, play_out

from spellheist.core import record
from spellheist.server.gate import owner

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the workers in /proc")


class Served:
    """A server of two workers in processes of its own."""

    def __init__(self, store):
        command = [
            sys.executable, "-m", "spellheist", "serve", "--port", "0", "--workers", "2", "--pace", "0", "--rate", "0",
            "--bots", "plain", "--store", store,
        ]  # fmt: skip
        surroundings = {**os.environ, "SPELLHEIST_KERNEL": "plain", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        found = re.search(r"http://\S+", self.process.stdout.readline())
        self.base = found[0].replace("localhost", "127.0.0.1") if found else ""

    def workers(self):
        """The processes that serve."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(child) for child in children if b"spawn_main" in command_of(child)]

    def stop(self):
        """Ask it to stop; what it has said."""
        self.process.terminate()
        try:
            return self.process.communicate(timeout=30)[1]
        finally:
            self.process.kill()  # if it has not stopped by itself; then its workers stop as well
            self.process.communicate()


def command_of(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def time_of(process):
    """The ticks of a processor that a process has used."""
    figures = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return int(figures[11]) + int(figures[12])


@pytest.fixture
def served(tmp_path):
    server = Served(f"sqlite:///{tmp_path / 'tables.db'}")
    yield server
    said = server.stop()
    assert "Traceback" not in said, said


def tables_of_both(person, **how):
    """A table of each worker."""
    found = {}
    while len(found) < 2:
        table = person.make("dice_heist", "me", "me", listed=True, options={"turn_limit": 12}, **how)
        found.setdefault(owner(table, 2), table)
    return [found[0], found[1]]


def until(true, seconds=30):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.05)


def test_games_at_tables_of_different_workers_are_played_to_the_end_and_listed_by_all(served):
    ann = Person(served.base)
    for table in tables_of_both(ann):
        a, b = ann.at(table, 0), ann.at(table, 1)
        a.start(b)
        play_out(a, b, most=3)
        for _ in range(4):  # which worker answers is left to chance
            assert table in [row["table"] for row in ann.get("/api/tables").json()]
            assert table in [row["table"] for row in ann.get("/api/mine").json()]
        play_out(a, b)
        assert record.verify(record.read(ann.get(f"/api/tables/{table}/record").text))
        a.__exit__(), b.__exit__()


def test_a_friend_sits_down_wherever_the_table_is(served):
    ann, bob = Person(served.base), Person(served.base)
    for _ in range(4):
        table = ann.make("mages_dice", "me", "open")
        bob.get("/")  # a page over the same browser's connections
        assert bob.sit(table, 1, "Bob").status_code == 200
        with ann.at(table, 0) as a:
            a.until(lambda s: s.table and s.table["names"][1] == "Bob")


def test_figures_are_those_of_all_workers(served):
    ann = Person(served.base)
    one, other = tables_of_both(ann)

    def told(figure):
        lines = ann.get("/metrics").text.splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith(f"spellheist_{figure} ")))

    with ann.at(one, 0), ann.at(other, 0):
        until(lambda: told("sockets") == 2)
        until(lambda: told("tables") == told("entries_total") == len(ann.get("/api/mine").json()))


def test_a_worker_that_is_killed_is_replaced_and_its_tables_go_on(served):
    ann = Person(served.base)
    tables = tables_of_both(ann)
    for table in tables:
        a, b = ann.at(table, 0), ann.at(table, 1)
        a.start(b)
        play_out(a, b, most=3)
        a.drain(0.1)
    before, view = a.ply, a.view
    killed = served.workers()
    for process in killed:
        os.kill(process, signal.SIGKILL)
    until(lambda: len(served.workers()) == 2 and not set(killed) & set(served.workers()))
    a, b = ann.at(tables[1], 0), ann.at(tables[1], 1)
    a.until(lambda s: s.ply is not None)
    assert (a.ply, a.view) == (before, view)
    play_out(a, b)
    assert a.over
    a.__exit__(), b.__exit__()


def test_when_the_gate_dies_its_workers_stop(tmp_path):
    server = Served(f"sqlite:///{tmp_path / 'tables.db'}")
    Person(server.base).get("/healthz")
    workers = server.workers()
    assert len(workers) == 2
    server.process.kill()
    until(lambda: not any(b"spawn_main" in command_of(worker) for worker in workers))
    server.process.communicate()


def test_workers_stop_too_when_the_gate_dies_before_it_has_heard_that_they_serve(tmp_path):
    server = Served(f"sqlite:///{tmp_path / 'tables.db'}")
    until(lambda: len(server.workers()) == 2)
    os.kill(server.process.pid, signal.SIGSTOP)
    workers, used = server.workers(), []
    while used != (used := [time_of(worker) for worker in workers]):  # until they have started and wait
        time.sleep(1)
    server.process.kill()
    until(lambda: not any(b"spawn_main" in command_of(worker) for worker in workers))
    assert "Traceback" not in server.process.communicate()[1]


def test_a_line_that_never_comes_whole_holds_up_nobody(served):
    port = int(served.base.rpartition(":")[2])
    silent, slow = (socket.create_connection(("127.0.0.1", port)) for _ in range(2))
    slow.sendall(b"GET /heal")
    assert Person(served.base).get("/healthz").json()["healthy"]
    slow.sendall(b"thz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert slow.recv(100).startswith(b"HTTP/1.1 200")
    silent.close(), slow.close()


def test_a_store_that_cannot_be_opened_is_said_once_for_all(tmp_path):
    (tmp_path / "file").write_text("no folder")
    server = Served(f"sqlite:///{tmp_path / 'file' / 'tables.db'}")
    told, said = server.process.communicate(timeout=60)
    assert (server.process.returncode, server.base, told) == (2, "", "")
    assert said.startswith("spellheist: The store ") and said.count("\n") == 1
