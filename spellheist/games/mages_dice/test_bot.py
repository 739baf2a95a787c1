"""What the bots of Mage's Dice know."""

from itertools import product

import pytest

from spellheist.bots import greedy
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE
from spellheist.games.mages_dice import bot
from spellheist.games.mages_dice.rules import CAST, DEFEND, MOVES, REFOCUS, REFRESH, SEATS, SHOW
from spellheist.games.mages_dice.test_rules import LETTERS, at
from spellheist.lab.match import play_match

GAME = find("mages_dice")
STATE = GAME.rules.State
ASK = greedy.Bot(GAME).advice


def attacked(arsenals, attack, pool, focus):
    """A position in which seat 0 is to answer an attack of the last seat."""
    seats = len(arsenals)
    return at(arsenals, pool, focus, phase=DEFEND, mage=seats - 1, played=[""] * (seats - 1) + [attack])


def advice(states, i):
    """The moves of whoever is asked, with their weights."""
    moves, weights = kernel.shorts(MOVES), kernel.reals(MOVES)
    seat = int(GAME.verbs.turn(states, i))
    count = ASK.advised(states, i, seat, moves, weights)
    return {int(moves[k]): float(weights[k]) for k in range(count)}


def choice(game):
    """The move that is advised most, in letters."""
    states = kernel.rows(STATE, 1)
    kernel.load(STATE, states, 0, game.bytes)
    weights = advice(states, 0)
    best = max(weights, key=weights.__getitem__)
    k = best - CAST
    return {REFRESH: "refresh", REFOCUS: "refocus"}.get(best) or f"{LETTERS[k // 6]}{k % 6 + 1}"


def estimate(points, target=10, mage=0):
    """What `value` says at the end of a round."""
    seats = len(points)
    s = STATE.blank()
    s.seats, s.target, s.mage, s.turn, s.phase = seats, target, mage, CHANCE, SHOW
    for seat in range(seats):
        s.points[seat] = points[seat]
    states, out = kernel.rows(STATE, 1), kernel.reals(SEATS)
    kernel.load(STATE, states, 0, STATE.pack(s))
    value_of(states, 0, out)
    return [float(share) for share in out[:seats]]


value = bot.value


@kernel.kernel
def value_of(states, i, out):
    value(states[i], out)


# Actions.


def test_a_spell_that_surely_scores_is_cast():
    assert choice(at(["F5 F5 E5", "F3 E3"], "W1 W2 E1 A1 A2", [5, 3])) == "F5"


def test_a_spell_that_can_be_nullified_is_not_the_one_to_cast():
    assert choice(at(["F5 A5", "W1 F3"], "W2 E1 E2 A1 A2", [5, 3])) == "A5"


def test_a_spell_that_can_be_held_is_not_the_one_to_cast():
    assert choice(at(["F4 A6 A6", "F4 A5"], "W2 W3 E1 E2 A1", [4, 5])) == "A6"


def test_an_attack_that_wins_the_game_is_made():
    assert choice(at(["F5 W5 E5", "A3"], "F6 W6 E6 A6 F1", [5, 3], points=[9, 9])) != "refresh"
    assert choice(at(["F5", "A3 F3 F3"], "W6 E6 A6 F1", [5, 3], points=[9, 9])) == "F5"


def test_with_three_seats_one_who_cannot_hold_is_enough():
    assert choice(at(["F4", "F6 E6", "A2"], "W1 W3 E1 E3 A1", [4, 6, 2])) == "F4"


def test_nobody_attacks_an_empty_arsenal_unless_it_scores():
    arsenals, pool, focus = ["F6 W6 E6 A6", ""], "F1 W1 E1 A1 F2 W2 E2 A2", [6, 3]
    assert choice(at(arsenals, pool, focus)) == "refresh"
    assert choice(at(arsenals, pool, focus, options={"unopposed_scores": True}))[0] in LETTERS


def test_a_threat_against_us_is_broken_by_refocus():
    assert choice(at(["F1 E1", "F5 W5 E5 A5"], "F2 W2 W3 E3 A4 A6", [1, 5])) == "refocus"


def test_whoever_has_the_higher_number_refreshes():
    assert choice(at(["", ""], "F1 F2 W1 W2 W3 E1 E2 E3 A1 A2 A3", [6, 2])) == "refresh"
    assert choice(at(["", ""], "F1 F3 W1 W6 W3 E1 E4 E3 A1 A5 A3", [1, 2])) == "refocus"


def test_with_the_same_number_whoever_is_behind_moves_on_before_long_and_whoever_is_ahead_waits():
    for points, waits in (([3, 1], {"refresh"}), ([1, 3], {"refresh", "refocus"})):
        game = at(["", ""], "F1 F2 W1 W2 W3 E1 E2 E3 A1 A2 A3", [6, 6], points=points)
        found = set()
        for _ in range(bot.PATIENCE):
            found.add(choice(game))
            for _ in range(2):
                game.play("refresh")
                while game.turn == CHANCE:
                    game.chance(1)
        assert found == waits


# Answers.


def test_an_answer_that_nullifies_is_given_before_one_that_loses():
    assert choice(attacked(["F1 W1 E1 A1", "E3"], "F5", "F2 E2 A2", [1, 5])) == "W1"


