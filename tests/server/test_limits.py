"""What one address may have and do, and what nobody may: strange, slow and endless requests, each answered with a
sentence or cut off, while others go on."""

import json
import re
import socket
import struct
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import Person, Server, play_out
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from spellheist.core.game import find
from spellheist.server.limits import Limits, names
from spellheist.server.rate_limits import Bucket, Quota, TooMany, TooOften, is_loopback, network
from spellheist.server.text import MARKS, clusters, cut, is_mark, tidy


def serving(tmp_path, **how):
    limits = {name: how.pop(name) for name, _, _ in names() if name in how}
    return Server(f"sqlite:///{tmp_path}/t.db", limits=Limits(**limits), **how).start()


@pytest.fixture
def strict(tmp_path):
    """A server whose limits are on, and some very low."""
    server = serving(tmp_path, rate=1, seconds_for_headers=1, seconds_for_body=1, sockets_per_address=3,
                     watchers_per_address=2, watchers_per_table=3, tables_per_address=2, joins_per_address=50,
                     requests_per_address=100)  # fmt: skip
    yield server
    server.stop()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """A server that does not wait long for a request."""
    server = serving(tmp_path_factory.mktemp("hasty"), rate=1, seconds_for_headers=0.5, seconds_for_body=0.5)
    yield server
    server.stop()


def raw(server, data, seconds=20):
    """What a server answers to these bytes until it ends the connection."""
    with speaking(server) as line:
        line.sendall(data)
        return to_the_end(line, seconds)


def speaking(server):
    host, port = server.base.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=20)


def to_the_end(line, seconds=20):
    line.settimeout(seconds)
    heard = b""
    try:
        while part := line.recv(65536):
            heard += part
    except ConnectionResetError:
        pass
    return heard


def sentence_in(answer):
    return json.loads(answer.partition(b"\r\n\r\n")[2])["sentence"]


def at(base, address):
    """A person at an address, as a proxy on this machine tells it."""
    person = Person(base)
    person.http.headers["x-forwarded-for"] = address
    return person


@contextmanager
def watcher(person, table, seat=None):
    """A socket with the address of this person."""
    cookie = "; ".join(f"{c.name}={c.value}" for c in person.http.cookies.jar)
    headers = {"origin": person.base, "cookie": cookie, "x-forwarded-for": person.http.headers["x-forwarded-for"]}
    where = f"{person.base.replace('http', 'ws')}/ws/{table}" + ("" if seat is None else f"?seat={seat}")
    with connect(where, additional_headers=headers, open_timeout=20, close_timeout=1, max_queue=None) as line:
        yield line


def refused(line):
    """Why a socket was closed again at once."""
    try:
        while True:
            line.recv(20)
    except ConnectionClosed as closed:
        return closed.rcvd.code, closed.rcvd.reason


def long_game(person, plies=450):
    """A table whose game has ended after many plies."""
    table = person.make("mages_dice", "me", "me")
    with person.at(table, 0) as a, person.at(table, 1) as b:
        a.start(b)
        while a.ply < plies and not a.over:
            play_out(a, b, most=20)
        if not a.over:
            a.do("resign")
    return table


# Games told again.


def test_a_long_game_is_told_in_pages_that_fit_together_and_that_are_the_same_when_told_again(person, server):
    ann = person()
    table = long_game(ann)
    told, sizes = ann.frames(table)
    assert [frame["ply"] for frame in told] == list(range(len(told))) and len(told) > 450
    assert max(sizes) <= 201
    made = server.app.service.replays
    made.kept.clear()
    made.ways.clear()
    assert ann.frames(table)[0] == told
    answers = [ann.get(f"/api/tables/{table}/frames?from=123").content for _ in range(3)]
    made.ways.clear()
    made.kept.clear()
    assert ann.get(f"/api/tables/{table}/frames?from=123").content == answers[0] == answers[1] == answers[2]


