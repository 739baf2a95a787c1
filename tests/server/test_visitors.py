"""Bad messages, wrong people, floods: refused with a sentence, nothing changed, nobody else slower."""

import json
import os
import signal
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import Person, Server, play_out
from starlette.requests import HTTPConnection
from websockets.exceptions import ConnectionClosed

from spellheist.core.refused import Refused
from spellheist.server import rate_limits
from spellheist.server.http import visitors
from spellheist.server.process.serve import bound
from spellheist.server.store import Append, TableRow, store_at
from spellheist.server.table.actions import read_message
from spellheist.server.table.actions.talking import Said
from spellheist.server.table.journal import encode


def test_an_unknown_address_is_told_to_people_by_the_page_and_to_programs_in_json(person):
    ann = person()
    shown = ann.get("/nonsense", headers={"accept": "text/html"})
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert shown.text == ann.get("/").text
    assert ann.get("/nonsense").json()["sentence"] == "There is nothing here."


def test_a_wrong_link_is_no_error_of_the_servers(person, caplog):
    assert person().get("/api/tables/nowhere/frames").status_code == 404
    assert not [line for line in caplog.records if line.levelname == "ERROR"]


def test_requests_from_another_site_are_refused(person):
    ann = person()
    body = {"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "open"}]}
    for origin in ("https://evil.example", "null", ""):
        assert ann.post("/api/tables", body, headers={"origin": origin}).status_code == 403
    table = ann.make("dice_heist", "me", "open")
    there = Person(ann.base)
    there.http.cookies = ann.http.cookies
    there.base = ann.base
    from websockets.sync.client import connect

    with (
        pytest.raises(Exception, match="403"),
        connect(f"{ann.base.replace('http', 'ws')}/ws/{table}", additional_headers={"origin": "https://evil.example"}),
    ):
        pass
    there.http.close()


@pytest.mark.parametrize(("body", "status"), [
    ({}, 400), ([], 400), ({"game": "chess", "chairs": [{"kind": "me"}]}, 400),
    ({"game": "../dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}]}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}]}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 9}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "bot", "level": "/tmp/bot.py"}]}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "bot", "level": "master@999999"}]}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 2, "options": {"deck": "/etc/passwd"}}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 2, "options": {"deck": "a\nb"}}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 2, "options": {"turn_limit": {"a": 1}}}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 2, "options": {"nonsense": 1}}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me", "promise": "x"}] * 2}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 2, "clock": {"kind": "move", "seconds": 1}}, 400),
    ({"game": "dice_heist", "chairs": [{"kind": "me"}] * 2, "more": 1}, 400),
])  # fmt: skip
def test_a_table_that_cannot_be_is_refused_with_a_sentence(person, body, status):
    answer = person().post("/api/tables", body)
    assert answer.status_code == status
    assert answer.json()["sentence"].endswith(".")
    assert "/etc/passwd" not in answer.text


def test_bodies_and_messages_have_a_limit(person):
    ann = person()
    headers = {"content-type": "application/json"}
    assert ann.http.post("/api/tables", content=b"[" * 200_000, headers=headers).status_code == 413
    assert ann.http.post("/api/tables", content=b"[" * 100_000, headers=headers).status_code == 400
    assert ann.http.post("/api/tables", content=b"\xff\xfe", headers=headers).status_code == 400
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a:
        a.ws.send("x" * 5000)
        a.until(lambda s: s.heard[-1:] and s.heard[-1]["t"] == "refused")
        assert "at most" in a.heard[-1]["sentence"]
        a.ws.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            a.until(lambda s: False)
    with ann.at(table, 0) as again:
        assert again.hear()["t"] == "table"


WRONG = [
    "", "null", "[]", "{}", '{"t": 1}', '{"t": "nonsense"}', '{"t": "move"}', '{"t": "move", "id": 0, "ply": 0, "move": 0}',
    '{"t": "move", "id": 1.5, "ply": 0, "move": 0}', '{"t": "move", "id": 1, "ply": -1, "move": 0}',
    '{"t": "move", "id": 1, "ply": 0, "move": 99999999999999999999}', '{"t": "chat", "id": 1, "text": ""}',
    '{"t": "press", "id": 1, "ply": 0, "move": 0, "reaction": "x"}', '{"t": "reveal", "words": 3}', "\ud83d\ude00",
    '{"t": "vote", "id": 1, "ply": 0, "seat": 77}', '{"t": "kick", "id": 1, "seat": -4}', '{"t": "why", "move": "1"}',
    '{"t": "reveal", "words": "x", "seat": 9}', '{"t": "why", "move": -1}', '{"t": "kick", "id": 5, "seat": 9}',
]  # fmt: skip


