"""What the bots know of Spellcaster, one sentence a test."""

import pytest
from thoughts import Thoughts

from spellheist.bots import bot
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.state import CHANCE
from spellheist.games.spellcaster.rules import NO
from spellheist.games.spellcaster.test_rules import at, changed, probe, random_game, start_of_turn
from spellheist.lab.match import play_match

GAME = find("spellcaster")
THOUGHTS = Thoughts(GAME)
row, advice, shares = THOUGHTS.row, THOUGHTS.advice, THOUGHTS.shares
GREEDY = bot("greedy", GAME)


def choice(play):
    """What the rules of thumb say, in words."""
    seat = play.turn
    return play.moves()[GREEDY.choose(play.view(seat), seat, play.past(seat), Luck(1))]


# Moves that are plain to see.


def test_a_top_card_that_kills_is_activated():
    play = at([["Rich Vein", "Warm Broth"], []], [("Ember Dart", 0), ("Rough Stones", 0)], energy=(10, 2), actions=1)
    assert choice(play) == "activate Ember Dart"


def test_a_card_in_the_hand_that_kills_is_played_and_activated():
    play = at([["Burning Lance", "Rich Vein", "Warm Broth"], []], energy=(10, 3))
    assert choice(play) == "play Burning Lance"
    play.play("play Burning Lance")
    assert choice(play) == "activate Burning Lance"


def test_the_fifteenth_sapphire_is_taken():
    play = at([["Burning Lance"], []], [("Rough Stones", 0), ("Scorched Notes", 0)], sapphires=(12, 13), actions=1)
    assert choice(play) == "activate Rough Stones"


def test_a_mage_does_not_pay_with_the_last_energy():
    play = at([["Warm Broth"], []], [("Blood Bargain", 0)], energy=(1, 10), actions=1)
    assert choice(play) != "activate Blood Bargain"


def test_but_the_last_energy_but_one_is_well_paid_for_the_win():
    play = at([["Warm Broth"], []], [("Blood Bargain", 0)], energy=(2, 3), actions=1)
    assert choice(play) == "activate Blood Bargain"


def test_a_deadly_card_of_the_rival_is_covered():
    play = at([["Flicker Strike", "Warm Broth", "Rough Stones"], []], [("Burning Lance", 1)], energy=(3, 10), actions=1)
    assert choice(play) == "play Flicker Strike"


def test_the_last_sapphires_of_the_rival_are_covered():
    play = at([["Ember Dart", "Moths of Dust", "Warm Broth"], []], [("Rough Stones", 1)], sapphires=(2, 12), actions=1)
    assert choice(play) == "play Moths of Dust"


def test_an_own_good_card_is_not_covered_with_a_worse_one():
    play = at([["Slow Burn", "Moths of Dust"], []], [("Burning Lance", 0), ("Rich Vein", 0)], actions=1)
    assert not choice(play).startswith("play")


def test_the_card_that_does_more_is_activated():
    play = at([[], []], [("Rough Stones", 0), ("Second Wind", 0)], sapphires=(9, 2), actions=1)
    assert choice(play) == "activate Rough Stones"


# What spells ask.


def test_a_spell_is_started_again_as_long_as_that_wins():
    play = at([[], []], [("Sparks to Spare", 0)], energy=(10, 3), sapphires=(2, 2), actions=1)
    play.play("activate Sparks to Spare")
    while not play.over:
        play.play(choice(play))
    assert play.score() == [1, 0]


def test_a_ransom_is_paid_when_the_alternative_is_death():
    play = at([[], ["Warm Broth", "Rough Stones"]], [("Ultimatum", 0)], energy=(10, 4))
    play.play("activate Ultimatum")
    assert play.turn == 1 and choice(play) == "discard 2 cards"


def test_a_ransom_is_not_paid_when_that_is_death():
    play = at([[], []], [("Tribute", 0)], energy=(10, 3))
    play.play("activate Tribute")
    assert play.turn == 1 and choice(play) == play.moves()[NO]


def test_the_best_of_two_effects_is_chosen():
    play = at([[], []], [("Pawnbroker", 0)], sapphires=(13, 5))
    play.play("activate Pawnbroker")
    assert "teal" in choice(play)


def test_the_worst_card_is_discarded_and_the_best_is_taken():
    mine = at([["Rough Stones", "Mind Reader", "Gemfire"], []], [("Herb Satchel", 0)], sapphires=(12, 2))
    mine.play("activate Herb Satchel")
    assert "Rough Stones" not in choice(mine)
    theirs = at([[], ["Rough Stones", "Haste", "Gemfire"]], [("Mind Reader", 0)], sapphires=(12, 2))
    theirs.play("activate Mind Reader")
    assert "Rough Stones" in choice(theirs)


def test_the_most_dangerous_card_is_banished():
    play = probe("banish 1", piles=[("Ember Dart", 1), ("Second Wind", 1)], energy=(2, 10))
    assert "Ember Dart" in choice(play)


