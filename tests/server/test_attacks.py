"""Attacks on the door: nobody reads, hears or plays a seat that is not theirs now; and one of every other kind.

Everything here goes over HTTP and sockets, as an attacker's would.
"""

import json
import os
import random
import signal
import socket
import sqlite3
import struct
import time
from contextlib import closing
from pathlib import Path

import pytest
from people import Person, Server, play_out
from test_postgres import database  # noqa: F401
from test_workers import Served, tables_of_both, until
from websockets.exceptions import ConnectionClosed

SECRETS = ("view", "plies", "chat", "thoughts", "why", "window")  # messages that tell something of a game
DIGITS = {"Arabic-Indic": "٠١٢", "fullwidth": "０１２", "superscript": "⁰¹²", "bold": "𝟎𝟏𝟐"}
SPELLINGS = [
    "00", "01", "02", "000", "0001", "00000", "00001", "00002", "000010", "0000000000001", "10", "10000", "00010", "9", "3",
    "%2B0", "%2B1", "-0", "-1", "-5", "1-", "%201", "1%20", "%090", "1%0A", "0%00", "%001", "1e0", "0e1", "0x1", "0b1",
    "1_0", "0_0", "1.0", "0.", ".0", "0,1", "0;1", "1/1", "[1]", '"1"', "true", "null", "None", "NaN", "open", "watcher",
    "0" * 5000, "0" * 4999 + "1", "1" * 5000, "1" + "0" * 5000, "0&seat=1", "1&seat=0", "&seat=1", "0&seat=0", "0&seat=",
    *(digits[1] for digits in DIGITS.values()), *(f"000{digits[1]}" for digits in DIGITS.values()),
    *(f"0000{digits[1]}" for digits in DIGITS.values()), "%FF", "0%FF", "%ED%A0%80",
]  # fmt: skip


def gathered(person, game, *more, people=2, **how):
    """A table with so many people, who all sit and are connected: its name, the people and their sockets."""
    present = [person() for _ in range(people)]
    table = present[0].make(game, "me", *["open"] * (people - 1), *more, **how)
    for seat, one in enumerate(present[1:], 1):
        assert one.sit(table, seat, f"Name {seat}").status_code == 200
    return table, present, [one.at(table, seat) for seat, one in enumerate(present)]


def kinds(heard):
    return {message["t"] for message in heard}


def try_everything(line):
    """Ask for all that a seat can be asked for, and do all that it can do, on a line that may have been cut."""
    ply = line.ply or 0
    tries = [
        {"t": "whole"}, {"t": "why", "move": 0}, {"t": "chat", "text": "It is still me."}, {"t": "hint", "ply": ply},
        {"t": "undo", "ply": ply}, {"t": "agree", "yes": True}, {"t": "resign"},
        *({"t": kind, "ply": ply, "move": move} for kind in ("move", "press") for move in range(9)),
    ]  # fmt: skip
    for number, message in enumerate(tries, 10**9):
        try:
            line.ws.send(json.dumps({"id": number, **message}))
        except ConnectionClosed:
            return


def hears_no_more(line):
    """The line is ended with a sentence, whatever is sent on it; nothing of the game came on it after that."""
    before = len(line.heard)
    try_everything(line)
    code, sentence = line.end() or (None, "")
    assert (code, sentence[-1:]) == (4403, ".")
    assert not kinds(line.heard[before:]) & {*SECRETS, "did"}


def is_shut_out(one, table, seat):
    """Neither the socket nor HTTP shows this seat."""
    assert one.turned_away(table, seat)[0] == 4403
    for what in ("frames", "record"):
        answer = one.get(f"/api/tables/{table}/{what}?seat={seat}")
        assert (answer.status_code, answer.json()["sentence"][-1]) == (403, ".")


# Any spelling of a seat.


