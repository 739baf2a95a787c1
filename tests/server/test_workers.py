"""Several workers behind one address: real processes, real sockets, real kills."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from people import Person, play_out
from websockets.exceptions import InvalidStatus

from spellheist.core import record
from spellheist.server.process.workers import owner

ROOT = Path(__file__).parents[2]
STARTED, LITTLE = 20, 4  # ticks of a processor: a worker needs more to start; in a second it needs no more when it waits
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
        time.sleep(0.5 * (len(found) < 2))  # one of them may still be starting
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
    until(lambda: ann.get(f"/api/tables/{tables[1]}/cards").status_code == 200)
    a, b = ann.at(tables[1], 0), ann.at(tables[1], 1)
    a.until(lambda s: s.ply is not None)
    assert (a.ply, a.view) == (before, view)
    play_out(a, b)
    assert a.over
    a.__exit__(), b.__exit__()


class Killer(threading.Thread):
    """Kills one worker as soon as it appears, again and again, until told to stop."""

    def __init__(self, served, spared):
        super().__init__()
        self.served, self.spared, self.kills, self.ended = served, spared, 0, False

    def run(self):
        while not self.ended:
            for process in set(self.served.workers()) - {self.spared}:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                self.kills += 1
                until(lambda process=process: process not in self.served.workers())
            time.sleep(0.02)


def test_a_worker_that_dies_again_and_again_does_not_end_the_others(served):
    ann = Person(served.base)
    ours, others = tables_of_both(ann)
    a, b = ann.at(others, 0), ann.at(others, 1)
    a.start(b)
    killer = Killer(served, served.workers()[1])  # the first to be begun is number 0
    killer.start()
    try:
        until(lambda: killer.kills > 2)
        answer = ann.get(f"/api/tables/{ours}/cards")
        assert (answer.status_code, answer.json()["rule"]) == (503, None)
        assert "try again in a moment" in answer.json()["sentence"] and answer.headers["retry-after"]
        with pytest.raises(InvalidStatus) as turned_away:
            ann.at(ours, 0)
        assert turned_away.value.response.status_code == 503
        assert {ann.get("/healthz").status_code for _ in range(6)} == {200}, "what names no table goes to who serves"
        play_out(a, b)
        assert record.verify(record.read(ann.get(f"/api/tables/{others}/record").text))
    finally:
        killer.ended = True
        killer.join()
    until(lambda: ann.get(f"/api/tables/{ours}/cards").status_code == 200)
    line = next(line for line in ann.get("/metrics").text.splitlines() if 'faults_total{work="worker"}' in line)
    assert float(line.split()[1]) >= killer.kills
    with ann.at(ours, 0) as c, ann.at(ours, 1) as d:
        c.start(d)
    a.__exit__(), b.__exit__()


def test_if_no_worker_can_start_the_start_is_refused():
    script = (
        "import os\n"
        "from spellheist.server.process.workers import Gate\n"
        "from spellheist.server.process.serve import bound\n"
        "if __name__ == '__main__':\n"
        "    Gate(bound('127.0.0.1', 0), 2, os.getpid).run()\n"  # which takes no number and no channel
    )
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, env=surroundings)
    assert "Refused: No worker could start" in ran.stderr


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.25])
def test_whoever_stops_it_at_once_is_told_no_more_than_that(tmp_path, wait):
    server = Served(f"sqlite:///{tmp_path / 'tables.db'}")
    time.sleep(wait)
    os.killpg(server.process.pid, signal.SIGINT)  # as a terminal does
    told, said = server.process.communicate(timeout=60)
    assert (server.process.returncode, said) == (0, "") and told.startswith("Stopped.")


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
    workers, used, still = server.workers(), [0, 0], 0
    while still < 3:  # until they have started and do little more than to keep the time
        before, used = used, [time_of(worker) for worker in workers]
        still = still + 1 if sum(used) - sum(before) <= LITTLE and min(used) > STARTED else 0
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
