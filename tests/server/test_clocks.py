"""Clocks: time that was spent stays spent, whatever people, the time of day and the server do."""

import time

import pytest
from people import Person, Server

from spellheist.server.table import levels

CLOCK = {"kind": "move", "seconds": 60}


@pytest.fixture(autouse=True)
def quick_stand_in(monkeypatch):
    monkeypatch.setattr(levels, "STAND_IN", "random")
    monkeypatch.setattr("spellheist.server.table.clocks.RETRY", 0.05, raising=False)


def pass_by(server, milliseconds):
    """Let the service's time pass."""

    async def work():
        server.app.service.ran += milliseconds

    server.ask(work())


def at_clock(person, *more, game="dice_heist", **how):
    """A game with a clock; the table, whoever is to move, and the other."""
    ann, bob = person(), person()
    table = ann.make(game, "me", "open", *more, clock=CLOCK, **how)
    bob.sit(table, 1, "Bob")
    a, b = ann.at(table, 0), bob.at(table, 1)
    a.start(b)
    for _ in range(500):
        for socket, other, who in ((a, b, ann), (b, a, bob)):
            socket.drain(0.01)
            if socket.moves:
                return table, who, socket, other
    raise AssertionError("nobody is asked")


def left(socket):
    """The milliseconds on the clock, as a page that asks is told."""
    socket.tell("why", move=-1)
    while socket.hear()["t"] != "why":  # what was told before is told
        pass
    socket.tell("whole")
    return next(message for message in iter(socket.hear, None) if message["t"] == "view")["left"]


def leave(*sockets):
    for socket in sockets:
        socket.__exit__()


def test_leaving_and_coming_back_gives_no_time(person, server):
    table, who, mover, other = at_clock(person, "random", "random")
    pace, server.app.settings.pace = server.app.settings.pace, 30  # the bot that plays for somebody takes its time
    for _ in range(3):
        pass_by(server, 10_000)
        before = left(mover)
        assert who.post(f"/api/tables/{table}/rise", {"seat": mover.seat}).status_code == 200
        pass_by(server, 5_000)  # does not count either: a bot is to move
        assert who.sit(table, mover.seat, "x").status_code == 200
        assert before - 5000 < left(mover) <= before
    server.app.settings.pace = pace
    assert left(mover) <= 30_000
    leave(mover, other)


def test_connecting_anew_gives_no_time(person, server):
    table, who, mover, other = at_clock(person)
    pass_by(server, 20_000)
    mover.__exit__()
    with who.at(table, mover.seat) as again:
        again.until(lambda s: s.ply is not None)
        assert left(again) <= 40_000
    leave(other)


def test_a_pause_stops_the_clock_and_gives_no_time(person, server):
    _, _, mover, other = at_clock(person)
    pass_by(server, 20_000)
    mover.do("pause", on=True)
    other.until(lambda s: s.table["proposal"])
    other.do("agree", yes=True)
    mover.until(lambda s: s.table["state"] == "paused")
    pass_by(server, 3_600_000)
    mover.do("pause", on=False)
    assert 30_000 < left(mover) <= 40_000
    leave(mover, other)


def test_a_move_that_is_taken_back_is_asked_again_with_the_time_that_it_had(person, server):
    ann = person()
    table, a, ply = taken_back(ann, server)
    with a:
        a.until(lambda s: s.ply == ply)
        assert 20_000 < left(a) <= 35_000
        pass_by(server, 36_000)
        server.ask(server.app.service.tables[table].clocks.on_time())
        a.until(lambda s: s.chat)
        assert a.chat[-1][2] == "Ann ran out of time, so a bot made this move."


def taken_back(ann, server):
    """A table at which a move that took 25 seconds is being taken back to its ply."""
    for _ in range(20):
        table = ann.make("dice_heist", "me", "random", "random", clock=CLOCK)
        a = ann.at(table, 0)
        a.start()
        while not a.over:
            a.until(lambda s: s.moves or s.over)
            heist = next((move for move, words in a.moves if words.startswith("heist")), None)
            if heist is None:
                if a.moves:
                    a.move()
                continue
            pass_by(server, 25_000)
            ply = a.ply
            a.do("move", ply=ply, move=heist)
            if a.do("undo", ply=a.ply)["t"] == "did":
                return table, a, ply
        a.__exit__()
    raise AssertionError("no such move comes up")


def test_the_time_of_day_may_step_as_it_likes(person, server, monkeypatch):
    _, _, mover, other = at_clock(person)
    before = left(mover)
    for step in (10**9, -(10**9)):
        monkeypatch.setattr(server.app.service, "now", lambda step=step: time.time_ns() // 1_000_000 + step)
        mover.do("chat", text="what time is it?")
        assert before - 10_000 < left(mover) <= before
    assert mover.table["state"] == "playing"
    leave(mover, other)


def test_the_time_in_which_no_server_runs_is_not_counted(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    first = Server(url).start()
    people = []

    def person():
        people.append(Person(first.base))
        return people[-1]

    table, who, mover, _ = at_clock(person)
    pass_by(first, 20_000)
    first.ask(first.app.service.beat())
    before = left(mover)
    seat = mover.seat
    first.stop()
    second = Server(url).start()
    who.base = second.base
    with who.at(table, seat) as again:
        again.until(lambda s: s.ply is not None)
        assert before - 15_000 < left(again) <= before + 1500, "at most the last beat is lost"
    second.stop()
    for one in people:
        one.http.close()


def test_after_a_start_nobody_runs_out_of_time_before_they_can_be_back(tmp_path):
    url = f"sqlite:///{tmp_path}/t.db"
    first = Server(url).start()
    ann = Person(first.base)
    table = ann.make("dice_heist", "me", "me", clock=CLOCK)
    a, b = ann.at(table, 0), ann.at(table, 1)
    a.start(b)
    first.stop()
    second = Server(url, grace=3600).start()
    ann.base = second.base
    with ann.at(table, 0) as a:
        a.until(lambda s: s.ply is not None)
        pass_by(second, 120_000)
        second.ask(second.app.service.tables[table].clocks.on_time())
        assert left(a) == 0 and a.table["state"] == "playing"
        second.app.service.grace = 0
        second.ask(second.app.service.tables[table].clocks.on_time())
        a.until(lambda s: s.table["state"] == "over")
        assert a.table["reason"].endswith("ran out of time.")
    second.stop()
    ann.http.close()


def test_a_while_in_which_the_server_was_held_up_hardly_counts(person, server, monkeypatch):
    _, _, mover, other = at_clock(person)
    service = server.app.service

    async def held_up():
        service.looked -= 50_000  # as if nothing had looked at the clock for so long

    server.ask(held_up())
    assert left(mover) > 50_000
    leave(mover, other)


def test_a_clock_that_runs_out_by_itself_is_told_to_everybody_with_what_came_of_it(person):
    ann, bob, eve = person(), person(), person()
    table = ann.make("dice_heist", "me", "open", "random", clock={"kind": "move", "seconds": 5})
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a, bob.at(table, 1) as b, eve.at(table) as w:
        a.start(b)
        for socket in (a, b, w):
            socket.until(lambda s: s.chat, 60)
            assert socket.chat[0][0] is None and socket.chat[0][2].endswith(" ran out of time, so a bot made this move.")
