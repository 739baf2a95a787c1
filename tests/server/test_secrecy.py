"""Nothing secret leaves: two worlds that differ only in what a seat may not know send it the same bytes.

Twin games come from the tests of each game, which have their own telling of who saw what. Both are played at a
table with scripted chance and fixed names and times; every message to every seat and watcher is kept, the frames and
the record of the running game and the log as well.
"""

import asyncio
import hashlib
import itertools
import json
import logging

import msgspec
import pytest

from spellheist.core import kernel
from spellheist.core.game import find
from spellheist.core.state import WATCHER
from spellheist.core.twins import leaky
from spellheist.games.abraca_what import test_secrets as abraca
from spellheist.games.spell_stealers import test_secrets as stealers
from spellheist.games.spellcaster import test_secrets as caster
from spellheist.server import guard, house, talk, wire
from spellheist.server.hall import Hall, Settings
from spellheist.server.lines import Line
from spellheist.server.live import row_of
from spellheist.server.sights import frames
from spellheist.server.store import store_at

SECRET = bytes(32)


class Scripted:
    """Dice that give what the script says; at its end they stop the game."""

    moves: tuple = ()

    def __init__(self, secret, words=()):
        self.secret, self.words = secret, list(words)
        self.commitment = hashlib.sha256(secret).hexdigest()

    def outcome(self, ply, odds):
        if ply >= len(self.moves):
            raise EOFError
        return self.moves[ply]


class Kept(Line):
    """A connection that keeps every byte."""

    def __init__(self, seat, token):
        super().__init__(self.keep, seat, token, f"key of {seat}")
        self.texts = []

    def keep(self, text):
        self.texts.append(text)
        return True


@pytest.fixture
def scripted(monkeypatch):
    monkeypatch.setattr("spellheist.server.tables.Fair", Scripted)
    monkeypatch.setattr("spellheist.server.house.Fair", Scripted)
    monkeypatch.setattr("spellheist.core.record._dice_lines", lambda dice, reveal: [f"dice: {dice.commitment}"])


def told(game, seats, options, moves, seat, folder):
    """Everything that one seat (or WATCHER) is sent in a game of these moves, and the log."""
    return asyncio.run(_told(game, seats, options, moves, seat, folder))


async def _told(game, seats, options, moves, seat, folder):
    Scripted.moves = tuple(moves)
    clock = itertools.count(1_000_000)
    hall = Hall(store_at(f"sqlite:///{folder}/{next(FILES)}.db"), Settings())
    hall.now = lambda: next(clock)
    await hall.store.open()
    logs = Logs()
    logging.getLogger("spellheist").addHandler(logs)
    try:
        chairs = [wire.ChairIn("me", f"Name {k}") for k in range(seats)]
        asked = wire.TableIn(game, chairs, options=options)
        made = house.make(asked, find(game), "hash", SECRET, 0)
        live = hall.tables[await hall.make(made)]
        live.table.name = "name"
        await hall.store.append(talk_append(live, made))
        lines = [Kept(k, "hash") for k in range(seats)] + [Kept(None, "")]
        for line in lines:
            await live.join(line)
        mine = lines[seats if seat == WATCHER else seat]
        await talk.hear(live, lines[0], wire.Start(id=1))
        for n in itertools.count(2):
            table = live.table
            if table.over or table.play.ply >= len(moves):
                break
            mover = lines[next(k for k in range(seats) if moves[table.play.ply] in table.play.legal(k))]
            wrong = lines[(mover.seat + 1) % seats]
            await talk.hear(live, wrong, wire.Move(id=10**6 + n, ply=table.play.ply, move=moves[table.play.ply]))
            await talk.hear(live, mine, wire.Why(move=n % 9))
            await talk.hear(live, mover, wire.Move(id=n, ply=table.play.ply, move=moves[table.play.ply]))
    except EOFError:
        pass
    finally:
        again = Kept(None if seat == WATCHER else seat, "hash")
        await live.join(again)
        record = live.table.record(seat)
        late = msgspec.json.encode(frames(live.table, seat, 0, False, 1000))
        logging.getLogger("spellheist").removeHandler(logs)
        live.stop()
        await hall.store.close()
    return {"wire": mine.texts, "connecting": again.texts, "frames": late, "record": record, "log": logs.lines}


