"""Ratings of bots by OpenSkill (Plackett-Luce), which learns from one game after the other.

So the last games would count more than the first: games come in several random orders, the same in every run, and the
mean of what comes out is the rating.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

Game = tuple[Sequence[str], Sequence[float]]  # who played, and their shares of the win
ORDERS, MOST = 30, 60_000  # orders, and games in all of them together, at the most


def rated(games: Sequence[Game]) -> dict[str, tuple[float, float]]:
    """The rating of each player and its uncertainty. A player is known by a name."""
    luck = random.Random(1)
    orders = max(1, min(ORDERS, MOST // max(1, len(games))))
    found = [one_order(luck.sample(list(games), len(games))) for _ in range(orders)]
    names = dict.fromkeys(name for players, _ in games for name in players)
    return {name: (mean([order[name][0] for order in found]), mean([order[name][1] for order in found])) for name in names}


def one_order(games: Sequence[Game]) -> dict[str, tuple[float, float]]:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    now = {name: model.rating() for players, _ in games for name in players}
    for players, shares in games:
        teams = model.rate([[now[name]] for name in players], ranks=[-share for share in shares])
        now |= {name: team[0] for name, team in zip(players, teams, strict=True)}
    return {name: (rating.mu, rating.sigma) for name, rating in now.items()}


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)
