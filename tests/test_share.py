"""Means and how sure they are."""

import math
import random

import pytest

from spellheist.lab.share import mean_of, quantile, share_of


def test_quantiles_are_those_of_students_distribution():
    for freedom, point, within in ((1, 12.706, 0.12), (2, 4.303, 0.01), (5, 2.571, 1e-3), (30, 2.042, 1e-3)):
        assert quantile(freedom) == pytest.approx(point, rel=within)


def test_a_few_that_are_the_same_prove_little():
    assert share_of([1.0, 1.0]) == (1.0, 1.0)
    assert share_of([0.5] * 4).half > 0.3
    assert share_of([1.0] * 100).half < 0.03
    assert share_of([]) == (0.0, 1.0)


def test_intervals_hold_what_is_true_in_about_95_of_100_cases():
    """Deals of two games, as in a match, for bots that are even and for one that nearly always wins."""
    luck = random.Random(1)
    for chance, deals in ((0.5, 10), (0.5, 100), (0.95, 20), (0.95, 100)):
        held = 0
        for _ in range(2_000):
            share = share_of([sum(luck.random() < chance for _ in range(2)) / 2 for _ in range(deals)])
            held += abs(share.value - chance) <= share.half
        assert held / 2_000 > 0.93, (chance, deals)
        assert held / 2_000 < 0.99 or deals < 100


def test_the_mean_of_any_numbers_is_less_sure_the_fewer_there_are():
    assert mean_of([3.0]) == (3.0, math.inf)
    assert mean_of([2.0, 4.0]).value == 3.0
    assert mean_of([2.0, 4.0]).half > mean_of([2.0, 4.0] * 5).half > 0
    assert str(mean_of([0.25] * 9)) == "25.0 ± 0.0 %"
