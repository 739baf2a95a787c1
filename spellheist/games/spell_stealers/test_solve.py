"""The exact solutions of Spell Stealers, checked against the rules and against other ways to find them."""

from functools import cache

import pytest

from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.kernel import plain
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, OVER
from spellheist.games.spell_stealers import rules, words
from spellheist.games.spell_stealers.rules import (
    BANK,
    DIAMOND,
    GOAL,
    ORB,
    OUTCOMES,
    PYRAMID,
    READY,
    ROLL,
    SEATS,
    SIDES,
    SPENT,
    STEAL,
)
from spellheist.games.spell_stealers.solve import (
    FIRST,
    SECOND,
    Bot,
    best_turn,
    odds_to_find,
    solved,
    unsolved,
    usual,
)
from spellheist.games.spell_stealers.test_rules import begun, seven, tell

GAME = find("spell_stealers")
PLAY, ODDS, SCORE = plain(rules.play), plain(rules.chance), plain(rules.score)
DICE = range(PYRAMID, ORB + 1)
FOUND = odds_to_find()


def after(s, move):
    """The state after a move or an outcome."""
    then = rules.State.unpack(rules.State.pack(s))
    PLAY(then, move)
    return then


def mean(s, worth):
    """The mean worth of a state over all that chance may do, by the real rules; where somebody is asked, `worth` says."""
    if s.turn != CHANCE:
        return worth(s)
    odds = [0] * OUTCOMES
    total = ODDS(s, odds)
    return sum(weight * mean(after(s, outcome), worth) for outcome, weight in enumerate(odds) if weight) / total


def win(seat):
    """The chance to win of a seat with perfect play, or its share at the end."""

    def worth(s):
        if s.turn == OVER:
            shares = [0.0] * SEATS
            SCORE(s, shares)
            return shares[seat]
        best = max(usual().chances(s).values())
        return best if s.turn == seat else 1 - best

    return worth


# One turn.


def test_the_best_turn_is_best_by_the_real_rules():
    """The rival's token is spent. From many points down: what a turn banks, if each move is the best there is."""
    turn = best_turn()
    first = begun(2, position={"token": [READY, SPENT]}).state
    first.rolled, first.die, first.face, first.symbol, first.taker = 1, PYRAMID, 1, 1, 0
    banked = [float(points) for points in range(43)]

    def at(points):
        s = rules.State.unpack(rules.State.pack(first))
        s.points = points
        return s

    def worth(s):
        return 0.0 if s.current != 0 else banked[s.points]

    for points in range(30, -1, -1):
        rolls = [mean(after(at(points), ROLL + die - 1), worth) for die in DICE]
        best = max(range(3), key=rolls.__getitem__)
        move = ROLL + best if points == 0 or rolls[best] > points else BANK
        banked[points] = rolls[best] if move != BANK else points
        if points < len(turn.moves):
            assert move == turn.moves[points]
            assert turn.worth[points] == pytest.approx(banked[points])
    assert turn.mean == pytest.approx(3.9322112)
    assert turn.bank_from == 9


@pytest.mark.parametrize("faces", [(2, 4, 2), (7, 0, 1), (0, 7, 1), (3, 2, 3)])
def test_no_plan_with_one_die_and_a_number_to_bank_at_beats_the_best_turn(faces):
    found, best = odds_to_find(faces), best_turn(faces).mean
    for die in DICE:
        for stop in range(1, 40):

            @cache
            def worth(points, die=die, stop=stop):
                if points >= stop:
                    return points
                return sum(found[die][n] * worth(points + n) for n in range(1, SIDES[die] + 1))

            assert worth(0) <= best + 1e-9


def test_a_played_turn_banks_what_the_best_turn_says():
    turn, luck, total, count = best_turn(), Luck(8), 0, 1_500
    for _ in range(count):
        game = begun(2, position={"token": [READY, SPENT]})
        while game.state.turns == 0:
            if game.turn == CHANCE:
                game.roll(luck)
            else:
                points = game.state.points
                game.play(turn.moves[points] if points < len(turn.moves) else BANK)
        total += game.state.pawn[0]
    assert total / count == pytest.approx(turn.mean, abs=0.6)  # about four standard errors


# Two seats.


def random_turns(count, seed):
    luck = Luck(seed)
    for _ in range(count):
        last, who = luck.below(2), luck.below(2)
        x, y = luck.below(GOAL), luck.below(GOAL)
        if last:
            y += GOAL
            x = y if who == FIRST else x + luck.below(GOAL)
        yield who, last, x, y


def test_the_chances_in_the_file_are_those_that_follow_from_them():
    solution = usual()
    for who, last, x, y in random_turns(40, 1):
        solution.fill(who, last, x, y)
        assert solution.ready[who, last, x, y, 0] == pytest.approx(solution.start[last, who, x, y], abs=1e-11)


def test_the_test_of_the_file_would_notice_a_wrong_chance():
    wrong = usual().start.copy()
    wrong[0, SECOND, 10, 10] += 0.01
    solution = unsolved(GOAL, usual().faces, 60, wrong)
    solution.fill(FIRST, 0, 10, 10)
    assert abs(solution.ready[FIRST, 0, 10, 10, 0] - solution.start[0, FIRST, 10, 10]) > 1e-4


