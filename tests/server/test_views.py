"""What is told to a seat: changes that add up, words that are remembered, texts in frames."""

import asyncio
import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import new
from spellheist.core.state import WATCHER
from spellheist.server.http import bodies, visitors
from spellheist.server.http.websockets import framed, unmasked
from spellheist.server.service import Service
from spellheist.server.settings import Settings
from spellheist.server.store import store_at
from spellheist.server.table.actions.making import make
from spellheist.server.table.actions.moving import Move
from spellheist.server.table.actions.pressing import Ping
from spellheist.server.table.actions.starting import Start
from spellheist.server.table.connections import Connection
from spellheist.server.table.views import views_of
from spellheist.server.table.word_cache import named

ROW = st.lists(st.integers(-1, 1), min_size=12, max_size=12)


def numbers(values):
    """As kernels take them."""
    out = kernel.shorts(len(values))
    out[:] = values
    return out


@given(ROW, ROW)
def test_a_change_turns_one_view_into_the_next(old, new_one):
    out = kernel.shorts(36)
    change = kernel.first(out, kernel.change(numbers(old), numbers(new_one), out))
    row, touched = list(old), set()
    while change:
        place, count, *rest = change
        row[place : place + count] = rest[:count]
        touched |= {place, place + count - 1}
        change = rest[count:]
    assert row == new_one
    assert all(old[place] != new_one[place] for place in touched), "a run begins and ends with what has changed"


@pytest.mark.parametrize("name", names())
def test_what_is_remembered_is_what_the_words_say(name):
    game, views = find(name), views_of(name)
    people = ["ann", "Bob of York", "Cy", "Dora", "Eve", "Flo"]
    luck = Luck(11)
    for n in range(6):
        seats = game.seats[n % len(game.seats)]
        play = new(game, seats, None, people[:seats])
        while not play.over and play.ply < 400:
            legal = play.legal()
            if not legal:
                play.roll(luck)
                continue
            for seat in (*range(seats), WATCHER):
                view, told = play.view(seat), views.phrases.glance(views.view(play.bytes, seat))
                question, labels, rules = views.phrases.prompt(told, seat, play.names, legal)
                assert question == game.words.question(view, named(play.names, seat))
                assert labels == [(m, game.words.label(view, m)) for m in legal]
                assert rules == list(game.words.rules_now(view))
            play.play(legal[luck.below(len(legal))])


@pytest.mark.parametrize("name", names())
def test_all_seats_are_shown_what_each_alone_is_shown(name):
    game, views = find(name), views_of(name)
    play, luck = new(game, game.seats[-1]), Luck(5)
    for _ in range(60):
        play.roll_all(luck)
        if play.over:
            break
        assert views.of_all(play.bytes, play.seats) == [views.view(play.bytes, seat) for seat in range(play.seats)]
        legal = play.legal()
        play.play(legal[luck.below(len(legal))])


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_a_text_goes_out_in_one_frame_as_the_standard_says(size):
    text = b"x" * size
    assert framed(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


@given(st.binary(min_size=1, max_size=119))
def test_a_short_text_is_unmasked_as_the_standard_says(text):
    assert unmasked(Frame(Opcode.TEXT, text).serialize(mask=True)) == text


def test_lines_end_when_their_reader_is_too_far_behind():
    async def run():
        line = Connection(lambda text: False, 0, visitors.visitor_with(""))
        line.tell(Ping(n=1))
        return line.ended.is_set()

    assert asyncio.run(run())


@pytest.mark.parametrize("name", names())
def test_nine_of_ten_updates_are_under_600_bytes_also_with_long_names(name, tmp_path):
    sizes = sorted(len(text) for text in asyncio.run(updates(name, tmp_path)))
    assert sizes[9 * len(sizes) // 10] < 600


async def updates(name, folder, count=2):
    """Everything that three people are sent as updates in random games."""
    service = Service(store_at(f"sqlite:///{folder}/tables.db"), Settings())
    await service.store.open()
    found, luck = [], random.Random(5)

    def keep(text):
        if text.startswith(b'{"t":"plies"'):
            found.append(text)
        return True

    for _ in range(count):
        chairs = [bodies.ChairIn("me", called) for called in ("Bartholomeus", "Wilhelminaxx", "Christophero")]
        options = {"stealing": "polite"} if name == "spell_stealers" else {}  # live windows take as long as people do
        made = make(bodies.TableIn(name, chairs, options=options), find(name), "hash", luck.randbytes(32))
        live = service.tables[await service.make(made)]
        lines = [Connection(keep, seat, visitors.Visitor("hash", "")) for seat in range(3)]
        for line in lines:
            await live.join(line)
        await live.hear(lines[0], Start(id=1))
        for number in itertools.count(2):
            table = live.table
            if table.over:
                break
            seat = luck.choice(table.asked())
            move = luck.choice(table.play.legal(seat))
            await live.hear(lines[seat], Move(id=number, ply=table.play.ply, move=move))
        live.stop()
    await service.store.close()
    return found
