"""The rules of Abraca...What?, one sentence a test. What seats may know is in test_secrets.py."""

import pytest

from spellheist.core.dice import Luck
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, NONE, OVER
from spellheist.games.abraca_what import words
from spellheist.games.abraca_what.rules import CALL, DEAL, GO_ON, SHOW

rule = pytest.mark.rule


def at(hands, caster=0, lives=None, points=None, taken=None, pile=None, **options):
    """A position in the middle of a round, `caster` to call. Stones that are nowhere else are in the deck;
    when the pile is to be smaller than that, the rest has been cast, the high ones first."""
    seats = len(hands)
    taken = taken or [[] for _ in hands]
    deck = list(range(9))
    for kinds in [*hands, *taken]:
        for kind in kinds:
            deck[kind] -= 1
    secrets = 4 - sum(map(len, taken))
    board = [0] * 9
    while pile is not None and sum(deck) - secrets > pile:
        kind = max(k for k in range(9) if deck[k])
        deck[kind] -= 1
        board[kind] += 1

    def rows(lists, width, fill=0):
        return [(list(row) + [fill] * width)[:width] for row in [*lists, *([[]] * (5 - seats))]]

    position = {
        "caster": caster, "turn": caster, "phase": CALL, "deck": deck, "board": board, "secrets": secrets,
        "pile": sum(deck) - secrets, "held": [*map(len, hands), *[0] * (5 - seats)], "hand": rows(hands, 5),
        "takes": [*map(len, taken), *[0] * (5 - seats)], "taken": rows(taken, 4),
        "lives": [*(lives or [6] * seats), *[0] * (5 - seats)], "points": [*(points or [0] * seats), *[0] * (5 - seats)],
    }  # fmt: skip
    return new("abraca_what", seats, {"starter": 0, **options}, position=position)


def call(play, *spells):
    """Call spells by their numbers; the die, if one is asked for, is up to the test."""
    for spell in spells:
        play.play(spell)


THREE = [[1, 2, 3, 4, 5], [6, 6, 7, 7, 8], [5, 6, 7, 8, 8]]


def deal_out(play):
    luck = Luck(1)
    while play.turn == CHANCE:
        play.roll(luck)


@rule("AW-1")
@pytest.mark.parametrize(("seats", "aside", "pile"), [(2, 12, 10), (3, 6, 11), (4, 0, 12), (5, 0, 7)])
def test_a_round_is_dealt_with_stones_aside_four_secrets_and_a_pile(seats, aside, pile):
    play = new("abraca_what", seats)
    deal_out(play)
    s = play.state
    assert s.held[:seats] == [5] * seats
    assert s.lives[:seats] == [6] * seats
    assert (sum(s.board), s.secrets, s.pile) == (aside, 4, pile)
    assert sum(s.deck) == pile + 4


@rule("AW-1")
def test_the_stones_are_one_1_two_2s_and_so_on_to_eight_8s():
    assert new("abraca_what", 2, {"starter": 0}).odds() == [0, 1, 2, 3, 4, 5, 6, 7, 8]


@rule("AW-2")
def test_a_random_seat_begins_unless_the_starter_is_named():
    play = new("abraca_what", 4)
    assert play.outcomes() == {0: "seat 0 begins", 1: "seat 1 begins", 2: "seat 2 begins", 3: "seat 3 begins"}
    assert set(play.odds()[:4]) == {1}
    play.chance("seat 2 begins")
    deal_out(play)
    assert play.turn == 2
    named = new("abraca_what", 4, {"starter": 3})
    deal_out(named)
    assert named.turn == 3


@rule("AW-3")
def test_the_first_call_of_a_turn_is_any_spell_and_obligatory():
    play = at(THREE)
    assert play.legal() == [1, 2, 3, 4, 5, 6, 7, 8]
    with pytest.raises(Refused, match=r"obligatory.*AW-3"):
        play.play(0)


@rule("AW-4")
def test_calling_a_stone_one_does_not_have_costs_a_life_and_the_turn():
    play = at(THREE)
    play.play("call 8 Magic Drink")
    assert play.state.lives[:3] == [5, 6, 6]
    assert (play.turn, play.state.phase) == (1, CALL)