def positions(count, seed):
    """Positions of two seats: games from the start, from near the spell, and tie-breaks, with odd moves among good ones."""
    luck = Luck(seed)
    made = 0
    while made < count:
        x, y, kind = luck.below(GOAL), luck.below(GOAL), luck.below(3)
        if kind == 0:
            game = begun(2, luck.below(2), luck.below(2), {"pawn": [x, y]})
        elif kind == 1:
            game = begun(2, 1, 0, {"pawn": [GOAL + x // 3, y], "last": 1})
        else:
            game = begun(2, 0, 0, {"pawn": [GOAL + x, GOAL + x], "last": 1, "stage": 5, "turns": 10})
        for _ in range(1 + luck.below(12)):
            game.roll_all(luck)
            if game.over:
                break
            yield game
            made += 1
            moves = game.legal()
            game.play(moves[luck.below(len(moves))])


def test_every_chance_is_the_mean_over_what_the_rules_let_follow():
    for game in positions(90, 3):
        s = game.state
        for move, chance in usual().chances(s).items():
            assert chance == pytest.approx(mean(after(s, move), win(s.turn)), abs=1e-9)


def test_a_tie_break_solved_by_differences_alone_gives_the_same():
    """Far from the entrance only the distance counts. One unknown is left, the chance of who begins: it is found by
    playing a round with a guess, and guessing again what came out."""

    def round_with(tie):
        @cache
        def turn(who, ahead, points, token):
            bank = done(who, ahead + points)
            if points >= 60:
                return bank
            best = bank if points or token == SPENT else 0.0
            for die in DICE:
                rolled, lost = 0.0, 1.0
                for face in range(1, SIDES[die] + 1):
                    p = FOUND[die][face]
                    lost -= p
                    kept = turn(who, ahead, points + face, token)
                    if token == READY:
                        wins = (SIDES[die] - face + 1) / SIDES[die]
                        theft = wins * turn(who, ahead - face, points, SPENT)
                        theft += sum(turn(who, ahead + k, points + face, SPENT) for k in range(1, face)) / SIDES[die]
                        kept = min(kept, theft)
                    rolled += p * kept
                best = max(best, rolled + lost * done(who, ahead))
            return best

        def done(who, ahead):
            if who == FIRST:
                return 1 - turn(SECOND, -ahead, 0, READY)
            return 1 - tie if ahead == 0 else float(ahead > 0)

        return turn(FIRST, 0, 0, READY)

    guess = 0.4
    for _ in range(5):
        guess = round_with(guess)
    assert guess == pytest.approx(usual().start[1, FIRST, 80, 80], abs=1e-6)


def test_perfect_play_wins_for_who_begins_in_45_5_of_100_games():
    assert usual().first == pytest.approx(0.4554073, abs=1e-7)


def test_the_bot_plays_the_best_move_and_refuses_games_that_are_not_solved():
    bot = Bot(GAME)
    game = begun(2, 1, 0, {"pawn": [35, 35], "last": 1})
    game = tell(game, "roll pyramid", "pyramid 1 green", "green", "decline")
    assert bot.choose(game.view(1), 1, game.past(1), Luck(1)) == BANK
    thief = seven(seats=2, position={"pawn": [10, 0]})
    assert bot.choose(thief.view(1), 1, thief.past(1), Luck(1)) == STEAL
    for options in ({"seats": 3}, {"stealing": "race"}, {"reset_by_hand": True}, {"success_faces": (3, 3, 2)}):
        other = begun(**{"seats": 2, **options})
        assert solved(other.view(0)) is None
        with pytest.raises(Refused, match="solved for two seats, polite"):
            bot.choose(other.view(0), 0, [], Luck(1))
    with pytest.raises(Refused, match="Nobody is asked"):
        usual().chances(tell(begun(2), "roll orb").state)


# The odds in hints.


def chance_that(s, happened):
    """By the real rules, over all that chance may do."""
    return mean(s, lambda s: float(happened(s)))


@pytest.mark.parametrize("faces", [(2, 4, 2), (7, 0, 1), (0, 0, 8)])
def test_hints_say_how_likely_each_die_is_to_find_an_artifact(faces):
    game = begun(3, success_faces=faces)
    hint = words.hints(game.view(0), 0)[0]
    for die, name in ((PYRAMID, "pyramid"), (DIAMOND, "diamond"), (ORB, "orb")):
        chance = chance_that(after(game.state, ROLL + die - 1), lambda s: s.current == 0)
        assert f"{name} {100 * chance:.3g} %" in hint


@pytest.mark.parametrize(("die", "face"), [("orb", "7 yellow"), ("diamond", "1 yellow"), ("pyramid", "4 green")])
def test_hints_say_how_likely_a_theft_is_to_succeed(die, face):
    game = tell(begun(3), f"roll {die}", f"{die} {face}", "green or yellow")
    hint = words.hints(game.view(1), 1)[0]
    chance = chance_that(after(game.state, STEAL), lambda s: s.taker == 1)
    assert f"{100 * chance:.3g} %" in hint
    assert "quicker" not in hint
    assert ("back" in hint) == (face[0] != "1")


def test_hints_say_in_a_race_and_live_that_others_may_be_quicker_and_nothing_to_whom_it_does_not_concern():
    race, live = seven(stealing="race"), seven(stealing="live")
    assert "if nobody is quicker" in words.hints(race.view(1), 1)[0]
    assert "if nobody is quicker" in words.hints(live.view(2), 2)[0]
    assert words.hints(live.view(0), 0) == []
    assert words.hints(begun(3).view(1), 1) == []


def test_hints_say_what_a_turn_is_worth_and_when_to_bank():
    assert "worth 3.93 points on average from here, and the diamond is best" in words.hints(begun(3).view(0), 0)[1]
    found = {"rolled": 1, "die": ORB, "face": 9, "symbol": 2, "taker": 0}
    for points in (9, 40, 300):
        game = begun(3, position={**found, "points": points})
        assert f"bank {points} points now" in words.hints(game.view(0), 0)[1]
