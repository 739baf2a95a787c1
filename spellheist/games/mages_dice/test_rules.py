"""The rules of Mage's Dice, one or more tests for each id."""

import pytest
from rich.console import Console

from spellheist.core import kernel
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE, OVER, WATCHER
from spellheist.games.mages_dice import table, words
from spellheist.games.mages_dice.rules import (
    ACT,
    AGAIN,
    CAST,
    CLASH,
    DEFEND,
    FOCUS_DICE,
    MOVES,
    REFOCUS,
    REFOCUSING,
    REFRESH,
    REFRESHING,
    SHOW,
    SPELL_DICE,
)

GAME = find("mages_dice")
LETTERS = "FWEA"
NO_DICE = [0] * 24


def kind(spell):
    """'F5' is fire 5."""
    return LETTERS.index(spell[0]) * 6 + int(spell[1]) - 1


def dice(text):
    """The counts of 'F5 F5 W1'."""
    row = list(NO_DICE)
    for spell in text.split():
        row[kind(spell)] += 1
    return row


def shown(row):
    """The inverse of `dice`, in order."""
    return " ".join(f"{LETTERS[k // 6]}{k % 6 + 1}" for k in range(24) for _ in range(row[k]))


def elements(text):
    """The counts of 'FFW' by element."""
    return [text.count(letter) for letter in LETTERS]


def at(arsenals, pool, focus, options=None, **fields):
    """A position in which seat 0 is to act; dice that are not mentioned are in the ether box."""
    seats = len(arsenals)
    seen = [*pool.split(), *" ".join(arsenals).split()]
    rolling = fields.pop("rolling", "")
    played = [kind(spell) if spell else NONE for spell in fields.pop("played", [""] * seats)]
    seen += [f"{letter}1" for letter in rolling]
    seen += [f"{LETTERS[k // 6]}1" for k in played if k != NONE]
    used = elements("".join(spell[0] for spell in seen))
    absent = 3 - seats
    position = {
        "phase": ACT, "turn": 0, "mage": 0, "pool": dice(pool), "rolling": elements(rolling),
        "arsenal": [dice(text) for text in arsenals] + [list(NO_DICE)] * absent,
        "focus": [*focus] + [0] * absent, "played": played + [NONE] * absent, "ether": [4 - n for n in used],
    }  # fmt: skip
    for name in ("points", "gain"):
        if name in fields:
            fields[name] = fields[name] + [0] * absent
    return new(GAME, seats, options, position=position | fields)


def arsenals(game):
    return [shown(row) for row in game.state.arsenal[: game.seats]]


def pool(game):
    return shown(game.state.pool)


def chances(game, *outcomes):
    """Let the dice fall so: numbers for focus dice, 'F5' for spell dice."""
    for outcome in outcomes:
        if isinstance(outcome, str):
            name = words.ELEMENTS[LETTERS.index(outcome[0])]
            game.chance(f"{name} {outcome[1]}")
        else:
            game.chance(outcome)


def spells(game, text):
    chances(game, *text.split())


def refocus(game, number):
    game.play("refocus")
    game.chance(number)


def ask(game, question):
    """What the rules answer about the present state."""
    states = kernel.rows(GAME.rules.State, 1)
    kernel.load(GAME.rules.State, states, 0, game.bytes)
    return getattr(GAME.verbs, question)(states, 0)


def random_states(seats, options=None, seeds=3):
    """Every state of a few random games."""
    for seed in range(seeds):
        luck = Luck(seed)
        game = new(GAME, seats, options)
        while not game.over:
            if game.turn == CHANCE:
                game.roll(luck)
            else:
                moves = game.legal()
                game.play(moves[luck.below(len(moves))])
            yield game


# How a round begins.


@pytest.mark.rule("MD-1")
def test_a_round_starts_with_every_die_in_the_pool_unrolled_and_every_arsenal_empty():
    for seats in (2, 3):
        s = new(GAME, seats).state
        assert (s.turn, s.phase, s.rolling) == (CHANCE, FOCUS_DICE, [4, 4, 4, 4])
        assert (s.focus, s.arsenal, s.ether, s.pool) == ([0] * 3, [NO_DICE] * 3, [0] * 4, NO_DICE)


@pytest.mark.rule("MD-1")
def test_equal_focus_numbers_are_rolled_again_and_again_until_they_differ():
    game = new(GAME, 2)
    chances(game, 3, 3)
    assert game.state.focus[:2] == [0, 0]
    chances(game, 5, 5)
    assert game.state.focus[:2] == [0, 0]
    chances(game, 6, 1)
    assert game.state.focus[:2] == [6, 1]
    assert game.state.phase == SPELL_DICE


@pytest.mark.rule("MD-1")
def test_of_three_players_only_those_who_share_a_number_roll_again():
    game = new(GAME, 3)
    chances(game, 4, 2, 4)
    assert game.state.focus == [0, 2, 0]
    assert game.outcomes() == {n: f"focus {n} for seat 0" for n in range(1, 7)}
    game.chance("focus 2 for seat 0")
    assert game.state.focus == [2, 2, 0]  # compared when all have a number
    game.chance("focus 3 for seat 2")
    assert game.state.focus == [0, 0, 3]  # the one who stood by is drawn in
    chances(game, 3, 3)
    assert game.state.focus == [0, 0, 0]  # and so may all three be
    chances(game, 1, 2, 3)
    assert game.state.phase == SPELL_DICE


