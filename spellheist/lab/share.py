"""Means of games and how sure they are: half the widths of 95 % intervals, by Student's distribution."""

from __future__ import annotations

import math
from typing import NamedTuple

NORMAL = 1.959964  # the same for so many values that it does not matter how many


class Share(NamedTuple):
    """A mean, with half the width of its interval."""

    value: float
    half: float

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} ± {100 * self.half:.1f} %"


def share_of(shares: list[float]) -> Share:
    """The mean of shares from 0 to 1. They are taken to vary as if there were two more of them, a 0 and a 1: a few
    that happen to be the same prove little."""
    if not shares:
        return Share(0.0, 1.0)
    count, mean = len(shares), sum(shares) / len(shares)
    spread = (sum((share - mean) ** 2 for share in shares) + mean**2 + (1 - mean) ** 2) / (count + 1)
    return Share(mean, min(1.0, quantile(count + 1) * math.sqrt(spread / count)))


def mean_of(values: list[float]) -> Share:
    """The mean of any numbers; nothing is known of how sure a single one is."""
    count, mean = len(values), sum(values) / len(values)
    if count == 1:
        return Share(mean, math.inf)
    spread = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Share(mean, quantile(count - 1) * math.sqrt(spread / count))


def quantile(freedom: int) -> float:
    """The point that Student's distribution exceeds in one case of 40: a series in one over its degrees of freedom, too
    low by 11 % for one of them, by 1 % for two."""
    x = NORMAL
    terms = (
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))