@rule("AW-4", "AW-i")
def test_a_false_dragon_costs_what_the_die_shows_and_nothing_besides():
    play = at(THREE, caster=1)
    play.play("call 1 Ancient Dragon")
    assert play.outcomes() == {1: "die 1", 2: "die 2", 3: "die 3"}
    play.chance("die 3")
    assert play.state.lives[:3] == [6, 3, 6]
    assert play.turn == 2


@rule("AW-5")
def test_a_stone_that_is_there_goes_to_the_board():
    play = at(THREE)
    play.play("call 5 Lightning Tempest")
    s = play.state
    assert s.board[5] == 1
    assert s.hand[0] == [1, 2, 3, 4, 0]
    assert (play.turn, s.phase) == (0, GO_ON)


@rule("AW-5", "AW-i")
def test_the_dragon_costs_every_other_player_one_common_roll():
    play = at(THREE)
    call(play, 1)
    play.chance("die 2")
    assert play.state.lives[:3] == [6, 4, 4]


@rule("AW-5")
def test_the_wanderer_takes_a_life_of_every_other_player_and_gives_one():
    play = at(THREE, lives=[4, 6, 3])
    call(play, 2)
    assert play.state.lives[:3] == [5, 5, 2]


@rule("AW-5", "AW-7")
def test_rulebook_example_a_dream_of_three_lifts_four_lives_to_six_and_then_a_tempest_hits_both_neighbours():
    play = at(THREE, lives=[4, 6, 6])
    call(play, 3)
    play.chance("die 3")
    assert play.state.lives[:3] == [6, 6, 6]
    call(play, 5)
    assert play.state.lives[:3] == [6, 5, 5]


@rule("AW-a")
def test_rulebook_example_a_lower_call_after_a_tempest_costs_a_life_and_the_turn_though_the_stone_is_there():
    play = at(THREE, lives=[4, 6, 6], strict_calls=True)
    call(play, 3)
    play.chance("die 3")
    call(play, 5)
    call(play, 4)
    assert play.state.lives[:3] == [5, 5, 5]
    assert play.state.hand[0] == [1, 2, 4, 0, 0]
    assert play.turn == CHANCE  # the hand is filled up, then the left neighbour plays
    deal_out(play)
    assert play.turn == 1


@rule("AW-5")
def test_the_singer_takes_a_secret_stone():
    play = at(THREE)
    call(play, 4)
    play.chance("secret stone 8")
    s = play.state
    assert (s.secrets, s.takes[0], s.taken[0][0]) == (3, 1, 8)
    assert (play.turn, s.phase) == (0, GO_ON)


@rule("AW-5")
def test_the_blizzard_hits_the_left_neighbour_who_is_next_in_turn_order():
    play = at(THREE, caster=2)
    call(play, 6)
    assert play.state.lives[:3] == [5, 6, 6]


@rule("AW-5")
def test_the_fireball_hits_the_right_neighbour():
    play = at(THREE, caster=2)
    call(play, 7)
    assert play.state.lives[:3] == [6, 5, 6]


@rule("AW-5")
def test_a_tempest_between_two_players_costs_one_life_in_all():
    play = at([[5, 5, 5, 1, 2], [8, 8, 8, 8, 8]])
    call(play, 5)
    assert play.state.lives[:2] == [6, 5]


@rule("AW-5", "AW-7")
def test_the_drink_gives_a_life_but_never_a_seventh():
    play = at(THREE, caster=1, lives=[6, 5, 6])
    call(play, 8)
    assert play.state.lives[1] == 6
    full = at(THREE, caster=2)
    call(full, 8)
    assert full.state.lives[2] == 6


@rule("AW-6")
def test_after_a_success_one_stops_or_calls_the_same_number_or_a_higher_one():
    play = at(THREE, caster=1)
    call(play, 6)
    assert list(play.moves().values()) == ["stop", "call 6 Blizzard", "call 7 Fireball", "call 8 Magic Drink"]
    with pytest.raises(Refused, match=r"only 6 or higher.*AW-6"):
        play.play(5)
    call(play, 6)
    assert play.state.lives[:3] == [6, 6, 4]


