"""Bots: they see views only, answer what the seat may play, and think as long as they were told."""

import json
import subprocess
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest

from spellheist.bots import LEVELS, NAMES, bot, knowledge
from spellheist.bots.search import Bot as Search
from spellheist.bots.worker import Thinker
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Refused, find, names
from spellheist.core.play import new
from spellheist.core.state import ANYONE, CHANCE, NONE
from spellheist.games.spell_stealers.rules import ASK, CHOOSE, DECLINE, POLITE, STEAL
from spellheist.games.spell_stealers.solve import usual


def decisions(name, seats, seed, every=7, options=None):
    """Positions of a random game in which a seat is asked."""
    play, luck = new(name, seats, options), Luck(seed)
    while not play.over:
        if play.turn == CHANCE:
            play.roll(luck)
            continue
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


@pytest.mark.parametrize(("name", "options"), [("abraca_what", {}), ("spell_stealers", {"stealing": "race"})])
@pytest.mark.parametrize("player", ["greedy", "gentle"])
def test_in_worlds_that_look_the_same_the_same_seed_gives_the_same_move(name, options, player):
    game = find(name)
    made = bot(player, game)
    schema = game.rules.State
    states, generators = kernel.rows(schema, 1), rngs(1)
    start(generators, 0, 9)
    for play in islice(decisions(name, 3, 5, 13, options), 6):
        seat, past = play.turn, play.recall(play.turn)
        moves = set()
        for _ in range(3):
            kernel.load(schema, states, 0, schema.pack(play.view(seat)))
            game.door.imagine(states, 0, generators, 0)
            game.door.hide(states, 0, seat)
            view = schema.unpack(kernel.dump(schema, states, 0))
            moves.add(made.choose(view, seat, past, Luck(1)))
        assert len(moves) == 1


# Where anyone may move.

LIVE = {"stealing": "live", "turn_limit": 12}


@pytest.mark.parametrize("player", ["random", "greedy", "gentle@6"])
def test_where_anyone_may_move_a_bot_answers_a_move_of_its_own_or_waits_unless_the_table_waits_for_it(player):
    made, luck, dice, waited = bot(player, find("spell_stealers")), Luck(4), Luck(3), 0
    play = new("spell_stealers", 3, LIVE)
    for _ in range(60):
        play.roll_all(dice)
        if play.over:
            break
        seats = play.askable(luck)
        assert seats[-1] == play.state.current == play.owner(play.legal()[0])
        assert len(set(seats)) == len(seats)
        assert all(play.legal(seat) for seat in seats)
        for seat in seats:
            move = made.choose(play.view(seat), seat, play.past(seat), luck)
            if move != NONE:
                play.play(move, seat)
                break
            waited += 1
            assert seat != seats[-1]
    assert waited > 0


def test_a_seat_that_has_nothing_left_to_do_waits():
    play = window(2, "seat 1 steals with pyramid", "seat 1 rolls pyramid 1")
    assert play.turn == ANYONE and not play.legal(1)
    for player in ("random", "greedy", "gentle"):
        assert bot(player, find("spell_stealers")).choose(play.view(1), 1, play.past(1), Luck(1)) == NONE


def window(seats, *said, die="orb", number="7 yellow", **position):
    """Live: seat 0 has found an artifact, and its window is open."""
    each = {name: value + [0] * (6 - len(value)) if isinstance(value, list) else value for name, value in position.items()}
    fields = {"turn": ANYONE, "phase": CHOOSE, "current": 0, "starter": 0, "roller": NONE, **each}
    play = new("spell_stealers", seats, {"stealing": "live"}, position=fields)
    for word in (f"roll {die}", f"{die} {number}", "green or yellow", *said):
        play.chance(word) if play.turn == CHANCE else play.play(word)
    return play


def test_a_search_throws_the_die_that_wins_and_keeps_it_when_a_throw_can_only_lose():
    """The last turn of the last round. With this artifact seat 0 is ahead, unless it is stolen; later seat 1 is far
    ahead, and the artifact cannot be stolen but with the highest number."""
    search = Search(find("spell_stealers"), iterations=300)
    play = window(2, starter=1, last=1, pawn=[33, 36])
    stolen = {words: move for move, words in play.moves(1).items()}["seat 1 steals with orb"]
    thoughts = {thought.move: thought for thought in search.think(play.view(1), 1, [], Luck(1))}
    assert max(thoughts.values(), key=lambda thought: thought.share).move == stolen
    assert thoughts.keys() == {*play.legal(1), NONE}
    assert sum(thought.share for thought in thoughts.values()) == pytest.approx(1)
    top = window(2, number="12 green", starter=1, last=1, pawn=[33, 60])
    assert search.choose(top.view(1), 1, [], Luck(1)) == NONE


