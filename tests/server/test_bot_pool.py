"""Bots in processes of their own: who answers while their code is being compiled."""

import asyncio
import json
import os
import signal
import sys

import pytest

from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.server.process.bot_pool import Pool, Stopped
from spellheist.server.process.supervisor import Delay

GAME = find("dice_heist")
WORKER = """
import json, os, pathlib, sys, time
mode = os.environ["SPELLHEIST_KERNEL"]
while mode == "fast" and not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({question["wants"]: f"{mode} {question['bot']}"}), flush=True)
"""


def test_until_a_bot_is_compiled_a_plain_one_answers_in_its_place(tmp_path):
    compiled = tmp_path / "compiled"
    play = new(GAME, 2)
    play.roll_all(Luck(1))
    view, past = GAME.rules.State.pack(play.view(play.turn)), play.recall(play.turn)

    async def story():
        pool = Pool(1, [sys.executable, "-c", WORKER, str(compiled)], mode="fast")
        said = []

        async def ask(level):
            said.append(await pool.think(level, GAME, view, play.turn, past))

        try:
            await ask("master")
            await ask("greedy")
            compiled.touch()
            await pool.begin_to_warm(GAME)
            await ask("master")
        finally:
            await pool.close()
        return said

    assert asyncio.run(story()) == ["plain gentle", "plain greedy", "fast master"]


def test_while_another_game_is_compiled_a_plain_bot_answers_for_one_that_is_ready(tmp_path):
    compiled, other = tmp_path / "compiled", find("mages_dice")
    compiled.touch()
    play = new(GAME, 2)
    play.roll_all(Luck(1))
    view, past = GAME.rules.State.pack(play.view(play.turn)), play.recall(play.turn)

    async def story():
        pool = Pool(1, [sys.executable, "-c", WORKER, str(compiled)], mode="fast")
        try:
            await pool.begin_to_warm(GAME)
            pool.thinkers[0].stop()
            compiled.unlink()  # whatever is asked now takes until it is there
            warming = pool.begin_to_warm(other)
            while not pool.free.empty():
                await asyncio.sleep(0.01)
            said = await pool.think("master", GAME, view, play.turn, past)
            compiled.touch()
            assert await warming
            return said, await pool.think("master", GAME, view, play.turn, past)
        finally:
            await pool.close()

    assert asyncio.run(story()) == ("plain gentle", "fast master")


def test_a_question_holds_a_view_and_a_past_and_nothing_else():
    asked = {}
    play = new(GAME, 2)
    play.roll_all(Luck(1))

    async def story():
        pool = Pool(1, mode="plain")

        async def answer(free, question):
            asked.update(question)
            return []

        pool.answer = answer
        await pool.think("gentle", GAME, GAME.rules.State.pack(play.view(0)), 0, play.recall(0))

    asyncio.run(story())
    assert json.loads(json.dumps(asked)).keys() == {"wants", "game", "bot", "view", "seat", "past", "views", "seed"}


def asked():
    """A view of the game, the seat that is to move, and its past."""
    play = new(GAME, 2)
    play.roll_all(Luck(1))
    return GAME.rules.State.pack(play.view(play.turn)), play.turn, play.recall(play.turn)


def loops():
    """Each way in which a server may run: their errors differ where a pipe is closed."""
    found = [asyncio.run]
    if sys.platform != "win32":
        import uvloop

        found.append(uvloop.run)
    return found


@pytest.mark.parametrize("run", loops())
@pytest.mark.parametrize("told", ["at once", "when that is known"])
def test_a_process_that_died_while_idle_is_replaced_at_the_next_question(run, told, tmp_path):
    compiled = tmp_path / "compiled"
    compiled.touch()

    async def story():
        pool = Pool(1, [sys.executable, "-c", WORKER, str(compiled)], mode="fast")
        try:
            await pool.begin_to_warm(GAME)
            process = pool.thinkers[0].process
            os.kill(process.pid, signal.SIGKILL)
            if told != "at once":
                process.wait()
            return await pool.think("master", GAME, *asked()), pool.replaced
        finally:
            await pool.close()

    assert run(story()) == ("fast master", 1)


@pytest.mark.parametrize("run", loops())
def test_a_question_that_kills_every_process_stops_the_bot_and_no_other(run, tmp_path):
    compiled = tmp_path / "compiled"
    compiled.touch()
    script = WORKER.replace("    print", "    if question['bot'] == 'master': os._exit(1)\n    print")

    async def story():
        pool = Pool(1, [sys.executable, "-c", script, str(compiled)], mode="fast")
        try:
            await pool.begin_to_warm(GAME)
            for _ in range(3):
                with pytest.raises(Stopped):
                    await pool.think("master", GAME, *asked())
                assert await pool.think("gentle", GAME, *asked()) == "fast gentle"
            return pool.supervisor.faults["bot"]
        finally:
            await pool.close()

    assert run(story()) == 6, "each question was asked twice"


@pytest.mark.parametrize("said", ["nonsense", "[]", "{}", "7", ""])
def test_what_is_no_answer_is_none_and_the_process_is_replaced(said):
    script = f"import sys\nfor line in sys.stdin: print({said!r}, flush=True)"

    async def story():
        pool = Pool(1, [sys.executable, "-c", script], mode="plain")
        try:
            with pytest.raises(Stopped):
                await pool.choose("random", GAME, *asked())
            return pool.replaced
        finally:
            await pool.close()

    assert asyncio.run(story()) == 1


def test_a_warm_up_that_fails_is_tried_again_and_meanwhile_plain_bots_answer(tmp_path, monkeypatch):
    monkeypatch.setattr(Delay.__init__, "__defaults__", (0.01, 0.02, Delay().clock))
    compiled, broken = tmp_path / "compiled", tmp_path / "broken"
    compiled.touch(), broken.touch()
    script = "import os, pathlib\n" + WORKER.replace(
        "    question =",
        f"    if mode == 'fast' and pathlib.Path({str(broken)!r}).exists(): os._exit(1)\n    question =",
    )

    async def story():
        pool = Pool(1, [sys.executable, "-c", script, str(compiled)], mode="fast")
        try:
            warming = pool.begin_to_warm(GAME)
            while pool.supervisor.faults["warming"] < 2:
                await asyncio.sleep(0.01)
            first = await pool.think("master", GAME, *asked())
            broken.unlink()
            await warming
            return first, await pool.think("master", GAME, *asked())
        finally:
            await pool.close()

    assert asyncio.run(story()) == ("plain gentle", "fast master")
