"""Bots: they see views only, answer what the seat may play, and think as long as they were told."""

import json
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from spellheist.bots import LEVELS, NAMES, bot, honesty
from spellheist.bots.belief import FEW
from spellheist.bots.elsewhere import Bot as Elsewhere
from spellheist.bots.knowledge import own_moves
from spellheist.bots.search import Bot as Search
from spellheist.bots.thinker import MOVE, THOUGHTS, question
from spellheist.bots.worker import answer
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.laws.check import Broken, Variant


def decisions(name, seats, seed, every=7, options=None):
    """Positions of a random game in which a seat is asked."""
    play, luck = new(name, seats, options), Luck(seed)
    while play.asks(luck):
        if play.ply % every == 0:
            yield play
        play.play(play.legal()[luck.below(len(play.legal()))])


def test_an_unknown_bot_and_an_odd_budget_are_refused():
    game = find("abraca_what")
    with pytest.raises(Refused, match=r"no bot 'mastr'.*Did you mean master\?"):
        bot("mastr", game)
    for name in ("master@0", "master@-5", "master@fast", "master@0ms", "master@", "sharp@1.5"):
        with pytest.raises(Refused, match="budget"):
            bot(name, game)
    with pytest.raises(Refused, match="takes no budget"):
        bot("random@5", game)
    with pytest.raises(Refused, match="above zero"):
        Search(game)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("player", ["random", "greedy", "gentle"])
def test_a_bot_plays_a_whole_game_with_legal_moves(name, player):
    game = find(name)
    made, dice, luck = bot(player, game), Luck(3), Luck(4)
    play = new(name, game.seats[-1], {"turn_limit": 9} if any(o.name == "turn_limit" for o in game.options) else {})
    for _ in range(120):
        play.roll_all(dice)
        if play.over:
            return
        seat = play.turn
        assert made.choose(play.view(seat), seat, play.recall(seat), luck) in play.legal(seat)
        play.play(play.legal(seat)[luck.below(len(play.legal(seat)))], seat)


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [("abraca_what", 3, ()), ("spell_stealers", 3, (("stealing", "race"),)), ("spellcaster", 4, ())],
)
def test_what_a_seat_does_not_know_does_not_matter_to_its_bot(name, seats, options, monkeypatch):
    monkeypatch.setattr(honesty, "DECISIONS", 4)
    assert honesty.Walker(find(name)).walk(Variant(seats, options), 3) == 4


def test_a_bot_that_peeks_is_found_out():
    """This one looks at its own stones in Abraca...What?, where a view hides them: the advice differs by world."""

    def advised(worlds, i, seat, moves, weights):
        moves[0], weights[0] = 1, float(worlds[i].hand[seat][0])
        return 1

    walker = honesty.Walker(find("abraca_what"))
    walker.advice = SimpleNamespace(advised=advised)
    with pytest.raises(Broken, match="The advice differs in worlds that look the same: abraca_what, 2 seats, seed 1, ply"):
        walker.walk(Variant(2), 1)


def test_a_bot_that_remembers_more_than_its_past_is_found_out():
    class Moody:
        calls = 0

        def choose(self, view, seat, past, rng):
            self.calls += 1
            return self.calls

    walker = honesty.Walker(find("abraca_what"))
    other = Moody()
    other.calls = 5
    walker.pairs = [("moody", Moody(), other)]
    with pytest.raises(Broken, match="The bot moody moves differently"):
        walker.walk(Variant(2), 1)


def test_thoughts_are_of_legal_moves_and_their_shares_sum_to_one():
    game = find("dice_heist")
    search = Search(game, iterations=60)
    for play in islice(decisions("dice_heist", 2, 1, 17), 5):
        thoughts = search.think(play.view(play.turn), play.turn, [], Luck(2))
        assert {thought.move for thought in thoughts} == set(play.legal())
        assert sum(thought.share for thought in thoughts) == pytest.approx(1)
        assert all(0 <= thought.chance <= 1 and thought.error >= 0 for thought in thoughts)
        assert thoughts == sorted(thoughts, key=lambda thought: -thought.share)


@pytest.mark.parametrize("name", ["dice_heist", "abraca_what"])
def test_a_search_counts_its_iterations_on_all_threads(name):
    game = find(name)
    *_, play = islice(decisions(name, 2, 1, 1), 12)
    for threads in (1, 2, 3):
        search = Search(game, iterations=30, threads=threads)
        thoughts = search.think(play.view(play.turn), play.turn, play.recall(play.turn), Luck(2))
        assert search.done == 30 * threads
        assert sum(thought.share for thought in thoughts) == pytest.approx(1)