def test_frames_after_a_move_was_taken_back_are_of_the_moves_that_stand(person):
    ann = person()
    table = ann.make("spellcaster", "me", "random")
    with ann.at(table, 0) as a:
        a.start()
        for _ in range(200):
            play_out(a, most=1)
            if a.over:
                break
            ann.get(f"/api/tables/{table}/frames?seat=0&from={a.ply}")
            a.do("undo", ply=a.ply)
            a.drain(0.02)
        told, _ = ann.frames(table, 0 if not a.over else "")
    assert [frame["ply"] for frame in told] == list(range(len(told)))


def test_whoever_has_games_told_again_and_again_is_refused_for_a_while_and_others_are_not(tmp_path):
    server = serving(tmp_path, rate=1, work_per_address=1, requests_per_address=0)
    try:
        ann, eve, bob = Person(server.base), at(server.base, "192.0.2.7"), at(server.base, "192.0.2.8")
        table = ann.make("dice_heist", "me", "random", options={"turn_limit": 12})
        with ann.at(table, 0) as a:
            a.start()
            play_out(a)
            plies = a.ply
        answers = (eve.get(f"/api/tables/{table}/frames?from={n}") for n in range(1, plies))
        first, tired = next(answers), next(answer for answer in answers if answer.status_code == 429)
        assert first.status_code == 200 and "too often" in tired.json()["sentence"]
        assert bob.get(f"/api/tables/{table}/frames").status_code == 200
        cy = at(server.base, "192.0.2.9")
        assert cy.get(f"/api/tables/{table}/record").text.startswith("spellheist record")
        for one in (ann, eve, bob, cy):
            one.http.close()
    finally:
        server.stop()


def test_the_record_and_the_frames_of_a_game_that_has_ended_are_made_once(person, server):
    ann = person()
    table = long_game(ann, 30)
    made = server.app.service.replays
    before = len(made.kept)
    texts = {ann.get(f"/api/tables/{table}/record").text for _ in range(3)}
    for _ in range(3):
        ann.get(f"/api/tables/{table}/frames")
    assert len(texts) == 1 and len(made.kept) == before + 2


# Slow, half and endless.


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /"]
)
def test_a_connection_that_asks_nothing_or_never_ends_its_headers_is_ended(hasty, sent):
    answer = raw(hasty, sent)
    if sent.startswith(b"GET") and b"\r\n\r\n" not in sent:
        assert answer.startswith(b"HTTP/1.1 408") and sentence_in(answer).endswith("in time.")


def trickle(line, part):
    """Send part after part until the other end has had enough."""
    for _ in range(600):
        try:
            line.sendall(part)
        except OSError:
            return
        time.sleep(0.1)
    raise AssertionError("the connection stands")


def test_headers_that_trickle_in_are_ended_as_well(hasty):
    with speaking(hasty) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        trickle(line, b"A: b\r\n")


@pytest.mark.parametrize("path", ["/api/tables", "/nothing", "/"])
def test_a_body_that_trickles_in_is_ended_whether_it_is_read_or_not(hasty, path):
    head = f"POST {path} HTTP/1.1\r\nHost: {hasty.base[7:]}\r\nOrigin: {hasty.base}\r\nContent-Length: 100000\r\n\r\n"
    with speaking(hasty) as line:
        line.sendall(head.encode())
        trickle(line, b" ")


def test_a_body_that_does_not_come_is_told_so(hasty):
    head = f"POST /api/tables HTTP/1.1\r\nHost: {hasty.base[7:]}\r\nOrigin: {hasty.base}\r\nContent-Length: 9\r\n\r\n"
    answer = raw(hasty, head.encode())
    assert answer.startswith(b"HTTP/1.1 408") and sentence_in(answer) == "The request did not arrive in time."


@pytest.mark.parametrize(("head", "status"), [
    (b"A: b\r\n" * 200, b"431"), (b"A: " + b"b" * 40_000 + b"\r\n", b"431"), (b"A" * 40_000, b"431"),
    (b"A\x00: b\r\n", b"400"), (b": b\r\n", b"400"), (b"Content-Length: 5\r\nContent-Length: 6\r\n", b"400"),
    (b"Content-Length: -5\r\n", b"400"), (b"Transfer-Encoding: gzip\r\n", b"501"),
])  # fmt: skip
def test_headers_that_are_too_many_too_long_or_none_are_refused_with_a_sentence(server, head, status):
    answer = raw(server, b"GET / HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 " + status) or (status == b"501" and answer.startswith(b"HTTP/1.1 4")), answer[:80]
    assert sentence_in(answer).endswith(".")


