"""Play random games of every variant worth pinning and print what came out, as JSON.

python tests/random_statistics.py GAME GAMES SEED
"""

from __future__ import annotations

import json
import sys

from spellheist.core import kernel
from spellheist.core.dice import rngs, start
from spellheist.core.game import Game, find
from spellheist.core.options import Choice
from spellheist.core.warm import PLAYOUTS


def variants(game: Game) -> list[tuple[int, dict[str, str]]]:
    """Every seat count, with each word of each choice."""
    choices = [(o.name, word) for o in game.options if isinstance(o, Choice) for word in o.choices if word != o.default]
    return [(seats, {}) for seats in game.seats] + [(seats, {name: word}) for name, word in choices for seats in game.seats]


def measured(game: Game, seats: int, options: dict[str, str], games: int, seed: int) -> dict[str, float | list[float]]:
    """Means and their standard errors."""
    playouts, schema = game.bound(PLAYOUTS), game.rules.State
    plain = schema.blank()
    for name, value in game.fields(seats, game.settings(seats, options)).items():
        setattr(plain, name, value)
    states, generators, stats = kernel.rows(schema, 1), rngs(1), kernel.reals(playouts.STATS)
    kernel.load(schema, states, 0, schema.pack(plain))
    start(generators, 0, seed)
    playouts.random_games(states, 0, generators, 0, games, stats)

    def mean_and_error(total: int, squared: int) -> list[float]:
        mean = float(stats[total]) / games
        return [round(mean, 4), round((max(0.0, float(stats[squared]) / games - mean**2) / games) ** 0.5, 6)]

    return {
        "games": games,
        "decisions": mean_and_error(playouts.DECISIONS, playouts.DECISIONS_SQUARED),
        "rounds": mean_and_error(playouts.STAGES, playouts.STAGES_SQUARED),
        "limited": float(stats[playouts.LIMITED]) / games,
        "shares": [round(float(stats[playouts.SHARES + seat]) / games, 5) for seat in range(seats)],
    }


if __name__ == "__main__":
    chosen = find(sys.argv[1])
    found = {
        " ".join([f"{seats} seats", *(f"{k}={v}" for k, v in options.items())]):
        measured(chosen, seats, options, int(sys.argv[2]), int(sys.argv[3]))
        for seats, options in variants(chosen)
    }  # fmt: skip
    print(json.dumps(found))
