"""kill -9 at every step of a move: no move is lost or doubled, and everybody goes on."""

import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from people import IDS, Person
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from spellheist.core import record
from spellheist.server import entries as e
from spellheist.server.tables import Table

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


def play_through(folder, game, options, seed, kills, most=10**6):
    """Play a whole game while the server is killed; how often each step was hit, and the journal."""
    store = folder / "tables.db"
    command = [sys.executable, str(MORTAL), str(store), "0", str(seed), str(kills)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        person = Person(server.stdout.readline().strip())
        table = made(person, game, options)
        pages = [Tenacious(person, table, seat) for seat in (0, 1)]
        pages[0].sure("start")
        done = {}
        while not pages[0].socket.over and len(done) < most:
            for page in pages:
                page.catch_up()
                if page.socket.moves and not page.socket.over:
                    asked = page.socket.ply, page.socket.moves[len(done) % len(page.socket.moves)][0]
                    number, answer = page.sure("move", ply=asked[0], move=asked[1])
                    if answer["t"] == "did":
                        done[page.seat, number] = asked
        text = person.get(f"/api/tables/{table}/record").text if pages[0].socket.over else ""
        for page in pages:
            page.socket.__exit__()
        person.http.close()
    finally:
        server.terminate()
        killed, _ = server.communicate(timeout=20)
    connection = sqlite3.connect(store)
    rows = connection.execute("select entry, body from entries where table_id = ? order by entry", (table,)).fetchall()
    connection.close()
    return Counter(killed.splitlines()), rows, done, text, pages


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
    assert len(outcome[0]) == 5 and sum(outcome[0].values()) == kills, "every step was hit"
    holds(outcome)


def test_killing_the_server_in_the_middle_of_a_window_loses_and_doubles_nothing(tmp_path):
    options = {"stealing": "live", "turn_limit": 5}
    killed, rows, done, text, pages = play_through(tmp_path, "spell_stealers", options, 3, 5)
    assert sum(killed.values()) == 5
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1)), "no gap"
    entries = [e.decode(body) for _, body in rows]
    asked = [(entry.seat, entry.id) for entry in entries if isinstance(entry, e.Moved | e.Window)]
    assert len(asked) == len(set(asked)), "no message was carried out twice"
    assert set(asked) >= set(done), "nothing that was answered with did is lost"
    table = Table.read("again", [body for _, body in rows])
    assert table.state == "over" and record.verify(record.read(text))
    for page in pages:
        assert page.socket.view["pawn"] == table.play.state.pawn


def holds(outcome):
    """No gap in the journal, nothing lost, nothing carried out twice, and all pages show its end."""
    _, rows, done, text, pages = outcome
    assert [number for number, _ in rows] == list(range(1, len(rows) + 1)), "no gap"
    moved = [entry for entry in (e.decode(body) for _, body in rows) if isinstance(entry, e.Moved)]
    played = {(entry.seat, entry.id): entry for entry in moved}
    assert len(played) == len(moved), "no message was carried out twice"
    assert set(played) == set(done), "all that was answered with did, and nothing else, is in the journal"
    ply = {}
    count = 0
    for _, body in rows:
        entry = e.decode(body)
        if isinstance(entry, e.Moved):
            ply[entry.seat, entry.id] = count, entry.plies[0][1]
        count += len(getattr(entry, "plies", ()))
    assert ply == done, "each move at the ply that it answered"
    table = Table.read("again", [body for _, body in rows])
    assert table.state == "over"
    assert record.verify(record.read(text))
    for page in pages:
        view = table.play.view(page.seat)
        assert page.socket.view == {name: getattr(view, name) for name in page.socket.view}


