"""What a seat of Spell Stealers may know, tested from outside.

Two things are secret for a while: the answers in a race, until the last seat has answered, and the die that was
picked, until it is rolled. So twins are two games with the same moves but for one seat's answer, cut before the
last answer is given, or but for the last pick.
"""

from fractions import Fraction
from itertools import product

import pytest

from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE, HIDDEN, WATCHER
from spellheist.games.spell_stealers import rules, table, words
from spellheist.games.spell_stealers.rules import (
    ARTIFACT,
    ASK,
    BANK,
    DECLINE,
    DICE,
    NO,
    ORB,
    ORDER,
    PYRAMID,
    ROLL,
    STEAL,
    UNASKED,
    YES,
)
from spellheist.games.spell_stealers.test_rules import begun, seven, tell
from spellheist.laws.twins import every_way, frames, hidden_fields, last_frame, leaky

GAME = find("spell_stealers")
only_plain = pytest.mark.skipif(not kernel.PLAIN, reason="replaces a verb, which only plain rules allow")


def race(seats, options):
    return new("spell_stealers", seats, {"stealing": "race", **options})


def random_game(seed, seats, plies, **options):
    """A random race up to so many plies."""
    luck = Luck(seed)
    game = race(seats, options)
    while not game.over and game.ply < plies:
        moves = game.legal()
        game.roll(luck) if game.turn == CHANCE else game.play(moves[luck.below(len(moves))])
    return game


def asked(moves, seats, options):
    """The windows of a game: for each the plies of its answers and who gave them, by who had a ready token then."""
    game = race(seats, options)
    windows, thieves = [], []
    for n, move in enumerate(moves):
        s = game.state
        if game.turn == CHANCE or move not in (STEAL, DECLINE):
            game.chance(move) if game.turn == CHANCE else game.play(move)
            continue
        if not thieves:
            around = [(s.current + k) % seats for k in range(1, seats)]
            thieves = [seat for seat in around if s.token[seat] and s.playing[seat]]
            windows.append((thieves, []))
        windows[-1][1].append(n)
        assert game.turn == thieves[len(windows[-1][1]) - 1], "whatever was answered, the next with a ready token is asked"
        game.play(move)
        if len(windows[-1][1]) == len(thieves):
            thieves = []
    return windows


def twins(seed, seats, plies, options):
    """Pairs of games that differ in one answer, cut before the window's last answer, and whose answer it was."""
    moves = [ply.move for ply in random_game(seed, seats, plies, **options).plies]
    for thieves, answers in asked(moves, seats, options):
        for n, thief in zip(answers[: len(thieves) - 1], thieves, strict=False):
            end = answers[len(thieves) - 1] if len(answers) == len(thieves) else answers[-1] + 1
            other = STEAL + DECLINE - moves[n]
            yield moves[:end], [*moves[:n], other, *moves[n + 1 : end]], thief


def compare(pairs, seats, options):
    """How many pairs look the same to all others and to a watcher, and to whom the rest do not."""
    equal, tellers = 0, set()
    for one, other, thief in pairs:
        different = set()
        for seat in (*range(seats), WATCHER):
            a, b = (list(frames(race(seats, options), moves, seat)) for moves in (one, other))
            ends = [last_frame(race(seats, options), moves, seat) for moves in (one, other)]
            if a != b or ends[0] != ends[1]:
                different.add(seat)
        equal += different == {thief}
        tellers |= different - {thief}
    return equal, tellers


@pytest.mark.rule("SS-s1", "SS-s4")
@pytest.mark.parametrize(
    ("seats", "options"), [(3, {}), (4, {"reset_by_hand": True}), (6, {"success_faces": "6,1,1", "turn_limit": 9})]
)
def test_an_answer_in_a_race_changes_nothing_for_anybody_else_until_all_have_answered(seats, options):
    found = 0
    for seed in range(3):
        pairs = list(twins(seed, seats, 70, options))
        equal, tellers = compare(pairs, seats, options)
        assert tellers == set()
        assert equal == len(pairs), "the thief itself can tell them apart"
        found += equal
    assert found > 8


