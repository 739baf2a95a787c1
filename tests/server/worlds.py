"""Twin worlds on the wire: everything that a table sends, in games whose chance, names and times are scripted.

Two worlds differ only in what one seat, or a watcher, may not know: in outcomes and decisions that are hidden from it
(twins come from the tests of each game, which have their own telling of who saw what), in the secret of the dice, and in
the tokens of the others. Whole games are played in both, with chat, moves that are refused, questions, hints, wishes to
take moves back, new connections, and the frames, the record and the lists over HTTP. What the seat is sent must be the
same, byte for byte, and so must the log.
"""

import asyncio
import contextlib
import logging
import zlib
from collections import Counter
from typing import Any, NamedTuple
from unittest.mock import patch

from spellheist.core.dice import Fair, Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE, JUDGE, WATCHER
from spellheist.games.abraca_what import test_secrets as abraca
from spellheist.games.spell_stealers import test_secrets as stealers
from spellheist.games.spellcaster import test_secrets as caster
from spellheist.laws.check import variants
from spellheist.server.http import bodies, visitors
from spellheist.server.http.app import App
from spellheist.server.process.serve import JsonLines
from spellheist.server.race.arbiter import Times
from spellheist.server.settings import Settings
from spellheist.server.store import Append
from spellheist.server.table.actions.asking import Hint, Whole, Why
from spellheist.server.table.actions.making import make
from spellheist.server.table.actions.moving import Move, Press
from spellheist.server.table.actions.sitting import sit
from spellheist.server.table.actions.starting import Start
from spellheist.server.table.actions.taking_back import Agree, Undo
from spellheist.server.table.actions.talking import Chat
from spellheist.server.table.connections import Connection
from spellheist.server.table.journal import encode

NAME = "the-table"
LOG = "log"  # looks at what the server logs
STEP = 1000  # milliseconds between two decisions
RULED = 50  # times that the loop comes round until a press is ruled on, at most
AT_ONCE = Times(hold=0, earliest=0, space=0, human=0)  # a press is ruled on at once
WITH = {"spell_stealers": ("stealing", ("race", "live"))}  # an option with which the others do something else
LIVELY = {"turn_limit": 30}  # in live: people who press at random do not come to an end by themselves
Told = dict[Any, list[tuple[int, str]]]  # for each looker: after how many decisions, and what


# The server, without network and disk.


class Scripted(Fair):
    """Dice that give what the script says. A script that ends stops the game."""

    moves: tuple[int, ...] = ()
    commitment = "the same in all worlds"

    def outcome(self, ply, odds):
        if ply >= len(self.moves):
            raise EOFError
        return self.moves[ply]


class Shelf:
    """A store in memory."""

    def __init__(self):
        self.journals = {}

    async def append(self, what):
        self.journals.setdefault(what.table, []).append(what.body)

    async def entries(self, table):
        return list(self.journals.get(table, ()))

    async def snapshot(self, table):
        return None

    async def row(self, table):
        return None

    async def rows(self, states, listed, limit):
        return [self.noted]

    async def held(self, token, limit):
        return [self.noted]

    def note(self, row):
        self.noted = row

    async def people(self, statement, *values):
        return []


class Adviser:
    """Bots whose thoughts tell apart all that they are given."""

    needs_compiling, replaced = False, 0

    async def close(self):
        pass

    async def think(self, level, game, view, seat, past):
        given = zlib.crc32(repr((level, view, seat, list(past), past.views)).encode())
        return [{"move": 0, "chance": given % 9973 / 9973, "error": 0.0}]


class Kept(Connection):
    """A connection that keeps every text, with the number of decisions before it."""

    def __init__(self, seat, token, kept, step):
        super().__init__(self.keep, seat, visitors.visitor_with(token))
        self.kept, self.step, self.key = kept, step, token

    def keep(self, text):
        self.kept.append((self.step(), text))
        return True


class Logs(logging.Handler):
    """Keeps every line of the log, but for its times."""

    def __init__(self, kept, step):
        super().__init__()
        self.kept, self.step = kept, step
        self.setFormatter(JsonLines())

    def emit(self, record):
        record.created = record.msecs = record.ms = 0
        self.kept.append((self.step(), self.format(record)))


async def compiled_when_needed(game):
    """Nobody waits here, so that rules may be compiled when they are first run."""


async def nothing():
    """In place of compiling ahead."""


class Clock:
    now = 0.0


clock = Clock()
logger = logging.getLogger("spellheist")


