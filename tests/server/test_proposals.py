"""What nobody decides alone while people play: removing somebody, pausing, closing."""

import pytest
from people import play_out
from websockets.exceptions import ConnectionClosed

ANSWERED = 60_001  # milliseconds after which whoever is silent counts as absent


def seated(person, *bots, people=2):
    """A running game of Dice Heist with so many people; their pages and sockets."""
    everybody = [person() for _ in range(people)]
    table = everybody[0].make("dice_heist", "me", *["open"] * (people - 1), *bots)
    for seat, one in enumerate(everybody[1:], 1):
        assert one.sit(table, seat, f"P{seat}").status_code == 200
    sockets = [one.at(table, seat) for seat, one in enumerate(everybody)]
    sockets[0].start(*sockets[1:])
    return table, everybody, sockets


def leave(sockets):
    for socket in sockets:
        socket.__exit__()


def proposal(socket, what="close"):
    socket.until(lambda s: s.table["proposal"] and s.table["proposal"]["what"] == what)
    return socket.table["proposal"]


def wait(server, table, milliseconds=ANSWERED):
    """Let the service's time pass, and the table see to what is due."""
    service = server.app.service

    async def pass_by():
        service.ran += milliseconds
        await service.tables[table].clocks.on_time()

    server.ask(pass_by())


def test_alone_with_bots_a_person_pauses_and_closes_at_once(person):
    _, _, (a,) = seated(person, "random", people=1)
    a.do("pause", on=True)
    a.until(lambda s: s.table["state"] == "paused")
    a.do("pause", on=False)
    a.do("close")
    a.until(lambda s: s.table["state"] == "closed")
    leave([a])


def test_a_pause_among_people_comes_when_the_others_agree_and_anybody_ends_it(person):
    _, _, (a, b) = seated(person)
    assert b.do("pause", on=True)["t"] == "did"
    asked = proposal(a, "pause")
    assert (asked["by"], asked["about"], asked["waits_for"]) == (1, None, [0]) and 0 < asked["left"] <= 60_000
    assert a.table["state"] == "playing"
    assert "nothing to agree" in b.do("agree", yes=True)["sentence"], "nobody agrees with themselves"
    assert a.do("agree", yes=True)["t"] == "did"
    a.until(lambda s: s.table["state"] == "paused")
    assert a.table["proposal"] is None
    for socket in (a, b):
        assert socket.do("move", ply=socket.ply, move=0)["sentence"] == "The game is paused."
    assert a.do("pause", on=False)["t"] == "did"
    b.until(lambda s: s.table["state"] == "paused") and b.until(lambda s: s.table["state"] == "playing")
    leave([a, b])


def test_one_who_does_not_agree_ends_it_and_is_not_asked_again_at_once(person, server):
    table, _, (a, b, c) = seated(person, people=3)
    a.do("close")
    proposal(b), proposal(c)
    b.do("agree", yes=True)
    c.do("agree", yes=False)
    a.until(lambda s: s.chat and s.chat[-1][2] == "P2 does not agree.")
    a.until(lambda s: s.table["proposal"] is None)
    assert a.table["state"] == "playing"
    assert "just refused" in a.do("close")["sentence"]
    wait(server, table)
    assert a.do("close")["t"] == "did"
    leave([a, b, c])


def test_whoever_says_nothing_for_a_minute_is_not_there(person, server):
    table, _, (a, b) = seated(person)
    a.do("close")
    proposal(b)
    wait(server, table, 30_000)
    a.drain(0.05)
    assert a.table["state"] == "playing"
    wait(server, table, 30_001)
    a.until(lambda s: s.table["state"] == "closed")
    assert a.table["reason"] == "Ann closed the table."
    leave([a, b])


def test_the_game_goes_on_while_a_proposal_is_open(person):
    _, _, (a, b) = seated(person)
    a.do("close")
    proposal(b)
    play_out(a, b, most=3)
    assert a.table["proposal"] and "comes first" in b.do("pause", on=True)["sentence"]
    leave([a, b])


def test_of_three_people_the_third_decides_whether_the_second_is_removed(person):
    table, (_, bob, _), (a, b, c) = seated(person, people=3)
    a.do("kick", seat=1)
    assert proposal(c, "remove")["waits_for"] == [2]
    proposal(b, "remove")
    assert "nothing to agree" in b.do("agree", yes=False)["sentence"], "nobody is asked about themselves where others are"
    c.do("agree", yes=True)
    with pytest.raises(ConnectionClosed, match="You were removed from the table"):
        b.until(lambda s: False)
    a.until(lambda s: s.table["chairs"][1]["away"])
    assert bob.turned_away(table, 1) == (4403, "You were removed from the table.")
    leave([a, b, c])


