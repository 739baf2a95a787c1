"""The live window: the arbiter alone, over thousands of races, and at a table over real sockets."""

import asyncio
import dataclasses
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from people import Person, Server
from thieves import Players

from spellheist.core import record
from spellheist.server.race import arbiter
from spellheist.server.race.arbiter import (
    Known,
    Press,
    Times,
    Trips,
    bot_reaction,
    elected,
    in_order,
    marks_of,
    released,
    ruling_at,
    scored,
)
from spellheist.server.store import Unsure
from spellheist.server.table.actions import read_entry
from spellheist.server.table.actions.pressing import Pressed
from spellheist.server.table.journal import encode
from spellheist.server.table.reading import read_table

ROOT = Path(__file__).parents[2]
TIMES = Times()
LINES = (20.0, 80.0, 200.0)  # round trips of three players


def race(luck, jitter):
    """One race: who truly pressed first, who is ruled first, who arrived first; None where it is a dead heat."""
    truth, arrivals, presses, trips = [], [], [], []
    for seat, trip in enumerate(LINES):
        down, up, *pings = (max(0.5, luck.gauss(trip / 2, jitter * trip / 2)) for _ in range(42))
        measured = Trips()
        for n in range(0, 40, 2):
            measured.add(float(n), pings[n] + pings[n + 1])
        reaction = max(150.0, luck.gauss(380, 60))
        elapsed = down + reaction + up
        judged = scored(elapsed, reaction, measured.believed(), 300, TIMES)
        truth.append(reaction)
        arrivals.append(elapsed)
        trips.append(measured.quantile(0.95))
        presses.append(Press(seat, 0, elapsed, judged.score))
    came = []
    for press in sorted(presses, key=lambda press: press.arrival):
        if came and ruling_at(came, [trips[k] for k in range(3) if k not in {p.seat for p in came}], TIMES) < press.arrival:
            break
        came.append(press)
    first = in_order(came, TIMES)[0]
    ruled = None if len(first) > 1 else first[0].seat
    return truth.index(min(truth)), ruled, arrivals.index(min(arrivals))


@pytest.mark.parametrize(("jitter", "least"), [(0.1, 0.95), (0.3, 0.88)])
def test_the_truly_first_presser_wins_whatever_the_line(jitter, least):
    luck = random.Random(1)
    races = [race(luck, jitter) for _ in range(4000)]
    clear = [(truth, ruled) for truth, ruled, _ in races if ruled is not None]
    assert 1 - len(clear) / len(races) < 0.15, "dead heats"
    assert sum(truth == ruled for truth, ruled in clear) / len(clear) > least
    by_arrival = sum(truth == arrived for truth, _, arrived in races) / len(races)
    assert by_arrival < 0.6, "without scoring the slow lines lose"


def test_a_claim_beyond_the_measured_line_is_not_believed():
    honest = scored(500, 400, 100, 300, TIMES)
    assert honest.score == 400 and not honest.clamped
    cheat = scored(500, 130, 20, 300, TIMES)
    assert cheat.score == 500 - 20 - TIMES.slack and cheat.clamped
    assert scored(500, 130, 900, 300, TIMES).score == 200, "never more than the table's limit"
    assert scored(500, 450, 80, 0, TIMES).score == 500, "a table on one LAN compensates nothing"
    assert scored(500, 900, 80, 300, TIMES).score == 500, "no press is later than its arrival"
    assert scored(500, None, 80, 300, TIMES).score == 500


def measured(*trips, known=None):
    found = Trips()
    for n, trip in enumerate(trips):
        found.add(float(n), trip, known)
    return found


def test_what_is_believed_of_a_line_comes_from_its_smaller_round_trips():
    assert measured().believed() == 0, "nothing for who answers no ping"
    assert measured(*range(90, 100)).believed() == 96
    late = [80] * 25 + [280] * 15
    assert measured(*late).believed() == 80, "pongs that are held back while windows are open change nothing"
    assert measured(20, 20, *[250] * 30).believed() == 60, "nor all later ones much"
    assert measured(70, 70, *[250] * 30).believed() == 210


def test_what_others_know_of_a_line_bounds_what_its_pongs_say():
    assert measured(*[300] * 10, known=Known(21, 19, 1)).believed() == 21
    assert measured(*[300] * 10, known=Known(290, 19, 1)).believed() == 59, "acknowledgements may be held back as well"
    assert measured(*[20] * 10, known=Known(300, 300, 1)).believed() == 20
    assert measured(*[100, 500] * 10, known=Known(80, 75, 4)).believed() == 80, "nor is it believed that it varies"