def test_of_thousands_who_ask_nothing_those_who_came_first_are_ended_and_others_are_served(tmp_path, monkeypatch):
    monkeypatch.setattr("spellheist.server.http.slow_clients.STRANGERS", 20)
    server = serving(tmp_path, rate=1)
    try:
        lines = [speaking(server) for _ in range(60)]
        assert to_the_end(lines[0]) == b""
        person = Person(server.base)
        assert person.get("/healthz").status_code == 200
        person.http.close()
        for line in lines:
            line.close()
    finally:
        server.stop()


# So many at once.


def test_sockets_and_watchers_are_counted_for_each_address_and_watchers_for_each_table(strict):
    ann, eve, joe = (at(strict.base, f"192.0.2.{n}") for n in (1, 2, 3))
    table = ann.make("dice_heist", "me", "me")
    with ExitStack() as open_:
        come = open_.enter_context
        lines = [come(watcher(*who)) for who in ((ann, table, 0), (ann, table, 1), (eve, table), (eve, table))]
        assert [json.loads(line.recv(20))["t"] for line in lines] == ["table"] * 4
        with watcher(eve, table) as third:
            assert refused(third) == (4429, "Your address has too many watchers.")
        assert json.loads(come(watcher(ann, table)).recv(20))["watching"] == 3
        with watcher(ann, table, 0) as fourth:
            assert refused(fourth) == (4429, "Your address has too many open sockets.")
        with watcher(joe, table) as fifth:
            assert refused(fifth) == (4429, "This table has as many watchers as it can take.")
        lines[2].close()
        end = time.monotonic() + 20
        while True:  # the place of whoever has gone is free again
            with watcher(eve, table) as line:
                if json.loads(line.recv(20))["t"] == "table":
                    break
            assert time.monotonic() < end
    for one in (ann, eve, joe):
        one.http.close()


