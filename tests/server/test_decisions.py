"""What may be done at a table besides playing: undo, clocks, leaving and coming back, the host's rights, rematches."""

import asyncio
import sys
from copy import deepcopy

import msgspec
import pytest
from people import Person, Server, play_out
from websockets.exceptions import ConnectionClosed

from spellheist.core import record
from spellheist.server.store import Taken, Unavailable, Unsure
from spellheist.server.table import levels
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.moving import Moved
from spellheist.server.table.actions.starting import Begun, StartRequested
from spellheist.server.table.actions.talking import Chat
from spellheist.server.table.journal import encode
from spellheist.server.table.messages import Asker
from spellheist.server.table.reading import read_table

ANY = ("random",)


@pytest.fixture(autouse=True)
def quick_stand_in(monkeypatch):
    monkeypatch.setattr(levels, "STAND_IN", "random")


def two(person, game, *more, **how):
    """A table of two people, and more; both sockets."""
    ann, bob = person(), person()
    table = ann.make(game, "me", "open", *more, **how)
    bob.sit(table, 1, "Bob")
    a, b = ann.at(table, 0), bob.at(table, 1)
    a.start(b)
    return table, ann, bob, a, b


def to_move(*sockets):
    for _ in range(200):
        for socket in sockets:
            socket.drain(0.01)
            if socket.moves:
                return socket, *(other for other in sockets if other is not socket)
    raise AssertionError("nobody is asked")


def undoable(a, b):
    """Play dice_heist until somebody has named a target: a move that tells nothing and after which no die rolls."""
    for _ in range(60):
        mover, other = to_move(a, b)
        heist = next((move for move, words in mover.moves if words.startswith("heist")), None)
        if heist is not None:
            before = mover.ply, deepcopy(mover.view), mover.moves
            mover.do("move", ply=mover.ply, move=heist)
            other.until(lambda s, mover=mover: s.ply == mover.ply)
            if mover.ply == before[0] + 1 and mover.moves:
                return mover, other, before
        else:
            mover.move()
    raise AssertionError("no such move comes up")


def test_a_move_is_taken_back_when_the_other_person_agrees(person):
    _, _, _, a, b = two(person, "dice_heist")
    mover, other, before = undoable(a, b)
    assert mover.do("undo", ply=mover.ply)["t"] == "did"
    other.until(lambda s: s.table["undo"])
    assert other.table["undo"] == {"by": mover.seat, "waits_for": [other.seat]}
    assert mover.do("agree", yes=True)["t"] == "refused"
    assert other.do("agree", yes=False)["t"] == "did"
    mover.until(lambda s: s.table["undo"] is None)
    assert mover.ply == before[0] + 1
    mover.do("undo", ply=mover.ply)
    other.until(lambda s: s.table["undo"])
    assert other.do("agree", yes=True)["t"] == "did"
    mover.until(lambda s: s.ply == before[0])
    assert (mover.ply, mover.view, mover.moves) == before
    mover.move()
    assert mover.ply > before[0]
    a.__exit__(), b.__exit__()


def test_a_wish_to_take_a_move_back_ends_with_the_next_move_and_everybody_hears_it(person):
    _, _, _, a, b = two(person, "dice_heist")
    mover, other, _ = undoable(a, b)
    mover.do("undo", ply=mover.ply)
    other.until(lambda s: s.table["undo"])
    assert mover.move()["t"] == "did"
    for socket in (mover, other):
        socket.until(lambda s: s.table["undo"] is None)
    a.__exit__(), b.__exit__()


def test_a_move_that_rolled_or_revealed_something_stands(person):
    _, _, _, a, b = two(person, "abraca_what")
    mover, other = to_move(a, b)
    for _ in range(4):
        mover, other = to_move(a, b)
        mover.move()  # the lowest spell: rare, so that whether it is held was not known
        other.until(lambda s, mover=mover: s.ply == mover.ply)
        for socket in (other, mover):
            answer = socket.do("undo", ply=socket.ply)
            assert answer["t"] == "refused"
    assert "nothing else has happened" in answer["sentence"] or "showed somebody" in answer["sentence"]
    a.__exit__(), b.__exit__()


