"""What people had the day before entries got checksums (`fixtures/make.py`), and how they go on with it."""

import json
import random
from pathlib import Path

from people import Person, play_out

from spellheist.core import record
from spellheist.server.race.arbiter import Times

FIXTURES = Path(__file__).parent / "fixtures"
HOW = {"keep_days": 10**6, "times": Times(earliest=100, space=0, shut=500, hold=50)}  # however old the fixtures are
PLAYED = ("gathering", "promising", "clock", "days", "playing", "paused", "away", "chat", "long", "window")


class Yesterday:
    """Ann and Bob with the cookies that they had, and their tables."""

    def __init__(self, base, kind):
        known = json.loads((FIXTURES / f"yesterday.{kind}.json").read_text())
        self.tables = known["tables"]
        self.people = [Person(base) for _ in known["people"]]
        for person, token in zip(self.people, known["people"].values(), strict=True):
            person.http.cookies.set("spellheist", token)

    def close(self):
        for person in self.people:
            person.http.close()

    def name(self, kind):
        return self.tables[kind]["table"]

    def at(self, kind):
        return [person.at(self.name(kind), seat) for seat, person in enumerate(self.people)]

    def looks_the_same(self, kind):
        """The page shows each seat what it showed it yesterday."""
        for seat, known in self.tables[kind]["seats"].items():
            with self.people[int(seat)].at(self.name(kind), int(seat)) as socket:
                socket.until(lambda s, known=known: s.table and (known["ply"] is None or s.ply is not None))
                if socket.ply == known["ply"]:  # no bot has moved meanwhile
                    assert socket.view == known["view"], kind

    def finish(self, kind):
        """Play a table to its end, and verify its record."""
        a, b = self.at(kind)
        a.until(lambda s: s.table)
        if a.table["state"] == "gathering":
            a.start(b)
        if a.table["state"] == "paused":
            assert a.do("pause", on=False)["t"] == "did"
        if a.table["chairs"][1]["away"]:
            assert self.people[1].sit(self.name(kind), 1, "Bob").status_code == 200
        if kind == "window":
            release(a, b)
        else:
            luck = random.Random(7)
            play_out(a, b, choose=lambda socket: luck.choice(socket.moves)[0], most=60)
        if not a.over:
            assert a.do("resign")["t"] == "did"
        for socket in (a, b):
            socket.until(lambda s: s.table["state"] == "over")
            socket.__exit__()
        text = self.people[0].get(f"/api/tables/{self.name(kind)}/record").text
        assert record.verify(record.read(text)), kind


def release(a, b):
    """Roll and let go of the marker, whatever comes up: the press of yesterday is ruled on, and the game goes on."""
    for _ in range(12):
        a.until(lambda s: s.view)
        if a.over:
            return
        before, phase = a.ply, a.view["phase"]
        current = a if a.view["current"] == 0 else b
        current.until(lambda s, before=before: s.ply is not None and s.ply >= before)
        current.tell("press", ply=before, move={1: 0, 8: 5, 9: 6}.get(phase, 0), reaction=None)
        for socket in (a, b):
            socket.until(lambda s, before=before: s.ply is not None and s.ply > before)


def goes_on(server, kind):
    """All tables of yesterday's store are there, look the same, and are played to their end."""
    yesterday = Yesterday(server.base, kind)
    ann, _ = yesterday.people
    try:
        states = {row["table"]: row["state"] for row in ann.get("/api/mine").json()}
        for name, known in yesterday.tables.items():
            after = {"promising": ("promising", "playing"), "archived": ("archived",)}.get(name, (known["state"],))
            assert states[known["table"]] in after, name
        assert ann.get(f"/api/tables/{yesterday.name('archived')}/record").text.startswith("spellheist record 1")
        for name in yesterday.tables:
            if name not in ("archived", "promising", "window"):
                yesterday.looks_the_same(name)
        for name in PLAYED:
            yesterday.finish(name)
    finally:
        yesterday.close()