def test_switching_one_limit_off_leaves_the_others_on(tmp_path):
    server = serving(tmp_path, rate=1, watchers_per_address=0, tables_per_address=1)
    try:
        ann = at(server.base, "192.0.2.1")
        table = ann.make("dice_heist", "me", "me")
        with ExitStack() as open_:
            lines = [open_.enter_context(watcher(ann, table)) for _ in range(55)]
            assert all(json.loads(line.recv(20))["t"] == "table" for line in lines)
        body = {"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}]}
        assert [ann.post("/api/tables", body).status_code for _ in range(3)][-1] == 429
        ann.http.close()
    finally:
        server.stop()


def test_rematches_count_as_new_tables(tmp_path):
    server = serving(tmp_path, rate=1, tables_per_address=1)
    try:
        ann = Person(server.base)
        tables = [ann.make("dice_heist", "me", "me") for _ in range(2)]
        answers = []
        for table in tables:
            with ann.at(table, 0) as a, ann.at(table, 1) as b:
                a.start(b)
                a.do("resign")
                answers.append(a.do("rematch"))
        assert [answer["t"] for answer in answers] == ["refused"] * 2
        assert "too often" in answers[0]["sentence"]
        bob = at(server.base, "192.0.2.9")
        assert bob.make("dice_heist", "me", "me")
        ann.http.close(), bob.http.close()
    finally:
        server.stop()


def test_every_limit_is_an_option_and_is_told_in_the_documents():
    told = subprocess.run([sys.executable, "-m", "spellheist", "serve", "--help"], capture_output=True, text=True).stdout
    hosting = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()
    for name, _, _ in names():
        flag = f"--{name.replace('_', '-')}"
        assert flag in told and f"`{flag}`" in hosting, flag


# Addresses.


def test_a_list_of_addresses_is_believed_only_as_far_as_the_proxy_itself_has_said_it(tmp_path, monkeypatch):
    monkeypatch.setattr("spellheist.server.rate_limits.HOLD", 0)
    server = serving(tmp_path, rate=1, requests_per_address=1)
    server.app.rate_limits.requests.rate = 0  # nothing comes back while we look
    browser = httpx.Client()
    try:

        def ask(*forwarded):
            headers = [("x-forwarded-for", one) for one in forwarded]
            return browser.get(f"{server.base}/api/games", headers=headers).status_code

        assert [ask(f"198.51.100.{n}, 203.0.113.5") for n in range(8)].count(200) == 6, "the last is what the proxy saw"
        assert [ask(f"198.51.100.{n}", "203.0.113.6") for n in range(8)].count(200) == 6
        assert [ask(f"2001:db8:1:1::{n}") for n in range(8)].count(200) == 6, "one household is one address"
        assert [ask(f"2001:db8:1:{n}::1") for n in range(2, 8)].count(200) == 6
        assert [ask("x" * (50 + n)) for n in range(8)].count(200) == 6, "what is no address is one address"
        assert [ask("127.0.0.1, 203.0.113.7") for n in range(8)].count(200) == 6
    finally:
        browser.close()
        server.stop()


@pytest.mark.parametrize(("host", "counted"), [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:db8::1", "2001:db8::/64"),
    ("2001:db8::ffff:1", "2001:db8::/64"), ("fe80::1%eth0", "fe80::/64"), ("", "nowhere"), ("\u0661.2.3.4", "nowhere"),
])  # fmt: skip
def test_an_address_counts_for_its_network(host, counted):
    assert network(host) == counted


@pytest.mark.parametrize(
    ("host", "here"), [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("192.0.2.1", False), ("x", False)]
)
def test_this_machine_is_known(host, here):
    assert is_loopback(host) == here


def test_a_bucket_never_pays_for_the_keys_of_others():
    bucket = Bucket(5, 0, 1, lambda: 0.0)
    for n in range(50_000):
        bucket.take(f"address {n}")
    assert len(bucket.filled) + len(bucket.older) <= 20_002
    bucket.take("costly", 5)
    with pytest.raises(TooOften):
        bucket.take("costly")


def test_what_is_held_can_be_given_back():
    held = Quota(1, "Too many.")
    held.take("a")
    with pytest.raises(TooMany):
        held.take("a")
    held.give_back("a")
    held.take("a")
    held.take("b")
    assert dict(held.count) == {"a": 1, "b": 1}


# Watchers.


def test_whoever_comes_is_told_everything_and_the_others_only_who_is_there(person):
    ann, eve = person(), person()
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.until(lambda s: s.table and s.table["chairs"][1]["here"])
        watching = [eve.at(table) for _ in range(12)]
        a.until(lambda s: s.table["watching"] == 12)
        for one in watching:
            one.hear()
        assert watching[-1].table["watching"] == 12 or watching[-1].until(lambda s: s.table["watching"] == 12)
        b.__exit__()
        a.until(lambda s: not s.table["chairs"][1]["here"])
        for one in watching:
            one.__exit__()
        a.until(lambda s: s.table["watching"] == 0)
        kinds = [message["t"] for message in a.heard]
        assert kinds.count("table") == 1 and kinds.count("here") <= 12


def test_watchers_who_are_told_the_same_get_the_same_bytes(person):
    ann, eve, joe = person(), person(), person()
    table = ann.make("dice_heist", "me", "open")
    eve.make("dice_heist", "me", "me")  # now this browser is known
    with ann.at(table, 0) as a, eve.at(table) as one, joe.at(table) as two:
        for socket_ in (a, one, two):
            socket_.hear()
        eve.sit(table, 1, "Eve")
        for socket_ in (a, one, two):
            socket_.until(lambda s: s.heard[-1]["t"] == "table" and s.table["chairs"][1]["name"] == "Eve")
        assert (a.table["host"], one.table["host"], two.table["host"]) == (True, False, False)
        assert (one.table["mine"], two.table["mine"]) == ([1], [])


# For operators.


def test_figures_are_told_to_this_machine_or_to_a_token_and_tell_no_size(tmp_path):
    server = serving(tmp_path, metrics_token="s3cret")
    try:
        ask = httpx.Client(base_url=server.base)
        assert ask.get("/metrics").status_code == 200
        assert "bytes" not in ask.get("/metrics").text and "bucket" not in ask.get("/metrics").text
        for headers in ({"x-forwarded-for": "127.0.0.1"}, {"forwarded": "for=1"}, {"host": "games.example.org"},
                        {"x-real-ip": "1"}, {"host": "evil.example:8000", "authorization": "Bearer wrong"}):  # fmt: skip
            assert ask.get("/metrics", headers=headers).status_code in (403, 404), headers
        for headers in ({"x-forwarded-for": "1.2.3.4"}, {"x-real-ip": "1"}):
            assert ask.get("/metrics", headers={**headers, "authorization": "Bearer s3cret"}).status_code == 200
        ask.close()
    finally:
        server.stop()


# Names.


FAMILY, MAGE = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f9d9\U0001f3fd\u200d\u2640\ufe0f"


@pytest.mark.parametrize(("typed", "shown"), [
    ("Z" + "\u0307\u0308\u0309\u0310" * 8 + "oe", "\u017b\u0308\u0309\u0310oe"), ("\u202eevil\u202c", "evil"),
    ("a\u2066b\u2069\u200fc\u061c", "abc"), (FAMILY, FAMILY), (MAGE, MAGE), ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
    ("a\u200db", "ab"), ("\u0301x", "x"), ("e\u0301", "\xe9"), ("a\x00b\x1b[0m", "ab[0m"), ("\ue000Ann", "Ann"),
    ("\u3164Ann\u2800", "Ann"), ("\u0928\u092e\u0938\u094d\u0924\u0947", "\u0928\u092e\u0938\u094d\u0924\u0947"),
    (" a \u2028 b ", "a b"), ("\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"),
])  # fmt: skip
def test_names_and_chat_show_what_can_be_seen_and_nothing_that_runs_into_others(person, typed, shown):
    assert tidy(typed) == shown
    ann = person()
    table = ann.make("dice_heist", "me", "open")
    ann.sit(table, 0, typed)
    with ann.at(table, 0) as a:
        a.hear()
        assert a.table["names"][0] == shown
        a.do("chat", text=typed)
        assert a.chat[-1][2] == shown


ODD = "\u0301\u0308\u200d\ufe0f\u20e3\U0001f468\U0001f3fd\U0001f1e9\u202e ab"


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters() | st.sampled_from(ODD), max_size=80), st.integers(1, 30))
def test_tidy_text_stays_tidy_and_is_cut_between_letters(text, most):
    tidied = tidy(text)
    assert tidy(tidied) == tidied
    for cluster in clusters(tidied):
        marks = [sum(map(is_mark, part)) for part in cluster.split("\u200d")]
        assert max(marks) <= MARKS
    short = cut(tidied, most)
    assert len(short) <= most and tidied.startswith(short)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200e\u200f\u0000-\u001f]", tidied)