@pytest.mark.parametrize(("holds", "spellings"), [(1, SPELLINGS), (0, SPELLINGS[:12])])
def test_a_seat_has_one_spelling_and_whoever_holds_another_reads_it_by_none(person, holds, spellings):
    table, people, sockets = gathered(person, "abraca_what", "random", people=2)
    sockets[0].start(sockets[1])
    one, stood = people[holds], []
    for asked in (1 - holds, 2, *spellings):
        with one.at(table, asked) as line:
            code, sentence = line.end(1) or (None, "")
            stood += [(asked, message["seat"]) for message in line.heard if message["t"] == "table"]
        assert stood or (code in (4400, 4403) and sentence.endswith(".")), asked
    assert stood == []
    for asked in (1 - holds, 2, *spellings):
        for what in ("frames", "record"):
            answer = one.get(f"/api/tables/{table}/{what}?seat={asked}")
            assert answer.status_code in (400, 403) and answer.json()["sentence"].endswith("."), (what, asked)
    assert one.get(f"/api/tables/{table}/frames?seat={holds}").json()[0]["view"]["turn"] == -1
    for line in sockets:
        line.__exit__()


def test_an_empty_seat_is_a_watcher_and_open_is_for_games_that_have_ended(person):
    table, (ann, bob), (a, b) = gathered(person, "abraca_what")
    a.start(b)
    stranger = person()
    for one in (ann, bob, stranger):
        with one.at(table, "") as watching:
            watching.until(lambda s: s.ply is not None)
            assert watching.table["seat"] is None and not watching.moves
        for what in ("frames", "record"):
            empty, none = (one.get(f"/api/tables/{table}/{what}{asked}").text for asked in ("?seat=", ""))
            assert empty == none
            assert one.get(f"/api/tables/{table}/{what}?seat=open").status_code == 400
    b.do("resign")
    for what in ("frames", "record"):
        assert stranger.get(f"/api/tables/{table}/{what}?seat=open").status_code == 200
    a.__exit__(), b.__exit__()


# Lines that outlive their right.


def test_who_gets_up_hears_nothing_more_of_that_seat_on_any_line(person):
    table, (_, bob), (a, b) = gathered(person, "abraca_what", hints=True)
    elsewhere = bob.at(table, 1)  # another window of the same browser
    b.hear(), elsewhere.hear()
    assert bob.post(f"/api/tables/{table}/rise", {"seat": 1}).status_code == 200
    carl = person()
    assert carl.sit(table, 1, "Carl").status_code == 200
    with carl.at(table, 1) as c:
        a.start(c)
        for line in (b, elsewhere):
            hears_no_more(line)
        a.drain(0.05), c.drain(0.05)
        assert not a.chat and a.table["state"] == "playing" and a.table["undo"] is None
    is_shut_out(bob, table, 1)
    for line in (a, b, elsewhere):
        line.__exit__()


def test_who_is_removed_before_the_game_hears_nothing_more_of_that_seat_and_may_sit_down_again(person):
    table, (_, bob), (a, b) = gathered(person, "abraca_what")
    elsewhere = bob.at(table, 1)
    b.hear(), elsewhere.hear()
    assert a.do("kick", seat=1)["t"] == "did"
    for line in (b, elsewhere):
        hears_no_more(line)
    assert bob.turned_away(table, 1)[0] == 4403
    assert bob.sit(table, 1, "Bob").status_code == 200
    with bob.at(table, 1) as again:
        a.start(again)
        assert again.view
    for line in (a, b, elsewhere):
        line.__exit__()


def test_who_is_removed_during_the_game_hears_nothing_more_of_that_seat(person):
    table, (_, bob, _), (a, b, c) = gathered(person, "abraca_what", people=3)
    a.start(b, c)
    a.do("kick", seat=1)
    c.do("agree", yes=True)  # where the host alone can do it there is nothing to agree to
    a.until(lambda s: s.table["chairs"][1]["away"])
    hears_no_more(b)
    is_shut_out(bob, table, 1)
    with bob.at(table) as watching:  # as anybody may
        watching.until(lambda s: s.ply is not None)
        assert (watching.table["seat"], watching.table["mine"]) == (None, [])
    for line in (a, b, c):
        line.__exit__()


def test_who_gives_up_for_good_hears_nothing_more_of_that_seat(person):
    table, (_, bob, _), (a, b, c) = gathered(person, "abraca_what", people=3)
    elsewhere = bob.at(table, 1)
    a.start(b, c, elsewhere)
    b.tell("resign")
    a.until(lambda s: s.table["chairs"][1]["away"])
    for line in (b, elsewhere):
        hears_no_more(line)
    is_shut_out(bob, table, 1)
    assert bob.sit(table, 1, "Bob").status_code in (400, 409)
    for line in (a, b, c, elsewhere):
        line.__exit__()