@contextlib.contextmanager
def scripted():
    """While this lasts, all dice are scripted and the time stands still between decisions."""
    with (
        patch("spellheist.server.table.actions.making.Fair", Scripted),
        patch("spellheist.server.table.actions.starting.Fair", Scripted),
        patch("spellheist.server.race.race.clock", lambda: clock.now),
        patch("spellheist.server.service.Service.now", lambda service: int(clock.now)),
        patch("spellheist.server.service.Service.clock", lambda service: int(clock.now)),
    ):  # fmt: skip
        level = logger.level
        logger.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            logger.setLevel(level)


async def fetched(routes, path, token):
    """What a browser gets from an address: the status and the body."""
    parts = []
    path, _, query = path.partition("?")
    headers = [(b"cookie", f"{visitors.COOKIE}={token}".encode())] if token else []
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path, "root_path": "",
             "query_string": query.encode(), "headers": headers, "client": ("127.0.0.1", 1),
             "server": ("table", 80)}  # fmt: skip

    async def send(part):
        parts.append(str(part.get("status", "")) + part.get("body", b"").decode())

    async def receive():
        return {"type": "http.request", "body": b""}

    await routes(scope, receive, send)
    return path + "?" + query + " " + "".join(parts)


# A game in one world.


class World(NamedTuple):
    """What nobody is ever told of: the secret of the dice, and everybody's token."""

    secret: bytes
    tokens: list[str]


def twin_worlds(seats, looker):
    """Two worlds in which only the looker's own token is the same."""
    ours = World(bytes(32), [f"ours-{seat}".ljust(43, "_") for seat in range(seats)])
    theirs = [ours.tokens[seat] if seat == looker else f"theirs-{seat}".ljust(43, "_") for seat in range(seats)]
    return ours, World(bytes([7]) * 32, theirs)


def told(game, seats, options, moves, world, looker):
    """One game of these moves. The looker asks for more than the others do."""
    telling = Telling(game, seats, options, moves, world, looker)
    asyncio.run(telling.run())
    return telling


