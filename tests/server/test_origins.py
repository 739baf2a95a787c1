"""Requests that other sites cause, names of others that lead here, and origins of any spelling: byte for byte."""

import socket
import subprocess
import sys

import pytest
from people import Person, Server
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from spellheist.server.http import visitors

HANDSHAKE = [
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
]  # fmt: skip
STRANGE = [
    "http://[", "", "null", "http://user:pass@{here}", "{HERE}", "http://{host}:0{port}", "http://{host}.:{port}",
    "{here}/", "http://{here}", "https://{host}:{port}", "ws://{host}:{port}", "http://{host}", "http://evil.example",
    "{here} {here}", "http://{host}:{port}\t.evil.example", "http://\xe9vil.example", "file://", "http://{host}:99999",
    "//{host}:{port}", "http://{host}:{port}@evil.example", "http://[::1", "http://[::1%25lo]:{port}", "http://[v1.x]",
]  # fmt: skip
NAMES = [
    "evil.example", "evil.example:{port}", "localhost.evil.example:{port}", "LOCALHOST:{port}", "localhost.:{port}",
    "127.0.0.1.nip.example:{port}", "127.1:{port}", "2130706433:{port}", "0177.0.0.1:{port}", "[::1", "[::1]:0{port}", "",
    "user@localhost:{port}", "localhost:{port}x", "xn--:{port}",
]  # fmt: skip


def raw(base, *lines, body=b""):
    """The status of a request that is written byte for byte."""
    host, port = base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        head = b""
        while b"\r\n\r\n" not in head:
            part = line.recv(4096)
            if not part:
                break
            head += part
        size = next((int(h.split(b":")[1]) for h in head.split(b"\r\n") if h.lower().startswith(b"content-length")), 0)
        while len(head.split(b"\r\n\r\n", 1)[1]) < size:
            head += line.recv(4096)
    return int(head.split()[1]), head.split(b"\r\n\r\n", 1)[1].decode("latin-1")