def test_a_line_that_varies_is_believed_more_than_a_steady_one():
    assert measured(*[96, 100, 104] * 8).believed() == 100
    assert measured(*[60, 100, 140] * 8).believed() == pytest.approx(100 + 1.2 * 40 - 100 / 16)


def test_nobody_reacts_faster_than_people_can():
    assert scored(130, 110, 20, 300, TIMES).early
    assert not scored(140, 125, 20, 300, TIMES).early


def test_reactions_of_bots_follow_from_the_secret_and_from_nothing_that_is_known():
    drawn = {bot_reaction(secret, ply, seat, TIMES) for secret in (b"a", b"b") for ply in (7, 8) for seat in (0, 1)}
    assert len(drawn) == 8
    many = [bot_reaction(b"secret", ply, 0, TIMES) for ply in range(2000)]
    assert abs(sum(many) / len(many) - TIMES.bot_mean) < 5 and min(many) >= TIMES.human + 60


def attempt(score, lag=0.0, claimed=None, trip=80.0, least=70.0, recent=80.0, **more):
    """A person's attempt to steal, as the journal has it."""
    reaction = score if claimed is None else claimed
    return Pressed(
        at=0, seat=0, ply=0, move=9, elapsed=score + lag, reaction=reaction, rtt=trip, allowance=trip + TIMES.slack,
        score=score, bucket=0, least=least, recent=recent, fresh=True, **more,
    )  # fmt: skip


def game_of(luck, spread, jitter, presses=20):
    """The attempts of an honest person over a game, and with what the fold marks them."""
    trip = luck.choice(LINES)
    line, marks, attempts, least = Trips(), set(), [], 1000.0
    for n in range(presses):
        for _ in range(5):
            line.add(float(n), sum(max(0.5, luck.gauss(trip / 2, jitter * trip / 2)) for _ in range(2)))
        reaction = max(130.0, luck.gauss(340, spread))
        elapsed = reaction + luck.uniform(0, 30) + sum(max(0.5, luck.gauss(trip / 2, jitter * trip / 2)) for _ in range(2))
        judged = scored(elapsed, reaction, line.believed(), 300, TIMES)
        trips = line.believed(), line.least(), line.recent()
        attempts.append(attempt(judged.score, elapsed - judged.score, reaction, *trips))
        least = min(least, line.least())
        marks |= set(marks_of(attempts[-arbiter.LAST :], least))
    return marks


def test_honest_people_are_practically_never_marked():
    luck = random.Random(3)
    assert sum(bool(game_of(luck, 40, luck.choice((0.1, 0.3)))) for _ in range(400)) == 0


def test_presses_that_no_person_makes_are_marked():
    luck = random.Random(4)
    assert marks_of([attempt(121 + luck.uniform(-2, 2)) for _ in range(10)], 70) == ["steady", "quick"]
    assert marks_of([attempt(300 + luck.uniform(-2, 2)) for _ in range(10)], 70) == ["steady"]
    assert marks_of([attempt(300 + 20 * n, 88, claimed=121) for n in range(10)], 70) == ["lag", "steady"], "claims count"
    assert marks_of([attempt(125 + 4 * n) for n in range(10)], 70) == ["quick"]
    assert not marks_of([attempt(125 + 4 * n) for n in range(9)], 70), "nine are too few"


def test_false_claims_and_lines_that_grow_are_marked():
    honest = [attempt(300 + 40 * n, 80) for n in range(4)]
    false = [attempt(300 + 30 * n, 88, claimed=1) for n in range(5)]
    assert marks_of(false, 70) == ["lag"] and not marks_of([*honest, *false[:3]], 70)
    late = [attempt(2000 + 30 * n, 88, claimed=1, late=True) for n in range(9)]
    assert not marks_of(late, 70), "whoever comes back in the window claims nothing"
    grown = [attempt(300 + 30 * n, 80, recent=350) for n in range(5)]
    assert marks_of(grown, 70) == ["jump"] and not marks_of(grown, 150)


def test_the_marker_is_not_let_go_before_it_could_be_moved():
    assert released(150, 5, TIMES) == 900
    assert released(1200, 5, TIMES) == 1200


