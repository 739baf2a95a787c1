"""Whatever people do at a table, in whatever order, at one server and at two on one store: after every step each open line
belongs to somebody who holds its seat now, or may watch now; and nobody is sent a byte that tells apart two worlds that
differ only in what a seat may not know.

Both worlds get the same steps. Who holds what is read from the journal by a telling of its own, not from the table.
SPELLHEIST_EXAMPLES says how many games of steps are tried (120 where it does not); the same ones each time.
"""

import json
import os
from functools import cache
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from rights import folds
from still import Line, World, stilled
from worlds import abraca, caster

from spellheist.core import kernel
from spellheist.core.play import new
from spellheist.core.state import CHANCE, WATCHER
from spellheist.server.http import visitors

EXAMPLES = int(os.environ.get("SPELLHEIST_EXAMPLES", "120"))
STEPS = 40  # of each example
PEOPLE = 4
SECRETS = {"view", "plies", "chat", "thoughts", "why"}  # messages that tell something of a game
RUNNING = ("promising", "playing", "paused")

pytestmark = pytest.mark.skipif(not kernel.PLAIN, reason="steps would wait for compilers")


# What is played.


class Script(NamedTuple):
    """The moves of a game, and of one that a seat (or a watcher) cannot tell from it."""

    game: str
    options: dict
    seats: int
    looker: int
    moves: tuple[list[int], list[int]]
    asked: list[int]  # who decides at each ply
    decisions: frozenset[int]  # plies whose decision can be made, with the chance that follows it