def test_who_hands_a_seat_to_a_bot_cannot_play_it_until_taking_it_back(person):
    table, (ann, bob), (a, b) = gathered(person, "dice_heist", options={"turn_limit": 200})
    a.start(b)
    assert bob.post(f"/api/tables/{table}/rise", {"seat": 1}).status_code == 200
    b.until(lambda s: s.table["chairs"][1]["away"])
    for kind in ("move", "press"):
        for move in range(9):
            assert b.do(kind, ply=b.ply, move=move)["t"] == "refused"
    stranger = person()
    assert stranger.sit(table, 1, "Eve").status_code == 409
    is_shut_out(stranger, table, 1), is_shut_out(ann, table, 1)
    assert bob.sit(table, 1, "Bob").status_code == 200
    b.until(lambda s: not s.table["chairs"][1]["away"])
    a.__exit__(), b.__exit__()


def test_strangers_of_the_gathering_are_cut_off_when_a_game_without_watchers_begins(person):
    table, _, (a, b) = gathered(person, "abraca_what", watchers=False)
    strangers = [person().at(table) for _ in range(3)]
    for line in strangers:
        assert line.hear()["state"] == "gathering"
    a.start(b)
    a.do("chat", text="We are alone.")
    for line in strangers:
        hears_no_more(line)
        assert not kinds(line.heard) & set(SECRETS)
    a.until(lambda s: s.table["watching"] == 0)
    for line in (a, b, *strangers):
        line.__exit__()


def test_a_host_without_a_seat_hears_no_more_than_a_watcher_may(person):
    host, bob, carl = person(), person(), person()
    table = host.make("abraca_what", "open", "open", watchers=False)
    bob.sit(table, 0, "Bob"), carl.sit(table, 1, "Carl")
    with host.at(table) as h, bob.at(table, 0) as b, carl.at(table, 1) as c:
        h.tell("start")
        for begun in (lambda s: s.table.get("state") in ("promising", "playing"), lambda s: s.ply is not None):
            b.until(begun), c.until(begun)
        play_out(b, c, most=4)
        b.do("chat", text="We are alone.")
        try_everything(h)
        h.do("pause", on=True)
        assert not kinds(h.heard) & set(SECRETS)
        assert not any(message.get("ply") for message in h.heard)


def test_the_next_game_has_an_open_seat_where_somebody_was_removed(person):
    _, (_, bob, _), (a, b, c) = gathered(person, "abraca_what", people=3)
    a.start(b, c)
    a.do("kick", seat=1)
    c.do("agree", yes=True)
    a.until(lambda s: s.table["chairs"][1]["away"])
    c.tell("resign")
    a.until(lambda s: s.table["chairs"][2]["away"])
    assert a.do("close")["t"] == "did"
    a.until(lambda s: s.table["state"] == "closed")
    assert a.do("rematch")["t"] == "did"
    a.until(lambda s: s.table["rematch"])
    after = a.table["rematch"]
    is_not_there = bob.turned_away(after, 1)
    assert is_not_there[0] == 4403
    dora = person()
    assert dora.sit(after, 1, "Dora").status_code == 200
    with dora.at(after, 1) as d:
        assert d.hear()["mine"] == [1]
        assert bob.sit(after, 1, "Bob").status_code == 409
        assert bob.turned_away(after, 1)[0] == 4403
    for line in (a, b, c):
        line.__exit__()


def test_a_removal_that_is_sent_twice_removes_nobody_else(person):
    table, _, (a, _) = gathered(person, "dice_heist")
    number = a.tell("kick", seat=1)
    assert a.answer(number)["t"] == "did"
    carl = person()
    assert carl.sit(table, 1, "Carl").status_code == 200
    with carl.at(table, 1) as c:
        assert a.do("kick", seat=1, id=number)["t"] == "did", "it is answered as before"
        a.do("chat", text="Welcome."), c.until(lambda s: s.chat)
        assert a.table["chairs"][1]["name"] == c.table["chairs"][1]["name"] == "Carl"
    a.__exit__()


# At another server, at another worker.


