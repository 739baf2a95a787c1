"""The judge: what it says of moves, and that it says so from what the seat could know."""

import math
from dataclasses import replace

import pytest
from bot_games import QUICK, Table, ending, short_game

from spellheist.bots.greedy import Bot as Greedy
from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import Play, new
from spellheist.core.state import CHANCE
from spellheist.games.spell_stealers.rules import RED, SUCCESS
from spellheist.review import examine
from spellheist.review.judge import Judge

FINE = replace(QUICK, first=32, most=64, target=0.01)
WIDE = 0.2  # more than the spread of one rollout in Spell Stealers
CLEAR = 0.08
ERRORS = 3.3  # standard errors that chance exceeds once in a thousand times


@pytest.mark.parametrize("game", ["abraca_what", "dice_heist", "mages_dice", "spell_stealers"])
def test_a_game_of_reference_players_has_no_skill_in_it(game):
    review = examine(short_game(game, bots=("greedy", "greedy")), QUICK)
    assert review.decisions
    for decision in review.decisions:
        assert decision.played in decision.par
        if len(decision.par) == 1:
            assert decision.skill == (0.0, 0.0)


def test_a_game_with_another_player_has():
    review = examine(short_game("dice_heist", bots=("random", "greedy")), QUICK)
    assert any(decision.skill != (0.0, 0.0) for decision in review.decisions if decision.seat == 0)
    assert review.seats[1].own == 0


def luck_of_chance(changed):
    """Of those whose success die is rolled: what they may expect after it less what they have before, summed over a game,
    and the error of that; with the odds of the die, or with more red on it."""
    game = find("spell_stealers")
    judge = Judge(game, QUICK)
    play = Table("spell_stealers", ["greedy", "greedy"]).play(6)
    again = Play(game, 2, play.settings)
    total, variance = 0.0, 0.0
    for ply in play.plies:
        if again.turn == CHANCE and again.state.phase == SUCCESS:
            state, seat, odds = again.bytes, again.state.current, again.odds()
            if changed:
                odds[RED] += sum(odds)
            total -= judge.chances(state, 2, 2 * again.ply, 60)[seat]
            for outcome, weight in enumerate(odds):
                if weight:
                    after = judge.chances(played(game, state, outcome), 2, 2 * again.ply + 1, 30)[seat]
                    total += weight / sum(odds) * after
            variance += WIDE * WIDE / 60 + WIDE * WIDE / 30
        again.repeat(ply)
    return total, math.sqrt(variance)


def played(game, state, move):
    rows = kernel.rows(game.rules.State, 1)
    kernel.load(game.rules.State, rows, 0, state)
    game.verbs.play(rows, 0, move)
    return kernel.dump(game.rules.State, rows, 0)


def test_luck_over_chance_is_nothing_on_the_mean():
    luck, error = luck_of_chance(changed=False)
    assert abs(luck) < ERRORS * error


def test_odds_that_are_not_those_of_the_dice_would_be_seen():
    luck, error = luck_of_chance(changed=True)
    assert abs(luck) > ERRORS * error


def twins():
    """Two games of Abraca...What? that look the same to seat 0, which begins, but deal it another stone."""
    one, other = new("abraca_what", 2, {"starter": 0}), new("abraca_what", 2, {"starter": 0})
    luck, differ = Luck(11), False
    while one.turn == CHANCE:
        words, odds = one.outcomes(), one.odds()
        move = luck.outcome(one.ply, odds)
        twin = move
        if words[move].endswith("to seat 0") and not differ:
            twin, differ = max(set(words) - {move}, key=odds.__getitem__), True
        one.chance(move)
        other.chance(twin)
    return one, other


def verdicts(play, seen):
    judge = Judge(play.game, replace(QUICK, most=32))
    view = play.game.rules.State.pack(seen(play))
    return [judge.decision(view, 2, 0, play.recall(0), play.ply, move) for move in play.legal()]


def test_worlds_that_look_the_same_to_a_seat_get_the_same_verdicts():
    one, other = twins()
    assert one.bytes != other.bytes
    assert one.view(0) == other.view(0) and one.past(0) == other.past(0)
    assert verdicts(one, lambda play: play.view(0)) == verdicts(other, lambda play: play.view(0))


def test_a_judge_that_looked_at_the_truth_would_be_seen():
    one, other = twins()
    assert verdicts(one, lambda play: play.state) != verdicts(other, lambda play: play.state)