class Telling:
    """One game, from its first message to its last."""

    def __init__(self, game, seats, options, moves, world, looker):
        Scripted.moves = tuple(moves)
        clock.now = 0.0
        self.game, self.seats, self.options, self.moves, self.world = find(game), seats, options, moves, world
        self.looker = looker
        self.told: Told = {looker: [] for looker in (*range(seats), WATCHER, LOG)}
        self.plies: list[int] = []  # after the start and after each decision
        self.ids: Counter[int | None] = Counter()  # messages that each seat has sent: its page counts only its own

    @property
    def count(self):
        return len(self.plies)

    async def run(self):
        settings = Settings(public_url="http://table", rate=0, times=AT_ONCE, slice=60, soon=0)
        self.app = App(Shelf(), settings, Adviser())
        self.routes = self.app.starlette()
        self.app.service.ready = compiled_when_needed
        logs = Logs(self.told[LOG], lambda: self.count)
        logger.addHandler(logs)
        try:
            await self.gather()
            while not self.live.table.over:
                await self.move()
                await self.ask_around()
                self.plies.append(self.live.table.play.ply)
        except EOFError:
            pass
        finally:
            logger.removeHandler(logs)
            self.live.stop()

    async def gather(self):
        """Make the table, sit down, connect, start."""
        world, service = self.world, self.app.service
        chairs = [bodies.ChairIn("me", "Name 0"), *(bodies.ChairIn("open") for _ in range(1, self.seats))]
        body = bodies.TableIn(self.game.name, chairs, options=self.options, hints=True, listed=True)
        made = make(body, self.game, visitors.hashed(world.tokens[0]), world.secret)
        await service.store.append(Append(NAME, 1, encode(made)))
        self.live = await service.live(NAME)
        for seat in range(1, self.seats):
            body = bodies.SitIn(seat, f"Name {seat}")
            token = visitors.hashed(world.tokens[seat])
            await self.live.carry_out(lambda t, now, body=body, token=token: sit(t, body, token, now))
        self.lines = [self.line(seat) for seat in (*range(self.seats), WATCHER)]
        for line in self.lines:
            await self.live.join(line)
        await self.all_know_who_is_here()
        await self.say(self.lines[0], Start(id=self.next_id(self.lines[0])))
        self.plies.append(self.live.table.play.ply)

    def line(self, looker):
        if looker == WATCHER:
            return Kept(None, "", self.told[WATCHER], lambda: self.count)
        return Kept(looker, self.world.tokens[looker], self.told[looker], lambda: self.count)

    def next_id(self, line):
        self.ids[line.seat] += 1
        return self.ids[line.seat]

    async def say(self, line, message):
        line.arrived = clock.now
        await self.live.hear(line, message)
        while line.advised and not line.advised.done():
            await asyncio.sleep(0)

    async def move(self):
        """The next decision of the script."""
        clock.now += STEP
        play = self.live.table.play
        ply = play.ply
        if ply >= len(self.moves):
            raise EOFError
        move = self.moves[ply]
        self.mover = self.lines[play.owner(move)]
        kind = Press if self.live.race.on else Move
        await self.say(self.mover, kind(id=self.next_id(self.mover), ply=ply, move=move))
        await self.ruled(ply)

    async def ruled(self, ply):
        """Wait for the ruling on a press."""
        for _ in range(RULED):
            if self.live.table.play.ply > ply:
                return
            await asyncio.sleep(0)
        raise EOFError  # the script ends in the middle of a ruling

    async def ask_around(self):
        """The looker asks for all that there is, one thing at a time; others do what everybody hears of."""
        if self.live.table.over:
            return
        n = self.count
        await getattr(self, ASKED[n % len(ASKED)])(self.lines[self.looker if self.looker >= 0 else -1])
        if n % 3 == 0:
            await getattr(self, HEARD[n // 3 % len(HEARD)])(self.lines[n % len(self.lines)])
        if n % 9 == 5 and not self.live.race.on:
            await self.say(self.mover, Undo(id=self.next_id(self.mover), ply=self.live.table.play.ply))
            wish = self.live.table.wish
            if wish:
                other = self.lines[wish.waits_for[0]]
                await self.say(other, Agree(id=self.next_id(other), yes=False))

    # What is sent beside the moves. It depends on the count alone, and on moves that the sender itself knows.

    async def illegal(self, line):
        """A move that is not allowed: of somebody who is not asked, or none that there is."""
        seat, table = line.seat, self.live.table
        move = self.count * 7 % self.game.rules.MOVES
        if seat is None or move not in table.play.legal(seat):
            await self.say(line, Move(id=self.next_id(line), ply=table.play.ply, move=move))

    async def stale(self, line):
        await self.say(line, Move(id=self.next_id(line), ply=self.live.table.play.ply - 1, move=self.count % 5))

    async def why(self, line):
        for k in range(3):
            await self.say(line, Why(move=(self.count * 5 + k * 11) % (self.game.rules.MOVES + 1)))

    async def chat(self, line):
        await self.say(line, Chat(id=self.next_id(line), text=f"words {self.count}"))

    async def hint(self, line):
        await self.say(line, Hint(id=self.next_id(line), ply=self.live.table.play.ply))

    async def read(self, line):
        """What there is over HTTP: of the own seat, and of one that is not."""
        seat = "" if line.seat is None else line.seat
        other = 0 if line.seat is None else (line.seat + 1) % self.seats
        whole = self.count // len(ASKED) % 5 == 0  # not each time: the longer a game is, the more this takes
        first = 0 if whole else max(0, self.live.table.play.ply - 12)
        paths = [f"frames?seat={seat}&from={first}", f"frames?seat={other}", "record?seat=open"]
        for path in (*paths, f"record?seat={seat}", "cards") if whole else paths:
            line.keep(await self.fetch(f"/api/tables/{NAME}/{path}", line.key))
        for path in ("/api/tables", "/api/mine"):
            line.keep(await self.fetch(path, line.key))

    async def fetch(self, path, key):
        return await fetched(self.routes, path, key)

    async def connect(self, line):
        """A new connection from the same seat, and the whole on the old one."""
        again = self.line(WATCHER if line.seat is None else line.seat)
        await self.live.join(again)
        await self.all_know_who_is_here()
        self.live.leave(again)
        await self.all_know_who_is_here()
        await self.say(line, Whole())

    async def all_know_who_is_here(self):
        while self.live.telling.here_soon:
            await asyncio.sleep(0)


ASKED = ("illegal", "why", "read", "hint", "connect", "stale", "hint")
HEARD = ("illegal", "chat", "stale", "connect", "illegal")


# Games and their twins.


class Setting(NamedTuple):
    """A game with its options, and the seat counts that allow them."""

    game: str
    options: tuple[tuple[str, str], ...]
    counts: tuple[int, ...]

    def __str__(self):
        return " ".join((self.game, *(f"{name}={'own' if name == 'deck' else value}" for name, value in self.options)))


def settings(name):
    """A game with every option at every one of its samples."""
    game = find(name)
    found = {(): list(game.seats)}
    if name == "spellcaster":  # a deck in which every green incantation concerns hands
        found[tuple(caster.SPIED.items())] = list(game.seats)
    first, values = WITH.get(name, ("", ()))
    for variant in variants(game):
        if len(variant.options) == 1:
            found.setdefault(variant.options, []).append(variant.seats)
            for value in values if variant.options[0][0] != first else ():
                found.setdefault(((first, value), *variant.options), []).append(variant.seats)
    return [Setting(name, options, tuple(counts)) for options, counts in found.items()]


def round_the_table(setting, seed):
    """How many sit there, and who looks: both change from game to game, so that all come up."""
    seats = setting.counts[seed % len(setting.counts)]
    return seats, (WATCHER, *range(seats))[seed // len(setting.counts) % (seats + 1)]


def whole_game(setting, seats, seed):
    """The moves of a random game to its end."""
    luck = Luck(seed)
    options = dict(setting.options)
    if options.get("stealing") == "live":
        options = {**LIVELY, **options}
    play = new(setting.game, seats, options)
    while not play.over:
        if play.turn == CHANCE:
            play.roll(luck)
            continue
        moves = [move for move in play.legal() if play.owner(move) != JUDGE]
        mine = [move for move in moves if play.owner(move) == play.owner(moves[0])]
        chosen = mine if luck.below(10) < 8 else moves
        play.play(chosen[luck.below(len(chosen))])
    return options, [ply.move for ply in play.plies]


def has_secrets(setting, seats, seed):
    """Is anything hidden from anybody whenever a player is asked in this game?"""
    options, moves, _ = twins(setting, seats, seed, WATCHER, 0)
    play = new(setting.game, seats, options)
    schema = play.game.rules.State
    for move in moves:
        play.chance(move) if play.turn == CHANCE else play.play(move)
        lookers = () if play.turn == CHANCE else (*range(seats), WATCHER)
        if any(schema.pack(play.view(looker)) != play.bytes for looker in lookers):
            return True
    return False


def twins(setting, seats, seed, looker, count):
    """A whole game, and some others that the looker cannot tell from its beginning."""
    options = dict(setting.options)
    if setting.game == "abraca_what":
        moves = [ply.move for ply in abraca.random_game(seed, seats, options, 10**6).plies]
        found = abraca.twins(seed, seats, options, 10**6, looker, 4 * count)
    elif setting.game == "spellcaster":
        moves = [ply.move for ply in caster.random_game(seed, seats, 10**6, options).plies]
        found = caster.twins(seed, seats, 10**6, looker, 4 * count, options)
    elif options.get("stealing") == "race":
        del options["stealing"]
        moves = [ply.move for ply in stealers.random_game(seed, seats, 10**6, **options).plies]
        pairs = [(one, other) for one, other, thief in stealers.twins(seed, seats, 10**6, options) if thief != looker]
        found = pairs[seed % 3 :: max(1, len(pairs) // max(1, 2 * count))]
        options["stealing"] = "race"
    else:
        options, moves = whole_game(setting, seats, seed)
        found = []
    return options, moves, [other for _, other in found]


class Compared(NamedTuple):
    """One whole game against its twins."""

    twins: int  # with hidden plies that differ
    decisions: int  # that were compared in all of them
    size: int  # bytes that the looker was sent
    leak: str | None  # the first difference


def compare(setting, seats, seed, looker, count=2, most=None, tell=told):
    """Play a whole game, or so many plies of it, and its twins; what the looker and the log are told must be the same in
    all of them. Where no ply is hidden, and now and then where some are, the same game is the twin: then only the secret
    and the tokens differ."""
    options, moves, others = twins(setting, seats, seed, looker, count)
    moves, others = moves[:most], [other[:most] for other in others]
    ours, theirs = twin_worlds(seats, looker)
    base = tell(setting.game, seats, options, moves, ours, looker)
    others = [other for other in others if is_told(base, other)][:count]
    hidden = len(others)
    if not hidden or seed % 4 == 0:
        others.append(moves)
    decisions = size = 0
    for other in others:
        twin = tell(setting.game, seats, options, other, theirs, looker)
        decisions += twin.count
        for who in (looker, LOG):
            one, two = ([said for said in telling.told[who] if said[0] < twin.count] for telling in (base, twin))
            size += sum(len(text) for _, text in two) if who == looker else 0
            if one != two:
                leak = f"{setting}, {seats} seats, seed {seed}, {who}: {difference(one, two)}"
                return Compared(hidden, decisions, size, leak)
    return Compared(hidden, decisions, size, None)


def is_told(base, other):
    """Is anything told after the first ply in which another game differs, and before that one ends?"""
    apart = next((n for n, (a, b) in enumerate(zip(base.moves, other, strict=False)) if a != b), len(other))
    return any(apart < ply <= len(other) for ply in base.plies)


def difference(one, two):
    """The first difference between two tellings, in words."""
    for (step, a), (_, b) in zip(one, two, strict=False):
        if a != b:
            at = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            parts = [text[max(0, at - 80) : at + 80] for text in (a, b)]
            return f"after {step} decisions ...{parts[0]}... or ...{parts[1]}..."
    return f"{len(one)} texts or {len(two)}"