def test_with_two_sides_whoever_resigns_has_lost(person):
    table, ann, bob, a, b = two(person, "mages_dice")
    assert b.do("resign")["t"] == "did"
    a.until(lambda s: s.table["state"] == "over")
    a.until(lambda s: s.over)
    assert a.score == [1.0, 0.0] and a.table["reason"] == "Bob resigned."
    assert a.standings == ["no points", "no points"]
    assert a.do("move", ply=a.ply, move=0)["sentence"] == "Bob resigned."
    text = ann.get(f"/api/tables/{table}/record").text
    assert "secret:" in text and record.verify(record.read(text)), "the dice of a game given up can be checked too"
    assert bob.get(f"/api/tables/{table}/frames?seat=open").status_code == 200
    a.__exit__(), b.__exit__()


def test_with_three_sides_a_bot_plays_on_for_whoever_resigns(person):
    _, _, bob, a, b = two(person, "dice_heist", *ANY, options={"turn_limit": 9})
    table = b.table["table"]
    b.tell("resign")
    with pytest.raises(ConnectionClosed, match="You have given up this seat"):
        b.until(lambda s: False)
    a.until(lambda s: s.table["chairs"][1]["away"])
    play_out(a)
    assert a.over
    refused = bob.sit(table, 1, "Bob")
    assert (refused.status_code, refused.json()["sentence"]) == (409, "The game has already begun.")
    a.__exit__(), b.__exit__()


def test_a_leaver_is_replaced_by_a_bot_and_may_come_back(person):
    table, _, bob, a, b = two(person, "dice_heist", options={"turn_limit": 30})
    assert bob.post(f"/api/tables/{table}/rise", {"seat": 1}).status_code == 200
    a.until(lambda s: s.table["chairs"][1]["away"])
    play_out(a, most=3)
    assert "A bot plays for you" in b.do("move", ply=b.ply, move=0)["sentence"]
    assert bob.sit(table, 1, "Bob").status_code == 200
    a.until(lambda s: not s.table["chairs"][1]["away"])
    b.drain(0.05)
    play_out(a, b, most=4)
    a.__exit__(), b.__exit__()


def test_a_bot_that_still_thinks_when_the_person_comes_back_makes_no_move(tmp_path):
    thinks = """
import json, pathlib, sys, time
for line in sys.stdin:
    while not pathlib.Path(sys.argv[1]).exists():
        time.sleep(0.01)
    print(json.dumps({json.loads(line)["wants"]: -1}), flush=True)
    with open(sys.argv[1], "a") as file:
        file.write("answered ")
"""
    told = tmp_path / "told"
    server = Server(f"sqlite:///{tmp_path}/tables.db", [sys.executable, "-c", thinks, str(told)]).start()
    ann = Person(server.base)
    table = ann.make("dice_heist", "me", "me")
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    mover, other = to_move(a, b)
    ply = mover.ply
    assert ann.post(f"/api/tables/{table}/rise", {"seat": mover.seat}).status_code == 200
    assert ann.sit(table, mover.seat, "Back").status_code == 200
    told.touch()
    while told.read_text().count("answered") < 2:  # no such move: it is asked twice, and then any is made for it
        server.ask(asyncio.sleep(0.01))
    server.ask(asyncio.sleep(0.1))
    other.do("chat", text="Welcome back")
    mover.until(lambda s: s.chat and s.chat[-1][2] == "Welcome back")
    assert mover.ply == ply and mover.move()["t"] == "did"
    a.__exit__(), b.__exit__()
    ann.http.close()
    server.stop()


def test_a_table_that_waits_for_leavers_says_so(person):
    table, _, bob, a, b = two(person, "dice_heist", leavers="wait")
    assert "waits for people who leave" in bob.post(f"/api/tables/{table}/rise", {"seat": 1}).json()["sentence"]
    a.__exit__(), b.__exit__()


