"""Learning what a position is worth, from games that bots play against themselves.

A game whose `bot.py` has `features` can be learned: positions at the starts of stages, and who won in the end. A small
network (`core.network`) is fitted to them by gradient descent (Adam on the log loss), and judged by games that it has
not seen, beside a network without hidden numbers and beside what the bot knows now. A better judgement is not yet a
better player: a match against the bot of before decides whether the weights are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import numpy as np

from spellheist.bots.knowledge import with_knowledge
from spellheist.core import kernel
from spellheist.core.dice import rngs, start
from spellheist.core.files import write_text
from spellheist.core.game import Game, find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.warm import PLAYOUTS

HELD_OUT = 10  # one game in so many is not learned from
ROWS = 512  # that a step of descent looks at
RATE, DECAY = 3e-3, 1e-5  # the first step's length, which shrinks to nothing; and how far weights are pulled to zero
FAR = 5.0  # standard deviations beyond which a feature is cut off while learning
DIGITS, WIDE, TAB = 5, 120, "    "  # of a weight in the file, of a line, and what it begins with
PAGE = '''"""What was learned of {title} from games of bots: the numbers of a network, see `core.network`.

Made by `spellheist learn {name} --write`.
"""

WEIGHTS = (
{numbers}
)  # fmt: skip
'''


@dataclass
class Lessons:
    """Positions to learn from."""

    features: np.ndarray
    shares: np.ndarray  # of the win that the position's side got
    guesses: np.ndarray  # what the bot's `value` said
    games: np.ndarray  # the number of the game that the position is from

    def part(self, rows: np.ndarray) -> Lessons:
        return Lessons(self.features[rows], self.shares[rows], self.guesses[rows], self.games[rows])


def lessons(game: Game, positions: int, seed: int) -> Lessons:
    """Positions of games with each number of seats in turn; those with the fewest seats come twice as often."""
    known = game.bot
    if not known.FEATURES:
        raise Refused(f"There is nothing to learn in {game.name}: its bot.py names no features of a position.")
    template = Path(__file__).parent / "templates" / "lessons.py"
    bound = game.bound(template, known=known, playouts=game.bound(PLAYOUTS), advice=with_knowledge(game, "advice"))
    counts = [game.seats[0], *game.seats]
    blanks = [new(game, seats).bytes for seats in counts]
    schema, states, generators = game.rules.State, kernel.rows(game.rules.State, 1), rngs(1)
    start(generators, 0, seed)
    found = Lessons(*(np.zeros(shape) for shape in ((positions, known.FEATURES), positions, positions, positions)))
    done = number = 0
    while done < positions:
        kernel.load(schema, states, 0, blanks[number % len(blanks)])
        rows = int(bound.lesson(states, 0, generators, 0, found.features, done, found.guesses, found.shares))
        found.games[done : done + rows] = number
        done, number = done + rows, number + 1
    return found


class Network:
    """The numbers of `core.network`, for features with mean 0 and deviation 1 while they are learned."""

    def __init__(self, taught: Lessons, hidden: int, seed: int) -> None:
        count = taught.features.shape[1]
        self.luck = np.random.default_rng(seed)
        self.mean = taught.features.mean(0)
        self.deviation = np.maximum(taught.features.std(0), 0.05)
        inner = self.luck.normal(0, count**-0.5, (count, hidden))
        self.parts = [inner, np.zeros(hidden), np.zeros(hidden), np.zeros(count), np.zeros(1)]

    def scaled(self, features: np.ndarray) -> np.ndarray:
        return np.asarray(np.clip((features - self.mean) / self.deviation, -FAR, FAR))

    def log_odds(self, scaled: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        inner, bias, out, straight, last = self.parts
        hidden = np.maximum(scaled @ inner + bias, 0)
        return hidden, hidden @ out + scaled @ straight + last

    def learn(self, taught: Lessons, passes: int) -> None:
        """Adam, with steps that shrink along half a cosine."""
        features, count = self.scaled(taught.features), len(taught.shares)
        steps = passes * (count // ROWS)
        means, squares = ([np.zeros_like(part) for part in self.parts] for _ in range(2))
        step = 0
        for _ in range(passes):
            order = self.luck.permutation(count)
            for first in range(0, count - ROWS + 1, ROWS):
                rows = order[first : first + ROWS]
                step += 1
                rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
                for k, slope in enumerate(self.slopes(features[rows], taught.shares[rows])):
                    means[k] += 0.1 * (slope - means[k])
                    squares[k] += 0.001 * (slope**2 - squares[k])
                    length = np.sqrt(squares[k] / (1 - 0.999**step)) + 1e-8
                    self.parts[k] -= rate * means[k] / (1 - 0.9**step) / length

    def slopes(self, features: np.ndarray, shares: np.ndarray) -> list[np.ndarray]:
        """How the log loss changes with each number."""
        inner, _, out, _, _ = self.parts
        hidden, odds = self.log_odds(features)
        wrong = (sigmoid(odds) - shares) / len(shares)
        back = np.outer(wrong, out) * (hidden > 0)
        return [
            features.T @ back + DECAY * inner,
            back.sum(0),
            hidden.T @ wrong,
            features.T @ wrong,
            wrong.sum(keepdims=True),
        ]

    def guess(self, features: np.ndarray) -> np.ndarray:
        return sigmoid(self.log_odds(self.scaled(features))[1])

    def row(self) -> list[float]:
        """All numbers in one row, for features as they come."""
        inner, bias, out, straight, last = self.parts
        weights, direct = inner / self.deviation[:, None], straight / self.deviation
        row: list[float] = []
        for unit in range(len(bias)):
            row += [bias[unit] - self.mean @ weights[:, unit], *weights[:, unit], out[unit]]
        return [*row, float(last[0]) - self.mean @ direct, *direct]


def sigmoid(odds: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-odds)))


def log_loss(guesses: np.ndarray, shares: np.ndarray) -> float:
    """How surprising the outcomes are for who guessed so; lower is better."""
    sure = np.clip(guesses, 1e-4, 1 - 1e-4)
    return float(-(shares * np.log(sure) + (1 - shares) * np.log(1 - sure)).mean())


def learn(name: str, positions: int, hidden: int, passes: int, seed: int, say: Callable[[str], None]) -> list[float]:
    """The numbers of a network for a game."""
    game = find(name)
    found = lessons(game, positions, seed)
    kept = found.games // (1 + len(game.seats)) % HELD_OUT != 0  # whole rows of games, with every number of seats
    taught, unseen = found.part(kept), found.part(~kept)
    say(f"{positions:,} positions of {int(found.games[-1]) + 1:,} games; log loss on the tenth held out:")
    say(f"  nothing known    {log_loss(np.full(len(unseen.shares), taught.shares.mean()), unseen.shares):.4f}")
    say(f"  the bot's value  {log_loss(unseen.guesses, unseen.shares):.4f}")
    for units, title in ((0, "straight"), (hidden, f"{hidden} hidden")):
        network = Network(taught, units, seed)
        network.learn(taught, passes)
        say(f"  {title:15}  {log_loss(network.guess(unseen.features), unseen.shares):.4f}")
    return network.row()


def keep(game: Game, row: Sequence[float]) -> None:
    """Write the weights into the game's folder."""
    numbers = fill(" ".join(f"{number:.{DIGITS}g}," for number in row), WIDE, initial_indent=TAB, subsequent_indent=TAB)
    write_text(file_of(game), PAGE.format(title=game.title, name=game.name, numbers=numbers))


def file_of(game: Game) -> Path:
    """Where what was learned is kept."""
    return game.folder / "learned.py"
