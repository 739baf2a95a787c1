"""What bots know of Abraca...What?, one sentence a test."""

from itertools import pairwise

import pytest

from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.memory import Past
from spellheist.core.play import new
from spellheist.core.state import CHANCE, HIDDEN
from spellheist.games.abraca_what import rules
from spellheist.games.abraca_what.rules import GO_ON, REFILL, SHOW, STOP, TAKE
from spellheist.games.abraca_what.test_rules import at, call
from spellheist.lab.match import play_match

only_fast = pytest.mark.skipif(kernel.MODE != "fast", reason="searches in earnest, which takes long when not compiled")

GAME = find("abraca_what")
KNOWN = GAME.bot

VARIANTS = [
    (2, {}), (3, {"easy": True}), (4, {"last_standing": True}), (5, {"strict_calls": True}), (2, {"die_faces": [0, 0, 1]}),
]  # fmt: skip


def row(s):
    """A plain state as the kernels take it."""
    rows = kernel.rows(rules.State, 1)
    kernel.load(rules.State, rows, 0, rules.State.pack(s))
    return rows


def plain(rows):
    return rules.State.unpack(kernel.dump(rules.State, rows, 0))


def advice(s, seat):
    """The weight of each legal move, from a view or a state."""
    rows, moves, weights = row(s), kernel.shorts(rules.MOVES), kernel.reals(rules.MOVES)
    n = GAME.verbs.legal(rows, 0, moves)
    KNOWN.advise(rows[0], seat, moves, n, weights)
    return {int(moves[i]): float(weights[i]) for i in range(n)}


def best(play):
    """The move that is advised most, from the view of whose turn it is."""
    advised = advice(play.view(play.turn), play.turn)
    return max(advised, key=advised.get)


def shares(points, caster=0, **options):
    s = at([[8] * 5, [7] * 5, [6] * 5][: len(points)], points=points, **options).state
    s.phase, s.caster, out = SHOW, caster, kernel.reals(rules.SEATS)
    KNOWN.value(row(s)[0], out)
    return [float(share) for share in out[: len(points)]]


def random_plies(seed, seats, options, plies=150):
    """A game of random moves that calls right more often than wrong; told before each ply."""
    play, luck = new("abraca_what", seats, options), Luck(seed)
    while not play.over and play.ply < plies:
        yield play
        if play.turn == CHANCE:
            play.roll(luck)
            continue
        s, moves = play.state, play.legal()
        right = [move for move in moves if move in s.hand[play.turn]]
        moves = right if right and luck.below(3) else moves
        play.play(moves[luck.below(len(moves))])


def worlds(view, count, seed):
    """Worlds that fit a view."""
    generators = rngs(1)
    start(generators, 0, seed)
    for _ in range(count):
        rows = row(view)
        GAME.verbs.imagine(rows, 0, generators, 0)
        yield plain(rows)


# Rules of thumb.


def test_a_number_that_lies_in_sight_is_not_called():
    play = at([[1, 2, 3, 4, 4], [8, 8, 8, 8, 8]], taken=[[8, 8, 8], []])
    assert best(play) != 8
    assert advice(play.view(0), 0)[8] < 0.01


def test_a_number_that_failed_is_not_called_again():
    play = at([[1, 2, 3, 4, 4], [5, 6, 7, 7, 7]])
    before = advice(play.view(0), 0)
    call(play, 8, 7)  # the first seat has no 8, the second a 7
    play.play(STOP)
    play.chance(4)
    after = advice(play.view(0), 0)
    assert after[8] < before[8] / 10
    assert best(play) != 8


def test_a_call_that_is_certain_is_made_before_it_is_stopped():
    play = at([[7, 7, 7, 8, 8], [1, 2, 3, 4, 5]], taken=[[6, 6, 6, 6], []], pile=0)
    call(play, 7)
    assert play.state.phase == GO_ON
    assert best(play) in (7, 8)


def test_when_little_is_left_above_one_stops():
    play = at([[1, 2, 3, 5, 8], [8, 8, 8, 8, 8]], taken=[[8, 6, 6, 6], []])
    call(play, 8)
    assert best(play) == STOP


def test_lives_that_cannot_be_gained_are_not_called_for():
    """With all six lives Magic Drink does nothing, and the fireball is as likely."""
    full = at([[2, 3, 4, 5, 8], [8, 6, 6, 5, 4]])
    hurt = at([[2, 3, 4, 5, 8], [8, 6, 6, 5, 4]], lives=[4, 6])
    assert best(full) == 7
    assert advice(hurt.view(0), 0)[8] > advice(full.view(0), 0)[8]


def test_the_neighbour_with_one_life_is_the_one_to_hurt():
    stones = [[1, 2, 3, 4, 5], [8, 8, 5, 5, 7], [8, 8, 5, 4, 6]]  # of 6 and 7 six stones each are unseen or fewer
    left, right = at(stones, lives=[6, 1, 6]), at(stones, lives=[6, 6, 1])
    assert advice(left.view(0), 0)[6] > advice(left.view(0), 0)[7]
    assert advice(right.view(0), 0)[7] > advice(right.view(0), 0)[6]


def test_a_strict_call_that_is_too_low_is_hardly_advised():
    play = at([[1, 2, 3, 4, 8], [7, 7, 6, 6, 5]], strict_calls=True)
    call(play, 8)
    advised = advice(play.view(0), 0)
    assert all(advised[spell] < advised[STOP] / 5 for spell in range(1, 8))