@rule("AW-7")
def test_lives_do_not_fall_below_zero():
    play = at(THREE, lives=[6, 1, 2])
    call(play, 1)
    play.chance("die 3")
    assert play.state.lives[:3] == [6, 0, 0]


@rule("AW-8")
def test_at_the_end_of_a_turn_the_hand_is_filled_from_the_pile_and_the_left_neighbour_plays():
    play = at(THREE, caster=2)
    call(play, 6)
    call(play, 7)
    play.play("stop")
    play.chance("stone 8 to seat 2")
    play.chance("stone 4 to seat 2")
    assert play.state.hand[2] == [5, 8, 8, 8, 4]
    assert play.turn == 0


@rule("AW-8")
def test_a_failed_call_after_successes_fills_the_hand_too():
    play = at(THREE, caster=2)
    call(play, 6, 6)
    assert play.state.lives[2] == 5
    play.chance("stone 8 to seat 2")
    assert play.state.held[2] == 5
    assert play.turn == 0


@rule("AW-9")
def test_casting_the_last_stone_wins_three_points_and_the_others_drop_to_no_lives():
    play = at([[8], [6, 6], [7, 7]], pile=0, points=[1, 2, 3])
    call(play, 8)
    s = play.state
    assert s.phase == SHOW
    assert s.lives[:3] == [6, 0, 0]
    assert s.gain[:3] == [3, 0, 0]
    assert s.points[:3] == [4, 2, 3]


@rule("AW-9")
def test_a_last_stone_that_needs_a_die_still_rolls_it():
    play = at([[3], [6, 6], [7, 7]], pile=0, lives=[2, 6, 6])
    call(play, 3)
    play.chance("die 2")
    assert play.state.lives[:3] == [4, 0, 0]
    assert play.state.gain[:3] == [3, 0, 0]


@rule("AW-10")
def test_a_knock_out_scores_three_for_the_attacker_one_for_survivors_and_nothing_for_the_fallen():
    play = at(THREE, caster=1, lives=[6, 6, 1])
    call(play, 6)
    assert play.state.gain[:3] == [1, 3, 0]
    assert play.state.phase == SHOW


@rule("AW-10")
def test_several_may_be_knocked_out_at_once():
    play = at([*THREE, [4, 4, 4, 3, 3]], lives=[6, 1, 1, 6])
    call(play, 2)
    assert play.state.gain[:4] == [3, 0, 0, 1]


@rule("AW-11")
def test_who_falls_by_an_own_failed_call_loses_alone_and_there_is_no_winner():
    play = at(THREE, lives=[1, 2, 3])
    call(play, 8)
    assert play.state.gain[:3] == [0, 1, 1]
    assert play.state.lives[:3] == [0, 2, 3]


@rule("AW-12")
def test_survivors_score_one_more_for_each_secret_stone():
    play = at(THREE, caster=1, lives=[6, 6, 1], taken=[[8], [8, 8], [4]])
    call(play, 6)
    assert play.state.gain[:3] == [2, 5, 0]


@rule("AW-12", "AW-11")
def test_secret_stones_count_for_survivors_of_a_failed_call_too():
    play = at(THREE, lives=[1, 2, 3], taken=[[8], [8, 7], []])
    call(play, 8)
    assert play.state.gain[:3] == [0, 3, 1]