@only_plain
@pytest.mark.rule("SS-s1", "SS-s4")
def test_a_hide_that_leaks_any_one_field_is_found_out(monkeypatch):
    states = [random_game(seed, 4, plies).state for seed in range(5) for plies in range(10, 40)]
    for seat in (0, 1, WATCHER):
        assert hidden_fields(rules.State, rules.hide, states, seat) == {"tries", "die"}
    pairs = [pair for seed in range(2) for pair in twins(seed, 4, 40, {})]
    monkeypatch.setattr(GAME.verbs, "_hide", leaky(rules.State, rules.hide, "tries"))
    assert compare(pairs, 4, {})[1] == {0, 1, 2, 3, WATCHER}


@only_plain
@pytest.mark.rule("SS-s1", "SS-s4")
@pytest.mark.parametrize("reader", [0, 1, 2, 3, WATCHER])
def test_a_hide_that_leaks_to_one_reader_is_found_out(monkeypatch, reader):
    pairs = [pair for seed in range(2) for pair in twins(seed, 4, 40, {})]
    hide = rules.hide
    monkeypatch.setattr(GAME.verbs, "_hide", lambda s, seat: None if seat == reader else hide(s, seat))
    assert compare(pairs, 4, {})[1] == {reader}


@only_plain
@pytest.mark.rule("SS-s1")
def test_a_past_that_leaks_is_found_out(monkeypatch):
    pairs = list(twins(0, 4, 40, {}))
    monkeypatch.setattr(GAME.verbs, "_sees", lambda s, move, seat: True)
    assert compare(pairs, 4, {})[1]


@pytest.mark.rule("SS-s1")
def test_a_player_sees_the_own_answer():
    game = seven("steal", seats=4, stealing="race")
    assert [game.view(seat).tries[1] for seat in (0, 1, 2, 3, WATCHER)] == [HIDDEN, YES, HIDDEN, HIDDEN, HIDDEN]
    assert game.past(1)[-1] == (1, STEAL)
    assert game.past(0)[-1] == game.past(WATCHER)[-1] == (1, HIDDEN)


@pytest.mark.rule("SS-s1")
def test_everyone_with_a_ready_token_is_asked_whatever_the_others_said():
    for first, second in product(("steal", "decline"), repeat=2):
        game = seven(first, seats=4, stealing="race")
        assert (game.turn, game.state.phase) == (2, ASK)
        tell(game, second)
        assert (game.turn, game.state.phase) == (3, ASK)


@pytest.mark.rule("SS-s2")
def test_after_the_last_answer_all_see_who_tries_before_any_order_is_drawn():
    game = seven("steal", "decline", "steal", seats=4, stealing="race")
    assert game.state.phase == ORDER
    for seat in (0, 1, 2, 3, WATCHER):
        assert game.view(seat).tries[:4] == [UNASKED, YES, NO, YES]
    nobody = seven("decline", "decline", stealing="race")
    for seat in (0, 1, 2, WATCHER):
        assert nobody.view(seat).tries[:3] == [UNASKED, NO, NO]


@pytest.mark.rule("SS-s3", "SS-s5")
@pytest.mark.parametrize("stealing", ["polite", "live"])
def test_nothing_but_the_picked_die_is_hidden_in_polite_and_live(stealing):
    luck = Luck(11)
    game = new("spell_stealers", 4, {"stealing": stealing, "turn_limit": 20})
    while not game.over:
        picked = game.state.phase == ARTIFACT
        for seat in (0, 1, 2, 3, WATCHER):
            view, truth = game.view(seat), game.state
            if picked and seat != truth.current:
                assert view.die == HIDDEN
                view.die = truth.die
            assert view == truth
        moves = game.legal()
        game.roll(luck) if game.turn == CHANCE else game.play(moves[luck.below(len(moves))])
    told = [(ply.who, HIDDEN if ply.who >= 0 and ply.move < BANK else ply.move) for ply in game.plies]
    assert game.past(WATCHER) == told


def picks(seed, seats, options):
    """Pairs of games that differ in the last ply, which die was picked, and who picked it."""
    play = new("spell_stealers", seats, options)
    luck, moves = Luck(seed), []
    while not play.over and play.ply < 60:
        legal = play.legal()
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            play.play(legal[luck.below(len(legal))])
        ply = play.plies[-1]
        moves.append(ply.move)
        if ply.who >= 0 and ROLL <= ply.move < BANK:
            yield list(moves), [*moves[:-1], ROLL + (ply.move - ROLL + 1) % DICE], ply.who