def test_an_unheard_of_deck_is_read_as_well():
    text = changed(red="damage 9", blue="sapphires 1")
    play = at([["Red Probe", "Blue Probe"], []], deck=text, energy=(10, 9))
    assert choice(play) == "play Red Probe"


def test_the_enchantment_that_wins_goes_off_first():
    play = start_of_turn([[], []], [("Cursed Blade", 0), ("Slow Crystal", 0)], energy=(1, 9), sapphires=(13, 2))
    assert "Slow Crystal" in choice(play)


# What the advice may know.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_advice_is_the_same_in_the_view_of_the_seat_and_in_every_world(seats):
    luck = rngs(1)
    start(luck, 0, 7)
    asked = set()
    for seed in range(3):
        for play in random_game(seed, seats):
            if play.over or play.turn == CHANCE:
                continue
            seat, moves, states = play.turn, play.legal(), row(play)
            asked.add(play.state.phase)
            truth = advice(states, seat, moves)
            GAME.verbs.hide(states, 0, seat)
            assert advice(states, seat, moves) == truth
            GAME.verbs.imagine(states, 0, luck, 0)
            assert advice(states, seat, moves) == truth
            assert max(truth) >= 1 and min(truth) > 0
    assert len(asked) >= 5


# What a position is worth.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_estimated_shares_are_shares_and_the_same_for_both_of_a_team(seats):
    for play in random_game(seats, seats):
        if play.state.mage < 0:
            continue
        estimate = shares(play)
        assert sum(estimate) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in estimate)
        assert all(estimate[seat] == estimate[seat - 2] for seat in range(2, seats))


HANDS = [["Turncoat", "Ember Dart", "Warm Broth"], ["Slow Burn", "Rough Stones", "Library"]]


def test_more_energy_is_a_higher_share_and_less_of_the_rival_too():
    mine = [shares(at(HANDS, energy=(energy, 10)))[0] for energy in range(1, 16)]
    theirs = [shares(at(HANDS, energy=(10, energy)))[0] for energy in range(1, 16)]
    assert mine == sorted(set(mine)) and theirs[::-1] == sorted(set(theirs))


def test_more_sapphires_are_a_higher_share_and_less_of_the_rival_too():
    for left in (20, 1):
        mine = [shares(at(HANDS, sapphires=(gems, 5), left=left))[0] for gems in range(15)]
        theirs = [shares(at(HANDS, sapphires=(5, gems), left=left))[0] for gems in range(15)]
        assert mine == sorted(set(mine)) and theirs[::-1] == sorted(set(theirs))


def test_a_card_more_is_a_higher_share():
    mine, theirs = HANDS
    more, less = shares(at([[*mine, "Vanish"], theirs])), shares(at([mine, [*theirs, "Vanish"]]))
    assert more[0] > shares(at(HANDS))[0] > less[0]


def test_a_top_card_counts_for_the_side_that_it_faces():
    hands = [["Turncoat", "Ember Dart"], ["Warm Broth", "Vanish"]]
    for card in ("Slow Burn", "Rough Stones", "Library"):
        assert shares(at(hands, [(card, 0)]))[0] > shares(at(hands, [(card, 1)]))[0]


def test_a_position_is_worth_the_same_from_the_other_side_of_the_table():
    hands, piles = [["Ember Dart"], ["Warm Broth", "Turncoat"]], [("Rough Stones", 0), ("Library", 1)]
    mine = at(hands, piles, energy=(9, 6), sapphires=(4, 7))
    theirs = at(hands[::-1], [(card, 1 - side) for card, side in piles], 1, energy=(6, 9), sapphires=(7, 4))
    assert shares(mine) == pytest.approx(shares(theirs)[::-1])


def test_the_lead_in_sapphires_counts_more_when_the_deck_is_nearly_empty():
    early, late = (shares(at(HANDS, sapphires=(6, 3), left=left))[0] for left in (40, 1))
    assert late > early > 0.5


# How they play.


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_greedy_bots_end_their_games(seats):
    result = play_match("spellcaster", ["greedy"] * seats, 4, seed=3)
    assert all(outcome.fault is None and outcome.plies < 500 for outcome in result.outcomes)


def test_greedy_beats_random():
    result = play_match("spellcaster", ["greedy", "random"], 30, seed=1)
    share, half = result.share(0)
    assert share - half > 0.6


def test_a_search_finds_a_win_that_takes_two_spells():
    play = at([["Ember Dart"], ["Warm Broth"]], [("Flicker Strike", 0), ("Leech", 0)], energy=(10, 2))
    search = bot("gentle", GAME)
    while play.state.mage == 0 and not play.over:
        if play.turn == CHANCE:
            play.roll(Luck(1))
        else:
            play.play(search.choose(play.view(0), 0, play.past(0), Luck(2)))
    assert play.over and play.score() == [1, 0]
