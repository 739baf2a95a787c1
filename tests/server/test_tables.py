"""Tables over real sockets: making one, sitting down, playing, leaving, coming back."""

import json
import subprocess
import sys

import pytest
from people import play_out
from websockets.exceptions import ConnectionClosed

from spellheist.core import record
from spellheist.core.game import names
from spellheist.server.table.messages import changed

SHORT = {
    "mages_dice": {"target": 3},
    "spell_stealers": {"turn_limit": 25, "stealing": "polite"},
    "dice_heist": {"turn_limit": 25},
}


@pytest.mark.parametrize("game", names())
def test_two_people_and_a_bot_play_a_whole_game_and_its_record_verifies(game, person):
    ann, bob = person(), person()
    table = ann.make(game, "me", "open", "random", options=SHORT.get(game, {}))
    assert bob.sit(table, 1, "Bob").status_code == 200
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        a.start(b)
        count = iter(range(10**6))
        play_out(a, b, choose=lambda s: s.moves[next(count) % len(s.moves)][0])
        b.until(lambda s: s.over)
        a.until(lambda s: s.table["state"] == "over")
        assert a.score == b.score and abs(sum(a.score) - 1) < 1e-9
        assert len(a.standings) == len(a.score) and a.standings == b.standings
        text = ann.get(f"/api/tables/{table}/record").text
        again = record.read(text)
        assert len(record.verify(again)) == 3
        assert "follow from the secret promised before the game" in record.verify(again)[-1]
        played = again.replay()
        assert played.ply == a.ply
        for socket in (a, b):
            final = played.view(socket.seat)
            assert socket.view == {name: getattr(final, name) for name in socket.view}
        assert again.nonces == ["words of seat 0", "words of seat 1"]
        assert a.table["commitment"] == again.dice.removeprefix("fair ")


def test_the_record_of_a_finished_game_verifies_on_the_command_line(person, tmp_path):
    ann = person()
    table = ann.make("dice_heist", "me", "random", options={"turn_limit": 3})
    with ann.at(table, 0) as a:
        a.start()
        play_out(a)
        (tmp_path / "game.txt").write_text(ann.get(f"/api/tables/{table}/record").text)
    command = [sys.executable, "-m", "spellheist", "verify", "--json", str(tmp_path / "game.txt")]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout)["holds"]


def test_a_promise_that_is_not_revealed_is_left_out_and_that_is_shown(person, server, monkeypatch):
    ann, bob = person(), person()
    table = ann.make("mages_dice", "me", "open")
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a:
        a.do("start")
        live = server.ask(server.app.service.live(table))
        monkeypatch.setattr(server.app.service, "now", lambda: live.table.asked_at + 15_000)
        server.ask(live.clocks.on_time())
        monkeypatch.undo()
        a.until(lambda s: s.ply is not None)
        assert a.table["left_out"] == [1]
        assert live.table.dice.nonces == ["words of seat 0"]


def test_words_that_were_not_promised_are_refused(person):
    ann, bob = person(), person()
    table = ann.make("mages_dice", "me", "open")
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        a.do("start")
        b.ws.send(json.dumps({"t": "reveal", "words": "others", "seat": 1}))
        b.until(lambda s: s.heard[-1:] and s.heard[-1]["t"] == "refused")
        assert "not the words that were promised" in b.heard[-1]["sentence"]
        a.until(lambda s: s.ply is not None)


def test_only_the_host_starts_and_only_when_all_sit(person):
    ann, bob = person(), person()
    table = ann.make("mages_dice", "me", "open", "open")
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        assert "Seat 2 is still free" in a.do("start")["sentence"]
        assert "Only the host" in b.do("start")["sentence"]


def test_a_taken_seat_a_bots_seat_and_a_running_game_cannot_be_sat_down_at(person):
    ann, bob, cy = person(), person(), person()
    table = ann.make("mages_dice", "me", "open", "random")
    assert bob.sit(table, 1, "Bob").status_code == 200
    answers = [cy.sit(table, seat, "Cy") for seat in (0, 1, 2)]
    assert [answer.status_code for answer in answers] == [409, 409, 409]
    assert cy.sit(table, 7, "Cy").status_code == 400
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        a.start(b)
        assert cy.sit(table, 1, "Cy").json()["sentence"] == "The game has already begun."
        assert bob.sit(table, 1, "Robert").status_code == 200, "whoever sits there already stays"
        assert a.table["names"][1] == b.table["names"][1] == "Bob"