def test_a_clock_that_runs_out_loses_with_two_sides_and_moves_with_more(person, server, monkeypatch):
    clock = {"kind": "move", "seconds": 60}
    service = server.app.service
    for more, ends in (((), True), (ANY, False)):
        table, _, _, a, b = two(person, "dice_heist", *more, clock=clock)
        mover, _ = to_move(a, b)
        live = service.tables[table]
        left = next(message["left"] for message in reversed(mover.heard) if message.get("left") is not None)
        assert 0 < left <= 60_000
        ply = mover.ply
        monkeypatch.setattr(levels, "STAND_IN", "random")
        service.ran += 60_001
        server.ask(live.clocks.on_time())
        if ends:
            mover.until(lambda s: s.over)
            mover.until(lambda s: s.table["reason"])
            assert "ran out of time" in mover.table["reason"] and mover.score[mover.seat] == 0
        else:
            mover.until(lambda s, ply=ply: s.ply > ply)
            assert not mover.table["chairs"][mover.seat]["away"], "only that move was made for the player"
            mover.until(lambda s: s.chat)
            told = f"{mover.table['names'][mover.seat]} ran out of time, so a bot made this move."
            assert mover.chat[-1][:3] == [None, "", told]
        a.__exit__(), b.__exit__()


def test_before_the_game_the_host_removes_and_closes_and_nobody_else_does(person):
    ann, bob = person(), person()
    table = ann.make("dice_heist", "me", "open", "random")
    assert bob.sit(table, 1, "Bob").status_code == 200
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        for kind, what in (("kick", {"seat": 0}), ("close", {})):
            assert "Only the host" in b.do(kind, **what)["sentence"]
        a.do("kick", seat=1)
        a.until(lambda s: s.table["chairs"][1]["kind"] == "open")
        a.do("close")
        a.until(lambda s: s.table["state"] == "closed")
        assert a.table["reason"] == "Ann closed the table."


def test_whoever_the_host_removes_is_told_so_until_they_sit_down_again(person):
    ann, bob = person(), person()
    table = ann.make("dice_heist", "me", "open")
    with ann.at(table, 0) as a:
        bob.sit(table, 1, "Bob")
        bob.post(f"/api/tables/{table}/rise", {"seat": 1})
        bob.sit(table, 1, "Bob")
        with bob.at(table, 1) as seated:
            seated.hear()
            assert seated.table["removed"] == [], "who gets up is not removed"
        a.do("kick", seat=1)
        with bob.at(table) as watching:
            watching.hear()
            assert (watching.table["mine"], watching.table["removed"]) == ([], ["Bob"])
        a.drain(0.05)
        assert a.table["removed"] == []
        bob.sit(table, 1, "Bob")
        with bob.at(table, 1) as seated:
            seated.hear()
            assert seated.table["removed"] == []


def test_at_a_table_without_watchers_too_whoever_was_removed_is_told_so(person, server):
    table, _, bob, a, b = two(person, "dice_heist", *ANY, watchers=False)
    a.do("kick", seat=1)
    server.app.service.ran += 60_001
    server.ask(server.app.service.tables[table].clocks.on_time())
    assert bob.turned_away(table) == (4403, "You were removed from the table.")
    assert person().turned_away(table) == (4403, "This table is played without watchers.")
    a.__exit__(), b.__exit__()


def test_a_host_without_a_seat_starts_and_watches_the_bots(person):
    ann = person()
    table = ann.make("dice_heist", "random", "random", options={"turn_limit": 3})
    with ann.at(table) as w, person().at(table) as other:
        assert "Watchers cannot" in other.do("start")["sentence"]
        assert w.do("start")["t"] == "did"
        w.until(lambda s: s.over)


def test_a_rematch_is_a_table_for_the_same_people(person):
    table, ann, bob, a, b = two(person, "mages_dice")
    assert "after the game" in a.do("rematch")["sentence"]
    a.do("resign")
    b.until(lambda s: s.table["state"] == "over")
    assert b.do("rematch")["t"] == "did"
    a.until(lambda s: s.table["rematch"])
    other = a.table["rematch"]
    assert a.do("rematch")["t"] == "did" and other != table
    with ann.at(other, 0) as c, bob.at(other, 1) as d:
        c.hear(), d.hear()
        assert d.table["host"] and not c.table["host"]
        assert c.table["names"] == ["Ann", "Bob"] and c.table["commitment"] != a.table["commitment"]
        d.start(c)
    a.__exit__(), b.__exit__()