def test_of_two_people_one_who_is_there_cannot_be_removed_and_one_who_is_silent_can(person, server):
    table, _, (a, b) = seated(person, "random")
    a.do("kick", seat=1)
    assert proposal(b, "remove")["waits_for"] == [1]
    b.do("agree", yes=False)
    a.until(lambda s: s.table["proposal"] is None)
    assert not a.table["chairs"][1]["away"]
    wait(server, table)
    a.do("kick", seat=1)
    proposal(a, "remove")
    wait(server, table)
    a.until(lambda s: s.table["chairs"][1]["away"])
    leave([a, b])


def test_a_bot_that_plays_for_somebody_is_not_asked(person):
    table, (_, bob), (a, b) = seated(person, "random")
    bob.post(f"/api/tables/{table}/rise", {"seat": 1})
    a.until(lambda s: s.table["chairs"][1]["away"])
    a.do("close")
    a.until(lambda s: s.table["state"] == "closed")
    leave([a, b])


def test_whoever_hands_their_seat_over_has_no_say_any_more(person):
    table, (_, bob, _), (a, b, c) = seated(person, people=3)
    a.do("close")
    proposal(b)
    bob.post(f"/api/tables/{table}/rise", {"seat": 1})
    c.do("agree", yes=True)
    a.until(lambda s: s.table["state"] == "closed")
    leave([a, b, c])


def test_one_browser_with_two_seats_answers_once_from_either(person):
    ann, bob = person(), person()
    table = ann.make("dice_heist", "me", "open", "open")
    for seat in (1, 2):
        bob.sit(table, seat, f"B{seat}")
    a, b, c = ann.at(table, 0), bob.at(table, 1), bob.at(table, 2)
    a.start(b, c)
    a.do("close")
    assert proposal(c)["waits_for"] == [1]
    c.do("agree", yes=True)
    a.until(lambda s: s.table["state"] == "closed")
    leave([a, b, c])


def test_a_message_sent_twice_proposes_and_answers_once(person):
    _, _, (a, b, c) = seated(person, people=3)
    number = a.tell("close")
    a.answer(number)
    proposal(b)
    assert a.answer(a.tell("close", id=number))["t"] == "did"
    yes = b.tell("agree", yes=True)
    b.answer(yes)
    assert b.answer(b.tell("agree", id=yes, yes=True))["t"] == "did"
    c.drain(0.05)
    assert proposal(c)["waits_for"] == [2] and c.table["state"] == "playing"
    leave([a, b, c])


def test_watchers_propose_nothing(person):
    table, _, (a, b) = seated(person)
    with person().at(table) as watcher:
        for kind, what in (("close", {}), ("pause", {"on": True}), ("kick", {"seat": 0}), ("agree", {"yes": True})):
            assert "Watchers cannot" in watcher.do(kind, **what)["sentence"]
    leave([a, b])


def test_a_rematch_after_a_removal_has_an_open_seat(person, server):
    table, _, (a, b) = seated(person, "random")
    a.do("kick", seat=1)
    wait(server, table)
    a.until(lambda s: s.table["chairs"][1]["away"])
    a.do("close")
    a.until(lambda s: s.table["state"] == "closed")
    a.do("rematch")
    a.until(lambda s: s.table["rematch"])
    with person().at(a.table["rematch"]) as anybody:
        anybody.hear()
        assert [chair["kind"] for chair in anybody.table["chairs"]] == ["person", "open", "bot"]
    leave([a, b])


def test_a_rematch_after_somebody_gave_up_for_good_has_an_open_seat(person):
    _, _, (a, b) = seated(person, "random")
    b.tell("resign")
    a.until(lambda s: s.table["chairs"][1]["away"])
    a.do("close")
    a.until(lambda s: s.table["state"] == "closed")
    a.do("rematch")
    a.until(lambda s: s.table["rematch"])
    with person().at(a.table["rematch"]) as anybody:
        anybody.hear()
        assert [chair["kind"] for chair in anybody.table["chairs"]] == ["person", "open", "bot"]
    leave([a, b])