def sent(base, *headers):
    """What becomes of a request that changes something, and of a handshake, with these headers."""
    body = b'{"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}]}'
    about = ["Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
    status, text = raw(base, "POST /api/tables HTTP/1.1", *headers, *about, body=body)
    assert status == 200 or '"sentence":' in text or "Host" in text or "Invalid" in text, text
    return status, raw(base, "GET /ws/nowhere HTTP/1.1", *headers, *HANDSHAKE)[0]


@pytest.mark.parametrize("origin", STRANGE)
def test_an_origin_that_is_not_ours_is_refused_whatever_it_looks_like(server, origin):
    host, port = server.base.removeprefix("http://").split(":")
    spelled = origin.format(here=server.base, HERE=server.base.upper(), host=host, port=port)
    assert sent(server.base, f"Host: {host}:{port}", f"Origin: {spelled}") == (403, 403)


def test_our_own_page_is_let_in_and_nobody_without_an_origin_or_with_two(server):
    host, own = f"Host: {server.base[7:]}", f"Origin: {server.base}"
    assert sent(server.base, host, own) == (200, 101)
    assert sent(server.base, host, own, "Sec-Fetch-Site: same-origin") == (200, 101)
    assert sent(server.base, host) == (403, 403)
    assert sent(server.base, host, own, "Origin: http://evil.example") == (403, 400)
    for site in ("cross-site", "same-site", "none", ""):
        assert sent(server.base, host, own, f"Sec-Fetch-Site: {site}") == (403, 403)


@pytest.mark.parametrize("host", NAMES)
def test_a_name_of_somebody_else_that_leads_here_is_refused_also_for_reading(server, host):
    name = host.format(port=server.base.rsplit(":", 1)[1])
    assert sent(server.base, f"Host: {name}", f"Origin: http://{name}") == (403, 403)
    for path in ("/api/mine", "/api/tables", "/", "/api/me", "/api/tables/x/frames?seat=0"):
        status, text = raw(server.base, f"GET {path} HTTP/1.1", f"Host: {name}", "Connection: close")
        assert status == 403 and "--public-url" in text


@pytest.mark.parametrize(
    "name", ["localhost", "127.0.0.1", "192.168.7.7", "[::1]", "[2001:db8::1]", socket.gethostname().lower()]
)
def test_this_machine_is_known_by_its_name_and_by_addresses(server, name):
    port = server.base.rsplit(":", 1)[1]
    assert sent(server.base, f"Host: {name}:{port}", f"Origin: http://{name}:{port}") == (200, 101)
    assert raw(server.base, "GET /api/mine HTTP/1.1", f"Host: {name}:9", "Connection: close")[0] == 200


def test_two_hosts_are_refused(server):
    two = ("Host: localhost", "Host: evil.example")
    assert raw(server.base, "GET /api/mine HTTP/1.1", *two, "Connection: close")[0] in (400, 403)


def test_programs_that_look_after_the_server_may_use_any_name(server):
    assert raw(server.base, "GET /healthz HTTP/1.1", "Host: spellheist", "Connection: close")[0] == 200


def test_pages_of_others_cannot_read_in_the_background_what_is_here(server):
    reads = ["GET /api/me HTTP/1.1", f"Host: {server.base[7:]}", "Connection: close"]
    assert raw(server.base, *reads, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")[0] == 403
    assert raw(server.base, *reads, "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors")[0] == 200


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    """The address on this machine of a server that is given another for people."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    store = f"sqlite:///{tmp_path_factory.mktemp('store')}/tables.db"
    command = [sys.executable, "-m", "spellheist", "serve", "--port", str(port), "--bots", "plain", "--store", store]
    command += ["--rate", "0", "--public-url", "https://Games.Example.org:443/"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert "Games.Example.org" in process.stdout.readline()  # it listens from here on
        yield f"http://127.0.0.1:{port}"
        process.terminate()


@pytest.mark.parametrize("host", ["games.example.org", "127.0.0.1:8000", "backend", "[", ""])
def test_where_a_public_url_is_given_only_pages_from_there_are_ours(given, host):
    assert sent(given, f"Host: {host}", "Origin: https://games.example.org") == (200, 101)
    for origin in (
        f"http://{host}", f"https://{host}x", "http://games.example.org", "https://games.example.org:8443", "null",
        "https://games.example.org.", "https://GAMES.example.org", "https://sub.games.example.org",
    ):  # fmt: skip
        assert sent(given, f"Host: {host}", f"Origin: {origin}") == (403, 403)


def test_behind_https_the_cookie_is_bound_to_this_host_and_the_older_one_is_still_read(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/t.db").start()
    server.app.settings.public_url = "https://games.example.org"
    try:
        old = visitors.new_token()
        body = {"game": "dice_heist", "chairs": [{"kind": "me"}, {"kind": "me"}]}
        ann = Person(server.base)
        answer = ann.post("/api/tables", body, headers={"cookie": f"{visitors.COOKIE}={old}"})
        cookies = answer.headers.get_list("set-cookie")
        assert [c.partition("=")[0] for c in cookies] == ["__Host-spellheist", "spellheist"]
        assert old in cookies[0] and old not in cookies[1] and "Max-Age=0" in cookies[1]
        assert all(word in cookies[0] for word in ("Secure", "HttpOnly", "Path=/", "SameSite=lax"))
        assert "Domain" not in cookies[0]
        # Another host can set the first of them.
        tossed = f"{visitors.COOKIE}={visitors.new_token()}; {visitors.HOST_COOKIE}={old}"
        seen = ann.get("/api/mine", headers={"cookie": tossed}).json()
        assert [row["table"] for row in seen] == [answer.json()["table"]]
        ann.http.close()
    finally:
        server.stop()


def test_a_handshake_from_another_site_fails(server, person):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    cookie = f"{visitors.COOKIE}={ann.http.cookies[visitors.COOKIE]}"
    for headers in ({"origin": "https://evil.example"}, {"origin": server.base, "sec-fetch-site": "cross-site"}):
        with (
            pytest.raises(InvalidStatus, match="403"),
            connect(
                f"{server.base.replace('http', 'ws')}/ws/{table}?seat=0", additional_headers={**headers, "cookie": cookie}
            ),
        ):
            pass
