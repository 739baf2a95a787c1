"""Cheats at the live window, as a page of one's own would try them: over HTTP and sockets only.

What each of them gains is measured by `benchmarks/race.py`; here it is nothing that anybody would notice.
"""

import dataclasses
import json
import random
import time

import pytest
from people import Person, Server
from thieves import Players
from websockets.sync.client import connect

from spellheist.server.race.arbiter import Times

TIMES = dataclasses.replace(Times(), earliest=150, space=0, shut=60_000, hold=300, human=0)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(f"sqlite:///{tmp_path_factory.mktemp('store')}/tables.db", times=TIMES).start()
    yield running
    running.stop()


@pytest.fixture
def game(server):
    players = Players(server)
    yield players
    players.close()


def of(verdicts, seat):
    return next(one for one in verdicts if one["seat"] == seat)


def test_who_connects_late_is_measured_from_the_cue_of_the_others(game):
    """The roll is seen elsewhere, and only then the seat's own line is opened: its time has run since the others' cue."""
    while True:
        current, others = game.roll(1)  # somebody is to roll
        late, other = others[:2]
        late.__exit__()
        before = current.ply
        current.tell("press", ply=before, move=0, reaction=None)
        for socket in (current, *others[1:]):
            socket.until(lambda s, before=before: s.ply > before)
        if current.view["phase"] == 8:
            break
        game.sockets[late.seat] = game.ann.at(game.table, late.seat)
        game.sockets[late.seat].until(lambda s: s.ply is not None)
    other.until(lambda s: any(m.get("open") and m["ply"] == s.ply for m in s.heard))
    seen = time.monotonic()
    time.sleep(0.3)
    back = game.sockets[late.seat] = game.ann.at(game.table, late.seat)
    back.until(lambda s: any(m.get("open") for m in s.heard))
    since = 1000 * (time.monotonic() - seen)
    assert back.answer(game.press(back, current.view["die"], reaction=1))["t"] == "did"
    verdict = of(game.ruling(current), back.seat)
    assert verdict["score"] + verdict["lag"] >= since - 1, "all the time since the others saw the roll"


@pytest.mark.parametrize("headers", [{}, {"X-Forwarded-For": "192.0.2.7", "X-Round-Trip": "5000"}], ids=["direct", "told"])
def test_pongs_that_are_held_back_and_false_claims_gain_nothing_where_others_know_the_line(server, game, headers):
    current, others = game.roll(8)
    cheat = others[0]
    cookie = "; ".join(f"{c.name}={c.value}" for c in game.ann.http.cookies.jar)
    where = f"{server.base.replace('http', 'ws')}/ws/{game.table}?seat={cheat.seat}"
    with connect(where, additional_headers={"origin": server.base, "cookie": cookie, **headers}, max_queue=None) as line:
        answered = 0
        while answered < 6:
            message = json.loads(line.recv(20))
            if message["t"] == "ping":
                time.sleep(0.15)
                line.send(json.dumps({"t": "pong", "n": message["n"]}))
                answered += 1
        move = 9 + 3 * cheat.seat + current.view["die"] - 1
        line.send(json.dumps({"t": "press", "id": 1, "ply": current.ply, "move": move, "reaction": 1}))
        while json.loads(line.recv(20)).get("id") != 1:
            pass
    assert of(game.ruling(current), cheat.seat)["lag"] <= 60, "and not the 150 ms that the pongs say"


def test_bots_cannot_be_predicted_from_what_everybody_knows(server):
    """A table's name and the ply are known; how quickly a bot lets go of the marker does not follow from them."""
    ann = Person(server.base)
    table = ann.make("spell_stealers", "me", "random", options={"stealing": "live"})
    taken, answered = {}, -1
    with ann.at(table, 0) as a:
        a.start()
        while len(taken) < 3:
            mine = [move for move, _ in a.moves if move < 9]
            if a.ply > answered and mine:
                answered = a.ply
                a.tell("press", ply=a.ply, move=mine[-1], reaction=None)
            message = a.hear()
            for one in message.get("ruling", []):
                if one["seat"] == 1 and one["verdict"] == "release":
                    taken[message["ply"]] = one["score"] - TIMES.earliest
    guesses = {ply: random.Random(f"{table}/{ply}").gauss(TIMES.bot_mean, TIMES.bot_spread) for ply in taken}
    assert any(abs(reaction - max(TIMES.human + 60, guesses[ply])) > 0.2 for ply, reaction in taken.items())
    ann.http.close()
