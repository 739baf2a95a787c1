"""Where anyone may move: who is asked, what bots may answer, and what a search expects."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from spellheist.bots import bot, knowledge
from spellheist.bots.search import Bot as Search
from spellheist.core import kernel
from spellheist.core.contract import bot as contract
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import ANYONE, CHANCE, NONE
from spellheist.games.spell_stealers.rules import ASK, CHOOSE, DECLINE, POLITE, STEAL
from spellheist.games.spell_stealers.solve import usual

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
            alone = search.worth(live.view(1), 1, [], Luck(3), thought.move)
            assert alone.chance == pytest.approx(chance, abs=0.04 + 3 * alone.error)


def test_each_rival_is_as_likely_to_be_asked_first_and_the_one_the_table_waits_for_is_asked_last():
    game = find("spell_stealers")
    known = SimpleNamespace(advise=contract.advise)
    advice = game.bound(Path(knowledge.__file__).parent / "templates" / "advice.py", known=known)
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