@rule("AW-12", "AW-1", "AW-s3")
def test_one_player_takes_all_four_secret_stones_and_the_next_round_has_four_again():
    play = at([[4, 4, 4, 4, 6], [6, 7, 7, 8, 8], [5, 6, 7, 8, 8]], lives=[6, 1, 6])
    for stone in (8, 7, 7, 5):
        play.play("call 4 Night Singer")
        play.chance(f"secret stone {stone}")
    assert (play.state.takes[:3], play.state.taken[0], play.state.secrets) == ([4, 0, 0], [8, 7, 7, 5], 0)
    play.play("call 6 Blizzard")
    assert play.state.points[:3] == [7, 0, 0], "3 for the last stone and 1 for each secret stone"
    play.chance("next round")
    s = play.state
    assert (s.takes[:3], s.taken[:3], s.secrets, s.pile) == ([0] * 3, [[0] * 4] * 3, 4, 32)
    deal_out(play)
    assert (play.state.secrets, play.state.held[:3], play.turn) == (4, [5, 5, 5], 1)


@rule("AW-13")
def test_the_left_neighbour_of_the_last_player_starts_the_next_round_knocked_out_or_not():
    play = at(THREE, caster=1, lives=[6, 6, 1])
    call(play, 6)
    play.chance("next round")
    s = play.state
    assert (s.caster, s.phase, s.stage) == (2, DEAL, 1)
    assert s.lives[:3] == [6, 6, 6]
    assert s.deck == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    deal_out(play)
    assert play.turn == 2


@rule("AW-14")
def test_eight_points_end_the_game():
    play = at(THREE, caster=1, lives=[6, 6, 1], points=[2, 5, 7])
    call(play, 6)
    assert play.turn == OVER
    assert play.score() == [0, 1, 0]
    assert words.standings(play.state) == ["3 points", "8 points", "7 points"]


@rule("AW-14")
def test_of_several_with_eight_the_one_who_scored_most_in_the_last_round_wins_not_the_higher_total():
    play = at(THREE, caster=1, lives=[6, 6, 1], points=[7, 5, 2], taken=[[8], [], []])
    call(play, 6)
    assert play.state.points[:3] == [9, 8, 2]
    assert play.score() == [0, 1, 0]
    standings = ["9 points (2 in the last round, 6 lives)", "8 points (3 in the last round, 6 lives)", "2 points"]
    assert words.standings(play.state) == standings


@rule("AW-14")
@pytest.mark.parametrize(("lives", "shares"), [([1, 5, 4], [0, 1, 0]), ([1, 4, 4], [0, 0.5, 0.5])])
def test_then_more_lives_win_and_equal_lives_share(lives, shares):
    play = at(THREE, lives=lives, points=[0, 7, 7])
    call(play, 8)
    assert play.score() == shares


@rule("AW-14")
def test_seven_points_do_not_end_the_game_and_points_count_on_past_eight():
    play = at(THREE, lives=[1, 5, 4], points=[0, 6, 6])
    call(play, 8)
    assert play.turn == CHANCE
    more = at(THREE, caster=1, lives=[6, 6, 1], points=[0, 7, 0], taken=[[], [8, 8, 7, 6], []])
    call(more, 6)
    assert more.state.points[1] == 14


@rule("AW-15")
def test_in_the_easy_version_any_spell_may_follow():
    play = at(THREE, easy=True)
    call(play, 5)
    assert play.legal() == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    call(play, 4)
    play.chance("secret stone 8")
    assert play.state.lives[0] == 6


@rule("AW-16")
def test_last_standing_the_fallen_leave_and_the_casters_turn_goes_on():
    play = at(THREE, caster=1, lives=[6, 6, 1], last_standing=True)
    call(play, 6)
    s = play.state
    assert (play.turn, s.phase) == (1, GO_ON)
    assert s.lives[:3] == [6, 6, 0]
    call(play, 6)
    assert play.state.lives[0] == 5, "the left neighbour is now the next living player"
    play.play("stop")
    deal_out(play)
    assert play.turn == 0, "the fallen are passed over"


@rule("AW-16")
def test_last_standing_the_right_neighbour_is_the_next_living_player_too():
    play = at([*THREE, [4, 4, 4, 3, 3]], caster=2, lives=[6, 0, 6, 6], last_standing=True)
    call(play, 7)
    assert play.state.lives[:4] == [5, 0, 6, 6]