@pytest.mark.parametrize("how", ["rises", "is removed"])
def test_a_line_at_another_server_ends_with_its_right(database, how):  # noqa: F811
    here, there = Server(database).start(), Server(database).start()
    ann, bob, carl = Person(here.base), Person(there.base), Person(there.base)
    try:
        table = ann.make("abraca_what", "me", "open")
        assert bob.sit(table, 1, "Bob").status_code == 200
        with ann.at(table, 0) as a, bob.at(table, 1) as b:
            b.hear()
            if how == "rises":
                away = Person(here.base)
                away.http.cookies = bob.http.cookies
                assert away.post(f"/api/tables/{table}/rise", {"seat": 1}).status_code == 200
                away.http.close()
            else:
                a.until(lambda s: s.table.get("names", [0, 0])[1] == "Bob")
                assert a.do("kick", seat=1)["t"] == "did"
            hears_no_more(b)
            assert carl.sit(table, 1, "Carl").status_code == 200
            assert bob.turned_away(table, 1)[0] == 4403
    finally:
        for one in (ann, bob, carl):
            one.http.close()
        here.stop(), there.stop()


def test_at_every_worker_a_line_ends_with_its_right(tmp_path):
    served = Served(f"sqlite:///{tmp_path / 'tables.db'}")
    ann, bob = Person(served.base), Person(served.base)
    try:
        for made in tables_of_both(ann):
            assert ann.post(f"/api/tables/{made}/rise", {"seat": 1}).status_code == 200
            assert bob.sit(made, 1, "Bob").status_code == 200
            with ann.at(made, 0) as a, bob.at(made, 1) as b:
                b.hear()
                assert a.do("kick", seat=1)["t"] == "did"
                hears_no_more(b)
                assert bob.sit(made, 1, "Bob").status_code == 200
                with bob.at(made, 1) as again:
                    again.hear()
                    assert bob.post(f"/api/tables/{made}/rise", {"seat": 1}).status_code == 200
                    hears_no_more(again)
    finally:
        ann.http.close(), bob.http.close()
        assert "Traceback" not in served.stop()


# Joins that fail half way.


def handshake(one, table, seat):
    port = int(one.base.rpartition(":")[2])
    cookie = "; ".join(f"{c.name}={c.value}" for c in one.http.cookies.jar)
    text = (
        f"GET /ws/{table}{seat} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {one.base}\r\nCookie: {cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    return port, text.encode()


# A text without words, none at all, the end, the beginning of a text that is too long.
FRAMES = (b"\x81\x80\0\0\0\0", b"\xff" * 9, b"\x88\x80\0\0\0\0", b"\x81\xfe\xff\xff\0\0\0\0" * 9)


def break_off(one, table, seat, luck):
    """Connect, and be gone at any moment of it."""
    port, text = handshake(one, table, seat)
    with socket.create_connection(("127.0.0.1", port)) as line:
        if luck.random() < 0.5:  # a reset in place of an orderly end
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.sendall(text if luck.random() < 0.8 else text[: luck.randrange(len(text))])
        if luck.random() < 0.5:
            line.sendall(luck.choice(FRAMES))
        if luck.random() < 0.3:
            line.settimeout(luck.choice([0.001, 0.02]))
            try:
                line.recv(luck.choice([1, 200, 5000]))
            except OSError:
                return


def sockets_of(one):
    lines = one.get("/metrics").text.splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith("spellheist_sockets ")))


def test_connections_that_break_off_leave_no_line_behind(person):
    table, (ann, bob), (a, b) = gathered(person, "abraca_what")
    a.start(b)
    b.__exit__()
    a.until(lambda s: not s.table["chairs"][1]["here"])
    before, luck = sockets_of(ann), random.Random(5)
    for _ in range(150):
        break_off(bob, table, luck.choice(["", "?seat=1", "?seat=0", "?seat=00010"]), luck)
    until(lambda: sockets_of(ann) == before)
    a.until(lambda s: not s.table["chairs"][1]["here"] and s.table["watching"] == 0)
    with bob.at(table, 1) as again:
        again.until(lambda s: s.ply is not None)
    a.__exit__()


# One attack of each other class. What they are in detail is tested in test_people.py and test_origins.py (who somebody is),
# test_clocks.py, test_cheats.py (the live window), test_supervisor.py and test_store.py (what breaks), test_limits.py
# and test_proposals.py.


def cookies(person):
    return {cookie.name: cookie.value for cookie in person.http.cookies.jar}