def test_worlds_are_weighed_on_all_threads_and_none_is_picked_that_was_not():
    game = find("abraca_what")
    *_, play = islice(decisions("abraca_what", 2, 1, 1), 12)
    for threads in (1, 2, 3):
        search = Search(game, iterations=50, threads=threads)
        search.think(play.view(play.turn), play.turn, play.recall(play.turn), Luck(2))
        _, picks = search.picked
        assert len(picks) == 50
        assert all(search.belief.chances[world] > 0 for world in picks)
        search.seconds = 1e-9  # no time but for the first worlds of each part
        search.think(play.view(play.turn), play.turn, play.recall(play.turn), Luck(2))
        assert all(search.belief.chances[world] > 0 for world in search.picked[1])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_without_a_deadline_every_world_is_weighed_up_to_the_last(threads):
    *_, play = islice(decisions("abraca_what", 2, 1, 1), 12)
    search = Search(find("abraca_what"), iterations=50, threads=threads)
    search.think(play.view(play.turn), play.turn, play.recall(play.turn), Luck(2))
    assert len(search.belief.chances) == 50 and all(chance > 0 for chance in search.belief.chances)


def test_at_the_deadline_worlds_are_picked_from_those_for_which_there_was_time(monkeypatch):
    *_, play = islice(decisions("abraca_what", 2, 1, 1), 12)
    search = Search(find("abraca_what"), iterations=200)
    own_moves(search.game, search.views, play.view(play.turn), play.turn)
    clock = iter((0, 1, 2))
    monkeypatch.setattr("spellheist.bots.belief.time", SimpleNamespace(perf_counter=lambda: next(clock)))
    _, picks = search.belief.weigh(search.views, play.turn, play.recall(play.turn), Luck(2), 2, search.shared)
    assert [chance > 0 for chance in search.belief.chances] == [True] * 2 * FEW + [False] * (200 - 2 * FEW)
    assert len(picks) == 2 * FEW and max(picks) < 2 * FEW


@pytest.mark.parametrize("name", names())
def test_a_choice_that_ends_early_is_the_one_that_the_whole_search_would_have_made(name, monkeypatch):
    monkeypatch.setattr("spellheist.bots.search.CHUNK", 0)  # asked after every iteration
    search, done = Search(find(name), iterations=120), []
    for play in islice(decisions(name, 2, 1), 8):
        asked = play.view(play.turn), play.turn, play.recall(play.turn)
        if len(play.legal()) > 1:
            whole = search.think(*asked, Luck(2))[0]
            assert search.done == 120
            assert search.choose(*asked, Luck(2)) == whole.move
            done.append(search.done)
    assert min(done) < 120


def test_advice_counts_by_its_share_however_large_its_numbers_are():
    """Of two moves the second has brought more, and the first is advised three times as much."""
    search, moves = Search(find("mages_dice"), iterations=1).search, [0, 1]
    visits, offered, won = (np.zeros(search.COLUMNS) for _ in range(3))
    first, second = (search.column(move) for move in moves)
    for explore, chosen in ((0.5, 1), (1.0, 0)):
        for scale in (0.1, 1.0, 10.0):
            visits[[first, second]], offered[[first, second]], won[[first, second]] = 4, 7, (2.0, 2.4)
            weights = [3 * scale, 1 * scale]
            assert search.select(visits, offered, won, moves, 2, weights, explore, 0.5) == chosen


@pytest.mark.parametrize("name", names())
def test_what_a_move_is_worth_is_thought_about_that_move_alone(name):
    search = Search(find(name), iterations=60)
    for play in islice(decisions(name, 2, 1, 17), 4):
        asked = play.view(play.turn), play.turn, play.recall(play.turn)
        for move in play.legal()[:3]:
            thought = search.worth(*asked, Luck(2), move)
            assert (thought.move, thought.share) == (move, 1)
            assert thought == search.worth(*asked, Luck(2), move)
        with pytest.raises(Refused, match="cannot make move 9999"):
            search.worth(*asked, Luck(2), 9999)


def test_a_search_takes_a_win_that_is_there():
    """Nobody has an 8 in sight but the seat itself: all others are cast, so the last stone must be one."""
    position = {
        "caster": 0, "turn": 0, "phase": 2, "held": [1, 2, 0, 0, 0], "lives": [6, 6, 0, 0, 0], "pile": 0, "secrets": 4,
        "hand": [[8, 0, 0, 0, 0], [6, 6, 0, 0, 0], *[[0] * 5] * 3], "never": [[0b10000, 0, 0, 0, 0], *[[0] * 5] * 4],
        "deck": [0, 0, 0, 0, 4, 0, 0, 0, 0], "board": [0, 1, 2, 3, 0, 5, 4, 7, 7],
    }  # fmt: skip
    play = new("abraca_what", 2, {"starter": 0}, position=position)
    thoughts = Search(find("abraca_what"), iterations=300).think(play.view(0), 0, [], Luck(1))
    assert thoughts[0].move == 8