def test_for_two_seats_a_search_expects_of_live_what_is_exactly_so_when_they_are_asked_politely():
    """A single thief decides the same thing with the same odds, whether it is asked or presses."""
    search = Search(find("spell_stealers"), iterations=1_500)
    for pawn in ([0, 0], [20, 25], [30, 20]):
        live = window(2, pawn=pawn)
        asked = window(2, pawn=pawn).state
        asked.stealing, asked.turn, asked.phase = POLITE, 1, ASK
        exact = usual().chances(asked)
        thoughts = {thought.move: thought for thought in search.think(live.view(1), 1, [], Luck(3))}
        steal = next(thought for move, thought in thoughts.items() if move != NONE and thought.share > 0)
        for thought, chance in ((steal, exact[STEAL]), (thoughts[NONE], exact[DECLINE])):
            assert thought.chance == pytest.approx(chance, abs=0.04 + 3 * thought.error)


def test_each_rival_is_as_likely_to_be_asked_first_and_the_one_the_table_waits_for_is_asked_last():
    game = find("spell_stealers")
    known = SimpleNamespace(advise=knowledge.advise)
    advice = game.bound(Path(knowledge.__file__).parent / "bound" / "advice.py", known=known)
    play = window(4)
    states, generators = kernel.rows(game.rules.State, 1), rngs(1)
    kernel.load(game.rules.State, states, 0, play.bytes)
    start(generators, 0, 5)
    moves, weights = kernel.shorts(game.rules.MOVES + 1), kernel.reals(game.rules.MOVES + 1)

    def asked(waited):
        return advice.asked(states[0], waited, moves, weights, generators[0])

    first = Counter(asked(0) for _ in range(1_500))
    assert first.keys() == {1, 2, 3}
    assert all(430 < count < 570 for count in first.values())
    assert {asked(0b0010) for _ in range(100)} == {2, 3}
    assert {asked(0b1110) for _ in range(20)} == {0}


def test_thoughts_are_of_legal_moves_and_their_shares_sum_to_one():
    game = find("dice_heist")
    search = Search(game, iterations=60)
    for play in islice(decisions("dice_heist", 2, 1, 17), 5):
        thoughts = search.think(play.view(play.turn), play.turn, [], Luck(2))
        assert {thought.move for thought in thoughts} == set(play.legal())
        assert sum(thought.share for thought in thoughts) == pytest.approx(1)
        assert all(0 <= thought.chance <= 1 and thought.error >= 0 for thought in thoughts)
        assert thoughts == sorted(thoughts, key=lambda thought: -thought.share)


def test_a_search_counts_its_iterations_on_all_threads():
    game = find("dice_heist")
    play = next(decisions("dice_heist", 2, 1, 1))
    for threads in (1, 2):
        search = Search(game, iterations=30, threads=threads)
        search.think(play.view(play.turn), play.turn, [], Luck(2))
        assert search.done == 30 * threads


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
    thinker = Thinker("gentle", game)
    try:
        ask = (play.view(play.turn), play.turn, play.recall(play.turn), Luck(1))
        assert thinker.choose(*ask) in play.legal()
        thinker.process.kill()
        thinker.process.wait()
        assert thinker.choose(*ask) in play.legal()
        with pytest.raises(Refused, match="no bot"):
            Thinker.think(Named("nobody", game, thinker), *ask)
    finally:
        thinker.close()


class Named(Thinker):
    """A thinker that asks the worker of another."""

    def __init__(self, name, game, other):
        super().__init__(name, game)
        self.process = other.process


def test_a_worker_gets_a_view_and_nothing_else():
    asked = {}

    class Spy(Thinker):
        def ask(self, question):
            asked.update(question)
            return {"thoughts": [{"move": 1, "chance": 0.5, "error": 0.1, "share": 1.0}]}

    play = new("abraca_what", 2, {"starter": 0})
    play.roll_all(Luck(1))
    Spy("master", find("abraca_what")).choose(play.view(0), 0, play.recall(0), Luck(1))
    assert asked.keys() == {"game", "bot", "view", "seat", "past", "views", "seed"}
    assert bytes.fromhex(asked["view"]) != play.bytes
    assert json.loads(json.dumps(asked["past"])) == [list(ply) for ply in play.past(0)]
    assert [bytes.fromhex(view) for view in asked["views"]] == play.recall(0).views


def test_the_end_of_input_ends_a_worker():
    process = subprocess.Popen([sys.executable, "-m", "spellheist.bots.worker"], stdin=subprocess.PIPE)
    process.stdin.close()
    for _ in range(200):
        if process.poll() is not None:
            break
        time.sleep(0.1)
    assert process.returncode == 0