# Strange requests.


STRANGE = [
    ("POST", "/api/tables", {"origin": "http://["}, b"{}"),
    ("POST", "/api/tables", {"origin": "http://[::1"}, b"{}"),
    ("POST", "/api/tables", {"origin": "\xff\xfe"}, b"{}"),
    ("POST", "/api/tables", {}, b'{"game": "a\\u0000b", "chairs": [{"kind": "me"}]}'),
    ("POST", "/api/tables", {}, b'{"game": "\\ud800", "chairs": [{"kind": "me"}]}'),
    ("POST", "/api/tables", {}, b'{"game": "dice_heist", "chairs": [{"kind": "me", "name": "\\ud800"}, {"kind": "me"}]}'),
    (
        "POST",
        "/api/tables",
        {},
        b'{"game": "dice_heist", "chairs": [{"kind": "bot", "level": "\\ud83d\\u0000"}, {"kind": "me"}]}',
    ),
    (
        "POST",
        "/api/tables",
        {},
        b'{"game": "dice_heist", "chairs": [{"kind":"me"},{"kind":"me"}], "options": {"turn_limit": 1e999}}',
    ),
    (
        "POST",
        "/api/tables",
        {},
        b'{"game": "dice_heist", "chairs": [{"kind":"me"},{"kind":"me"}], "options": {"turn_limit": ' + b"9" * 5000 + b"}}",
    ),
    (
        "POST",
        "/api/tables",
        {},
        b'{"game": "dice_heist", "chairs": [{"kind":"me"},{"kind":"me"}], "options": {"turn_limit": '
        + b"[" * 5000
        + b"]" * 5000
        + b"}}",
    ),
    (
        "POST",
        "/api/tables",
        {},
        b'{"game": "dice_heist", "chairs": [{"kind":"me"},{"kind":"me"}], "options": {"deck": "\\u0000\\n\\ud800"}}',
    ),
    (
        "POST",
        "/api/tables",
        {},
        b'{"game": "dice_heist", "chairs": [{"kind":"me"},{"kind":"me"}], "options": {"\\ud800": 1}}',
    ),
    ("POST", "/api/tables", {}, b"[" * 100_000),
    ("POST", "/api/tables", {}, b'{"a":' * 20_000),
    ("POST", "/api/tables", {}, b"NaN"),
    ("POST", "/api/tables/x/sit", {}, b'{"seat": 1e400, "name": "a"}'),
    ("POST", "/api/tables/x/sit", {}, b'{"seat": ' + b"1" * 5000 + b', "name": "a"}'),
    ("GET", "/api/tables/%00/frames", {}, b""),
    ("GET", "/api/tables/a%00b/record", {}, b""),
    ("GET", "/api/tables/%ff%fe/cards", {}, b""),
    ("GET", "/api/tables/\u00e4/frames".encode().decode("latin1"), {}, b""),
    ("GET", "/api/tables/%C3%A4/record", {}, b""),
    ("GET", "/api/tables/" + "x" * 5000 + "/record", {}, b""),
    ("GET", "/api/games/%00", {}, b""),
    ("GET", "/api/games/%ED%A0%80", {}, b""),
    ("GET", "/static/%00/%00", {}, b""),
    ("GET", "/static/x/" + "../" * 400, {}, b""),
    ("GET", "/me/%00", {}, b""),
    ("GET", "/%", {}, b""),
    ("GET", "/api/mine", {"cookie": "spellheist=\x01; spellheist=;;==;" + "a" * 4000}, b""),
    ("GET", "/api/mine", {"cookie": "spellheist=" + "a" * 43}, b""),
    ("HEAD", "/", {}, b""),
    ("OPTIONS", "/api/tables", {}, b""),
    ("OPTIONS", "*", {}, b""),
    ("TRACE", "/", {}, b""),
    ("BREW", "/api/tables", {}, b""),
    ("DELETE", "/api/tables", {}, b""),
    ("PUT", "/ws/x", {}, b""),
    ("GET", "/ws/x", {}, b""),
    ("GET", "http://[/", {}, b""),
    ("GET", "//", {}, b""),
    ("GET", "/?" + "&" * 5000, {}, b""),
    ("GET", "/api/games?%ff=%00", {"accept": "\xff"}, b""),
    ("CONNECT", "x:1", {}, b""),
]