@rule("AW-16")
def test_last_standing_the_one_left_scores_two_and_the_own_secret_stones_and_nobody_else_scores():
    play = at(THREE, caster=1, lives=[0, 6, 1], taken=[[8], [8, 7], []], last_standing=True)
    call(play, 6)
    assert play.state.gain[:3] == [0, 4, 0]
    assert play.state.phase == SHOW


@rule("AW-16")
def test_last_standing_an_emptied_hand_wins_and_leaves_the_others_without_lives():
    play = at([[8], [6, 6], [7, 7]], pile=0, taken=[[7], [7], []], last_standing=True)
    call(play, 8)
    assert play.state.gain[:3] == [3, 0, 0]
    assert play.state.lives[:3] == [6, 0, 0]


@rule("AW-16")
def test_last_standing_falling_by_a_failed_call_means_leaving_without_a_refill():
    play = at(THREE, lives=[1, 4, 4], last_standing=True)
    call(play, 5)
    call(play, 8)
    s = play.state
    assert s.held[0] == 4
    assert s.lives[0] == 0
    assert play.turn == 1
    assert s.gain[:3] == [0, 0, 0]


@rule("AW-16")
def test_last_standing_when_a_failed_call_leaves_one_that_one_wins():
    play = at(THREE, lives=[1, 0, 4], taken=[[], [], [8]], last_standing=True)
    call(play, 8)
    assert play.state.gain[:3] == [0, 0, 3]


@rule("AW-a")
def test_a_lower_call_is_offered_only_with_strict_calls():
    assert 4 not in after_five(at(THREE)).legal()
    assert 4 in after_five(at(THREE, strict_calls=True)).legal()


def after_five(play):
    call(play, 5)
    return play


@rule("AW-a", "AW-11")
def test_a_lower_call_of_the_dragon_costs_one_life_without_a_roll_and_may_be_the_last():
    play = after_five(at(THREE, lives=[3, 6, 6], strict_calls=True))
    call(play, 1)
    assert play.state.lives[0] == 2
    last = after_five(at(THREE, lives=[1, 6, 6], strict_calls=True))
    call(last, 1)
    assert last.state.gain[:3] == [0, 1, 1]


@rule("AW-a", "AW-15")
def test_strict_calls_have_no_effect_in_the_easy_version():
    play = after_five(at(THREE, strict_calls=True, easy=True))
    call(play, 4)
    assert play.state.lives[0] == 6
    assert play.turn == CHANCE


@rule("AW-a", "AW-16")
def test_a_last_life_lost_by_a_lower_call_leaves_a_last_standing_round():
    play = after_five(at(THREE, lives=[1, 6, 6], strict_calls=True, last_standing=True))
    call(play, 2)
    assert play.state.lives[0] == 0
    assert play.turn == 1


@rule("AW-b")
def test_a_singer_without_secret_stones_left_is_cast_and_takes_nothing():
    play = at(THREE, taken=[[], [8, 8], [7, 6]])
    call(play, 4)
    s = play.state
    assert s.board[4] == 1
    assert s.takes[0] == 0
    assert (play.turn, s.phase) == (0, GO_ON)


@rule("AW-c")
def test_of_two_such_stones_the_one_held_longest_is_taken():
    play = at([[5, 8, 5, 2, 5], [6, 6, 7, 7, 8]])
    call(play, 5)
    assert play.state.hand[0] == [8, 5, 2, 5, 0]


@rule("AW-d")
def test_a_last_stone_that_knocks_out_wins_as_a_last_stone():
    play = at([[7], [6, 6], [8, 8]], pile=0, lives=[6, 3, 1], taken=[[4], [4], []])
    call(play, 7)
    assert play.state.gain[:3] == [4, 0, 0]
    assert play.state.lives[:3] == [6, 0, 0]


@rule("AW-d")
def test_with_knock_out_first_it_is_scored_as_a_knock_out():
    play = at([[7], [6, 6], [8, 8]], pile=0, lives=[6, 3, 1], taken=[[4], [4], []], knock_out_first=True)
    call(play, 7)
    assert play.state.gain[:3] == [4, 2, 0]
    assert play.state.lives[:3] == [6, 3, 0]


