"""The tables of the page: every game's `table.js` is drawn by Node over scenes of random games, for each seat and for a
watcher, with all seat counts and options, and never throws, offers only legal moves, and lacks no word.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from spellheist.core import state as sentinels
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import new
from spellheist.core.state import CHANCE, WATCHER
from spellheist.laws.check import variants

NAMES = ["Ann", "Bartholomew the Bold", "Cy", "Dee", "Eve", "Fay"]
DRAWN = [name for name in names() if (find(name).folder / "table.js").is_file()]


def numbers(module):
    """The whole numbers that a module names in capitals."""
    return {k: v for k, v in vars(module).items() if k.isupper() and isinstance(v, int) and not isinstance(v, bool)}


def shown(view, game):
    return {field: getattr(view, field) for field in game.rules.State.fields}


def scenes(name, seats, options=None, seed=1, plies=300, lookers=None):
    """A random game as it is drawn: what each seat and a watcher get after each decision and the chance that follows."""
    game = find(name)
    play, luck = new(name, seats, options, NAMES[:seats]), Luck(seed)
    cards = getattr(game.words, "cards", None)
    fixed = {
        "seats": seats,
        "names": play.names,
        "sides": [int(game.rules.side(play.state, seat)) for seat in range(seats)],
        "c": {**numbers(sentinels), **numbers(game.rules)},
        "cards": cards(play.state) if cards else None,
    }
    lookers = lookers or [*range(seats), WATCHER]
    before = dict.fromkeys(lookers)
    news = {looker: [] for looker in lookers}
    while True:
        views = {looker: play.view(looker) for looker in lookers}
        for looker in lookers:
            seat = None if looker == WATCHER else looker
            yield {
                **fixed,
                "view": shown(views[looker], game),
                "before": before[looker],
                "seat": seat,
                "moves": [] if seat is None else list(play.moves(seat).items()),
                "last": news[looker],
                "over": play.over,
                "score": play.score() if play.over else None,
            }
        if play.over or play.ply >= plies:
            return
        before = {looker: shown(views[looker], game) for looker in lookers}
        news = {looker: [] for looker in lookers}
        alone = luck.below(4) == 0  # now and then the chance that follows a decision comes by itself
        while True:
            then = {looker: play.view(looker) for looker in lookers}
            if play.turn == CHANCE:
                ply = play.roll(luck)
            else:
                moves = play.legal()
                ply = play.play(moves[luck.below(len(moves))])
            for looker in lookers:
                move = play.past(looker)[-1][1]
                sentence = game.words.news(then[looker], move, play.view(looker), play.names)
                news[looker].append({"who": ply.who, "move": move, "sentence": sentence})
            if play.turn != CHANCE or alone:
                break


@pytest.mark.skipif(shutil.which("node") is None, reason="drawing a table outside a browser needs node")
@pytest.mark.parametrize("name", DRAWN)
def test_a_table_draws_every_scene_and_offers_only_legal_moves(name):
    lines = [
        json.dumps(scene)
        for number, variant in enumerate(variants(find(name)))
        for scene in scenes(name, variant.seats, dict(variant.options), number, 60, [number % variant.seats, WATCHER])
    ]
    for seats in find(name).seats:  # to the end of a game
        lines += [json.dumps(scene) for scene in scenes(name, seats, seed=seats, plies=1500, lookers=[seats - 1])][-200:]
    assert len(lines) > 1000
    drawn = subprocess.run(
        ["node", str(Path(__file__).with_name("draw.mjs")), str(find(name).folder)],
        input="\n".join(lines), capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert drawn.returncode == 0, drawn.stderr[-3000:]
    report = json.loads(drawn.stdout)
    assert report["scenes"] == len(lines)
    assert report["buttons"] > 100