@cache
def script(number):
    """The twins that go on longest after they differ, of a few."""
    game = ("abraca_what", "spellcaster")[number % 2]
    seats, options = (3, 2, 3)[number // 2 % 3], {} if game == "abraca_what" else caster.SPIED
    looker = (0, WATCHER, 1)[number % 3]
    found = []
    for seed in range(number, number + 40, 8):
        if game == "abraca_what":
            found += abraca.twins(seed, seats, options, 50, looker, 6)
        else:
            found += caster.twins(seed, seats, 50, looker, 6, options)
    moves = max(found, key=lambda pair: len(pair[0]) - [a == b for a, b in zip(*pair, strict=True)].index(False))
    play, asked, stops = new(game, seats, options), [], []
    for ply, move in enumerate(moves[0]):
        asked.append(play.turn)
        if play.turn != CHANCE:
            stops.append((ply, len(play.legal())))
        play.chance(move) if play.turn == CHANCE else play.play(move)
    while stops[-1][1] == 1:  # a bot would make it without thinking
        stops.pop()
    return Script(game, options, seats, looker, moves, asked, frozenset(ply for ply, _ in stops[:-1]))


class Wire(NamedTuple):
    """The same line in both worlds."""

    table: str
    server: int
    person: int
    seat: int | None
    ends: tuple[Line, Line]

    @property
    def open(self):
        return self.ends[0].closed is None


# What people do.

person = st.integers(0, PEOPLE - 1)
server = st.integers(0, 1)
seat = st.sampled_from([None, 0, 1, 2])
some = st.integers(0, 30)


class Steps(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.patches = stilled()
        self.worlds, self.wires, self.ids, self.steps = (), [], 0, 0

    def teardown(self):
        for world in self.worlds:
            world.close()
        self.patches.close()

    @initialize(
        number=st.integers(0, 11), servers=st.sampled_from([1, 2, 2]), watchers=st.booleans(), bots=st.booleans(),
        clock=st.booleans(), host_sits=st.booleans(), sit=st.integers(0, 3), begun=st.booleans(), prompt=st.booleans(),
    )  # fmt: skip
    def make(self, number, servers, watchers, bots, clock, host_sits, sit, begun, prompt):
        self.prompt = prompt  # servers hear at once of what others write
        self.script = plan = script(number)
        self.worlds = tuple(
            World(name, moves, plan.decisions.__contains__, servers) for name, moves in zip("AB", plan.moves, strict=True)
        )
        first = {"kind": "me", "name": "Name 0"} if host_sits else {"kind": "open"}
        chairs = [first, *({"kind": "open"} for _ in range(1, plan.seats))]
        if bots and plan.seats > 2:
            chairs[-1] = {"kind": "bot", "level": "random"}
        asked = {
            "game": plan.game, "chairs": chairs, "options": plan.options, "hints": True, "listed": True,
            "watchers": watchers, "clock": {"kind": "move", "seconds": 30} if clock else {"kind": "none", "seconds": 0},
        }  # fmt: skip
        answers = [world.ask(0, 0, "/api/tables", asked) for world in self.worlds]
        assert [status for status, _ in answers] == [200, 200]
        self.table = json.loads(answers[0][1])["table"]
        self.lengths = {self.table: 1}
        self.look()
        for who in range(sit):
            self.sit(who, who, who)
            self.open(who, who, who)
        if begun:
            self.start()
            for who in range(PEOPLE):
                self.open_own(who, who)
                self.open(who + 1, who, None)

    # Checking.

    def folds(self, table):
        return folds(self.worlds[0].shelf.journals[table])

    def now(self):
        return self.folds(self.table)[-1]

    def token(self, world, person):
        return visitors.hashed(self.worlds[world].key(person))

    def lags(self, server, table):
        """Is there something that a server has not heard of yet?"""
        return any(name == table for name, _ in self.worlds[0].branches[server].news)

    def look(self, answer=None):
        """After every step: whose answer, if it had one, and what all lines have got."""
        self.steps += 1
        for world in self.worlds if self.prompt else ():
            for at, branch in enumerate(world.branches):
                while branch.news:
                    world.hear_of(at, 0)
        kinds = [[json.loads(body.decode().rpartition(" #")[0] or body)["e"] for body in world.shelf.journals[self.table]]
                 for world in self.worlds]  # fmt: skip
        assert kinds[0] == kinds[1], "both worlds take the same course"
        told = {table: self.folds(table) for table in self.lengths}
        for wire in self.wires:
            self.is_told_alike(wire.person, told[wire.table], wire.table, [end.said for end in wire.ends])
            assert wire.ends[0].closed == wire.ends[1].closed
            self.is_right(wire, told[wire.table])
            for end in wire.ends:
                end.said.clear()
        if answer:
            asker, texts = answer
            self.is_told_alike(asker, told[self.table], self.table, texts)
        self.wires = [wire for wire in self.wires if wire.open]
        self.lengths = {table: len(found) for table, found in told.items()}

    def lately(self, table):
        """How many entries the table had when whatever is told now was true: before this step, or before those that
        some server has not heard of."""
        waiting = [before for branch in self.worlds[0].branches for name, before in branch.news if name == table]
        return max(1, min([self.lengths[table], *waiting])) - 1

    def is_told_alike(self, asker, told, table, texts):
        """Who holds no seat but the looker's is told the same in both worlds, until the game has ended and all is open."""
        recent = told[self.lately(table) :]
        seats = set().union(*(fold.seats_of(self.token(0, asker)) for fold in recent))
        if seats <= {self.script.looker} and not any(fold.state in ("over", "closed") for fold in recent):
            one, two = ([text.replace(world.key(asker), "me") for text in said]
                        for world, said in zip(self.worlds, texts, strict=True))  # fmt: skip
            assert one == two

    def is_right(self, wire, told):
        """A line stands exactly as long as it has a right to; one that must not look sees nothing."""
        token, end = self.token(0, wire.person), wire.ends[0]
        recent = told[self.lately(wire.table) :]
        if wire.open:
            assert end.fault is None and not end.task.done()
            assert recent[-1].may_be(wire.seat, token) or self.lags(wire.server, wire.table)
        elif end.closed[1] != "by the page":
            code, sentence = end.closed
            assert code == 4403 and sentence.endswith(".")
            assert not all(fold.may_be(wire.seat, token) for fold in recent)
        if wire.seat is None and not any(fold.may_look() for fold in recent):
            assert not {json.loads(text)["t"] for text in end.said} & SECRETS

    def ask(self, at, who, path, body=None):
        """A request in both worlds."""
        at %= len(self.worlds[0].apps)
        answers = [world.ask(at, who, path, body) for world in self.worlds]
        assert answers[0][0] == answers[1][0] < 500, answers
        self.look((who, [[text] for _, text in answers]))
        return answers[0][0]

    def tell(self, which, kind, by_host=False, **what):
        """A message in both worlds."""
        wires = [wire for wire in self.wires if wire.table == self.table and (wire.person == 0 or not by_host)]
        if wires:
            self.say(wires[which % len(wires)], kind, **what)

    def say(self, wire, kind, **what):
        self.ids += 1
        for end in wire.ends:
            end.tell({"t": kind, "id": self.ids, **what})
        self.look()

    # Coming and going.

    @rule(at=server, who=person, seat=some)
    def sit(self, at, who, seat):
        self.ask(at, who, f"/api/tables/{self.table}/sit", {"seat": seat % self.script.seats, "name": f"Name {who}"})

    @rule(at=server, who=person, seat=some, own=st.sampled_from([True, True, False]))
    def rise(self, at, who, seat, own):
        seats = sorted(self.now().seats_of(self.token(0, who))) if own else range(self.script.seats)
        if seats:
            self.ask(at, who, f"/api/tables/{self.table}/rise", {"seat": seats[seat % len(seats)]})

    @rule(at=server, who=person, seat=seat)
    def open(self, at, who, seat):
        at %= len(self.worlds[0].apps)
        seat = None if seat is None else seat % self.script.seats
        path = f"/ws/{self.table}" + ("" if seat is None else f"?seat={seat}")
        wire = Wire(self.table, at, who, seat, tuple(Line(world, at, who, path) for world in self.worlds))
        if not self.lags(at, self.table):
            assert wire.open == self.now().may_be(seat, self.token(0, who))
        self.wires.append(wire)
        self.look()

    @rule(who=person, at=server)
    def open_own(self, who, at):
        """Connect to a seat of one's own: most other wishes to connect are refused."""
        seats = sorted(self.now().seats_of(self.token(0, who)))
        if seats:
            self.open(at, who, seats[0])

    @precondition(lambda self: self.wires)
    @rule(which=some)
    def shut(self, which):
        for end in self.wires[which % len(self.wires)].ends:
            end.shut()
        self.look()

    @precondition(lambda self: self.steps % 9 == 0)  # not too often, as nobody is connected then
    @rule(at=server)
    def begin_anew(self, at):
        at %= len(self.worlds[0].apps)
        for wire in [wire for wire in self.wires if wire.server == at]:
            for end in wire.ends:
                end.shut()
        for world in self.worlds:
            world.begin(at)
        self.look()

    # Time, and what servers hear of each other.

    @rule(seconds=st.sampled_from([1, 14, 31, 61, 400]))
    def wait(self, seconds):
        for world in self.worlds:
            world.wait(seconds)
        self.look()

    @precondition(lambda self: any(branch.news for branch in self.worlds[0].branches))
    @rule(which=some, all=st.booleans())
    def hear_of(self, which, all):
        """A server hears of one entry that another has written, or of all, in any order."""
        at = next(at for at, branch in enumerate(self.worlds[0].branches) if branch.news)
        for world in self.worlds:
            for _ in range(len(world.branches[at].news) if all else 1):
                world.hear_of(at, which)
        self.look()

    # Playing.

    @precondition(lambda self: self.now().state == "gathering")
    @rule()
    def start(self):
        """Whoever is missing sits down, and the host starts."""
        for number in range(self.script.seats):
            if not self.now().holders[number]:
                self.sit(0, number, number)
        self.open(0, 0, None)
        host = next(wire for wire in self.wires if wire.person == 0 and wire.table == self.table and wire.server == 0)
        self.say(host, "start")

    @precondition(lambda self: self.now().state == "playing" and self.now().ply in self.script.decisions)
    @rule(which=some, times=st.integers(1, 4))
    def move(self, which, times):
        """The next decisions of the script, by whoever has to make them."""
        for _ in range(times):
            ply = self.now().ply
            wires = [wire for wire in self.wires if wire.table == self.table and wire.seat == self.script.asked[ply]]
            if not wires or ply not in self.script.decisions:
                return
            self.say(wires[which % len(wires)], "move", ply=ply, move=self.script.moves[0][ply])

    @rule(which=some, move=st.integers(0, 20), back=st.integers(0, 2))
    def move_wrongly(self, which, move, back):
        """A move that is none: of somebody who is not asked, or in answer to another question."""
        ply, wires = self.now().ply, [wire for wire in self.wires if wire.table == self.table]
        wire = wires[which % len(wires)] if wires else None
        if wire and (back or wire.seat != self.script.asked[ply]):
            self.say(wire, "move", ply=max(0, ply - back), move=move)

    @rule(which=some, kind=st.sampled_from(["whole", "whole", "resign", "resign", "rematch", "start"]))
    def say_a_word(self, which, kind):
        self.tell(which, kind)

    @precondition(lambda self: self.steps % 9 == 1 or self.now().state == "paused")
    @rule(which=some)
    def close(self, which):
        self.tell(which, "close")

    @rule(which=some, move=st.integers(0, 30))
    def ask_why(self, which, move):
        self.tell(which, "why", move=move)

    @rule(which=some)
    def chat(self, which):
        self.tell(which, "chat", text=f"Words {self.ids}.")

    @rule(which=some, kind=st.sampled_from(["hint", "undo"]))
    def speak_of_the_ply(self, which, kind):
        self.tell(which, kind, ply=self.now().ply)

    @rule(which=some, yes=st.booleans())
    def agree(self, which, yes):
        self.tell(which, "agree", yes=yes)

    @rule(which=some, seat=some, by_host=st.booleans())
    def kick(self, which, seat, by_host):
        self.tell(which, "kick", by_host, seat=seat % self.script.seats)

    @rule(which=some, on=st.booleans())
    def pause(self, which, on):
        self.tell(which, "pause", on=on)

    @precondition(lambda self: self.now().rematch)
    @rule()
    def go_on_there(self):
        self.table = self.now().rematch
        self.lengths[self.table] = 1
        self.look()

    # Reading.

    @rule(at=server, who=person, seat=seat, what=st.sampled_from(["frames", "record"]))
    def read(self, at, who, seat, what):
        seat = None if seat is None else seat % self.script.seats
        asked = "" if seat is None else f"?seat={seat}"
        status = self.ask(at, who, f"/api/tables/{self.table}/{what}{asked}")
        fold = self.now()
        if status == 200 and fold.state in RUNNING and not self.lags(at % len(self.worlds[0].apps), self.table):
            assert fold.watchers if seat is None else fold.holders[seat] == self.token(0, who)

    @rule(at=server, who=person, path=st.sampled_from(["/api/tables", "/api/mine"]))
    def read_lists(self, at, who, path):
        assert self.ask(at, who, path) == 200


Steps.TestCase.settings = settings(
    max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
)  # fmt: skip
test_lines_and_bytes_are_right_after_every_step = Steps.TestCase