def test_messages_that_are_none_are_refused_and_change_nothing(person, server):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        a.drain(0.05)
        live = server.app.service.tables[table]
        before = live.table.count, live.table.truth
        for text in WRONG:
            a.ws.send(text.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
            assert a.hear()["t"] in ("refused", "why"), text
        a.ws.send(b'{"t": "whole"}')
        assert a.hear()["t"] == "table"
        assert (live.table.count, live.table.truth) == before


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(
    st.text(max_size=200), st.binary(max_size=200),
    st.dictionaries(st.sampled_from(["t", "id", "ply", "move", "seat", "text", "words", "on", "yes", "n", "reaction"]),
                    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20),
                              st.sampled_from(["move", "press", "vote", "chat", "undo", "start", "kick"])))
    .map(lambda made: json.dumps(made)),
))  # fmt: skip
def test_any_text_is_a_message_or_refused(text):
    try:
        read_message(text)
    except Refused as refusal:
        assert str(refusal).endswith(".")


def test_a_flood_is_refused_and_cut_off_and_others_play_on(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/t.db", rate=1).start()
    try:
        ann, eve = Person(server.base), Person(server.base)
        table = ann.make("dice_heist", "me", "me")
        other = eve.make("dice_heist", "me", "random", options={"turn_limit": 3})
        flooding, playing = ann.at(table, 0), eve.at(other, 0)
        for _ in range(400):
            try:
                flooding.ws.send('{"t": "whole"}')
            except ConnectionClosed:
                break
        with pytest.raises(ConnectionClosed):
            flooding.until(lambda s: False)
        assert any(m["t"] == "refused" and "too often" in m["sentence"] for m in flooding.heard)
        playing.start()
        play_out(playing)
        assert playing.over
        asks = server.app.rate_limits.requests
        asks.rate, asks.filled["127.0.0.1"] = 0, (2.0, asks.clock())
        assert [ann.get("/healthz").status_code for _ in range(4)] == [200, 200, 429, 429]
        flooding.__exit__(), playing.__exit__()
        ann.http.close(), eve.http.close()
    finally:
        server.stop()


def test_pages_and_files_carry_the_headers_that_protect_them(person):
    ann = person()
    page = ann.get("/t/anything")
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    for path in ("/", "/api/games", "/healthz", "/nothing"):
        headers = ann.get(path).headers
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    for path in ("/static/x/../../app.py", "/static/x/%2e%2e/cli.py", "/static/x/games/abraca_what/rules.py"):
        assert ann.get(path).status_code == 404


def test_a_file_of_this_version_is_kept_for_ever_and_one_of_another_is_not(person, server):
    pages = server.app.pages
    if not pages.files:
        pages.files["shell.js"] = b"export {}", "text/javascript"
    name = next(iter(pages.files))
    ann = person()
    assert "immutable" in ann.get(f"/static/{pages.version}/{name}").headers["cache-control"]
    assert ann.get(f"/static/old/{name}").headers["cache-control"] == "no-cache"


def test_operators_see_health_and_figures(person):
    ann = person()
    ann.make("dice_heist", "me", "me")
    assert ann.get("/healthz").json()["healthy"]
    figures = ann.get("/metrics").text
    assert "spellheist_entries_total" in figures and "spellheist_tables" in figures


def test_a_bucket_fills_again():
    now = [0.0]
    bucket = rate_limits.Bucket(2, 1, 1, lambda: now[0])
    bucket.take("a"), bucket.take("a"), bucket.take("b")
    with pytest.raises(rate_limits.TooOften):
        bucket.take("a")
    now[0] = 1.1
    bucket.take("a")
    rate_limits.Bucket(0, 0, 0).take("a")


def test_a_store_that_is_none_is_refused():
    for url in ("mysql://x", "tables.db", "sqlite://x"):
        with pytest.raises(Refused, match="is not a store"):
            store_at(url)


def test_administration_from_the_command_line(person, server):
    ann = person()
    table = ann.make("dice_heist", "me", "me")

    def run(*words):
        command = [sys.executable, "-m", "spellheist", "tables", *words, "--store", server.url]
        return subprocess.run(command, capture_output=True, text=True)

    assert table in run("list").stdout
    assert "is closed" in run("close", table).stdout
    assert "no such table" in run("close", "nothing").stderr
    with ann.at(table, 0) as a:
        a.hear()
        assert a.do("chat", text="hello")["t"] == "did"
        a.until(lambda s: s.table["state"] == "closed")
    assert run("archive", table).stdout == "1 archived.\n"
    assert table not in run("list").stdout and "archived" in run("list", "--all").stdout


def test_administration_of_a_store_that_is_not_there_is_refused_and_makes_none(tmp_path):
    command = [sys.executable, "-m", "spellheist", "tables", "list"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert "no store at sqlite:///spellheist-data/tables.db" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_description_of_the_http_part_names_every_route(person):
    described = person().get("/api/openapi.json").json()
    assert set(described["paths"]) >= {"/api/tables", "/api/tables/{table}/sit", "/api/games/{game}"}
    assert person().get("/api").status_code == 200


@pytest.mark.parametrize(
    ("peer", "headers", "proxied"),
    [
        (("127.0.0.1", 5), {"x-forwarded-for": "9.9.9.9"}, True),
        (("127.0.0.1", 5), {}, False),
        (("9.9.9.9", 5), {"x-forwarded-for": "8.8.8.8"}, False),
        ("/run/spellheist.sock", {"x-forwarded-for": "9.9.9.9"}, True),
    ],
)
def test_a_client_cannot_pass_for_a_proxy_to_escape_what_its_own_connection_shows(peer, headers, proxied):
    class Transport:
        def get_extra_info(self, what):
            return peer if what == "peername" else None

    class Wire:
        transport = Transport()

    scope = {
        "type": "http", "extensions": {"spellheist.socket": Wire()},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    assert visitors.through_proxy(HTTPConnection(scope)) == proxied


def test_whoever_serves_at_a_port_that_is_taken_is_told_how_to_name_another():
    with bound("127.0.0.1", 0) as listening, pytest.raises(Refused, match="Name another port: --port 8001"):
        bound("127.0.0.1", listening.getsockname()[1])


def spellheist(*words, **how):
    return subprocess.run([sys.executable, "-m", "spellheist", *words], capture_output=True, text=True, timeout=60, **how)


def test_a_store_without_tables_says_so(tmp_path):
    url = f"sqlite:///{tmp_path}/tables.db"
    server = Server(url).start()
    try:
        assert spellheist("tables", "list", "--store", url).stdout == "There are no tables.\n"
        assert json.loads(spellheist("tables", "list", "--json", "--store", url).stdout) == []
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me")
        spellheist("tables", "close", table, "--store", url)
        assert spellheist("tables", "list", "--store", url).stdout == "There are no open tables; --all lists the others.\n"
        ann.http.close()
    finally:
        server.stop()


def test_no_table_has_a_name_that_the_command_line_takes_for_an_option(person, monkeypatch):
    drawn = iter(["-J7", "--all", "J-7"])
    draw = "spellheist.server.service.secrets.token_urlsafe"
    monkeypatch.setattr(draw, lambda size: next(drawn) if size == 12 else "x" * 43)
    assert person().make("dice_heist", "me", "me") == "J-7"


def test_an_open_table_is_not_archived_by_name_nor_any_that_is_named_with_it(person, server):
    ann = person()
    closed, still_open = (ann.make("dice_heist", "me", "me") for _ in range(2))
    spellheist("tables", "close", closed, "--store", server.url)
    done = spellheist("tables", "archive", closed, still_open, "--store", server.url)
    sentence = f"{still_open} is still open; close it first with: spellheist tables close {still_open}."
    assert (done.returncode, done.stderr) == (2, f"spellheist: {sentence}\n")
    assert all(server.ask(server.app.service.store.entries(table)) for table in (closed, still_open))


def test_a_table_that_is_archived_while_a_server_has_it_in_memory_stays_archived(person, server, caplog):
    ann = person()
    table = ann.make("dice_heist", "me", "me", listed=True)
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        play_out(a, b, most=3)
        a.drain(0.05), b.drain(0.05)
        assert spellheist("tables", "close", table, "--store", server.url).returncode == 0
        assert spellheist("tables", "archive", table, "--store", server.url).stdout == "1 archived.\n"
        mover = a if a.moves else b
        mover.tell("move", ply=mover.ply, move=mover.moves[0][0])
        for socket in (a, b):
            with pytest.raises(ConnectionClosed) as closed:
                socket.until(lambda s: False)
            assert closed.value.rcvd.reason == "This table was archived; only its record is kept."
    assert ann.turned_away(table, 0) == (4404, "This table was archived; only its record is kept.")
    assert ann.get(f"/api/tables/{table}/record").text.startswith("spellheist record 1")
    assert next(row["state"] for row in ann.get("/api/mine").json() if row["table"] == table) == "archived"
    service = server.app.service
    assert server.ask(service.store.entries(table)) == [] and table not in service.tables
    assert server.ask(service.store.row(table)).state == "archived"
    assert not [line for line in caplog.records if line.levelname == "ERROR"]


def test_bots_at_a_table_that_is_archived_stop(tmp_path, caplog):
    server = Server(f"sqlite:///{tmp_path}/t.db", pace=0.5).start()
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "random")
        with ann.at(table, 0) as a:
            a.start()
            service = server.app.service
            live = service.tables[table]
            while a.moves:
                a.move()
            server.ask(service.store.archive(table, "its record"))  # as somebody else would, while a bot is about to move
            with pytest.raises(ConnectionClosed):
                a.until(lambda s: False)
        assert live.gone and live.bots.next() is None and table not in service.tables
        assert server.ask(service.store.entries(table)) == []
        ann.http.close()
    finally:
        server.stop()
    assert not [line for line in caplog.records if line.levelname == "ERROR"]


def test_entries_that_follow_an_archived_journal_are_no_table(person, server):
    late = encode(Said(at=1, text="late"))
    row = TableRow("damaged", "dice_heist", "playing", True, 1, 1, 1, "its record")  # as earlier versions could leave it
    server.append(Append("damaged", 7, late, row))
    assert person().get("/api/tables").status_code == 200
    assert person().get("/api/tables/damaged/frames").json()["sentence"].startswith("This table was archived")


@pytest.mark.parametrize("url", ["games", "games.example.org", "ftp://games", "https://", "http://[x"])
def test_a_public_url_that_no_browser_can_open_is_refused(tmp_path, url):
    done = spellheist("serve", "--port", "0", "--public-url", url, cwd=tmp_path)
    sentence = f"{url!r} is not an address that people can open, such as https://games.example.org."
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"spellheist: {sentence}\n")


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("where", ["a folder", "no database", "a file as a folder", "nobody there"])
def test_a_store_that_cannot_be_opened_is_said_in_one_sentence_before_anything_is_announced(tmp_path, where, workers):
    (tmp_path / "file").write_text("this is no database, " * 100)
    store = {
        "a folder": f"sqlite:///{tmp_path}", "no database": f"sqlite:///{tmp_path}/file",
        "a file as a folder": f"sqlite:///{tmp_path}/file/tables.db", "nobody there": "postgresql://x@127.0.0.1:1/x",
    }[where]  # fmt: skip
    done = spellheist("serve", "--port", "0", "--store", store, "--workers", workers)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("spellheist: The ") and done.stderr.count("\n") == 1 and "cannot be" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent to a group of processes")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("told", ["SIGINT", "SIGTERM"])
def test_a_server_that_is_told_to_stop_says_where_the_tables_are(tmp_path, told, workers):
    store = f"sqlite:///{tmp_path}/tables.db"
    command = [sys.executable, "-m", "spellheist", "serve", "--port", "0", "--workers", workers, "--bots", "plain"]
    process = subprocess.Popen([*command, "--store", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)  # fmt: skip
    try:
        base = process.stdout.readline().split()[3].replace("localhost", "127.0.0.1")
        ann = Person(base)
        table = ann.make("dice_heist", "me", "random")
        with ann.at(table, 0) as a:
            a.start()
            if told == "SIGINT":
                os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            else:
                process.terminate()
            out, said = process.communicate(timeout=30)
        ann.http.close()
    finally:
        process.kill()
    assert (process.returncode, out, said) == (0, f"Stopped. The tables are kept in {store}.\n", "")