def test_the_ruling_waits_for_those_who_may_have_been_quicker_and_never_longer_than_the_hold():
    one = Press(0, 7, 420, 400)
    assert ruling_at([], [20], TIMES) == TIMES.shut
    assert ruling_at([one], [], TIMES) == 0, "at once when all have pressed"
    assert ruling_at([one], [80, 200], TIMES) == 400 + 200 + TIMES.slack
    assert ruling_at([one], [900], TIMES) == 420 + TIMES.hold
    release = Press(1, 5, 300, 900, release=True)
    assert ruling_at([release], [50], TIMES) == 900 + 50 + TIMES.slack, "a release counts when the marker is there"


def test_presses_within_eight_milliseconds_are_a_dead_heat():
    presses = [Press(seat, 0, score, score) for seat, score in enumerate((400, 407, 409, 416, 430))]
    assert [[press.seat for press in run] for run in in_order(presses, TIMES)] == [[0, 1], [2, 3], [4]]


def test_the_others_say_who_was_first_in_a_dead_heat():
    run = [Press(0, 0, 400, 400), Press(1, 0, 405, 405)]
    assert [press.seat for press in elected(run, {2: 1, 3: 1}, 2)] == [1, 0]
    assert elected(run, {2: 1, 3: 0}, 2) is None, "a tie is undecided"
    assert elected(run, {2: -1}, 2) is None and elected(run, {}, 2) is None
    assert [press.seat for press in elected(run, {}, 0)] == [0, 1], "only bots are left: the lower score"


QUICK = dataclasses.replace(TIMES, earliest=150, space=0, shut=2000, hold=1000, vote=600, human=0)


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    running = Server(f"sqlite:///{tmp_path_factory.mktemp('store')}/tables.db", times=QUICK).start()
    yield running
    running.stop()


class Fixed(Trips):
    """A line whose pings have all taken the same time, whatever they take."""

    def __init__(self, trip):
        super().__init__()
        super().add(0, trip)

    def add(self, *_):
        pass


class Measured(Players):
    """Players whose lines and journal the test can look at."""

    def measured(self, seat, trip):
        """The pings of this seat's line took so long."""
        for line in self.server.app.service.tables[self.table].connections:
            if line.seat == seat:
                line.trips = Fixed(trip)

    def journal(self):
        return [read_entry(body) for body in self.server.ask(self.server.app.service.store.entries(self.table))]


@pytest.fixture
def players(quick):
    made = []

    def new(**options):
        made.append(Measured(quick, **options))
        return made[-1]

    yield new
    for one in made:
        one.close()


def test_a_window_is_cued_pressed_and_ruled_and_the_journal_gives_the_same_game(players):
    game = players()
    current, others = game.roll(8)
    current.until(lambda s: {"t": "window", "ply": s.ply, "open": True} in s.heard)
    die = current.view["die"]
    game.measured(others[1].seat, 800)  # so that the ruling waits for this one
    first, second = game.press(others[0], die), game.press(others[0], die)
    assert others[0].answer(first)["t"] == "did"
    assert "already pressed" in others[0].answer(second)["sentence"]
    others[1].until(lambda s: any(m.get("pressed") == [others[0].seat] for m in s.heard))
    verdicts = game.ruling(current)
    assert [v["seat"] for v in verdicts] == [others[0].seat]
    assert verdicts[0]["verdict"] in ("stole", "failed")
    entries = game.journal()
    pressed = [entry for entry in entries if isinstance(entry, Pressed) and entry.move >= 9]
    assert pressed[0].score <= pressed[0].elapsed and pressed[0].allowance > 0
    again = read_table("again", [encode(entry) for entry in entries])
    assert again.play.bytes == game.server.app.service.tables[game.table].table.play.bytes


def test_the_better_score_is_first_though_it_arrives_later(players):
    game = players()
    current, others = game.roll(8)
    slow, quick_one = others[0], others[1]
    game.measured(slow.seat, 800)
    time.sleep(0.15)
    game.press(quick_one, current.view["die"], reaction=None)
    game.press(slow, current.view["die"], reaction=1)
    verdicts = game.ruling(current)
    assert [v["seat"] for v in verdicts] == [slow.seat, quick_one.seat]
    assert verdicts[0]["score"] < verdicts[1]["score"]