@pytest.mark.rule("MD-2")
def test_rolled_dice_that_show_a_focus_number_go_to_that_arsenal_and_the_rest_stay_in_the_pool():
    game = new(GAME, 3)
    chances(game, 1, 2, 3)
    assert game.odds() == [0, 1, 1, 1, 1, 1, 1]
    spells(game, "F1 F2 F3 F4 W1 W1 W5 W6 E4 E4 E4 E4 A6 A5 A4 A2")
    assert arsenals(game) == ["F1 W1 W1", "F2 A2", "F3"]
    assert pool(game) == "F4 W5 W6 E4 E4 E4 E4 A4 A5 A6"


@pytest.mark.rule("MD-3")
def test_the_player_with_the_fewest_spells_begins_the_first_round():
    game = new(GAME, 3)
    chances(game, 1, 6, 2)
    spells(game, "F1 F1 F2 F2 W6 W5 W5 W5 E5 E5 E5 E5 A5 A5 A5 A5")
    assert arsenals(game) == ["F1 F1", "W6", "F2 F2"]
    assert game.turn == game.state.mage == 1


@pytest.mark.rule("MD-3")
def test_of_those_with_the_fewest_spells_the_lowest_focus_begins():
    game = new(GAME, 3)
    chances(game, 1, 6, 2)  # seat 0 has the lowest number but more spells
    spells(game, "F1 F1 F2 F6 W5 W5 W5 W5 E5 E5 E5 E5 A5 A5 A5 A5")
    assert game.turn == 2
    game = new(GAME, 2)
    chances(game, 4, 3)
    spells(game, "F5 F5 F5 F5 W5 W5 W5 W5 E5 E5 E5 E5 A5 A5 A5 A5")  # nobody has any
    assert game.turn == 1


@pytest.mark.rule("MD-4")
@pytest.mark.parametrize(("mage", "begins"), [(0, 1), (1, 2), (2, 0)])
def test_the_left_neighbour_of_the_one_who_ended_a_round_begins_the_next(mage, begins):
    game = at(["F1", "W2", "E3"], "A4", [1, 2, 3], mage=mage, turn=mage)
    game.play("refresh")
    game.chance(f"air {mage + 1}")
    assert game.outcomes() == {0: "next round"}
    game.chance("next round")
    game.chance(f"focus 6 for seat {begins}")
    chances(game, 5, 4)
    spells(game, "F1 F1 F1 F1 W1 W1 W1 W1 E1 E1 E1 E1 A1 A1 A1 A1")
    assert game.turn == begins


@pytest.mark.rule("MD-4", "MD-15")
def test_after_a_battle_that_ends_the_round_the_attackers_left_begins_not_the_last_defenders():
    game = at(["F5", "E2"], "A4", [5, 2])
    game.play("cast fire 5")
    game.play("cast earth 2")
    assert game.state.phase == SHOW
    game.chance("next round")
    assert game.state.mage == 1


# Turns.


@pytest.mark.rule("MD-5")
def test_a_turn_is_one_action_and_then_the_left_neighbour_acts():
    game = at(["F5 W6", "F4", ""], "A4 A6", [5, 3, 2])
    assert game.moves() == {
        REFRESH: "refresh", REFOCUS: "refocus", CAST + kind("F5"): "cast fire 5", CAST + kind("W6"): "cast water 6",
    }  # fmt: skip
    refocus(game, 1)
    assert game.turn == 1
    game.play("refresh")
    spells(game, "A4 A4")
    assert game.turn == 2
    game.play("refresh")
    spells(game, "A4 A4")
    assert game.turn == 0