def ask_strangely(server, method, path, headers, body):
    told = {
        "Host": server.base[7:],
        "Origin": server.base,
        "Connection": "close",
        "Content-Length": str(len(body)),
        **{k.title(): v for k, v in headers.items()},
    }
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in told.items()) + "\r\n"
    return raw(server, head.encode("latin1") + body)


@pytest.mark.parametrize("strange", STRANGE, ids=lambda strange: f"{strange[0]} {strange[1][:30]!a} {strange[3][:20]!a}")
def test_strange_requests_get_a_sentence(server, strange, caplog):
    before = server.app.service.counts.failures
    answer = ask_strangely(server, *strange)
    status = int(answer[9:12])
    assert status < 500, answer[:300]
    if status >= 400 and strange[0] != "HEAD":
        assert sentence_in(answer).endswith(".")
    assert not [line for line in caplog.records if line.levelname == "ERROR"]
    assert server.app.service.counts.failures == before


def test_plies_and_seats_of_five_thousand_digits_are_refused(person):
    ann = person()
    table = long_game(ann, 5)
    queries = [
        "from=" + "9" * 5000,
        "from=-1",
        "from=\u0661",
        "from=1e9",
        "from=%00",
        "seat=" + "0" * 5000 + "1",
        "seat=%00",
    ]
    for query in (*queries, "seat=\u0660", "seat=open&seat=0&from=" + "9" * 7):
        answer = ann.get(f"/api/tables/{table}/frames?{query}")
        assert answer.status_code == 400 and answer.json()["sentence"].endswith("."), query