def test_a_bot_that_dies_is_replaced_and_the_table_says_so(tmp_path):
    mark = tmp_path / "died"
    script = (
        "import sys, os, pathlib\n"
        f"mark = pathlib.Path({str(mark)!r})\n"
        "if not mark.exists():\n"
        "    sys.stdin.readline(); mark.touch(); os._exit(3)\n"
        "from spellheist.bots.worker import serve\n"
        "serve()\n"
    )
    server = Server(f"sqlite:///{tmp_path}/t.db", command=[sys.executable, "-c", script]).start()
    try:
        ann = Person(server.base)
        with ann.at(ann.make("dice_heist", "me", "random", options={"turn_limit": 4}), 0) as a:
            a.start()
            play_out(a)
            assert [line[2] for line in a.chat] == ["The bot of Morgana stopped thinking and was replaced."]
        assert server.app.service.pool.replaced == 1
        ann.http.close()
    finally:
        server.stop()


def test_hints_come_where_the_table_allows_them(person):
    ann = person()
    table = ann.make("abraca_what", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        mover, _ = to_move(a, b)
        assert "without hints" in mover.do("hint", ply=mover.ply)["sentence"]


def test_whoever_waits_for_a_hint_can_talk_and_move_meanwhile(tmp_path):
    server = Server(f"sqlite:///{tmp_path}/t.db", command=[sys.executable, "-c", "import time; time.sleep(60)"]).start()
    try:
        ann = Person(server.base)
        table = ann.make("dice_heist", "me", "me", hints=True)
        with ann.at(table, 0) as a, ann.at(table, 1) as b:
            a.start(b)
            mover, _ = to_move(a, b)
            mover.tell("hint", ply=mover.ply)
            assert mover.do("chat", text="hm")["t"] == "did"
            assert mover.do("hint", ply=mover.ply)["sentence"] == "The adviser is still thinking."
            assert mover.move()["t"] == "did"
        ann.http.close()
    finally:
        server.stop()


def test_a_restart_continues_every_table_and_snapshots_give_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("spellheist.server.table.live.SNAPSHOT", 5)
    url = f"sqlite:///{tmp_path}/t.db"
    first = Server(url).start()
    ann = Person(first.base)
    table = ann.make("dice_heist", "me", "me", options={"turn_limit": 40})
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    play_out(a, b, most=14)
    a.drain(0.1), b.drain(0.1)
    bodies = first.ask(first.app.service.store.entries(table))
    snapshot = first.ask(first.app.service.store.snapshot(table))
    first.stop()
    assert snapshot and snapshot[0] % 5 == 4
    whole, quick = read_table(table, bodies), read_table(table, bodies, snapshot)
    assert whole.truth == quick.truth and whole.play.plies == quick.play.plies and whole.did == quick.did
    second = Server(url).start()
    ann.base = second.base
    again = [ann.at(table, seat) for seat in (0, 1)]
    for socket, old in zip(again, (a, b), strict=True):
        socket.until(lambda s: s.ply is not None)
        assert (socket.ply, socket.view, socket.moves) == (old.ply, old.view, old.moves)
    play_out(*again, most=5)
    second.stop()
    ann.http.close()


def test_a_table_whose_rules_have_changed_is_frozen_with_a_sentence(person, server):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        mover, _ = to_move(a, b)
        mover.move()
    bodies = server.ask(server.app.service.store.entries(table))
    other_rules = read_entry(bodies[0])
    changed = encode(msgspec.structs.replace(other_rules, signature="0123456789abcdef"))
    assert read_table(table, [changed, *bodies[1:]]).reason.startswith("The rules of Dice Heist have changed")
    wrong = read_entry(bodies[-1])
    last = encode(Moved(at=wrong.at, seat=wrong.seat, plies=wrong.plies, check=wrong.check + 1))
    frozen = read_table(table, [*bodies[:-1], last])
    assert frozen.state == "frozen" and "no longer plays as it did" in frozen.reason
    assert not frozen.begun, "nothing of it is shown"


def test_two_servers_cannot_both_move_a_table_on(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    one, other = Server(url).start(), Server(url).start()
    ann = Person(one.base)
    table = ann.make("dice_heist", "me", "me")
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    elsewhere = Person(other.base)
    elsewhere.http.cookies = ann.http.cookies
    c = [elsewhere.at(table, seat) for seat in (0, 1)]
    for socket in c:
        socket.until(lambda s: s.ply is not None)
    mover, _ = to_move(a, b)
    ply = mover.ply
    mover.move()
    stale = c[mover.seat].do("move", ply=ply, move=c[mover.seat].moves[0][0])
    assert stale["t"] == "refused" and "moved on" in stale["sentence"]
    c[mover.seat].until(lambda s: s.ply == mover.ply)
    for person in (ann, elsewhere):
        person.http.close()
    one.stop(), other.stop()


def test_an_entry_of_a_taken_number_is_refused_by_the_store(person, server):
    table = person().make("dice_heist", "me", "me")
    from spellheist.server.store import Append

    with pytest.raises(Taken):
        server.append(Append(table, 1, b"{}"))


@pytest.mark.parametrize("written", [StartRequested, Begun])
def test_what_was_written_is_never_refused_even_if_the_store_fails_right_after_it(written, person, server, monkeypatch):
    ann, store = person(), server.app.service.store
    table = ann.make("dice_heist", "me", "random")
    append = store.append

    def fails_once(what):
        writing = append(what)
        if what.table != table or not isinstance(read_entry(what.body), written):
            return writing
        monkeypatch.setattr(store, "append", append)
        return asyncio.ensure_future(unsure_after(writing))

    async def unsure_after(writing):
        await writing
        raise Unsure("the line to the store was cut")

    with ann.at(table, 0) as a:
        a.hear()
        monkeypatch.setattr(store, "append", fails_once)
        assert a.do("start")["t"] == "did"
        a.until(lambda s: s.ply is not None)


def test_while_nobody_can_know_whether_something_was_written_the_page_is_told_neither(person, server, monkeypatch):
    ann, store = person(), server.app.service.store
    table = ann.make("dice_heist", "me", "random")
    append, entries = store.append, store.entries

    def fails(what):
        writing = append(what)
        monkeypatch.setattr(store, "append", append)
        monkeypatch.setattr(store, "entries", cannot_read)
        return asyncio.ensure_future(unsure_after(writing))

    async def unsure_after(writing):
        await writing
        raise Unsure("the line to the store was cut")

    async def cannot_read(name):
        monkeypatch.setattr(store, "entries", entries)
        raise Unavailable("The tables cannot be read now; try again.")

    with ann.at(table, 0) as a:
        a.hear()
        monkeypatch.setattr(store, "append", fails)
        number = a.tell("start")
        with pytest.raises(ConnectionClosed):
            a.until(lambda s: False)
        assert all(message["t"] == "table" for message in a.heard)
    with ann.at(table, 0) as a:
        assert a.do("start", id=number)["t"] == "did"
        a.until(lambda s: s.ply is not None)


def test_old_tables_are_archived_and_their_records_kept(person, server):
    ann = person()
    table = ann.make("dice_heist", "me", "random", options={"turn_limit": 2})
    with ann.at(table, 0) as a:
        a.start()
        play_out(a)
    text = ann.get(f"/api/tables/{table}/record").text
    server.ask(server.app.service.archive(table))
    assert ann.get(f"/api/tables/{table}/record").text == text
    assert ann.get(f"/api/tables/{table}/frames").status_code == 404
    row = next(row for row in ann.get("/api/mine").json() if row["table"] == table)
    assert row["state"] == "archived"
    assert server.ask(server.app.service.store.entries(table)) == []


def test_an_idle_table_is_forgotten_and_read_again(person, server):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    del server.app.service.tables[table]
    with ann.at(table, 0) as a:
        a.hear()
        assert a.table["names"][0] == "Ann"


def test_an_entry_is_taken_in_also_if_whoever_asked_for_it_is_cut_off_while_it_is_written(person, server, monkeypatch):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    live, store = server.app.service.tables[table], server.app.service.store

    asker = Asker(0, "")

    async def call_off():
        began, append = asyncio.Event(), store.append
        monkeypatch.setattr(store, "append", lambda what: began.set() or append(what))
        monkeypatch.setattr(live, "reload", None)  # the second finds no number taken that it does not know of
        asking = asyncio.ensure_future(live.carry_out(lambda t, now: Chat(id=1, text="first").decide(t, asker, now)))
        await began.wait()
        asking.cancel()
        await live.carry_out(lambda t, now: Chat(id=2, text="second").decide(t, asker, now))
        await asyncio.wait({asking})
        assert asking.cancelled()

    server.ask(call_off())
    assert [line[2] for line in live.table.chat] == ["first", "second"]
    assert len(server.ask(store.entries(table))) == live.table.count == 3