def test_the_account_turns_with_the_seats():
    def begun_by(seat):
        play, luck = new("abraca_what", 3, {"starter": seat}), Luck(3)
        return play, luck

    first, luck = begun_by(0)
    greedy = Greedy(first.game)
    lots = Luck(9)
    moves = []
    while not first.over and first.ply < 60:
        move = luck.outcome(0, first.odds()) if first.turn == CHANCE else None
        if move is None:
            move = greedy.choose(first.view(first.turn), first.turn, [], lots)
            first.play(move)
        else:
            first.chance(move)
        moves.append(move)
    second, _ = begun_by(1)
    for move in moves:
        second.chance(move) if second.turn == CHANCE else second.play(move)
    judge = Judge(first.game, QUICK)
    here, there = (judge.chances(play.bytes, 3, 7, 40) for play in (first, second))
    assert here == pytest.approx([there[1], there[2], there[0]], abs=1e-9)


def test_spell_stealers_is_judged_as_its_exact_solution_judges():
    from spellheist.games.spell_stealers.solve import solved

    game = find("spell_stealers")
    judge = Judge(game, FINE)
    play = Table("spell_stealers", ["greedy", "greedy"]).play(4)
    again = Play(play.game, 2, play.settings)
    squares, clear = [], []
    for ply in play.plies:
        view = again.view(again.turn) if again.turn >= 0 else None
        chances = solved(view).chances(view) if view is not None and len(again.legal()) > 1 else None
        if chances:
            said = judge.chances(again.bytes, 2, again.ply, 100)[again.turn]
            squares.append((said - max(chances.values())) ** 2)
            worst, best = min(chances, key=chances.__getitem__), max(chances.values())
            if best - chances[worst] > CLEAR:
                seat = again.turn
                view = game.rules.State.pack(again.view(seat))
                found = judge.decision(view, 2, seat, again.recall(seat), again.ply, worst)
                clear.append(abs(found.error - (best - chances[worst])) < ERRORS * found.spread + 0.01)
        again.repeat(ply)
    assert len(squares) > 20
    assert math.sqrt(sum(squares) / len(squares)) < 0.04
    assert clear and all(clear)


def test_the_reference_player_of_spellcaster_follows_from_what_it_sees():
    play = ending(short_game("spellcaster"), 12)
    judge = Judge(play.game, QUICK)
    again = Play(play.game, 2, play.settings, position=play.position)
    for ply in play.plies:
        if again.turn >= 0 and len(again.legal()) > 1:
            answers = []
            for seen in (again.view(again.turn), again.state):
                kernel.load(judge.schema, judge.view, 0, judge.schema.pack(seen))
                n = judge.bound.par(judge.view, judge.worlds, judge.rngs, again.turn, judge.moves, judge.odds)
                answers.append([float(judge.odds[i]) for i in range(n)])
            assert answers[0] == answers[1]
        again.repeat(ply)


def test_in_a_race_hidden_answers_are_weighed_by_what_a_seat_would_do():
    play = Table("spell_stealers", ["greedy"] * 4, {"stealing": "race"}).play(2)
    again = Play(play.game, 4, play.settings)
    judge = Judge(play.game, QUICK)
    weighed = 0
    for ply in play.plies:
        if again.turn >= 0 and len(again.legal()) > 1:
            view = judge.schema.pack(again.view(again.turn))
            assert judge.decision(view, 4, again.turn, again.recall(again.turn), again.ply, ply.move)
            weighed += judge.hides()
        again.repeat(ply)
    assert weighed


def test_in_spellcaster_earlier_hands_are_those_from_which_the_present_ones_came():
    play = short_game("spellcaster", seats=3)
    known, schema = play.game.module("bot"), play.game.rules.State
    again = Play(play.game, 3, play.settings)
    exact = asked = 0
    for ply in play.plies:
        before = again.bytes
        again.repeat(ply)
        for seat in range(3):
            view, later, truth = schema.unpack(before), again.state, schema.unpack(before)
            kernel.plain(play.game.rules.hide)(view, seat)
            kernel.plain(known.earlier)(view, seat, later, ply.who, ply.move)
            asked += 1
            exact += view.hand == truth.hand
            assert view.held == truth.held
            sizes = [sum(mask.bit_count() for mask in hand) for hand in view.hand[:3]]
            assert sizes == view.held[:3]
    assert exact > 0.6 * asked  # of a hand that drew a card nobody can say which it was


def test_the_best_answer_is_measured_with_other_dice_than_those_that_chose_it():
    play = short_game("spell_stealers", bots=("greedy", "greedy"))
    errors = [one.error for one in examine(play, replace(QUICK, first=8)).decisions]
    assert min(errors) < 0 < max(errors)  # with the same dice nothing could be better than the best
