"""The account: for every seat start + own play + others' play + luck = result, whatever was played."""

import json
import math
from dataclasses import FrozenInstanceError, replace

import pytest
from bot_games import QUICK, ending, short_game

from spellheist.core.game import find, names
from spellheist.core.state import CHANCE
from spellheist.review import Review, examine
from spellheist.review.account import Step

EXACT = 1e-12
TABLES = [(name, seats, {}) for name in names() for seats in (find(name).seats[0], find(name).seats[-1])] + [
    ("abraca_what", 3, {"easy": True, "last_standing": True}),
    ("abraca_what", 2, {"strict_calls": True, "starter": 1}),
    ("dice_heist", 3, {"targeted_raid": True}),
    ("mages_dice", 2, {"literal_collect": True, "unopposed_scores": True}),
    ("spell_stealers", 3, {"stealing": "race"}),
    ("spell_stealers", 3, {"stealing": "live", "forgiving": True}),
    ("spell_stealers", 2, {"reset_by_hand": True}),
    ("spellcaster", 3, {"may_stop": True}),
]


def looked_at(game, seats, options):
    play = short_game(game, seats, options=options)
    return examine(ending(play, 12) if game == "spellcaster" else play, QUICK)


@pytest.fixture(scope="module")
def reviews():
    return [looked_at(*table) for table in TABLES]


def test_every_seat_has_start_and_play_and_luck_that_sum_to_its_result(reviews):
    for review in reviews:
        for seat in review.seats:
            assert abs(seat.start + seat.own + seat.others + seat.luck - seat.result) < EXACT


def test_what_one_seat_gains_by_play_or_luck_others_lose(reviews):
    for review in reviews:
        assert abs(math.fsum(seat.start for seat in review.seats) - 1) < EXACT
        for part in ("luck", "race"):
            assert abs(math.fsum(getattr(seat, part) for seat in review.seats)) < EXACT
        for decision in review.decisions:
            assert abs(math.fsum(decision.skill)) < EXACT


def test_the_luck_of_a_game_is_that_of_its_steps(reviews):
    for review in reviews:
        for seat in review.seats:
            assert abs(math.fsum(step.luck[seat.seat] for step in review.steps) - seat.luck) < EXACT


def test_steps_follow_each_other_from_the_first_ply_to_the_last(reviews):
    for review in reviews:
        ends = [0, *(step.last for step in review.steps)]
        assert [step.first for step in review.steps] == ends[:-1]
        assert ends[-1] == len(review.chances) - 1 == review.looked
        assert review.whole


def test_the_graph_goes_from_the_start_to_the_result_and_always_shares_one_win(reviews):
    for review in reviews:
        assert (review.chances[0], review.chances[-1]) == (review.start, review.result)
        assert all(abs(math.fsum(shares) - 1) < 1e-9 for shares in review.chances)


def test_a_sum_that_is_off_by_a_billionth_would_be_seen(reviews):
    review = reviews[0]
    wrong = replace(review.decisions[0], skill=(1e-9, *review.decisions[0].skill[1:]))
    broken = replace(review, decisions=(wrong, *review.decisions[1:]))
    luck = math.fsum(step.luck[0] for step in broken.steps)
    assert abs(luck - broken.seats[0].luck) > EXACT


def test_seats_that_nothing_tells_apart_start_with_the_same(reviews):
    by_table = dict(zip([(name, seats) for name, seats, _ in TABLES], reviews, strict=False))
    assert by_table["abraca_what", 5].start == (0.2,) * 5


def test_teams_have_their_partners_play_apart():
    review = looked_at("spellcaster", 4, {})
    assert review.sides == (0, 1, 0, 1)
    for seat in review.seats:
        partner = (seat.seat + 2) % 4
        assert seat.partners == pytest.approx(review.play_of(seat.seat, [partner]))
        assert seat.others == pytest.approx(sum(review.play_of(seat.seat, [one]) for one in range(4) if one != seat.seat))
    assert review.seats[0].luck == pytest.approx(review.seats[2].luck)


def test_where_anyone_may_move_nobody_is_judged_for_being_quick():
    review = looked_at("spell_stealers", 3, {"stealing": "live"})
    races = {step.first for step in review.steps if step.race}
    assert races
    assert not races & {decision.ply for decision in review.decisions}
    assert any(decision.ply not in races for decision in review.decisions)


def test_a_run_of_chance_is_one_step(reviews):
    review = reviews[TABLES.index(("abraca_what", 2, {}))]
    first = review.steps[0]
    assert isinstance(first, Step) and first.who == CHANCE and first.last > 5
    assert all(one.who != CHANCE or two.who != CHANCE for one, two in zip(review.steps, review.steps[1:], strict=False))


def test_a_review_cannot_be_changed_and_is_told_and_read_again_without_loss(reviews):
    for review in reviews:
        assert Review.from_json(json.loads(json.dumps(review.json()))) == review
    with pytest.raises(FrozenInstanceError):
        reviews[0].start = ()