def readers_who_differ(pair, seats, options):
    """To whom two games do not look the same in the end."""

    def seen(moves, seat):
        return last_frame(new("spell_stealers", seats, options), moves, seat)

    return {seat for seat in (*range(seats), WATCHER) if seen(pair[0], seat) != seen(pair[1], seat)}


@pytest.mark.rule("SS-s5", "SS-s4", "SS-j")
@pytest.mark.parametrize("stealing", ["polite", "race", "live"])
def test_a_picked_die_changes_nothing_for_anybody_else_until_it_is_rolled(stealing):
    options = {"stealing": stealing}
    found = [pair for seed in range(2) for pair in picks(seed, 3, options)]
    assert len(found) > 4
    for one, other, picker in found:
        assert readers_who_differ((one, other), 3, options) == {picker}


@only_plain
@pytest.mark.rule("SS-s5", "SS-s4")
def test_a_leak_of_the_picked_die_is_found_out(monkeypatch):
    one, other, _ = next(picks(0, 3, {}))
    with monkeypatch.context() as patch:
        patch.setattr(GAME.verbs, "_hide", leaky(rules.State, rules.hide, "die"))
        assert readers_who_differ((one, other), 3, {}) == {0, 1, 2, WATCHER}
    with monkeypatch.context() as patch:
        patch.setattr(GAME.verbs, "_sees", lambda s, move, seat: True)
        assert readers_who_differ((one, other), 3, {}) == {0, 1, 2, WATCHER}


@pytest.mark.rule("SS-s5", "SS-j")
def test_the_die_is_seen_by_all_as_soon_as_it_shows_its_number():
    game = tell(begun(), "roll orb")
    assert [game.view(seat).die for seat in (0, 1, 2, WATCHER)] == [ORB, HIDDEN, HIDDEN, HIDDEN]
    tell(game, "orb 7 yellow")
    assert [game.view(seat).die for seat in (0, 1, 2, WATCHER)] == [ORB] * 4


@pytest.mark.rule("SS-s5")
def test_words_and_table_do_not_name_the_die_before_it_is_rolled():
    game = begun()
    before = game.view(1)
    tell(game, "roll orb")
    view = game.view(1)
    said = words.news(before, HIDDEN, view, ["Ann", "Bob", "Cy"])
    assert said == "Ann picks a die in secret and rolls it with the success die."
    assert "a die picked in secret ?" in table.roll(view, ["Ann", "Bob", "Cy"]).plain
    tell(game, "orb 7 yellow")
    assert words.news(view, 7, game.view(1), ["Ann", "Bob", "Cy"]) == "The orb shows a yellow 7."


@only_plain
@pytest.mark.rule("SS-s5")
def test_each_die_may_have_been_picked_in_the_worlds_of_the_others():
    view = tell(begun(), "roll orb").view(1)
    assert sorted((world.die, chance) for chance, world in every_way(rules, view)) == [
        (die, Fraction(1, DICE)) for die in range(PYRAMID, ORB + 1)
    ]


@only_plain
@pytest.mark.rule("SS-s1")
def test_imagined_answers_are_exactly_equally_likely_and_independent(monkeypatch):
    view = seven("steal", "decline", "steal", seats=5, stealing="race").view(4)
    found = []
    for draws in product((0, 1), repeat=3):
        script = iter(draws)

        def scripted(rng, n, script=script):
            assert n == 2
            return next(script)

        monkeypatch.setattr(rules, "below", scripted)
        world = rules.State.unpack(rules.State.pack(view))
        rules.imagine(world, None)
        assert next(script, None) is None, "one draw for each hidden answer"
        found.append(tuple(world.tries))
    assert sorted(found) == [(UNASKED, *answers, UNASKED, UNASKED) for answers in product((NO, YES), repeat=3)]


@pytest.mark.rule("SS-s1")
def test_what_a_seat_knows_is_kept_in_the_worlds_it_imagines():
    game = seven("steal", "decline", "steal", seats=5, stealing="race")
    states, generators = kernel.rows(rules.State, 1), rngs(1)
    start(generators, 0, 3)
    worlds = set()
    for _ in range(60):
        kernel.load(rules.State, states, 0, rules.State.pack(game.view(2)))
        GAME.verbs.imagine(states, 0, generators, 0)
        worlds.add(tuple(rules.State.unpack(kernel.dump(rules.State, states, 0)).tries))
    assert worlds == {(UNASKED, one, NO, other, UNASKED, UNASKED) for one, other in product((NO, YES), repeat=2)}