def test_levels_think_longer_the_stronger_they_are():
    assert list(LEVELS) == ["gentle", "steady", "sharp", "master"]
    assert sorted(LEVELS.values()) == list(LEVELS.values())
    assert set(LEVELS) < set(NAMES)


def test_a_worker_answers_thoughts_is_started_anew_when_it_dies_and_passes_refusals_on():
    game = find("dice_heist")
    play = next(decisions("dice_heist", 2, 1, 1))
    player = Elsewhere("gentle", game)
    try:
        ask = (play.view(play.turn), play.turn, play.recall(play.turn), Luck(1))
        assert player.choose(*ask) in play.legal()
        player.thinker.process.kill()
        player.thinker.process.wait()
        assert player.choose(*ask) in play.legal()
        player.name = "nobody"
        with pytest.raises(Refused, match="no bot"):
            player.think(*ask)
    finally:
        player.close()


def test_a_worker_gets_a_view_and_nothing_else():
    asked = {}

    class Spy(Elsewhere):
        def answer(self, question, patience):
            asked.update(question)
            return 1

    play = new("abraca_what", 2, {"starter": 0})
    play.roll_all(Luck(1))
    Spy("master", find("abraca_what")).choose(play.view(0), 0, play.recall(0), Luck(1))
    assert asked.keys() == {"wants", "game", "bot", "view", "seat", "past", "views", "seed"}
    assert bytes.fromhex(asked["view"]) != play.bytes
    assert json.loads(json.dumps(asked["past"])) == [list(ply) for ply in play.past(0)]
    assert [bytes.fromhex(view) for view in asked["views"]] == play.recall(0).views


def test_a_worker_that_is_asked_for_a_move_chooses_and_thinks_to_the_end_only_for_thoughts():
    game = find("dice_heist")
    for play in islice(decisions("dice_heist", 2, 3, 5), 6):
        seat = play.turn
        packed, past = game.rules.State.pack(play.view(seat)), play.recall(seat)
        search = Search(game, iterations=120)
        made = {("steady", "dice_heist"): search, ("greedy", "dice_heist"): bot("greedy", game)}
        move = answer(question(MOVE, "steady", game, packed, seat, past, 7), made)[MOVE]
        assert move == search.choose(play.view(seat), seat, past, Luck(7))
        found = answer(question(THOUGHTS, "steady", game, packed, seat, past, 7), made)[THOUGHTS]
        assert search.done == 120
        assert {thought["move"] for thought in found} == set(play.legal())
    with pytest.raises(Refused, match="greedy does not search"):
        answer(question(THOUGHTS, "greedy", game, packed, seat, past, 7), made)


def test_a_worker_finds_a_game_in_a_folder_of_its_own():
    game = find(str(Path(__file__).parents[1] / "examples" / "pig"))
    play = new(game, 2)
    play.roll_all(Luck(1))
    player = Elsewhere("gentle", game)
    player.thinker.mode = "plain"  # one compiled worker among these tests is enough
    try:
        assert player.choose(play.view(play.turn), play.turn, play.recall(play.turn), Luck(1)) in play.legal()
    finally:
        player.close()


def test_a_bot_that_thinks_for_ever_ends_with_whoever_asked_it(tmp_path):
    (tmp_path / "own.py").write_text("def choose(view, seat, past, rng):\n    while True:\n        pass\n")
    code = (
        "from spellheist.bots import bot, warm\nfrom spellheist.core.game import find\n"
        "made = bot('own.py', find('dice_heist'))\nprint(made.thinker.process.pid, flush=True)\nwarm(made, made.game)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as asks:
        worker = int(asks.stdout.readline())
        asks.kill()
    for _ in range(200):
        if not Path(f"/proc/{worker}/cmdline").is_file() or not Path(f"/proc/{worker}/cmdline").read_bytes():
            break
        time.sleep(0.1)
    else:
        pytest.fail("it goes on")


def test_the_end_of_input_ends_a_worker():
    process = subprocess.Popen([sys.executable, "-m", "spellheist.bots.worker"], stdin=subprocess.PIPE)
    process.stdin.close()
    for _ in range(200):
        if process.poll() is not None:
            break
        time.sleep(0.1)
    assert process.returncode == 0
