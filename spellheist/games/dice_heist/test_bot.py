"""What the bots know of Dice Heist, one sentence a test."""

import pytest
from thoughts import Thoughts

from spellheist.bots import bot
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE
from spellheist.games.dice_heist.rules import (
    HEIST,
    HERMITAGE,
    JOIN,
    LOUVRE,
    METROPOLITAN,
    RAID,
    RECRUIT,
)
from spellheist.games.dice_heist.test_rules import CHEAP, DEAR, GREEN, KIND, MAJOR, MINOR, RED, at
from spellheist.lab.match import play_match

GAME = find("dice_heist")
THOUGHTS = Thoughts(GAME)
row, advice, shares = THOUGHTS.row, THOUGHTS.advice, THOUGHTS.shares
GREEDY = bot("greedy", GAME)
GOLD = "Louvre painting 35"
FAR_AHEAD = [*(f"Louvre painting {n}" for n in (25, 35, 45)), *(f"British Museum painting {n}" for n in (25, 30))]


def choice(play, seat=0):
    return GREEDY.choose(play.view(seat), seat, play.past(seat), Luck(1))


def weighed(play):
    """Each legal move with its weight."""
    return dict(zip(play.legal(), advice(row(play), play.turn, play.legal()), strict=True))


def positions(seed, seats, **options):
    """A random game, before each decision."""
    play, luck = new(GAME, seats, options), Luck(seed)
    while not play.over:
        if play.turn == CHANCE:
            play.roll(luck)
            continue
        yield play
        moves = play.legal()
        play.play(moves[luck.below(len(moves))])


def test_the_first_card_alone_is_not_worth_a_heist_so_recruit():
    assert choice(at([DEAR])) == RECRUIT


def test_a_full_museum_with_a_low_level_is_robbed():
    assert choice(at([RED, RED, MAJOR, MAJOR, GREEN])) == HEIST + HERMITAGE


def test_the_same_loot_is_robbed_where_it_is_easier():
    assert choice(at(["Hermitage green gem", "Louvre green gem"], deck=[])) == HEIST + HERMITAGE


def test_the_fourth_gem_of_a_colour_is_worth_more_than_the_first_of_another():
    reds = ["British Museum red gem", "British Museum red gem", "Louvre red gem"]
    weights = weighed(at([RED, "Hermitage blue gem"], [reds], targeted_raid=True))
    assert weights[RAID + KIND[RED]] > weights[RAID + KIND["Hermitage blue gem"]]


def test_a_museum_is_dearer_when_a_rival_is_ready_to_rob_it():
    calm, threat = (weighed(at([DEAR, GOLD], sidekicks=[1, rival])) for rival in (0, 5))
    assert threat[HEIST + LOUVRE] / threat[RECRUIT] > calm[HEIST + LOUVRE] / calm[RECRUIT]


def test_a_painting_is_worth_nothing_when_the_bonus_is_safe():
    shown = [CHEAP, "Metropolitan minor artifact"]
    play = at(shown, [FAR_AHEAD, []], deck=[], seats=3)
    assert choice(play) == HEIST + METROPOLITAN


def test_with_everything_at_stake_all_sidekicks_go_along():
    play = at([DEAR, GOLD, "Louvre red gem", "Louvre major artifact"], deck=[], sidekicks=[4, 3])
    assert choice(play) == HEIST + LOUVRE
    play.play(HEIST + LOUVRE)
    assert choice(play) == JOIN + 4


def test_for_a_trifle_at_the_start_no_sidekick_goes_along():
    play = at([MINOR], sidekicks=[3, 0])
    play.play(HEIST + HERMITAGE)
    assert choice(play) == JOIN


def test_what_is_worthless_is_still_taken_at_the_end():
    assert choice(at([CHEAP], [FAR_AHEAD], deck=[], sidekicks=[0, 10])) == HEIST + HERMITAGE


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {"targeted_raid": True}), (5, {"turn_limit": 60})])
def test_the_advice_is_the_same_in_the_view_of_the_seat_and_in_every_world(seats, options):
    luck = rngs(1)
    start(luck, 0, 7)
    for play in positions(seats, seats, **options):
        seat, moves, states = play.turn, play.legal(), row(play)
        truth = advice(states, seat, moves)
        GAME.verbs.hide(states, 0, seat)
        assert advice(states, seat, moves) == truth
        GAME.verbs.imagine(states, 0, luck, 0)
        assert advice(states, seat, moves) == truth
        assert max(truth) == 1 and min(truth) >= 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_estimated_shares_are_shares(seats):
    for play in positions(seats + 10, seats):
        estimate = shares(play)
        assert sum(estimate) == pytest.approx(1)
        assert all(0 <= share <= 1 for share in estimate)


def test_more_loot_is_a_higher_share():
    gems, colour = [f"{museum} red gem" for museum in ("Hermitage", "Metropolitan", "British Museum")], []
    estimates = [shares(at([MINOR], [[], []], seats=2))[0]]
    for gem in gems:
        colour.append(gem)
        estimates.append(shares(at([MINOR], [colour, []], seats=2))[0])
    estimates.append(shares(at([MINOR], [[*colour, DEAR], []], seats=2))[0])
    assert estimates == sorted(set(estimates))


def test_a_sidekick_is_a_higher_share():
    assert shares(at([MINOR], sidekicks=[1, 0]))[0] > shares(at([MINOR]))[0] > shares(at([MINOR], sidekicks=[0, 1]))[0]


def test_the_same_lead_counts_more_when_fewer_cards_are_left():
    even = ["Louvre", "Hermitage", "British Museum", "Metropolitan"]
    lead = ["Louvre red gem", "Hermitage red gem", "Metropolitan red gem"]
    both = [f"{museum} minor artifact" for museum in even]
    early, late = at([RED], [lead, []]), at([RED], [[*lead, *both], both])
    assert shares(late)[0] > shares(early)[0] > 0.5


def test_greedy_bots_end_their_games():
    result = play_match("dice_heist", ["greedy", "greedy", "greedy"], 6, seed=3)
    assert all(outcome.fault is None and outcome.plies < 400 for outcome in result.outcomes)


def test_greedy_beats_random():
    result = play_match("dice_heist", ["greedy", "random"], 40, seed=1)
    share, half = result.share(0)
    assert share - half > 0.6