FILES = itertools.count()


class Logs(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def talk_append(live, made):
    from spellheist.server import entries
    from spellheist.server.store import Append

    return Append("name", 1, entries.encode(made), row_of(live.table))


def pairs_of(game, seats, options, seat, seeds):
    for seed in seeds:
        if game == "abraca_what":
            yield from abraca.twins(seed, seats, options, 50 + 10 * (seed % 4), seat, 6)
        elif game == "spellcaster":
            yield from caster.twins(seed, seats, 45 + 10 * (seed % 3), seat, 5)
        else:
            for one, other, thief in stealers.twins(seed, seats, 50, options):
                if thief != seat:
                    yield one, other


WORLDS = [
    ("abraca_what", 3, {}), ("abraca_what", 2, {"strict_calls": True}), ("abraca_what", 5, {"easy": True}),
    ("spellcaster", 2, {"deck": caster.SPYING}), ("spellcaster", 3, {"deck": caster.SPYING}),
    ("spellcaster", 4, {"deck": caster.SPYING}), ("spell_stealers", 4, {"stealing": "race"}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "seats", "options"), WORLDS, ids=lambda value: value if isinstance(value, str) else None)
def test_twin_worlds_send_a_seat_the_same_bytes(game, seats, options, scripted, tmp_path):
    found = 0
    for seat in (1, WATCHER):
        for one, other in itertools.islice(pairs_of(game, seats, options, seat, range(3)), 3):
            a, b = (told(game, seats, options, moves, seat, tmp_path) for moves in (one, other))
            assert a == b
            assert len(a["wire"]) > 3
            found += 1
    assert found >= 4


@pytest.mark.skipif(not kernel.PLAIN, reason="replaces a verb, which only plain rules allow")
@pytest.mark.parametrize("field", ["hand", "deck"])
def test_a_leak_of_one_field_is_seen_on_the_wire(field, scripted, tmp_path, monkeypatch):
    rules = abraca.rules
    monkeypatch.setattr(find("abraca_what").door, "_hide", leaky(rules.State, rules.hide, field))
    pairs = itertools.islice(pairs_of("abraca_what", 3, {}, 1, range(4)), 8)
    told_pairs = ([told("abraca_what", 3, {}, moves, 1, tmp_path) for moves in pair] for pair in pairs)
    assert any(a["wire"] != b["wire"] for a, b in told_pairs)


def test_neither_tokens_nor_table_names_nor_words_are_logged(person, server, caplog):
    caplog.set_level("DEBUG")
    ann = person()
    table = ann.make("abraca_what", "me", "random")
    ann.get(f"/api/tables/{table}/cards")
    with ann.at(table, 0) as a:
        a.start()
        a.do("chat", text="a secret plan")
    token = ann.http.cookies[guard.COOKIE]
    ann.get(f"/me/{token}")
    from spellheist.server.serve import Lines

    said = "\n".join(Lines().format(record) for record in caplog.records if record.name.startswith("spellheist"))
    assert '"route": "/me/{key}"' in said
    for secret in (token, guard.hashed(token), table, "a secret plan", "words of seat"):
        assert secret not in said


def test_what_a_page_is_sent_names_no_token_but_its_own(person):
    ann, bob = person(), person()
    table = ann.make("abraca_what", "me", "open")
    bob.sit(table, 1, "Bob")
    with ann.at(table, 0) as a, bob.at(table, 1) as b:
        a.start(b)
        texts = "\n".join(b.texts)
        token = ann.http.cookies[guard.COOKIE]
        assert token not in texts and guard.hashed(token) not in texts
        assert json.loads(b.texts[0])["personal"].endswith(bob.http.cookies[guard.COOKIE])