def test_a_fault_of_ours_is_told_in_a_sentence_logged_and_counted(tmp_path, monkeypatch, caplog):
    server = serving(tmp_path)
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me")

        def fail(*_):
            raise ZeroDivisionError

        with ann.at(table, 0) as a:
            monkeypatch.setattr(find("dice_heist").words, "cards", fail)
            monkeypatch.setattr("spellheist.server.table.actions.talking.Chat.decide", fail)
            answer = ann.get(f"/api/tables/{table}/cards")
            assert answer.status_code == 500 and answer.json()["sentence"].startswith("Something went wrong")
            told = a.do("chat", text="hello")
            assert told["sentence"].startswith("Something went wrong")
            assert a.do("start")["t"] == "did", "the line stands"
            monkeypatch.setattr("spellheist.server.table.live.Live.join", fail)
            code, sentence = ann.turned_away(table, 1)
            assert code == 1011 and sentence.startswith("Something went wrong")
        assert "spellheist_failures_total 3.0" in ann.get("/metrics").text
        assert [line.exc_info[0] for line in caplog.records if line.levelname == "ERROR"] == [ZeroDivisionError] * 3
        ann.http.close()
    finally:
        server.stop()


def test_whoever_has_gone_before_being_refused_is_no_fault(strict, caplog, monkeypatch):
    monkeypatch.setattr("spellheist.server.rate_limits.HOLD", 0.4)
    ann = at(strict.base, "192.0.2.1")
    table = ann.make("dice_heist", "me", "me")
    strict.app.rate_limits.joins.filled["127.0.0.1"] = -50.0, strict.app.rate_limits.joins.clock()
    for _ in range(5):
        line = speaking(strict)
        line.sendall(handshake(strict, table))
        time.sleep(0.1)  # now it waits for its refusal
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()
    time.sleep(0.6)
    assert ann.get("/healthz").status_code == 200
    assert not [line for line in caplog.records if line.levelname == "ERROR"]
    ann.http.close()


# Strange frames.


def frame(payload=b"", first=0x81, masked=True):
    size = len(payload)
    wide = bytes((size,)) if size < 126 else b"\x7e" + size.to_bytes(2, "big")
    wide = bytes((wide[0] | (0x80 if masked else 0),)) + wide[1:]
    return bytes((first,)) + wide + (b"\0\0\0\0" if masked else b"") + payload


