"""Pig (examples/pig) against OpenSpiel's Pig, which is C++ and has explicit chance, as ours.

OpenSpiel's loop is measured inside C++: an MCTSBot with one simulation makes one call of a
RandomRolloutEvaluator, which plays N random games from the first position. Its share of wins for seat 0 is
what the search answers, and a loop in Python over its states gives the plies of a game: both must agree with
ours, or different games would be compared. The Python loop is shown for what it is, and is no fair comparison.
"""

from __future__ import annotations

import math
import random
from importlib import import_module
from pathlib import Path
from typing import Any

from spellheist.core.game import find
from spellheist.lab.speed import Figure, RandomGames, clocked, version

FOLDER = Path(__file__).parent.parent / "examples" / "pig"
HORIZON = 1_000_000  # moves: out of reach, as is our turn limit
BOUND = 4.0  # standard errors


class Rollouts:
    """Random games of OpenSpiel, played by its own C++."""

    def __init__(self, spiel: Any) -> None:
        self.spiel = spiel
        self.game = spiel.load_game("pig", {"horizon": HORIZON})
        self.count, self.wins = 0, 0.0

    def play(self, count: int) -> None:
        """Play so many more."""
        seed = self.count % 2**31
        evaluator = self.spiel.RandomRolloutEvaluator(count, seed)
        bot = self.spiel.MCTSBot(self.game, evaluator, 1.0, 1, 10, False, seed, False)
        root = bot.mcts_search(self.game.new_initial_state())
        assert root.explore_count == 1
        self.count += count
        self.wins += count * (1 + root.total_reward) / 2  # returns are 1 and -1

    @property
    def share(self) -> float:
        """Seat 0's share of the wins."""
        return self.wins / self.count


class PythonLoop:
    """Random games of OpenSpiel, move by move from Python."""

    def __init__(self, spiel: Any) -> None:
        self.game = spiel.load_game("pig", {"horizon": HORIZON})
        self.random = random.Random(1)
        self.count = self.plies = self.plies_squared = 0

    def play(self, count: int) -> None:
        """Play so many more."""
        for _ in range(count):
            state = self.game.new_initial_state()
            plies = 0
            while not state.is_terminal():
                state.apply_action(self.random.choice(state.legal_actions()))  # the die's faces are equal
                plies += 1
            self.count += 1
            self.plies += plies
            self.plies_squared += plies * plies

    @property
    def mean(self) -> float:
        """Plies of one game."""
        return self.plies / self.count

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(max(0.0, self.plies_squared / self.count - self.mean**2) / self.count)


class Peer:
    """The race, or a note on why there is none."""

    title = "Pig with two seats against OpenSpiel's Pig in C++, whole random games on one core"

    def __init__(self) -> None:
        try:
            pyspiel: Any = import_module("pyspiel")
        except ImportError:
            self.note: str | None = "pyspiel cannot be imported here, so Pig is not compared with OpenSpiel's."
            return
        self.note = None
        self.ours = RandomGames(find(str(FOLDER)), 2, {"turn_limit": 10_000})
        self.theirs, self.loop = Rollouts(pyspiel), PythonLoop(pyspiel)
        self.race = [Figure(clocked(one.play)) for one in (self.ours, self.theirs, self.loop)]

    def figures(self) -> list[Figure]:
        return [] if self.note else self.race

    def result(self) -> dict[str, Any]:
        if self.note:
            return {"note": self.note}
        ours, theirs, loop = (figure.best for figure in self.race)
        share, other = self.ours.shares[0], self.theirs.share
        error = math.sqrt(share * (1 - share) * (1 / self.ours.count + 1 / self.theirs.count))
        apart = max(abs(self.ours.mean("PLIES") - self.loop.mean) / self.loop.error, abs(share - other) / error)
        return {
            "note": None,
            "open_spiel": version("open_spiel"),
            "ours_games_a_second": ours,
            "openspiel_games_a_second": theirs,
            "ratio": ours / theirs,
            "plies_a_game": [self.ours.mean("PLIES"), self.loop.mean],
            "first_seat_share": [share, other],
            "standard_errors_apart": apart,
            "agree": apart <= BOUND,
            "python_loop_games_a_second": loop,
            "python_loop_ratio": ours / loop,
        }


def table(result: dict[str, Any]) -> str:
    """The result as text."""
    if result["note"]:
        return str(result["note"])
    (plies, their_plies), (share, their_share) = result["plies_a_game"], result["first_seat_share"]
    agree = "agree" if result["agree"] else "DO NOT AGREE"
    rows = [
        ("ours", result["ours_games_a_second"], f"{plies:.1f} plies a game, the first seat wins {share:.1%}"),
        (
            f"OpenSpiel {result['open_spiel']}, rollouts in C++", result["openspiel_games_a_second"],
            f"{their_plies:.1f} plies a game, the first seat wins {their_share:.1%}: "
            f"{agree} ({result['standard_errors_apart']:.1f} standard errors)",
        ),
        (
            "OpenSpiel's states from Python", result["python_loop_games_a_second"],
            f"no fair comparison (ours is {result['python_loop_ratio']:,.0f} times that)",
        ),
    ]  # fmt: skip
    lines = [f"{who:34} {rate:11,.0f} games/s   {said}" for who, rate, said in rows]
    return "\n".join([Peer.title, *lines, f"{'ours / OpenSpiel in C++':34} {result['ratio']:11.1f}"])