def test_whoever_stands_up_before_the_game_frees_the_seat(person):
    ann, bob = person(), person()
    table = ann.make("mages_dice", "me", "open")
    bob.sit(table, 1, "Bob")
    assert ann.post(f"/api/tables/{table}/rise", {"seat": 1}).status_code == 403
    assert bob.post(f"/api/tables/{table}/rise", {"seat": 1}).status_code == 200
    assert person().sit(table, 1, "Cy").status_code == 200


def test_a_message_sent_twice_is_carried_out_once_and_answered_twice(person):
    ann = person()
    table = ann.make("mages_dice", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        mover = a if a.moves else b
        ply, move = mover.ply, mover.moves[0][0]
        first = mover.do("move", id=77, ply=ply, move=move)
        after = mover.ply
        second = mover.do("move", id=77, ply=ply, move=move)
        assert first["t"] == second["t"] == "did"
        assert mover.ply == after > ply
        with ann.at(table, mover.seat) as again:
            again.until(lambda s: s.ply is not None)
            assert again.ply == after


def test_a_stale_move_is_refused_and_answered_with_the_present_view(person):
    ann = person()
    table = ann.make("mages_dice", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        mover = a if a.moves else b
        ply, move = mover.ply, mover.moves[0][0]
        mover.move()
        answer = mover.do("move", ply=ply, move=move)
        assert answer["t"] == "refused" and answer["sentence"] == "The game has moved on since."
        assert mover.hear()["t"] == "view"
        assert mover.heard[-1]["ply"] == answer["ply"] > ply


def test_an_illegal_move_and_a_move_out_of_turn_name_the_rule(person):
    ann = person()
    table = ann.make("abraca_what", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        mover, other = (a, b) if a.moves else (b, a)
        assert other.do("move", ply=other.ply, move=1)["rule"] == "AW-8"
        assert mover.do("move", ply=mover.ply, move=0)["rule"] == "AW-3"
        mover.tell("why", move=0)
        mover.until(lambda s: s.heard[-1]["t"] == "why")
        assert mover.heard[-1]["rule"] == "AW-3"


def test_a_lost_connection_is_healed_by_connecting_anew(person):
    ann = person()
    table = ann.make("dice_heist", "me", "random")
    a = ann.at(table, 0)
    a.start()
    for _ in range(4):
        a.until(lambda s: s.moves)
        a.move()
    a.until(lambda s: s.moves)
    a.ws.socket.close()
    with ann.at(table, 0) as again:
        again.until(lambda s: s.ply is not None)
        assert (again.ply, again.view, again.moves) == (a.ply, a.view, a.moves)
        assert again.news[-1] == a.news[-1]


def test_somebody_elses_seat_cannot_be_connected_to(person):
    ann, bob = person(), person()
    table = ann.make("dice_heist", "me", "random")
    bob.make("dice_heist", "me", "random")
    for seat in (0, 1):
        assert bob.turned_away(table, seat) == (4403, "That seat is not yours.")
    assert bob.turned_away(table, 5) == (4400, "There is no seat 5; the seats are 0 to 1.")
    assert bob.turned_away(table, "x") == (4400, "There is no such seat.")
    assert bob.turned_away("no-such-table") == (4404, "There is no such table.")


def test_a_watcher_sees_what_a_watcher_may_and_can_do_nothing(person):
    ann, eve = person(), person()
    table = ann.make("abraca_what", "me", "random")
    with ann.at(table, 0) as a, eve.at(table) as w:
        a.start()
        w.until(lambda s: s.ply is not None)
        assert w.seat is None and w.moves == []
        assert all(stone in (0, -3) for hand in w.view["hand"] for stone in hand)
        assert "Watchers cannot" in w.do("move", ply=w.ply, move=1)["sentence"]
        assert "Watchers cannot" in w.do("chat", text="hello")["sentence"]
    closed = ann.make("abraca_what", "me", "random", watchers=False)
    with ann.at(closed, 0) as a, eve.at(closed) as w:
        a.start()
        with pytest.raises(ConnectionClosed) as cut:
            w.until(lambda s: False)
        assert (cut.value.rcvd.code, cut.value.rcvd.reason) == (4403, "This table is played without watchers.")
        assert not any(message["t"] == "view" for message in w.heard)
    assert eve.turned_away(closed) == (4403, "This table is played without watchers.")


def test_chat_reaches_all_and_is_told_again_to_those_who_come_later(person):
    ann = person()
    table = ann.make("dice_heist", "me", "me")
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        assert a.do("chat", text="  hello\n there ")["t"] == "did"
        b.until(lambda s: s.chat)
        assert b.chat[0][:3] == [0, "Ann", "hello there"]
        with ann.at(table, 1) as c:
            c.until(lambda s: s.chat)
            assert c.chat == b.chat


def test_several_people_on_one_device(person):
    ann = person()
    table = ann.make("spell_stealers", "me", "me", "random")
    assert ann.get("/api/mine").json()[0]["seats"] == [0, 1]
    with ann.at(table, 0) as a, ann.at(table, 1) as b:
        a.start(b)
        assert a.table["mine"] == [0, 1] and a.table["names"] == ["Ann", "Ann 2", "Morgana"]


@pytest.mark.parametrize(
    ("chairs", "how", "stealing"),
    [
        (("me", "open", "random"), {}, "live"),
        (("me", "me"), {"clock": {"kind": "move", "seconds": 60}}, "live"),
        (("me", "random", "random"), {}, "polite"),
        (("me", "open"), {"clock": {"kind": "days", "seconds": 86_400}}, "polite"),
        (("me", "open"), {"options": {"stealing": "polite"}}, "polite"),
        (("me", "random"), {"options": {"stealing": "live"}}, "live"),
        (("me", "open"), {"options": {"turn_limit": 9}}, "live"),
    ],
)
def test_several_people_steal_live_unless_they_chose_otherwise_or_play_over_days(person, server, chairs, how, stealing):
    ann = person()
    table = ann.make("spell_stealers", *chairs, **how)
    with ann.at(table, 0) as a:
        a.until(lambda s: "settings" in s.table)
        assert a.table["settings"]["stealing"] == stealing
    made = server.ask(server.app.service.live(table)).table.made
    assert made.settings.get("stealing", "polite") == stealing


def test_live_stealing_over_days_is_refused_by_its_rule(person):
    days, chairs = {"kind": "days", "seconds": 86_400}, [{"kind": "me"}, {"kind": "open"}]
    asked = {"game": "spell_stealers", "chairs": chairs, "clock": days, "options": {"stealing": "live"}}
    answer = person().post("/api/tables", asked)
    assert answer.status_code == 400
    assert answer.json()["rule"] == "SS-l"
    assert "cannot be live over days: everybody has to be there at the same time." in answer.json()["sentence"]


def test_the_lobby_lists_only_tables_that_want_it(person):
    ann = person()
    hidden, shown = ann.make("dice_heist", "me", "open"), ann.make("dice_heist", "me", "open", listed=True)
    rows = {row["table"]: row for row in person().get("/api/tables").json()}
    assert shown in rows and hidden not in rows
    assert rows[shown]["host"] == "Ann" and not rows[shown]["running"]
    assert [chair["kind"] for chair in rows[shown]["chairs"]] == ["person", "open"]


def test_the_frames_of_a_finished_game_lead_to_its_end(person):
    ann = person()
    table = ann.make("abraca_what", "me", "random")
    with ann.at(table, 0) as a:
        a.start()
        play_out(a)
        for seat in ("0", "", "open"):
            frames, _ = ann.frames(table, seat)
            assert len(frames) == a.ply + 1
            view = frames[0]["view"]
            for frame in frames[1:]:
                view = changed(view, frame["change"])
            assert ("odds" in frames[1]) == (frames[1]["who"] == -1)
            if seat == "0":
                assert view == a.view
        tail = ann.get(f"/api/tables/{table}/frames?seat=0&from={a.ply - 1}").json()
        assert [frame["ply"] for frame in tail] == [a.ply - 1, a.ply]


def test_frames_and_records_of_a_running_game_are_for_its_own_seats_and_watchers(person):
    ann, bob = person(), person()
    table = ann.make("abraca_what", "me", "open")
    assert ann.get(f"/api/tables/{table}/frames").status_code == 400
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        a.start(b)
        assert bob.get(f"/api/tables/{table}/frames?seat=0").status_code == 403
        assert bob.get(f"/api/tables/{table}/record?seat=open").status_code == 400
        assert "seen by: seat 1" in bob.get(f"/api/tables/{table}/record?seat=1").text
        text = person().get(f"/api/tables/{table}/record").text
        assert "seen by: a watcher" in text and "secret:" not in text