@pytest.mark.rule("MD-5")
@pytest.mark.parametrize(
    ("move", "seat", "sentence"),
    [
        ("refresh", 1, "turn, not .*MD-5"),
        (MOVES, 0, "no move 26.*MD-5"),
        (-1, 0, "no move -1.*MD-5"),
        ("fly", 0, "not a move here"),
        ("cast air 4", 0, "not a move here"),
        (CAST + kind("A4"), 0, "no air 4 in the arsenal.*MD-10"),
        (CAST + kind("F4"), 0, "no fire 4 in the arsenal.*MD-10"),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_rule_and_changes_nothing(move, seat, sentence):
    game = at(["F5", "F4", ""], "A4 A6", [5, 3, 2])
    before = game.bytes
    with pytest.raises(Refused, match=sentence):
        game.play(move, seat=seat)
    assert game.bytes == before
    assert game.ply == 0


@pytest.mark.rule("MD-6")
def test_a_refresh_rolls_the_pool_alone_and_everyone_collects():
    game = at(["F1", "W2", "W6"], "A4 A5 E4 E5 E6", [1, 2, 3])
    game.play("refresh")
    assert game.state.rolling == [0, 0, 3, 2]
    spells(game, "E1 E2 E3 A6")
    assert arsenals(game) == ["F1", "W2", "W6"]
    spells(game, "A3")
    assert arsenals(game) == ["F1 E1", "W2 E2", "W6 E3 A3"]
    assert pool(game) == "A6"
    assert game.turn == 1


@pytest.mark.rule("MD-7")
def test_a_refocus_takes_the_number_from_the_pool_and_from_every_other_arsenal():
    game = at(["F1 W4", "W4 W5 E2", "E4"], "A4 A4 A6", [1, 2, 3])
    refocus(game, 4)
    assert game.state.focus == [4, 2, 3]
    assert arsenals(game) == ["F1 W4 W4 E4 A4 A4", "W5 E2", ""]
    assert pool(game) == "A6"
    assert game.turn == 1


@pytest.mark.rule("MD-7")
def test_a_refocus_that_finds_nothing_leaves_the_old_spells_where_they_are():
    game = at(["F1 W1", "W2"], "A4", [1, 2])
    refocus(game, 5)
    assert (arsenals(game), pool(game)) == (["F1 W1", "W2"], "A4")


@pytest.mark.rule("MD-7", "MD-b")
def test_rolling_the_old_number_again_counts_as_the_new_one():
    game = at(["F1", "W2"], "A1 A4", [1, 2], {"literal_collect": True})
    refocus(game, 1)
    assert (arsenals(game), pool(game)) == (["F1 A1", "W2"], "A4")


@pytest.mark.rule("MD-8")
def test_a_refocus_onto_anothers_number_rolls_all_such_dice_in_play_into_the_pool():
    game = at(["F2 F1", "W2 W3", "E2"], "A2 A6", [1, 2, 3])
    refocus(game, 2)
    assert game.state.focus == [2, 2, 3]
    assert arsenals(game) == ["F1", "W3", ""]
    assert (game.state.phase, game.state.rolling, pool(game)) == (CLASH, [1, 1, 1, 1], "A6")
    spells(game, "F2 W2 E1 A5")
    assert arsenals(game) == ["F1", "W3", ""]
    assert pool(game) == "F2 W2 E1 A5 A6"  # rolled once: what shows the number again stays so
    assert game.turn == 1


@pytest.mark.rule("MD-8", "MD-7")
def test_rolling_ones_own_shared_number_again_is_a_clash_again():
    game = at(["F1", "W3"], "A2 E2", [2, 2])
    refocus(game, 2)
    assert (game.state.phase, game.state.rolling) == (CLASH, [0, 0, 1, 1])
    spells(game, "E2 A1")
    assert (arsenals(game), pool(game)) == (["F1", "W3"], "E2 A1")


@pytest.mark.rule("MD-k", "MD-8")
def test_a_clash_over_a_number_that_no_die_shows_rolls_nothing_and_ends_the_action():
    game = at(["F1", "W3"], "A4", [1, 2])
    refocus(game, 2)
    assert (game.turn, game.state.phase, game.state.focus[:2], game.state.actions) == (1, ACT, [2, 2], 1)


@pytest.mark.rule("MD-9")
def test_two_who_share_a_number_collect_nothing_and_the_third_collects():
    game = at(["F1", "W3", "E6"], "A4 A5 A6", [2, 2, 5])
    game.play("refresh")
    spells(game, "A2 A5 A2")
    assert arsenals(game) == ["F1", "W3", "E6 A5"]
    assert pool(game) == "A2 A2"


@pytest.mark.rule("MD-9", "MD-8")
def test_three_who_share_a_number_collect_nothing_and_two_go_on_sharing_when_one_leaves():
    game = at(["F1", "W3", "E6"], "A4 A5", [2, 2, 2])
    game.play("refresh")
    spells(game, "A2 A2")
    assert arsenals(game) == ["F1", "W3", "E6"]
    refocus(game, 5)
    assert game.state.focus == [2, 5, 2]
    assert (arsenals(game), pool(game)) == (["F1", "W3", "E6"], "A2 A2")


# Battles.


@pytest.mark.rule("MD-10")
def test_every_other_player_with_a_spell_must_answer_in_order_from_the_attackers_left():
    game = at(["E1", "F5", "W2 W3"], "A4", [1, 5, 2], mage=1, turn=1)
    game.play("cast fire 5")
    assert (game.turn, game.state.phase, list(game.moves().values())) == (2, DEFEND, ["cast water 2", "cast water 3"])
    assert game.state.played == [NONE, kind("F5"), NONE]
    game.play("cast water 3")
    assert (game.turn, list(game.moves().values())) == (0, ["cast earth 1"])
    assert game.view(0).played == [NONE, kind("F5"), kind("W3")]
    game.play("cast earth 1")
    assert (game.turn, game.state.phase) == (2, ACT)
    assert arsenals(game) == ["", "", "W2"]


@pytest.mark.rule("MD-10")
@pytest.mark.parametrize(("answers", "asked"), [(["E1", ""], 1), (["", "E1"], 2)])
def test_a_player_without_a_spell_is_not_asked_to_answer(answers, asked):
    game = at(["F5 F6", *answers], "A4 A5", [1, 5, 2])
    game.play("cast fire 5")
    assert game.turn == asked
    game.play("cast earth 1")
    assert game.state.points == [1, 0, 0]
    assert game.turn == 1


@pytest.mark.rule("MD-10")
@pytest.mark.parametrize(
    ("move", "sentence"),
    [(REFRESH, "must be cast"), (REFOCUS, "must be cast"), (CAST + kind("F6"), "no fire 6"), (77, "no move 77")],
)
def test_a_defender_may_only_cast_a_spell_of_the_own_arsenal(move, sentence):
    game = at(["F5 F6", "E1"], "A4", [1, 5])
    game.play("cast fire 5")
    before = game.bytes
    with pytest.raises(Refused, match=f"{sentence}.*MD-"):
        game.play(move)
    assert game.bytes == before


@pytest.mark.rule("MD-10", "MD-d")
def test_without_a_spell_there_is_no_battle_and_no_pass():
    game = at(["", "E1"], "A4 A5", [1, 5])
    assert list(game.moves().values()) == ["refresh", "refocus"]
    with pytest.raises(Refused, match=r"the arsenal is empty.*MD-10"):
        game.play(CAST + kind("E1"))
    with pytest.raises(Refused, match=r"not a move here\. The moves are: refresh, refocus"):
        game.play("pass")


def fight(attack, *answers, options=None):
    """The points of the attacker after one battle."""
    game = at([f"{attack} {attack[0]}1", *answers], "A6 W6", [5, 4, 3][: 1 + len(answers)], options)
    for spell in (attack, *filter(None, answers)):
        game.play(CAST + kind(spell))
    assert game.state.points[1:] == [0, 0]
    assert game.state.gain == game.state.points
    return game.state.points[0]


@pytest.mark.rule("MD-11")
@pytest.mark.parametrize(
    ("attack", "answer", "points"),
    [
        ("F6", "W1", 0), ("W6", "F1", 0), ("E6", "A1", 0), ("A6", "E1", 0),
        ("F6", "E1", 1), ("F6", "A1", 1), ("F6", "F1", 1), ("W6", "E1", 1), ("W6", "A1", 1), ("W6", "W1", 1),
        ("E6", "F1", 1), ("E6", "W1", 1), ("E6", "E1", 1), ("A6", "F1", 1), ("A6", "W1", 1), ("A6", "A1", 1),
    ],
)  # fmt: skip
def test_the_opposing_element_nullifies_whatever_the_power(attack, answer, points):
    assert fight(attack, answer) == points


@pytest.mark.rule("MD-11")
def test_one_opposing_answer_of_several_is_enough():
    assert fight("F6", "W1", "E1") == fight("F6", "E1", "W1") == 0


@pytest.mark.rule("MD-12")
def test_an_attack_scores_once_if_it_beats_at_least_one_answer():
    assert fight("F3", "E2") == fight("F3", "E2", "F6") == fight("F3", "E6", "E2") == fight("F3", "E2", "E1") == 1


@pytest.mark.rule("MD-12")
def test_equal_or_lower_power_does_not_score():
    assert fight("F3", "E3") == fight("F3", "F3", "E3") == fight("F3", "E4") == fight("F3", "E3", "A6") == 0


@pytest.mark.rule("MD-12")
def test_a_defender_with_more_power_does_not_score():
    game = at(["F1", "E6"], "A6 A5", [1, 2])
    game.play("cast fire 1")
    game.play("cast earth 6")
    assert game.state.points == [0, 0, 0]


@pytest.mark.rule("MD-13", "MD-g")
def test_an_attack_that_nobody_can_answer_scores_only_with_the_option():
    assert fight("F6", "", "") == fight("F6", "") == 0
    assert fight("F6", "", "", options={"unopposed_scores": True}) == 1
    assert fight("F1", "", options={"unopposed_scores": True}) == 1


@pytest.mark.rule("MD-g")
def test_with_unopposed_scores_an_attack_that_is_answered_is_judged_as_ever():
    assert fight("F3", "E3", "", options={"unopposed_scores": True}) == 0
    assert fight("F3", "W1", "", options={"unopposed_scores": True}) == 0
    assert fight("F3", "E2", "", options={"unopposed_scores": True}) == 1


@pytest.mark.rule("MD-14")
def test_all_spells_of_a_battle_go_to_the_ether_box():
    game = at(["F5 F5 F1 F2", "W1 W2 W3 W4", "E1 E2 E3 E4"], "A1 A2 A3 A3", [6, 5, 4])
    assert game.state.ether == [0, 0, 0, 0]
    for spell in ("fire 5", "water 1", "earth 4"):
        game.play(f"cast {spell}")
    assert game.state.ether == [1, 1, 1, 0]
    assert game.state.played == [NONE, NONE, NONE]
    assert arsenals(game) == ["F1 F2 F5", "W2 W3 W4", "E1 E2 E3"]
    assert game.state.points == [0, 0, 0]  # spent although nullified


# How a round ends.


@pytest.mark.rule("MD-15")
def test_a_refresh_that_empties_the_pool_ends_the_round_and_all_dice_return():
    game = at(["F1", "W2"], "A4", [1, 2], points=[3, 4], gain=[2, 1])
    game.play("refresh")
    assert game.state.phase == REFRESHING  # empty for the moment of the roll only
    spells(game, "A1")
    s = game.state
    assert (s.turn, s.phase, s.stage) == (CHANCE, SHOW, 1)
    assert (arsenals(game), s.focus[:2], s.gain[:2]) == (["F1 A1", "W2"], [1, 2], [2, 1])  # all see how it ended
    game.chance("next round")
    s = game.state
    assert (s.rolling, s.ether, s.arsenal, s.focus) == ([4] * 4, [0] * 4, [NO_DICE] * 3, [0] * 3)
    assert (s.points[:2], s.gain, s.phase, s.stage) == ([3, 4], [0, 0, 0], FOCUS_DICE, 1)


@pytest.mark.rule("MD-15")
def test_a_refocus_that_empties_the_pool_ends_the_round():
    game = at(["F1", "W2"], "A4 E4", [1, 2])
    refocus(game, 4)
    assert (game.state.phase, arsenals(game)) == (SHOW, ["F1 E4 A4", "W2"])


@pytest.mark.rule("MD-15", "MD-b")
def test_the_round_ends_when_collecting_after_the_action_empties_the_pool():
    game = at(["F1", "W3"], "A2 E2", [2, 2])
    refocus(game, 5)
    assert (game.state.phase, arsenals(game)) == (SHOW, ["F1", "W3 E2 A2"])


@pytest.mark.rule("MD-15", "MD-8")
def test_a_clash_that_takes_every_die_of_the_pool_does_not_end_the_round():
    game = at(["F1", "W3"], "A2 E2", [1, 2])
    refocus(game, 2)
    assert (game.state.phase, pool(game)) == (CLASH, "")
    spells(game, "E3 A3")
    assert (game.state.phase, game.turn, pool(game)) == (ACT, 1, "E3 A3")


@pytest.mark.rule("MD-15", "MD-a")
def test_a_clash_whose_dice_all_go_to_a_third_player_ends_the_round():
    game = at(["F1", "W3", "F3"], "A2 E2", [1, 2, 5])
    refocus(game, 2)
    spells(game, "E5 A5")
    assert (game.state.phase, arsenals(game)) == (SHOW, ["F1", "W3", "F3 E5 A5"])


@pytest.mark.rule("MD-15")
@pytest.mark.parametrize(("left", "over"), [("A4", True), ("A4 A6", False)])
def test_one_spell_left_in_play_ends_the_round_and_two_do_not(left, over):
    game = at(["F5", "E2"], left, [5, 2])
    game.play("cast fire 5")
    game.play("cast earth 2")
    assert (game.state.phase == SHOW) == over
    assert pool(game) == left  # spells still in play


@pytest.mark.rule("MD-15")
def test_one_spell_in_the_pool_and_one_in_an_arsenal_are_two_in_play():
    game = at(["F5 F4", "E2"], "A4", [5, 2])
    game.play("cast fire 5")
    game.play("cast earth 2")
    assert (game.state.phase, game.turn) == (ACT, 1)
    game.play("refresh")
    spells(game, "A3")
    game.play("cast fire 4")
    assert game.state.phase == SHOW


@pytest.mark.rule("MD-15")
def test_a_battle_that_is_running_does_not_end_the_round():
    game = at(["F5", "E2", "E3"], "A4", [5, 2, 3])
    game.play("cast fire 5")
    game.play("cast earth 2")
    assert (game.state.phase, game.turn) == (DEFEND, 2)
    game.play("cast earth 3")
    assert game.state.phase == SHOW


# How the game ends.


@pytest.mark.rule("MD-16")
def test_ten_points_win_at_once():
    game = at(["F5", "E2", "E3"], "A4 A5", [5, 2, 3], points=[9, 9, 8])
    for spell in ("fire 5", "earth 2", "earth 3"):
        assert not game.over
        game.play(f"cast {spell}")
    assert game.over
    assert game.score() == [1, 0, 0]
    assert game.state.points == [10, 9, 8]
    assert not ask(game, "limited")
    with pytest.raises(Refused, match="over"):
        game.play("refresh")


@pytest.mark.rule("MD-16", "MD-15", "MD-e")
def test_the_tenth_point_comes_before_the_end_of_the_round_and_the_turn_limit():
    game = at(["F5", "E2"], "A4", [5, 2], {"turn_limit": 50}, points=[9, 9], actions=49)
    game.play("cast fire 5")
    game.play("cast earth 2")
    assert (game.turn, game.score(), game.state.stage) == (OVER, [1, 0], 1)
    assert not ask(game, "limited")


@pytest.mark.rule("MD-16", "MD-12")
def test_nine_points_and_a_lost_attack_win_nothing():
    game = at(["F5", "E5"], "A4 A5", [5, 2], points=[9, 9])
    game.play("cast fire 5")
    game.play("cast earth 5")
    assert (game.over, game.turn) == (False, 1)


@pytest.mark.rule("MD-e")
@pytest.mark.parametrize(
    ("points", "shares"),
    [([3, 2, 1], [1, 0, 0]), ([3, 3, 1], [0.5, 0.5, 0]), ([2, 3, 3], [0, 0.5, 0.5]), ([0, 0, 0], [1 / 3] * 3)],
)
def test_at_the_turn_limit_the_most_points_win_and_equal_points_share(points, shares):
    game = at(["F5", "E5", ""], "A4 A5", [5, 2, 1], {"turn_limit": 7}, points=points, actions=6)
    refocus(game, 6)
    assert game.over
    assert game.score() == pytest.approx(shares)
    assert ask(game, "limited")
    assert game.state.actions == 7


@pytest.mark.rule("MD-e")
def test_the_turn_limit_counts_actions_of_the_whole_game_and_not_answers_or_rolls():
    game = at(["F5", "E5"], "A4 A6", [5, 2], {"turn_limit": 3})
    game.play("cast fire 5")
    game.play("cast earth 5")
    assert game.state.actions == 1
    game.play("refresh")
    spells(game, "A5 A2")
    game.chance("next round")
    chances(game, 5, 2)
    spells(game, "F1 F1 F1 F1 W1 W1 W1 W1 E1 E1 E1 E1 A1 A1 A1 A1")
    assert (game.state.actions, game.over) == (2, False)
    refocus(game, 4)
    assert game.over


@pytest.mark.rule("MD-e", "MD-15")
def test_a_turn_limit_met_by_the_action_that_ends_a_round_ends_the_game():
    game = at(["F5", "E2"], "A4", [5, 2], {"turn_limit": 1})
    game.play("cast fire 5")
    game.play("cast earth 2")
    assert (game.over, game.state.stage, game.score()) == (True, 1, [1, 0])


@pytest.mark.rule("MD-e")
@pytest.mark.parametrize("limit", [1, 7])
def test_a_random_game_ends_by_its_turn_limit_at_the_latest(limit):
    for seats in (2, 3):
        *_, game = random_states(seats, {"turn_limit": limit}, seeds=1)
        assert game.over
        assert game.state.actions == limit
        assert ask(game, "limited")


@pytest.mark.rule("MD-h")
def test_the_target_is_an_option_from_1_to_20():
    for target in (1, 20):
        game = at(["F5", "E2"], "A4 A5", [5, 2], {"target": target}, points=[target - 1, 0])
        game.play("cast fire 5")
        game.play("cast earth 2")
        assert (game.over, game.score()) == (True, [1, 0])
    for target in (0, 21):
        with pytest.raises(Refused, match="from 1 to 20"):
            new(GAME, 2, {"target": target})


# Rulings.


@pytest.mark.rule("MD-a", "MD-b")
@pytest.mark.parametrize(("literal", "third", "left"), [(False, "F3 E5", "A2 A6"), (True, "F3", "E5 A2 A6")])
def test_after_a_clash_a_third_player_collects_dice_that_now_match(literal, third, left):
    game = at(["F1", "W3", "F3"], "A2 E2 A6", [1, 2, 5], {"literal_collect": literal})
    refocus(game, 2)
    spells(game, "E5 A2")
    assert arsenals(game) == ["F1", "W3", third]
    assert pool(game) == left


@pytest.mark.rule("MD-a")
def test_a_clash_touches_neither_other_focus_dice_nor_the_ether_box():
    game = at(["F1", "W3", "F3"], "A2 E2 A6", [1, 2, 5])
    before = game.state
    refocus(game, 2)
    spells(game, "E1 A1")
    assert (game.state.focus, game.state.ether) == ([2, 2, 5], before.ether)


@pytest.mark.rule("MD-b")
@pytest.mark.parametrize(("literal", "partner", "left"), [(False, "W3 E2 A2", "A6"), (True, "W3", "E2 A2 A6")])
def test_a_number_that_is_unique_again_collects_at_once(literal, partner, left):
    game = at(["F1", "W3", "F3"], "A2 E2 A6", [2, 2, 5], {"literal_collect": literal})
    refocus(game, 4)
    assert arsenals(game) == ["F1", partner, "F3"]
    assert pool(game) == left


@pytest.mark.rule("MD-b", "MD-8")
def test_who_leaves_one_clash_for_another_sets_the_first_partner_free():
    game = at(["F1", "W3", "F5 W5"], "A2 A6", [2, 2, 5])
    refocus(game, 5)
    assert (game.state.focus, game.state.rolling) == ([5, 2, 5], [1, 1, 0, 0])
    spells(game, "F2 W5")  # one shows the number that is free again, one the number that is shared now
    assert arsenals(game) == ["F1", "F2 W3 A2", ""]
    assert pool(game) == "W5 A6"


@pytest.mark.rule("MD-b", "MD-6", "MD-7")
def test_with_literal_collect_a_refocus_collects_for_its_player_alone_and_a_refresh_for_all():
    game = at(["F1", "W3", "F3"], "A2 E2 A6 A4", [2, 2, 5], {"literal_collect": True})
    refocus(game, 4)
    assert arsenals(game) == ["F1 A4", "W3", "F3"]
    game.play("refresh")
    spells(game, "E2 A5 A6")
    assert arsenals(game) == ["F1 A4", "W3 E2", "F3 A5"]


@pytest.mark.rule("MD-b", "MD-9")
@pytest.mark.parametrize("seats", [2, 3])
def test_in_random_games_no_unique_number_lies_in_the_pool_when_a_player_is_to_act(seats):
    for game in random_states(seats):
        s = game.state
        if s.phase == ACT:
            for number in set(s.focus[:seats]):
                if s.focus[:seats].count(number) == 1:
                    assert not any(s.pool[number - 1 :: 6])


@pytest.mark.rule("MD-8", "MD-15")
@pytest.mark.parametrize("literal", [False, True])
def test_in_random_games_focus_numbers_and_the_ends_of_rounds_keep_their_promises(literal):
    for game in random_states(3, {"literal_collect": literal}, seeds=2):
        s = game.state
        if s.phase != ACT:
            continue
        assert any(s.pool)
        assert sum(s.pool) + sum(map(sum, s.arsenal)) == 16 - sum(s.ether) > 1
        for seat in range(3):  # a focus number lies with its owner or in the pool, a shared one only in the pool
            for other in range(3):
                if other != seat:
                    assert not any(s.arsenal[other][s.focus[seat] - 1 :: 6])


@pytest.mark.rule("MD-c", "MD-3")
def test_a_first_round_that_empties_the_pool_at_once_is_set_up_again():
    game = new(GAME, 2)
    chances(game, 1, 2)
    spells(game, "F1 F1 F1 F1 W1 W1 W1 W1 E1 E1 E1 E1 A2 A2 A2 A2")  # seat 1 would begin
    assert (game.state.phase, game.state.stage, game.outcomes()) == (AGAIN, 0, {0: "roll again"})
    assert arsenals(game) == ["F1 F1 F1 F1 W1 W1 W1 W1 E1 E1 E1 E1", "A2 A2 A2 A2"]
    game.chance("roll again")
    assert (game.state.stage, game.state.actions, game.state.rolling) == (0, 0, [4, 4, 4, 4])
    chances(game, 1, 2)
    spells(game, "F2 F2 F3 F3 W3 W3 W3 W3 E3 E3 E3 E3 A3 A3 A3 A3")
    assert game.turn == 0


@pytest.mark.rule("MD-c", "MD-4")
def test_a_later_round_that_is_set_up_again_is_begun_by_the_same_player():
    game = at(["F1", "W2", "E3"], "A4", [1, 2, 3])
    game.play("refresh")
    game.chance("air 1")
    game.chance("next round")
    for _ in range(2):
        assert game.state.mage == 1
        chances(game, 1, 2, 3)
        spells(game, "F1 F1 F1 F1 W2 W2 W2 W2 E3 E3 E3 E3 A1 A1 A1 A1")
        assert (game.state.phase, game.state.stage) == (AGAIN, 1)
        game.chance("roll again")
    chances(game, 1, 2, 3)
    spells(game, "F1 F1 F1 F1 W2 W2 W2 W2 E3 E3 E3 E3 A1 A1 A1 A4")
    assert (game.turn, game.state.stage) == (1, 1)  # although others have fewer spells


@pytest.mark.rule("MD-f")
@pytest.mark.parametrize("seats", [1, 4, 6])
def test_there_are_two_or_three_seats(seats):
    with pytest.raises(Refused, match="seats 2 to 3 players"):
        new(GAME, seats)


@pytest.mark.rule("MD-i")
def test_dice_of_one_element_with_one_number_are_one_move():
    game = at(["F5 F5 F5 W5", "E2"], "A4", [5, 2])
    assert list(game.moves().values()) == ["refresh", "refocus", "cast fire 5", "cast water 5"]
    game.play("cast fire 5")
    assert arsenals(game)[0] == "F5 F5 W5"


@pytest.mark.rule("MD-j")
def test_dice_rolled_together_fall_one_by_one_and_nothing_is_collected_before_the_last():
    game = at(["F1", "W2"], "A4 A6 E5", [1, 2])
    game.play("refresh")
    for outcome, left in (("earth 1", [0, 0, 0, 2]), ("air 2", [0, 0, 0, 1])):
        game.chance(outcome)
        assert (game.state.rolling, arsenals(game)) == (left, ["F1", "W2"])
    game.chance("air 6")
    assert arsenals(game) == ["F1 E1", "W2 A2"]


@pytest.mark.rule("MD-s1")
@pytest.mark.parametrize("seats", [2, 3])
def test_every_view_is_the_whole_state_and_everyone_sees_every_move(seats):
    for game in random_states(seats, seeds=1):
        for seat in (*range(seats), WATCHER):
            assert game.view(seat) == game.state
    for seat in (*range(seats), WATCHER):
        assert game.past(seat) == [(ply.who, ply.move) for ply in game.plies]


# Positions, words and the table.


@pytest.mark.parametrize(
    ("gain", "worth"),
    [([0, 0, 0], [0.5, 0.5, 0.5]), ([2, 1, 0], [0.6, 0.4, 0.3]), ([0, 0, 6], [0, 0, 1])],
)
def test_a_round_is_worth_the_lead_in_its_points(gain, worth):
    game = at(["F5", "E2", ""], "", [5, 2, 3], phase=SHOW, turn=CHANCE, stage=1, actions=9, points=gain, gain=gain)
    states = kernel.rows(GAME.rules.State, 1)
    kernel.load(GAME.rules.State, states, 0, game.bytes)
    out = kernel.reals(3)
    GAME.rules.worth(states[0], out)
    assert list(out) == pytest.approx(worth)
    assert ask(game, "stage") == 1


BATTLE = {"phase": DEFEND, "turn": 1, "played": ["F5", "", ""]}


@pytest.mark.parametrize(
    "fields",
    [
        {"points": [10, 0, 0]},  # the game would be over
        {"gain": [1, 0, 0]},  # more than all points
        {"gain": [7, 0, 0], "points": [7, 0, 0]},  # more than the spells in the box can have made
        {"actions": 1000},
        {"stage": 1},  # rounds without actions
        {"turn": 1},
        {"turn": CHANCE},
        {"turn": OVER, "phase": SHOW, "stage": 1, "actions": 1},
        {"phase": SHOW, "turn": CHANCE, "stage": 1, "actions": 1},  # the round is not over
        {"phase": FOCUS_DICE, "turn": CHANCE},
        {"phase": SPELL_DICE, "turn": CHANCE},
        {"phase": AGAIN, "turn": CHANCE},
        {"phase": REFRESHING, "turn": CHANCE},  # nothing to roll
        {"phase": CLASH, "turn": CHANCE, "rolling": "A"},  # no shared number
        {"phase": REFOCUSING, "turn": CHANCE, "rolling": "A"},
        {"rolling": "A"},
        {"focus": [5, 0, 3]},
        {"played": ["F5", "", ""]},
        {"ether": [4, 3, 2, 2]},  # a die is missing
        {"ether": [3, 4, 3, 2]},  # a die too many
        BATTLE | {"turn": 0},
        BATTLE | {"turn": 2},  # seat 1 has a spell and has not answered
        BATTLE | {"played": ["", "", ""]},
        BATTLE | {"played": ["F5", "E1", ""]},
        BATTLE | {"played": ["F5", "", "E1"]},
    ],
)
def test_a_position_that_does_not_fit_together_is_refused(fields):
    at(["F5", "E2", "E3"], "A4 A5", [5, 2, 3])
    with pytest.raises(Refused, match="not one that Mage's Dice can reach"):
        at(["F5", "E2", "E3"], "A4 A5", **{"focus": [5, 2, 3]} | fields)


def test_a_spell_cast_that_is_no_kind_of_spell_is_refused():
    with pytest.raises(Refused, match="not one that"):
        new(GAME, 2, position={"played": [-3, NONE, NONE]})


def test_a_position_can_begin_in_the_middle_of_a_battle_or_a_roll():
    game = at(["", "E2", "E3"], "A4 A5", [5, 2, 3], **BATTLE)
    game.play("cast earth 2")
    game.play("cast earth 3")
    assert game.state.points == [1, 0, 0]
    game = at(["F5", "E2"], "A4", [5, 2], phase=REFRESHING, turn=CHANCE, rolling="E")
    game.chance("earth 5")
    assert arsenals(game) == ["F5 E5", "E2"]


@pytest.mark.parametrize("phase", [FOCUS_DICE, SPELL_DICE, AGAIN, ACT, REFRESHING, REFOCUSING, CLASH, DEFEND, SHOW])
def test_why_not_answers_any_number_in_any_phase_with_a_rule_of_the_page(phase):
    state = at(["F5", "E2", ""], "A4 A5", [5, 2, 3]).state
    state.phase = phase
    for turn in (0, 1, 2, CHANCE, OVER):
        state.turn = turn
        for move in (-32768, -9, -1, *range(MOVES), MOVES, 32767):
            rule, sentence = words.why_not(state, move)
            assert rule in GAME.rule
            assert sentence.endswith(".")


def tell(game, move, names=("You", "Bob", "Cy")):
    """Make a move and answer the news of it."""
    before = game.view(0)
    ply = game.chance(move) if game.turn == CHANCE else game.play(move)
    return words.news(before, ply.move, game.view(0), names)


def test_the_news_tells_a_battle():
    game = at(["F5 F4 F3", "E2 W1", ""], "A4 A6", [5, 2, 3])
    assert words.question(game.view(0), ["You", "Bob", "Cy"]) == "You refresh the pool, refocus or cast a spell."
    assert tell(game, "cast fire 5") == "You attack with fire 5."
    assert words.question(game.view(0), ["You", "Bob", "Cy"]) == "Bob answers your fire 5 with a spell."
    assert tell(game, "cast earth 2") == "Bob answers with earth 2. You score a point."
    assert tell(game, "cast water 1") == "Bob attacks with water 1."
    assert tell(game, "cast fire 3") == "You answer with fire 3. The attack is nullified."
    assert tell(game, "refresh") == "Cy refreshes the mana pool: 2 dice to roll."
    assert tell(game, "air 5") == "Air 5."
    assert tell(game, "air 1") == "Air 1. You collect air 5."
    assert tell(game, "cast air 5") == "You attack with air 5. Nobody has a spell to beat: no point."


def test_the_news_tells_a_refocus_and_the_end_of_a_round():
    game = at(["F1", "W4 W5", "E4"], "A4 A6", [1, 2, 3])
    assert tell(game, "refocus") == "You refocus."
    said = "You focus on 4. You collect water 4, earth 4 and air 4. Bob loses water 4. Cy loses earth 4."
    assert tell(game, "focus 4 for seat 0") == said
    tell(game, "refocus")
    said = "Bob focuses on 4, which is also your number: 3 dice of that number to roll again. "
    assert tell(game, "focus 4 for seat 1") == said + "You lose water 4, earth 4 and air 4."
    for outcome in ("water 3", "earth 3"):
        tell(game, outcome)
    assert tell(game, "air 3") == "Air 3. Cy collects water 3, earth 3 and air 3."
    tell(game, "refresh")
    said = "Air 3. Cy collects air 3. The round is over: the pool is empty. You begin the next."
    assert tell(game, "air 3") == said
    assert tell(game, "next round") == "Round 2: all dice return to the pool. You are to begin."
    tell(game, "focus 3 for seat 0")
    tell(game, "focus 5 for seat 1")
    assert tell(game, "focus 3 for seat 2") == "Cy focuses on 3. You and Cy share a number and roll again."


@pytest.mark.parametrize(
    ("options", "points", "said"),
    [
        ({}, [9, 9], "You score a point. You win."),
        ({"turn_limit": 1}, [2, 3], "You score a point. The turn limit is reached: You and Bob share the win."),
        ({}, [2, 3], "You score a point. The round is over: one spell at most is left in play. Bob begins the next."),
    ],
)
def test_the_news_tells_how_it_ended(options, points, said):
    game = at(["F5", "E2"], "A4", [5, 2], options, points=points)
    tell(game, "cast fire 5")
    assert tell(game, "cast earth 2") == f"Bob answers with earth 2. {said}"


def test_the_table_fits_100_columns_and_names_every_place():
    names = ["Bartholomew the Everlasting", "Bob", "Cy"]
    console = Console(width=200)
    for target in (1, 10, 20):
        score = {"points": [target - 1] * 3, "gain": [1 if target > 1 else 0, 0, 0]}
        game = at(["F6 F5 F4 F3", "W6 W5 W4 W3", "E6 E5"], "A6 A5 A4 A2", [5, 5, 5], {"target": target}, **score)
        with console.capture() as capture:
            console.print(table.draw(game.view(0), 0, names))
        text = capture.get()
        assert max(map(len, text.splitlines())) <= 100
        for word in ("fire", "water", "earth", "air", "mana pool", "ether box", "6 5 4 3", "5 shared", "Bob", "by number"):
            assert word in text


def test_the_table_draws_every_phase():
    console = Console(width=100)
    seen = set()
    for game in random_states(3, seeds=1):
        state = game.state
        if (state.phase, state.turn) not in seen:
            seen.add((state.phase, state.turn))
            with console.capture() as capture:
                console.print(table.draw(game.view(WATCHER), WATCHER, game.names))
            assert "mana pool" in capture.get()
    assert {phase for phase, _ in seen} == {FOCUS_DICE, SPELL_DICE, ACT, REFRESHING, REFOCUSING, CLASH, DEFEND, SHOW}


@pytest.mark.rule("MD-11")
def test_what_a_page_prints_on_the_dice_names_the_element_that_nullifies_each():
    printed = words.cards(new("mages_dice", 2).state)
    assert [(element["element"], element["opposite"]) for element in printed] == [
        ("fire", "water"), ("water", "fire"), ("earth", "air"), ("air", "earth"),
    ]  # fmt: skip