@pytest.mark.rule("SS-11", "SS-12", "SS-h")
def test_the_window_is_closed_by_the_current_player_and_a_later_press_is_punished(players):
    game = players()
    current, others = game.roll(8)
    ply = current.ply
    assert current.answer(current.tell("press", ply=ply, move=5, reaction=None))["t"] == "did"
    verdicts = game.ruling(others[0])
    assert [(v["seat"], v["verdict"]) for v in verdicts] == [(current.seat, "release")]
    assert verdicts[0]["score"] >= QUICK.earliest
    late = others[0].tell("press", ply=ply, move=9 + 3 * others[0].seat, reaction=1)
    assert others[0].answer(late)["t"] == "did"
    others[0].until(lambda s: s.view["threw"][s.seat])
    assert others[0].view["token"][others[0].seat] == 0


@pytest.mark.rule("SS-9", "SS-10", "SS-h")
def test_a_press_that_was_on_its_way_during_a_ruling_counts_in_the_window_that_goes_on(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", dataclasses.replace(QUICK, human=10_000))
    game = players()
    current, others = game.roll(8)
    ply, die = current.ply, current.view["die"]
    game.press(others[0], 1 + die % 3)  # the wrong die, and too early besides: the artifact is still there
    assert game.ruling(others[1])[0]["verdict"] == "early"
    late = others[1].tell("press", ply=ply, move=9 + 3 * others[1].seat + die - 1, reaction=1)
    assert others[1].answer(late)["t"] == "did"
    others[1].until(lambda s: s.ply > ply + 3)
    assert game.ruling(others[1])[0]["verdict"] in ("stole", "failed")


@pytest.mark.rule("SS-11")
def test_a_late_press_after_something_else_has_happened_is_refused_as_stale(players):
    game = players()
    current, others = game.roll(8)
    ply = current.ply
    current.tell("press", ply=ply, move=5, reaction=None)
    game.ruling(current)
    game.roll(8)
    late = others[0].tell("press", ply=ply, move=9 + 3 * others[0].seat, reaction=1)
    assert "moved on" in others[0].answer(late)["sentence"]


def test_a_press_that_is_sent_again_when_the_next_window_is_open_is_answered_as_carried_out(players):
    game = players()
    current, _ = game.roll(8)
    ply = current.ply
    number = current.tell("press", ply=ply, move=5, reaction=None)
    assert current.answer(number)["t"] == "did"
    game.ruling(current)
    game.roll(8)
    current.tell("press", id=number, ply=ply, move=5, reaction=None)
    assert current.answer(number) == {"t": "did", "id": number, "ply": ply}


def test_an_absent_player_does_not_leave_the_window_open(players):
    game = players()
    current, others = game.roll(8)
    ply = current.ply
    others[0].until(lambda s: s.ply > ply)
    assert others[0].view["points"] == others[0].view["face"]
    assert game.journal()[-1].verdicts == []


def test_a_press_on_nothing_is_punished(players):
    game = players()
    current, others = game.roll(9)
    others[0].answer(game.press(others[0], 1))
    verdicts = game.ruling(current)
    assert verdicts[0]["verdict"] == "failed"
    current.drain(0.05)
    assert current.view["token"][others[0].seat] == 0


def heat(game):
    """Two attempts at the same instant."""
    current, others = game.roll(8)
    die = current.view["die"]
    ready = [s for s in others if current.view["token"][s.seat]]
    assert len(ready) >= 2
    for socket in ready[:2]:
        game.measured(socket.seat, 800)
    for socket in ready[:2]:
        game.press(socket, die, reaction=0)
    return current, ready[:2], [s for s in others if s not in ready[:2]]


def test_a_dead_heat_is_decided_by_the_others(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", dataclasses.replace(QUICK, dead_heat=500, vote=20_000))
    game = players()
    current, pair, rest = heat(game)
    current.until(lambda s: "vote" in s.heard[-1])
    assert sorted(current.heard[-1]["vote"]) == sorted(s.seat for s in pair)
    ply = current.ply
    assert "made none" in pair[0].do("vote", ply=ply, seat=pair[0].seat)["sentence"]
    for voter in (current, *rest):
        assert voter.do("vote", ply=ply, seat=pair[1].seat)["t"] == "did"
    verdicts = game.ruling(rest[0])
    assert [v["seat"] for v in verdicts] == [pair[1].seat, pair[0].seat]
    assert verdicts[0]["verdict"] in ("stole", "failed")


@pytest.mark.rule("SS-13")
def test_a_vote_lasts_though_every_press_has_set_a_timer_for_the_same_moment(players, monkeypatch, quick):
    slow = dataclasses.replace(QUICK, dead_heat=500, vote=20_000, hold=5000)
    monkeypatch.setattr(quick.app.service.settings, "times", slow)
    game = players()
    current, others = game.roll(8)
    game.measured(current.seat, 800)  # the ruling waits for this one, whoever presses
    for socket in others[:2]:
        game.press(socket, current.view["die"], reaction=0)
    current.until(lambda s: "vote" in s.heard[-1])
    time.sleep(0.1)
    assert current.do("vote", ply=current.ply, seat=others[1].seat)["t"] == "did"


@pytest.mark.rule("SS-10", "SS-13")
def test_nobody_votes_on_a_dead_heat_behind_a_theft(players, monkeypatch, quick):
    """Of three, the first is clear and the others press together: they are asked about only if the first fails."""
    monkeypatch.setattr(quick.app.service.settings, "times", dataclasses.replace(QUICK, dead_heat=40))
    asked = set()
    for _ in range(12):
        game = players()
        current, others = game.roll(8)
        for n, socket in enumerate(others):
            game.measured(socket.seat, 800)
            if n == 1:
                time.sleep(0.05)
            game.press(socket, current.view["die"], reaction=0 if n == 0 else 60)
        current.until(lambda s: s.heard[-1]["t"] == "window" and {"vote", "ruling"} & s.heard[-1].keys())
        voting = "vote" in current.heard[-1]
        verdicts = game.ruling(current)
        assert voting == (verdicts[0]["verdict"] == "failed"), verdicts
        asked.add(voting)
        if len(asked) == 2:
            return
    raise AssertionError("twelve times the same")


def test_a_dead_heat_that_nobody_decides_fails_for_all(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", dataclasses.replace(QUICK, dead_heat=500))
    game = players()
    current, pair, _ = heat(game)
    verdicts = game.ruling(current)
    assert {(v["seat"], v["verdict"]) for v in verdicts} == {(s.seat, "undecided") for s in pair}


def test_a_false_start_is_an_attempt_outside_the_window(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", dataclasses.replace(QUICK, human=5000))
    game = players()
    current, others = game.roll(8)
    game.press(others[0], current.view["die"])
    verdicts = game.ruling(current)
    assert verdicts[0]["verdict"] == "early"


SLOW = dataclasses.replace(QUICK, shut=60_000)


def test_marks_are_shown_to_those_at_the_table_and_a_replay_shows_the_same(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", SLOW)
    monkeypatch.setattr(arbiter, "FEW", 1)
    game = players()
    current, others = game.roll(8)
    cheat = others[0]
    assert [chair["marks"] for chair in current.table["chairs"]] == [[]] * 4
    time.sleep(0.2)
    game.press(cheat, current.view["die"], reaction=0)
    for socket in (current, cheat):
        socket.until(lambda s: s.table["chairs"][cheat.seat]["marks"] == ["lag"])
    with game.ann.at(game.table) as watcher:
        watcher.until(lambda s: s.table)
        assert [chair["marks"] for chair in watcher.table["chairs"]] == [[]] * 4
    again = read_table("again", [encode(entry) for entry in game.journal()])
    assert again.marks == {cheat.seat: ["lag"]}


def test_old_entries_without_what_is_measured_now_are_folded_and_mark_nobody():
    old = (b'{"e":"window","at":5,"seat":1,"ply":9,"move":13,"elapsed":300.0,"reaction":1.0,"rtt":20.0,"allowance":30.0,'
           b'"score":170.0,"bucket":10.0,"clamped":true,"flagged":true,"id":7}')  # fmt: skip
    entry = read_entry(old)
    assert entry.flagged and not entry.fresh and not entry.late


def test_a_ruling_that_cannot_be_written_is_tried_again(players, monkeypatch, quick):
    game = players()
    current, others = game.roll(8)
    store, failed = quick.app.service.store, []
    append = store.append

    def failing(what):
        if b'"e":"ruled"' in what.body and len(failed) < 2:
            failed.append(what)
            raise Unsure
        return append(what)

    monkeypatch.setattr(store, "append", failing)
    ply = current.ply
    current.tell("press", ply=ply, move=5, reaction=None)
    verdicts = game.ruling(others[0])
    assert len(failed) == 2 and [(v["seat"], v["verdict"]) for v in verdicts] == [(current.seat, "release")]


def test_a_bot_that_breaks_in_the_window_holds_nobody_up(quick, monkeypatch):
    ann = Person(quick.base)
    table = ann.make("spell_stealers", "me", "random", options={"stealing": "live"})

    async def broken(seat):
        raise RuntimeError

    with ann.at(table, 0) as a:
        a.start()
        monkeypatch.setattr(quick.app.service.tables[table].bots, "wanted", broken)
        answered, end = -1, time.monotonic() + 60
        while sum("ruling" in message for message in a.heard) < 3:
            assert time.monotonic() < end
            mine = [move for move, _ in a.moves if move < 9]
            if a.ply > answered and mine:
                answered = a.ply
                a.tell("press", ply=a.ply, move=mine[-1], reaction=None)
            a.hear()
    ann.http.close()


def test_a_ruling_waits_for_a_bot_that_is_about_to_press(players, monkeypatch, quick):
    game = players(seats=3)
    current, (leaver, other) = game.roll(8)
    live, move = quick.app.service.tables[game.table], 9 + 3 * leaver.seat + current.view["die"] - 1
    monkeypatch.setattr(live.race, "times", dataclasses.replace(QUICK, earliest=60_000, shut=90_000))

    async def wanted(seat):
        while not live.table.presses:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)  # for a ruling that does not wait
        return move

    monkeypatch.setattr(live.bots, "wanted", wanted)
    assert game.ann.post(f"/api/tables/{game.table}/rise", {"seat": leaver.seat}).status_code == 200
    for socket in (leaver, other):  # only the bot can come before the marker is let go, which counts later
        socket.__exit__()
    current.until(lambda s: [chair["here"] for chair in s.table["chairs"]].count(True) == 1)
    current.tell("press", ply=current.ply, move=5, reaction=None)
    assert [v["seat"] for v in game.ruling(current)] == [leaver.seat, current.seat]


def test_what_the_server_itself_is_late_is_nobodys_lag(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", SLOW)
    game = players()
    current, others = game.roll(8)
    quick.loop.call_soon_threadsafe(time.sleep, 0.4)
    time.sleep(0.1)
    game.press(others[0], current.view["die"], reaction=1)
    verdict = game.ruling(current)[0]
    assert verdict["lag"] >= QUICK.held, "a press that came while the server could not listen"


def test_a_pause_in_the_window_puts_nobody_before_those_who_had_pressed(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", dataclasses.replace(QUICK, dead_heat=0))
    game = players()
    current, others = game.roll(8)
    first, second = others[:2]
    game.measured(second.seat, 800)  # the ruling waits for this one
    time.sleep(0.3)
    assert first.answer(game.press(first, current.view["die"]))["t"] == "did"
    for on in (True, False):
        assert current.do("pause", on=on)["t"] == "did"
    assert second.answer(game.press(second, current.view["die"]))["t"] == "did"
    assert [v["seat"] for v in game.ruling(current)] == [first.seat, second.seat]


def test_a_bot_lets_go_of_the_marker_for_whoever_leaves_in_the_window(players, monkeypatch, quick):
    monkeypatch.setattr(quick.app.service.settings, "times", SLOW)
    game = players()
    current, others = game.roll(8)
    assert game.ann.post(f"/api/tables/{game.table}/rise", {"seat": current.seat}).status_code == 200
    verdicts = game.ruling(others[0])
    assert (current.seat, "release") in [(v["seat"], v["verdict"]) for v in verdicts]


def test_bots_play_a_live_game_with_people_to_its_end_and_the_record_verifies(quick):
    ann = Person(quick.base)
    table = ann.make("spell_stealers", "me", "random", "random", options={"stealing": "live", "turn_limit": 4})
    with ann.at(table, 0) as a:
        a.start()
        answered, end = -1, time.monotonic() + 60
        while not a.over:
            assert time.monotonic() < end
            mine = [move for move, _ in a.moves if move in (0, 3, 5, 6)]
            if a.ply > answered and mine:
                answered = a.ply
                a.tell("press", ply=a.ply, move=mine[-1], reaction=None)
            a.hear()
        text = ann.get(f"/api/tables/{table}/record").text
        assert len(record.verify(record.read(text))) == 3
    ann.http.close()


def test_the_benchmark_of_races_speaks_the_language_of_the_server():
    command = [sys.executable, str(ROOT / "benchmarks" / "race.py"), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert "besides: 0 races that did not end;" in done.stdout, done.stdout + done.stderr
    assert "bots: " in done.stdout, done.stderr