def test_an_answer_that_holds_is_given_before_one_that_loses():
    assert choice(attacked(["F5 E1", ""], "F5", "F2 E2 A2", [5, 3])) == "F5"


def test_the_weakest_of_the_answers_that_hold_is_given():
    assert choice(attacked(["F6 F4 E3", ""], "F4", "W2 E2 A2", [5, 3])) == "F4"


def test_when_nothing_helps_the_spell_that_opposes_what_the_attacker_has_left_is_kept():
    assert choice(attacked(["W2 E2 F2", "F5 F5"], "E5", "W1 E1 A3 A4", [2, 5])) != "W2"


def test_with_three_seats_the_first_to_answer_nullifies_if_the_last_cannot_hold():
    assert choice(attacked(["W3 F6", "E1", "E4"], "F5", "W2 E2 A2", [3, 1, 5])) == "W3"


# Battles, solved.


def brute(mine, others):
    """The spells of mine that score against every combination of answers."""
    found = set()
    for attack in mine:
        answers = [other for other in others if other]
        scores = bool(answers) and all(
            all(a // 6 != (attack // 6) ^ 1 for a in reply) and any(a % 6 < attack % 6 for a in reply)
            for reply in product(*answers)
        )
        if scores:
            found.add(attack)
    return found


def test_sure_threats_are_exactly_those_that_no_answers_stop():
    luck = Luck(3)
    sure, known, bit_of = (kernel.plain(f) for f in (bot.sure, bot.known, bot.bit_of))
    hits = 0
    for _ in range(3000):
        arsenals = [{luck.below(24) for _ in range(luck.below(4))} for _ in range(3)]
        sets = [known(sum(bit_of(k) for k in arsenal)) for arsenal in arsenals]
        threats = sure(False, sets[0][0], sets[1], sets[2])
        expected = brute(arsenals[0], arsenals[1:])
        assert threats == sum(bit_of(k) for k in expected)
        hits += bool(expected)
    assert hits > 200


def test_an_answer_of_a_single_defender_never_loses_a_battle_that_could_be_saved():
    luck = Luck(4)
    answer, known, bit_of = (kernel.plain(f) for f in (bot.answer, bot.known, bot.bit_of))
    for _ in range(2000):
        attack, mine = luck.below(24), {luck.below(24) for _ in range(1 + luck.below(4))}
        given = answer(True, attack // 6, attack % 6, sum(bit_of(k) for k in mine), 0, known(bit_of(luck.below(24)))[2])
        (kind,) = [k for k in mine if bit_of(k) == given]
        assert (attack in brute({attack}, [{kind}])) == (attack in brute({attack}, [mine]))


def test_a_set_with_one_more_spell_is_known_as_if_it_were_new():
    luck = Luck(5)
    known, with_one_more, bit_of = (kernel.plain(f) for f in (bot.known, bot.with_one_more, bot.bit_of))
    for _ in range(500):
        old, k = sum({bit_of(luck.below(24)) for _ in range(luck.below(4))}), luck.below(24)
        assert with_one_more(known(old), k // 6, k % 6 + 1) == known(old | bit_of(k))


# What it may use, and what it is for.


@pytest.mark.parametrize("seats", [2, 3])
def test_advice_is_the_same_in_the_view_and_in_every_world_and_never_without_a_choice(seats):
    states, luck, dice = kernel.rows(STATE, 3), Luck(seats), rngs(1)
    start(dice, 0, 8)
    for options in ({}, {"literal_collect": True, "unopposed_scores": True}):
        game = new(GAME, seats, options)
        for _ in range(400):
            if game.over:
                break
            if game.turn == CHANCE:
                game.roll(luck)
                continue
            for row in range(3):
                kernel.load(STATE, states, row, game.bytes)
            GAME.verbs.hide(states, 1, game.turn)
            kernel.copy(states, 2, states, 1)
            GAME.verbs.imagine(states, 2, dice, 0)
            weights = [advice(states, row) for row in range(3)]
            assert weights[0] == weights[1] == weights[2]
            assert all(weight >= 0 for weight in weights[0].values()) and max(weights[0].values()) > 0
            moves = game.legal()
            game.play(moves[luck.below(len(moves))])


def test_value_sums_to_one_and_grows_with_ones_own_points():
    for seats in (2, 3):
        last = 0.0
        for mine in range(10):
            shares = estimate([mine, *[4, 6][: seats - 1]])
            assert sum(shares) == pytest.approx(1)
            assert all(0 <= share <= 1 for share in shares)
            assert shares[0] > last
            last = shares[0]


def test_value_is_the_same_for_equal_seats_but_for_who_begins():
    begins, other = estimate([5, 5], mage=1)
    assert begins > other > 0.4
    assert estimate([5, 5], mage=0) == [other, begins]


def test_a_lead_counts_more_near_the_target():
    assert estimate([8, 6])[0] > estimate([3, 1])[0] > 0.5


@pytest.mark.parametrize(("bots", "games"), [(["greedy", "random"], 16), (["greedy", "random", "random"], 30)])
def test_greedy_beats_random(bots, games):
    share, error = play_match("mages_dice", bots, games, options={"target": 5}).share(0)
    assert share - error > 1 / len(bots)