@pytest.mark.parametrize(("seats", "options"), VARIANTS)
def test_advice_is_the_same_in_the_view_and_in_every_world_that_fits_it(seats, options):
    asked = 0
    for play in random_plies(seats, seats, options):
        if play.turn != CHANCE:
            asked += 1
            view = play.view(play.turn)
            told = advice(view, play.turn)
            assert all(weight > 0 for weight in told.values())
            assert told == advice(play.state, play.turn)
            for world in worlds(view, 2, play.ply):
                assert told == advice(world, play.turn)
    assert asked > 20


def test_the_chance_of_a_miss_is_exact():
    play = at([[1, 2, 3, 4, 5], [6, 6, 7, 7, 8]])
    call(play, 8, 7)  # a miss of the first seat, a hit of the second from the third place
    play.play(STOP)
    play.chance(1 if play.state.deck[1] else 2)
    view, chances = play.view(0), kernel.reals(rules.MOVES)
    KNOWN.misses(row(view)[0], 0, 1, chances)
    count = 4000
    missed = [0] * rules.MOVES
    for world in worlds(view, count, 5):
        for kind in range(1, rules.KINDS):
            missed[kind] += kind not in world.hand[0]
    for kind in range(1, rules.KINDS):
        spread = (chances[kind] * (1 - chances[kind]) / count) ** 0.5
        assert abs(missed[kind] / count - chances[kind]) <= 4 * spread + 1e-9
    assert chances[8] == 1


# What points are worth.


@pytest.mark.parametrize("options", [{}, {"last_standing": True}, {"easy": True}])
@pytest.mark.parametrize("points", [[0, 0], [7, 3], [2, 5, 7]])
def test_shares_of_the_win_sum_to_one(points, options):
    assert sum(shares(points, **options)) == pytest.approx(1)
    assert all(0 < share < 1 for share in shares(points, **options))


@pytest.mark.parametrize("options", [{}, {"last_standing": True}])
@pytest.mark.parametrize("others", [[0], [4], [7], [0, 7], [3, 3]])
def test_more_points_are_never_worse_for_a_seat_nor_better_for_its_rivals(others, options):
    told = [shares([mine, *others], **options) for mine in range(8)]
    for less, more in pairwise(told):
        assert more[0] >= less[0]
        assert all(now <= before for before, now in zip(less[1:], more[1:], strict=True))
    assert told[7][0] > told[0][0] + 0.15


def test_who_begins_the_next_round_is_a_little_better_off():
    assert shares([3, 3], caster=1)[0] > 0.5 > shares([3, 3], caster=0)[0]


# Looking back.


@pytest.mark.parametrize(("seats", "options"), VARIANTS)
def test_what_was_filled_in_one_ply_back_leads_to_the_world_it_came_from(seats, options):
    """Whatever world a seat imagines, going back ply by ply gives a history that fits all its earlier views."""
    walked = 0
    for play in random_plies(seats, seats, options):
        if play.turn == CHANCE or play.ply % 3:
            continue
        seat = play.turn
        past = play.recall(seat)
        for world in worlds(play.view(seat), 1, play.ply):
            later = world
            for ply in range(len(past) - 1, -1, -1):
                s = rules.State.unpack(past.views[ply])
                if s.stage != later.stage or s.phase in (SHOW, rules.DEAL):
                    break
                who, move = past[ply]
                rows = row(s)
                KNOWN.earlier(rows[0], seat, row(later)[0], who, move)
                s = plain(rows)
                if move == HIDDEN:
                    assert s.phase in (REFILL, TAKE)
                    move = later.hand[seat][s.held[seat]] if s.phase == REFILL else later.taken[s.caster][s.takes[s.caster]]
                GAME.verbs.play(rows, 0, move)
                assert plain(rows) == later
                later, walked = s, walked + 1
    assert walked > 100


@only_fast
def test_a_rival_who_calls_something_unlikely_tells_that_the_likely_stones_are_with_you():
    """The rival sees five 8s in the other hand, so it calls 7; from there, 8s become likelier."""
    from spellheist.bots.search import Bot

    play = at([[8, 8, 8, 8, 8], [7, 6, 5, 4, 3]], caster=1, taken=[[], []], lives=[6, 3])
    assert best(play) != 8
    play.play(best(play))
    while play.turn != 0:
        if play.turn == CHANCE:
            play.chance(max(kind for kind, odds in enumerate(play.odds()) if odds and kind < 8))
        else:
            play.play(STOP)
    bot = Bot(GAME, iterations=1000)
    view, past = play.view(0), play.recall(0)

    def eights(past):
        bot.think(view, 0, past, Luck(1))
        pool, picks = bot.picked
        return [sum(8 in pool[i].hand[0][:5] for i in picks), len(picks)]

    found, count = eights(past)
    assert count
    plain = sum(8 in world.hand[0] for world in worlds(view, 1000, 3)) / 1000
    assert found / count > plain
    assert eights(Past(list(past), []))[1] == 0


# Strength.


def test_greedy_beats_random():
    share, error = play_match("abraca_what", ["greedy", "random"], 100).share(0)
    assert share - error > 0.9


@only_fast
def test_a_search_that_looks_back_beats_greedy():
    share, error = play_match("abraca_what", ["master@200", "greedy"], 40).share(0)
    assert share - error > 0.5
