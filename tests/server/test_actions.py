"""What a page asks over its connection: for whom that is heard, and for which of several seats."""

from people import words_of

from spellheist.server.http.visitors import Visitor
from spellheist.server.table.actions.proposing import Close, Kick, Pause
from spellheist.server.table.connections import Connection


def test_a_connection_of_seat_0_that_outlives_its_right_is_not_taken_for_the_host(person, server):
    """Whoever made the table sat at seat 0 and was removed: what still comes from that seat is refused."""
    ann, bob, carl = person(), person(), person()
    table = ann.make("dice_heist", "me", "open", "open")
    bob.sit(table, 1, "Bob"), carl.sit(table, 2, "Carl")
    with ann.at(table, 0) as a, bob.at(table, 1) as b, carl.at(table, 2) as c:
        a.start(b, c)
        live = server.app.service.tables[table]
        token = live.table.chairs[0].token
        b.do("kick", seat=0)
        c.do("agree", yes=True)
        b.until(lambda s: s.table["chairs"][0]["away"])
        told = []
        connection = Connection(lambda text: told.append(text) or True, 0, Visitor(token))
        for asks in (Pause(id=1, on=True), Kick(id=2, seat=1), Close(id=3)):
            server.ask(live.hear(connection, asks))
        assert len(told) == 3 and all(b"You were removed from the table." in text for text in told)


def test_one_connection_reveals_the_words_of_all_seats_of_its_device(person, server):
    ann = person()
    table = ann.make("mages_dice", "me", "me")
    with ann.at(table, 0) as a:
        a.start()
        assert a.table["left_out"] == []
        assert server.app.service.tables[table].table.dice.nonces == [words_of(0), words_of(1)]


def test_words_that_come_again_over_another_connection_of_the_device_are_no_fault(person):
    ann = person()
    table = ann.make("mages_dice", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start()
        for seat in (0, 1):
            b.tell("reveal", seat=seat, words=words_of(seat))
        assert b.do("chat", text="Those were our words.")["t"] == "did"
        assert "refused" not in [message["t"] for message in b.heard]
