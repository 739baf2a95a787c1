"""kill -9 at every step of a move: no move is lost or doubled, and everybody goes on."""

import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from mortal import STEPS
from people import IDS, Person
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from spellheist.core import record
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.moving import Moved
from spellheist.server.table.actions.pressing import Pressed
from spellheist.server.table.table import Table

MORTAL = Path(__file__).with_name("mortal.py")
GONE = (ConnectionClosed, InvalidHandshake, OSError, EOFError, TimeoutError)


class Tenacious:
    """A page that connects again whenever the line is cut, and sends again what was not answered."""

    def __init__(self, person, table, seat):
        self.person, self.table, self.seat = person, table, seat
        self.socket = None
        self.sent = Counter()
        self.connect()

    def connect(self):
        for _ in range(200):
            try:
                self.socket = self.person.at(self.table, self.seat)
                self.socket.until(lambda s: s.table.get("state") == "gathering" or s.ply is not None, 5)
                return
            except GONE:
                continue
        raise AssertionError("the server does not come back")

    def sure(self, kind, **what):
        """Send a message until it is answered."""
        number = next(IDS)
        while True:
            try:
                self.sent[number] += 1
                return number, self.socket.do(kind, id=number, **what)
            except GONE:
                self.connect()

    def catch_up(self):
        try:
            self.socket.drain(0.002)
        except GONE:
            self.connect()


class Outcome(NamedTuple):
    """A game under kills."""

    killed: Counter  # how often each step of which entry was hit
    rows: list  # the journal: number and body
    done: dict  # what was answered with did: (seat, id): (ply, move)
    text: str  # the record
    pages: list


def play_through(folder, game, options, seed, kills, only=""):
    """Play a whole game while the server is killed; with `only`, at entries of that kind."""
    store = folder / "tables.db"
    command = [sys.executable, str(MORTAL), str(store), "0", str(seed), str(kills), only]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        person = Person(server.stdout.readline().strip())
        table = made(person, game, options)
        pages = [Tenacious(person, table, seat) for seat in (0, 1)]
        pages[0].sure("start")
        done = {}
        while not all(page.socket.over for page in pages):
            for page in pages:
                page.catch_up()
                if page.socket.moves and not page.socket.over:
                    asked = page.socket.ply, page.socket.moves[len(done) % len(page.socket.moves)][0]
                    number, answer = page.sure("move", ply=asked[0], move=asked[1])
                    if answer["t"] == "did":
                        done[page.seat, number] = asked
        text = person.get(f"/api/tables/{table}/record").text
        for page in pages:
            page.socket.__exit__()
        person.http.close()
    finally:
        server.terminate()
        killed, _ = server.communicate(timeout=20)
    connection = sqlite3.connect(store)
    rows = connection.execute("select entry, body from entries where table_id = ? order by entry", (table,)).fetchall()
    connection.close()
    return Outcome(Counter(killed.splitlines()), rows, done, text, pages)


def made(person, game, options):
    """A table, however often the server dies while it is made."""
    chairs = [{"kind": "me"}, {"kind": "me"}]
    for _ in range(50):
        try:
            answer = person.post("/api/tables", {"game": game, "name": "Ann", "chairs": chairs, "options": options})
            return answer.json()["table"]
        except Exception as error:
            if "httpx" not in type(error).__module__ and not isinstance(error, OSError):
                raise
    raise AssertionError("no table could be made")


@pytest.mark.parametrize(("game", "options", "kills"), [
    ("dice_heist", {"turn_limit": 25}, 10), ("abraca_what", {}, 5),
])  # fmt: skip
def test_killing_the_server_at_any_step_loses_and_doubles_nothing(game, options, kills, tmp_path):
    outcome = play_through(tmp_path, game, options, 7, kills)
    assert len({step.partition(" of ")[0] for step in outcome.killed}) == 5, "every step was hit"
    assert outcome.killed.total() == kills
    holds(outcome)


def test_killing_the_server_in_the_middle_of_a_window_loses_and_doubles_nothing(tmp_path):
    outcome = play_through(tmp_path, "spell_stealers", {"stealing": "live", "turn_limit": 12}, 3, 5, "a press")
    assert outcome.killed == {f"{step} of a press": 1 for step in STEPS}
    holds(outcome)


def holds(outcome):
    """No gap in the journal, nothing lost, nothing carried out twice, and all pages show its end."""
    assert [number for number, _ in outcome.rows] == list(range(1, len(outcome.rows) + 1)), "no gap"
    asked = []
    table = Table("again")
    for _, body in outcome.rows:
        entry = read_entry(body)
        if isinstance(entry, Moved | Pressed):
            move = entry.move if isinstance(entry, Pressed) else entry.plies[0][1]
            asked.append(((entry.seat, entry.id), (table.play.ply, move)))
        table.apply(entry)
    assert len(dict(asked)) == len(asked), "no message was carried out twice"
    assert dict(asked) == outcome.done, "all that was answered with did, and nothing else, each at the ply that it answered"
    assert table.state == "over"
    assert record.verify(record.read(outcome.text))
    for page in outcome.pages:
        view = table.play.view(page.seat)
        assert page.socket.view == {name: getattr(view, name) for name in page.socket.view}