@rule("AW-d")
def test_with_knock_out_first_and_nobody_knocked_out_the_last_stone_wins_all():
    play = at([[7], [6, 6], [8, 8]], pile=0, lives=[6, 3, 2], knock_out_first=True)
    call(play, 7)
    assert play.state.gain[:3] == [3, 0, 0]


@rule("AW-d")
def test_knock_out_first_has_no_effect_in_a_last_standing_round():
    play = at([[7], [6, 6], [8, 8]], pile=0, lives=[6, 3, 1], knock_out_first=True, last_standing=True)
    call(play, 7)
    assert play.state.gain[:3] == [2, 0, 0]


@rule("AW-d", "AW-h")
def test_a_singer_cast_last_still_takes_its_stone_and_only_the_winners_stones_count():
    play = at([[4], [6, 6], [8, 8]], pile=0, taken=[[], [5], [5]])
    call(play, 4)
    play.chance(next(iter(play.outcomes())))
    assert play.state.gain[:3] == [4, 0, 0]


@rule("AW-e")
def test_with_an_empty_pile_hands_shrink():
    play = at([[8, 8, 5], [6, 6], [7, 7]], pile=1)
    call(play, 8)
    play.play("stop")
    deal_out(play)
    assert play.state.held[0] == 3
    assert play.turn == 1
    call(play, 6)
    play.play("stop")
    assert play.state.held[1] == 1
    assert play.turn == 2


@rule("AW-f")
def test_stones_of_the_fallen_stay_and_their_owner_may_look_at_them():
    play = at(THREE, caster=1, lives=[6, 6, 1], last_standing=True)
    assert play.view(2).hand[2] == [-3] * 5
    call(play, 6)
    assert play.view(2).hand[2] == THREE[2]
    assert play.view(0).hand[2] == THREE[2]
    assert play.state.held[2] == 5


@rule("AW-g")
def test_a_last_standing_game_ends_by_the_same_tie_breaks():
    play = at(THREE, caster=1, lives=[0, 6, 1], points=[7, 6, 7], last_standing=True)
    call(play, 6)
    assert play.turn == OVER
    assert play.score() == [0, 1, 0]


@rule("AW-j")
def test_a_number_whose_stones_all_lie_in_sight_may_be_called_and_fails():
    play = at([[8, 8, 8, 8, 8], [1, 2, 2, 3, 3]])
    assert 1 in play.legal()
    call(play, 2)
    assert play.state.lives[0] == 5


@rule("AW-k")
def test_after_a_round_all_stones_are_shown_to_all():
    play = at(THREE, caster=1, lives=[6, 6, 1], taken=[[8], [], []])
    call(play, 6)
    for seat in (0, 1, 2, -5):
        assert play.view(seat) == play.state


def test_a_move_out_of_turn_is_refused_with_the_names():
    play = at(THREE)
    with pytest.raises(Refused, match=r"It is Seat 0's turn, not Seat 2's\. \(AW-8\)"):
        play.play(3, seat=2)
    assert play.ply == 0


@pytest.mark.parametrize("faces", [(0, 0, 1), (6, 0, 2)])
def test_the_die_has_the_faces_that_the_option_says(faces):
    play = at(THREE, die_faces=faces)
    call(play, 1)
    assert play.odds()[1:4] == list(faces)


def test_a_starter_without_a_seat_is_refused():
    with pytest.raises(Refused, match="starter"):
        new("abraca_what", 3, {"starter": 3})
    assert new("abraca_what", 3, {"starter": "random"}).state.caster == NONE


@pytest.mark.parametrize(("stone", "said"), [(8, "An 8 is set aside."), (7, "A 7 is set aside.")])
def test_the_news_of_a_stone_set_aside_reads_as_english(stone, said):
    play = new("abraca_what", 2, {"starter": 0})
    luck = Luck(1)
    while play.state.phase != DEAL or words.dealt_to(play.state) != NONE:
        play.roll(luck)
    before = play.view(0)
    play.chance(stone)
    assert words.news(before, stone, play.view(0), ["Ann", "Bob"]) == said
