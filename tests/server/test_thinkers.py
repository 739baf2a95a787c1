"""Bots in processes of their own: who answers while their code is being compiled."""

import asyncio
import json
import sys

from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.server.thinkers import Pool

GAME = find("dice_heist")
WORKER = """
import json, os, pathlib, sys, time
mode = os.environ["SPELLHEIST_KERNEL"]
while mode == "fast" and not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({question["asked"]: f"{mode} {question['bot']}"}), flush=True)
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
            await pool.thinkers[0].stop()
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
    assert json.loads(json.dumps(asked)).keys() == {"asked", "game", "bot", "view", "seat", "past", "views", "seed"}