def test_a_link_from_another_site_does_not_take_over_a_browser(person):
    ann, eve = person(), person()
    ann.make("dice_heist", "me", "open")
    eve.make("dice_heist", "me", "open")
    mine = cookies(ann)
    for token in cookies(eve).values():
        for path in (f"/me/{token}", f"/me/{token}?to=/mine"):
            ann.get(path, headers={"origin": "https://evil.example", "sec-fetch-site": "cross-site"})
    assert cookies(ann) == mine


def test_a_clock_is_not_renewed_by_leaving_and_coming_back(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/t.db", pace=30).start()  # the bot that plays for somebody takes its time
    ann, bob = Person(server.base), Person(server.base)
    table = ann.make("dice_heist", "me", "open", "random", clock={"kind": "move", "seconds": 5})
    bob.sit(table, 1, "Bob")
    a, b = ann.at(table, 0), bob.at(table, 1)
    a.start(b)
    end = time.monotonic() + 60
    while not a.chat and time.monotonic() < end:
        for line in (a, b):
            line.drain(0.05)
        for who, line in ((ann, a), (bob, b)):
            if line.moves:
                who.post(f"/api/tables/{table}/rise", {"seat": line.seat})
                who.sit(table, line.seat, "x")
        time.sleep(0.3)
    assert a.chat and "ran out of time" in a.chat[0][2]
    for line, who in ((a, ann), (b, bob)):
        line.__exit__()
        who.http.close()
    server.stop()


def test_one_damaged_table_empties_nobodys_lobby(tmp_path):
    store = tmp_path / "t.db"
    first = Server(f"sqlite:///{store}").start()
    ann = Person(first.base)
    tables = [ann.make("dice_heist", "me", "open", listed=True) for _ in range(3)]
    first.stop()
    with closing(sqlite3.connect(store)) as connection, connection:
        (body,) = connection.execute("select body from entries where table_id = ?", (tables[1],)).fetchone()
        broken = bytes([body[0] ^ 1]) + body[1:]
        connection.execute("update entries set body = ? where table_id = ?", (broken, tables[1]))
    second = Server(f"sqlite:///{store}").start()
    again = Person(second.base)
    again.http.cookies = ann.http.cookies
    for path in ("/api/tables", "/api/mine"):
        answer = again.get(path)
        assert answer.status_code == 200
        assert {tables[0], tables[2]} <= {row["table"] for row in answer.json()}
    ann.http.close(), again.http.close()
    second.stop()


def test_a_bot_process_that_dies_stops_no_game(tmp_path):
    served = Served(f"sqlite:///{tmp_path}/tables.db")
    try:
        ann = Person(served.base)
        table = ann.make("dice_heist", "me", "greedy", options={"turn_limit": 12})
        with ann.at(table, 0) as a:
            a.start()
            play_out(a, most=4)
            a.until(lambda s: s.moves)  # so the bot waits for its next question
            bots = bots_below(served.process.pid)
            for bot in bots:
                os.kill(bot, signal.SIGKILL)
            until(lambda: not set(bots) & set(bots_below(served.process.pid)))
            play_out(a)
            assert bots and a.over
        ann.http.close()
    finally:
        served.stop()


def bots_below(process):
    """The processes of bots among all that a process has begun."""
    found = []
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        command = Path(f"/proc/{child}/cmdline").read_bytes()
        found += [int(child)] if b"bots.worker" in command else bots_below(int(child))
    return found


def test_strange_headers_get_a_sentence_and_no_error_of_ours(person):
    body = {"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "open"}]}
    for origin in ("http://[", "http://[::1", "http://x:99999999"):
        answer = person().post("/api/tables", body, headers={"origin": origin})
        assert (answer.status_code, answer.json()["sentence"][-1]) == (403, ".")


def test_nobody_removes_pauses_or_closes_alone_what_others_play(person):
    _, _, (a, b) = gathered(person, "dice_heist", "random")
    a.start(b)
    for kind, what in (("pause", {"on": True}), ("kick", {"seat": 1}), ("close", {})):
        a.do(kind, **what)
        a.do("chat", text="done?")
        assert a.table["state"] == "playing" and not a.table["chairs"][1]["away"]
    for line in (a, b):
        line.__exit__()