def handshake(server, table):
    return (
        f"GET /ws/{table} HTTP/1.1\r\nHost: {server.base[7:]}\r\nOrigin: {server.base}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


def opened(server, table):
    """A raw socket at a table, past the handshake and the first message."""
    line = speaking(server)
    line.sendall(handshake(server, table))
    heard = b""
    while b'"t":"table"' not in heard:
        heard += line.recv(65536)
    return line


WHOLE = b'{"t":"whole"}'


@pytest.mark.parametrize("sent", [
    frame(WHOLE, masked=False), frame(WHOLE, 0xC1), frame(WHOLE, 0xF1), frame(WHOLE, 0x83), frame(b"x", 0x80),
    frame(WHOLE, 0x01) + frame(WHOLE),
    frame(b"x" * 130, 0x89), frame(b"", 0x09), frame(b"\x03", 0x88), frame(b"\x00\x01bye", 0x88),
    frame(b"a", 0x01) + frame(b"", 0x00) * 500, frame(b"", 0x89) * 5000, frame(b"", 0x8A) * 5000, b"\x81\xff" + b"\xff" * 8,
    frame(b"x" * 9000), frame(b"x" * 5000, 0x01) + frame(b"x" * 5000, 0x80),
])  # fmt: skip
def test_frames_that_are_wrong_or_endless_end_the_line(person, server, sent, caplog):
    ann = person()
    table, before = ann.make("dice_heist", "me", "me"), server.app.service.counts.failures
    with opened(server, table) as line:
        with suppress(OSError):
            line.sendall(sent)
        to_the_end(line)
    with ann.at(table, 0) as a:
        assert a.hear()["t"] == "table"
    assert server.app.service.counts.failures == before
    assert not [line for line in caplog.records if line.levelname == "ERROR"]


def test_a_text_that_is_none_is_refused_with_a_sentence(person):
    ann = person()
    with ann.at(ann.make("dice_heist", "me", "me"), 0) as a:
        a.hear()
        for text in (
            b"\xff\xfe",
            b"\x00",
            b'{"t":"chat","id":1,"text":"\xed\xa0\x80"}',
            b'{"t":"chat","id":1,"text":"\\ud800"}',
        ):
            a.ws.send(text)
            assert a.hear()["sentence"].endswith(".")


@pytest.mark.parametrize("parts", [1, 2, 13])
def test_messages_in_parts_or_many_at_once_are_all_heard_in_their_order(person, server, parts):
    table = person().make("dice_heist", "me", "me")
    numbers = list(range(1, 301))
    sent = b""
    for n in numbers:
        text = json.dumps({"t": "chat", "id": n, "text": "x" * (n % 180)}).encode()
        step = -(-len(text) // parts)
        pieces = [text[k : k + step] for k in range(0, len(text), step)]
        for k, piece in enumerate(pieces):
            sent += frame(piece, (0x01 if k == 0 else 0) | (0x80 if k == len(pieces) - 1 else 0))
        sent += frame(b"hi", 0x89) if n % 100 == 0 else b""
    with opened(server, table) as line:
        line.sendall(sent)
        heard = b""
        while heard.count(b'"refused"') < len(numbers):
            heard += line.recv(65536)
    assert [int(n) for n in re.findall(rb'"t":"refused","id":(\d+)', heard)] == [n for n in numbers if n % 180]


# With workers.


def test_with_workers_slow_connections_are_ended_and_cost_the_gate_nothing(tmp_path):
    impatient = "import spellheist.server.process.workers as w; w.PATIENCE = 3; from spellheist.cli import main; main()"
    command = [sys.executable, "-c", impatient, "serve", "--port", "0", "--workers", "2", "--bots", "plain", "--store",
               f"sqlite:///{tmp_path}/t.db", "--seconds-for-headers", "1", "--seconds-for-body", "1"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:

        class Served:
            base = process.stdout.readline().split()[3].replace("localhost", "127.0.0.1")

        httpx.get(f"{Served.base}/healthz", timeout=60)
        slow = [speaking(Served) for _ in range(20)]
        for k, line in enumerate(slow):
            line.sendall(b"GET /api/games"[: k % 14])
        for line in slow[1:]:
            line.sendall(b"?")
        begun = speaking(Served)
        begun.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        assert to_the_end(begun).startswith(b"HTTP/1.1 408")
        split = speaking(Served)
        for part in (b"GET /api", b"/games HT", b"TP/1.1\r\nHost: localhost\r\n\r\n"):
            split.sendall(part)
            time.sleep(0.05)
        assert to_the_end(split).startswith(b"HTTP/1.1 200")
        for line in slow:
            assert to_the_end(line, 60) == b""
        for line in (*slow, begun, split):
            line.close()
    finally:
        process.terminate()
        assert "Traceback" not in process.communicate(timeout=30)[1]
