"""Who somebody is: devices, and links for others."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from people import Person, Server, play_out
from test_postgres import database  # noqa: F401
from websockets.exceptions import ConnectionClosed
from yesterday import FIXTURES, HOW, Yesterday

from spellheist.server.http import visitors
from spellheist.server.people import DEVICES, LASTS, LINKS, named

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
GONE = "This link is no longer valid: it was used, it was revoked, or it is too old. Ask for a new one."
SIGNED_OUT = "This browser was signed out. A link for another device signs it in again."


def link_of(person):
    """A new link; its key."""
    answer = person.post("/api/me/links", {})
    assert answer.status_code == 200, answer.text
    address, key = answer.json()["link"].split("#")
    assert address == f"{person.base}/me"
    return key


def become(person, key):
    return person.post("/api/me", {"key": key})


def cookie_of(person):
    return {cookie.name: cookie.value for cookie in person.http.cookies.jar}


def tables_of(person):
    return [row["table"] for row in person.get("/api/mine").json()]


def devices_of(person):
    return person.get("/api/me").json()["devices"]


def ended(line, timeout=30):
    """The code and the sentence with which an open line is ended."""
    with pytest.raises(ConnectionClosed) as closed:
        line.until(lambda s: False, timeout)
    return closed.value.rcvd.code, closed.value.rcvd.reason


def older_token(server, person):
    """Makes of somebody a person of an earlier version: without a device, and with a link that contains the token."""
    token = person.http.cookies[visitors.COOKIE]
    server.ask(server.app.service.store.people("delete from devices where device = ?", visitors.hashed(token)))
    server.app.service.people.known.clear()
    return token


# Links.


def test_a_link_makes_another_browser_a_device_of_the_same_person(person):
    ann, phone = person(), person()
    ann.http.headers["user-agent"], phone.http.headers["user-agent"] = FIREFOX, SAFARI
    table = ann.make("dice_heist", "me", "random")
    key = link_of(ann)
    assert phone.post("/api/me/look", {"key": key}).json() == {
        "link": {"name": "Ann", "tables": 1}, "here": {"name": "", "tables": 0}, "same": False
    }  # fmt: skip
    assert cookie_of(phone) == {} and tables_of(phone) == []
    answer = become(phone, key)
    assert answer.json() == {"name": "Ann", "tables": 1}
    assert "HttpOnly" in answer.headers["set-cookie"] and "SameSite=lax" in answer.headers["set-cookie"]
    assert cookie_of(phone) != cookie_of(ann), "each browser has a token of its own"
    assert tables_of(phone) == [table]
    with phone.at(table, 0) as line:
        line.hear()
        assert line.table["mine"] == [0] and line.table["host"]
    assert [(d["name"], d["here"]) for d in devices_of(phone)] == [("Firefox on Linux", False), ("Safari on iPhone", True)]
    assert [d["here"] for d in devices_of(ann)] == [True, False]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "headers", [{}, {"sec-purpose": "prefetch"}, {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}]
)
def test_to_open_a_link_changes_nothing(server, person, method, headers):
    ann, bob = person(), person()
    tables = ann.make("dice_heist", "me", "random"), bob.make("dice_heist", "me", "random")
    token, before = older_token(server, ann), cookie_of(bob)
    key = link_of(ann)
    for path in (f"/me/{key}", f"/me/{token}", "/me", f"/me/{key}?to=https://evil.example", f"/me/{key}?to=//evil.example"):
        answer = bob.http.request(method, path, headers={"origin": "", **headers})
        assert answer.status_code == 200 and "set-cookie" not in answer.headers and "location" not in answer.headers
    assert cookie_of(bob) == before and tables_of(bob) == [tables[1]]
    assert become(bob, key).status_code == 200, "and the link still works"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", ""])
def test_no_other_site_can_make_a_browser_somebody_else(person, origin):
    mallory, bob = person(), person()
    mallory.make("dice_heist", "me", "random")
    bob.make("dice_heist", "me", "random")
    key, before = link_of(mallory), cookie_of(bob)
    for path, body in (("/api/me", {"key": key}), ("/api/me/look", {"key": key}), ("/api/me/links", {}),
                       ("/api/me/links/revoke", {"id": "old"}), ("/api/me/devices/end", {"id": "x"})):  # fmt: skip
        assert bob.post(path, body, headers={"origin": origin}).status_code == 403
        assert bob.post(path, body, headers={"sec-fetch-site": "cross-site"}).status_code == 403
        assert bob.post(path, body, headers={"sec-fetch-site": "same-site"}).status_code == 403
        form = {"origin": origin, "content-type": "application/x-www-form-urlencoded"}
        assert bob.http.post(path, content=f"key={key}", headers=form).status_code == 403
        assert bob.get(path).status_code in (200, 404, 405)
    assert cookie_of(bob) == before


def test_a_link_works_once(person):
    ann, phone, thief = person(), person(), person()
    ann.make("dice_heist", "me", "random")
    key = link_of(ann)
    assert become(phone, key).status_code == 200
    answer = become(thief, key)
    assert (answer.status_code, answer.json()["sentence"]) == (400, GONE)
    assert cookie_of(thief) == {} and tables_of(thief) == []


def test_a_link_that_is_revoked_too_old_or_guessed_does_not_work(server, person, monkeypatch):
    ann, phone = person(), person()
    ann.make("dice_heist", "me", "random")
    key = link_of(ann)
    listed = ann.get("/api/me").json()["links"]
    assert len(listed) == 1 and key not in str(listed)
    assert ann.post("/api/me/links/revoke", {"id": listed[0]["id"]}).json()["links"] == []
    late = link_of(ann)
    now = server.app.service.now()
    monkeypatch.setattr(server.app.service, "now", lambda: now + LASTS + 1)
    for wrong in (key, late, visitors.new_token(), phone.base, "", "x", "../" * 9, "\0" * 43, "é" * 43):
        for path in ("/api/me", "/api/me/look"):
            answer = phone.post(path, {"key": wrong})
            assert (answer.status_code, answer.json()["sentence"]) == (400, GONE)
    assert ann.get("/api/me").json()["links"] == []
    assert cookie_of(phone) == {}


def test_the_token_of_a_device_is_no_link(person):
    ann, phone, thief = person(), person(), person()
    ann.make("dice_heist", "me", "random")
    become(phone, link_of(ann))
    for one in (ann, phone):
        assert become(thief, one.http.cookies[visitors.COOKIE]).json()["sentence"] == GONE


def test_somebody_has_only_so_many_links_and_devices(person, server):
    ann = person()
    ann.make("dice_heist", "me", "random")
    keys = [link_of(ann) for _ in range(LINKS + 2)]
    assert len(ann.get("/api/me").json()["links"]) == LINKS
    assert become(person(), keys[0]).json()["sentence"] == GONE
    for _ in range(DEVICES - 1):
        assert become(person(), link_of(ann)).status_code == 200
    answer = become(person(), link_of(ann))
    assert answer.json()["sentence"] == f"A person can have at most {DEVICES} devices; sign one of them out first."


def test_whoever_is_nobody_is_told_so_and_has_no_links(person):
    nobody = person()
    assert nobody.get("/api/me").json() == {
        "name": "", "tables": 0, "devices": [], "links": [], "old_links": False, "signed_out": False
    }  # fmt: skip
    for path, body in (("links", {}), ("links/revoke", {"id": "old"}), ("devices/end", {"id": "x"})):
        answer = nobody.post(f"/api/me/{path}", body)
        assert answer.status_code == 400 and answer.json()["sentence"].endswith(".")
    assert cookie_of(nobody) == {}


def test_whoever_the_browser_was_is_told_before_and_is_known_by_it_no_longer(person):
    ann, bob = person(), person()
    ann.make("dice_heist", "me", "random")
    table = bob.make("dice_heist", "me", "random", name="Bob")
    phone = person()
    become(phone, link_of(bob))
    asked = bob.post("/api/me/look", {"key": (key := link_of(ann))}).json()
    assert asked == {"link": {"name": "Ann", "tables": 1}, "here": {"name": "Bob", "tables": 1}, "same": False}
    with bob.at(table, 0) as line:
        line.hear()
        become(bob, key)
        assert ended(line) == (4401, SIGNED_OUT)
    assert table not in tables_of(bob)
    assert tables_of(phone) == [table] and len(devices_of(phone)) == 1


def test_a_link_for_oneself_changes_nothing_and_stays(person):
    ann, phone = person(), person()
    ann.make("dice_heist", "me", "random")
    key, before = link_of(ann), cookie_of(ann)
    assert ann.post("/api/me/look", {"key": key}).json()["same"]
    assert become(ann, key).status_code == 200 and cookie_of(ann) == before
    assert become(phone, key).status_code == 200


# Devices.


def test_a_device_that_is_signed_out_loses_its_seats_and_its_open_lines(person):
    ann, phone = person(), person()
    table = ann.make("dice_heist", "me", "random")
    become(phone, link_of(ann))
    there = next(d["id"] for d in devices_of(ann) if not d["here"])
    with ann.at(table, 0) as a, phone.at(table, 0) as lost, phone.at(table) as watching:
        lost.hear(), watching.hear()
        assert len(ann.post("/api/me/devices/end", {"id": there}).json()["devices"]) == 1
        assert ended(lost) == ended(watching) == (4401, SIGNED_OUT)
        assert a.do("start")["t"] == "did"
    assert phone.turned_away(table, 0) == (4401, SIGNED_OUT)
    assert tables_of(phone) == [] and phone.get("/api/me").json()["signed_out"]
    assert phone.get(f"/api/tables/{table}/record", params={"seat": 0}).status_code == 403
    assert phone.post("/api/me/links", {}).status_code == 400
    with phone.at(table) as watching:  # like anybody
        assert watching.hear()["t"] == "table"
    other = phone.make("dice_heist", "me", "random")
    assert tables_of(phone) == [other], "whoever sits down again is somebody else"


def test_nobody_sees_or_signs_out_devices_of_somebody_else(person):
    ann, bob = person(), person()
    ann.make("dice_heist", "me", "random"), bob.make("dice_heist", "me", "random")
    key = link_of(ann)
    ours, link = devices_of(ann)[0]["id"], ann.get("/api/me").json()["links"][0]["id"]
    assert ours not in bob.get("/api/me").text and link not in bob.get("/api/me").text
    assert bob.post("/api/me/devices/end", {"id": ours}).json()["sentence"] == "You have no such device."
    assert bob.post("/api/me/links/revoke", {"id": link}).status_code == 200
    assert tables_of(ann) and become(person(), key).status_code == 200


def test_the_browser_in_use_cannot_be_signed_out_by_itself(person):
    ann = person()
    ann.make("dice_heist", "me", "random")
    answer = ann.post("/api/me/devices/end", {"id": devices_of(ann)[0]["id"]})
    assert answer.json()["sentence"] == "This is the browser you are using."
    assert tables_of(ann)


@pytest.mark.parametrize(("agent", "name"), [
    (FIREFOX, "Firefox on Linux"), (SAFARI, "Safari on iPhone"), (CHROME, "Chrome on Windows"), ("", "A browser"),
    (CHROME + " Edg/130.0", "Edge on Windows"), ("<script>alert(1)</script>", "A browser"), ("x" * 9999, "A browser"),
])  # fmt: skip
def test_a_device_is_named_coarsely(agent, name):
    assert named(agent) == name


@pytest.mark.parametrize("where", ["sqlite", "postgresql"])
def test_a_device_that_is_signed_out_at_one_server_loses_its_line_at_another(tmp_path, where, request):
    url = f"sqlite:///{tmp_path}/t.db" if where == "sqlite" else request.getfixturevalue("database")
    first, second = Server(url).start(), Server(url).start()
    ann, phone = Person(first.base), Person(second.base)
    try:
        table = ann.make("dice_heist", "me", "random")
        become(phone, link_of(ann))
        with phone.at(table, 0) as lost:
            lost.hear()
            there = next(d["id"] for d in devices_of(ann) if not d["here"])
            ann.post("/api/me/devices/end", {"id": there})
            assert ended(lost) == (4401, SIGNED_OUT)
            assert phone.turned_away(table, 0) == (4401, SIGNED_OUT)
    finally:
        ann.http.close(), phone.http.close()
        first.stop(), second.stop()


def test_a_move_asks_nothing_about_people_and_a_page_little(server, person, monkeypatch):
    monkeypatch.setattr("spellheist.server.people.REMEMBERED", 600.0)  # no test waits for a slow machine
    asked = []
    store = server.app.service.store
    people = store.people
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    monkeypatch.setattr(store, "people", lambda said, *values: asked.append(said) or people(said, *values))
    server.app.service.people.known.clear()
    ann.get(f"/t/{table}"), ann.get("/api/mine")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        assert len([said for said in asked if "device = ?" in said]) == 1
        asked.clear()
        play_out(a, b, most=5)
        assert not [said for said in asked if "device = ?" in said]


# Nothing of yesterday is lost.


def test_a_cookie_of_an_earlier_version_still_holds_its_seats(server, person):
    ann = person()
    table = ann.make("dice_heist", "me", "random")
    older_token(server, ann)
    assert tables_of(ann) == [table]
    with ann.at(table, 0) as line:
        assert line.hear()["mine"] == [0]
    assert [(d["here"], d["old"]) for d in devices_of(ann)] == [(True, True)]
    assert tables_of(ann) == [table]


def test_a_link_of_an_earlier_version_leads_to_the_same_person_until_it_is_revoked(server, person):
    ann, phone, thief = person(), person(), person()
    table = ann.make("dice_heist", "me", "random")
    token = older_token(server, ann)
    assert phone.get("/api/me").json()["old_links"] is False
    for _ in range(2):  # such links work as often as they did
        other = person()
        assert other.post("/api/me/look", {"key": token}).json()["link"] == {"name": "Ann", "tables": 1}
        assert become(other, token).status_code == 200
        assert token not in str(cookie_of(other)) and tables_of(other) == [table]
    become(phone, token)
    shared = person()
    shared.http.cookies.set(visitors.COOKIE, token)  # as the earlier version did it
    assert tables_of(shared) == [table]
    assert ann.get("/api/me").json()["old_links"]
    with shared.at(table, 0) as lost:
        lost.hear()
        answer = ann.post("/api/me/links/revoke", {"id": "old"})
        assert answer.json()["old_links"] is False and [d["here"] for d in answer.json()["devices"]].count(True) == 1
        assert ended(lost) == (4401, SIGNED_OUT)
    assert ann.http.cookies[visitors.COOKIE] != token
    assert become(thief, token).json()["sentence"] == GONE
    assert tables_of(shared) == [] and tables_of(ann) == tables_of(phone) == tables_of(other) == [table]
    with ann.at(table, 0) as line:
        assert line.hear()["mine"] == [0]


def test_old_links_are_revoked_from_another_device_too(server, person):
    ann, phone = person(), person()
    table = ann.make("dice_heist", "me", "random")
    token = older_token(server, ann)
    become(phone, token)
    assert next((d["name"], d["old"]) for d in devices_of(phone)) == ("", True)
    phone.post("/api/me/links/revoke", {"id": "old"})
    assert become(person(), token).json()["sentence"] == GONE
    assert tables_of(ann) == [] and tables_of(phone) == [table]
    assert len(devices_of(phone)) == 1


def test_cookies_and_links_of_yesterdays_store_lead_to_the_same_seats(tmp_path):
    shutil.copy(FIXTURES / "yesterday.db", tmp_path / "t.db")
    server = Server(f"sqlite:///{tmp_path}/t.db", **HOW).start()
    yesterday, phone, thief = Yesterday(server.base, "db"), Person(server.base), Person(server.base)
    try:
        ann, bob = yesterday.people
        token = ann.http.cookies[visitors.COOKIE]
        assert len(tables_of(ann)) >= len(yesterday.tables) > 5
        assert become(phone, token).status_code == 200 and tables_of(phone) == tables_of(ann)
        ann.post("/api/me/links/revoke", {"id": "old"})
        assert tables_of(phone) == tables_of(ann) and tables_of(bob)
        with ann.at(yesterday.name("playing"), 0) as line:
            assert line.hear()["mine"] == [0]
        assert become(thief, token).json()["sentence"] == GONE
    finally:
        yesterday.close(), phone.http.close(), thief.http.close()
        server.stop()


def test_the_store_has_neither_keys_nor_tokens(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/t.db").start()
    ann, phone = Person(server.base), Person(server.base)
    try:
        ann.make("dice_heist", "me", "random")
        used, kept = link_of(ann), link_of(ann)
        become(phone, used)
        with closing(sqlite3.connect(tmp_path / "t.db")) as store:
            text = "\n".join(store.iterdump())
        for secret in (used, kept, *cookie_of(ann).values(), *cookie_of(phone).values()):
            assert secret not in text
        assert text.count("on Linux") == 0 and "A browser" in text
    finally:
        ann.http.close(), phone.http.close()
        server.stop()


def test_keys_are_not_logged(server, person, caplog):
    caplog.set_level("DEBUG")
    ann, phone = person(), person()
    ann.make("dice_heist", "me", "random")
    key = link_of(ann)
    phone.get(f"/me/{key}"), phone.post("/api/me/look", {"key": key}), become(phone, key), become(phone, key)
    from spellheist.server.process.serve import JsonLines

    said = "\n".join(JsonLines().format(record) for record in caplog.records if record.name.startswith("spellheist"))
    assert '"route": "/me/{key}"' in said and '"route": "/api/me"' in said
    for secret in (key, visitors.hashed(key), *cookie_of(phone).values()):
        assert secret not in said and secret[:16] not in said
