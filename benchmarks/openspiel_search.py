"""Our search against OpenSpiel's, on our games: its IS-MCTS where hands are hidden, its MCTS elsewhere.

    python benchmarks/openspiel_search.py abraca_what dice_heist [--games 200] [--by time|iterations] [--json FILE]

OpenSpiel's searches are its own Python ones, unchanged. They see the game through `State`, an adapter with the names
that they call; underneath are our compiled rules, so a node costs them Python, not rules. Its random rollouts are
given compiled too (`rollout.py`), which is more than it would have in Python alone. Two matches each:

- by time: ours thinks 20 ms a move, theirs about 200 ms (its searches stop by simulations only, so their number
  is set before each move by the pace of the moves before; the mean that came out is printed);
- by iterations: the same number for both, whatever time that takes. Here ours has what the game's `bot.py` knows,
  theirs what OpenSpiel knows of any game. Its exploration constant is 1, for shares from 0 to 1, and was not tuned.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spellheist.bots import bot
from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import Game, find
from spellheist.core.play import Play, new
from spellheist.core.state import CHANCE, OVER
from spellheist.core.warm import PLAYOUTS
from spellheist.lab.match import Outcome, Result

HIDDEN_HANDS = ("abraca_what", "spell_stealers", "spellcaster")
OURS, THEIRS = 0.020, 0.200  # seconds a move
ITERATIONS = 500
UCT = 1.0
MATCHES: dict[str, tuple[str, float | None, int | None]] = {
    "time": (f"master@{int(1000 * OURS)}ms", THEIRS, None),
    "iterations": (f"master@{ITERATIONS}", None, ITERATIONS),
}


class State:
    """A position as OpenSpiel's searches want to see it."""

    def __init__(self, adapter: Adapter, packed: bytes) -> None:
        self.adapter = adapter
        self.rows = kernel.rows(adapter.schema, 2)
        kernel.load(adapter.schema, self.rows, 0, packed)

    def clone(self) -> State:
        return State(self.adapter, kernel.dump(self.adapter.schema, self.rows, 0))

    def get_game(self) -> Adapter:
        return self.adapter

    def current_player(self) -> int:
        turn = int(self.adapter.verbs.turn(self.rows, 0))
        return {CHANCE: self.adapter.spiel.PlayerId.CHANCE, OVER: self.adapter.spiel.PlayerId.TERMINAL}.get(turn, turn)

    def is_terminal(self) -> bool:
        return int(self.adapter.verbs.turn(self.rows, 0)) == OVER

    def is_chance_node(self) -> bool:
        return int(self.adapter.verbs.turn(self.rows, 0)) == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        moves = self.adapter.moves
        return [int(moves[k]) for k in range(self.adapter.verbs.legal(self.rows, 0, moves))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        odds = self.adapter.odds
        total = int(self.adapter.verbs.chance(self.rows, 0, odds))
        return [(k, int(weight) / total) for k, weight in enumerate(odds) if weight]

    def apply_action(self, move: int) -> None:
        self.adapter.verbs.play(self.rows, 0, int(move))

    def returns(self) -> list[float]:
        self.adapter.verbs.score(self.rows, 0, self.adapter.shares)
        return [float(share) for share in self.adapter.shares[: self.adapter.seats]]

    def observation_string(self, player: int | None = None) -> bytes:
        kernel.copy(self.rows, 1, self.rows, 0)
        self.adapter.verbs.hide(self.rows, 1, int(self.adapter.verbs.turn(self.rows, 0)) if player is None else player)
        return kernel.dump(self.adapter.schema, self.rows, 1)

    def resample_from_infostate(self, player: int, sampler: Any) -> State:
        world = State(self.adapter, self.observation_string(player))
        self.adapter.verbs.imagine(world.rows, 0, self.adapter.rngs, 0)
        return world


class Adapter:
    """A game as OpenSpiel's searches want to see it, and their evaluator: one random game, compiled."""

    def __init__(self, game: Game, seats: int) -> None:
        import pyspiel

        self.spiel, self.game, self.seats = pyspiel, game, seats
        self.schema, self.verbs = game.rules.State, game.verbs
        self.moves, self.odds = kernel.shorts(game.rules.MOVES), kernel.shorts(game.rules.OUTCOMES)
        self.shares = kernel.reals(game.rules.SEATS)
        self.rngs = rngs(1)
        start(self.rngs, 0, 1)
        self.bound = game.bound(Path(__file__).parent / "rollout.py", playouts=game.bound(PLAYOUTS))

    def get_type(self) -> Adapter:
        return self

    @property
    def dynamics(self) -> Any:
        return self.spiel.GameType.Dynamics.SEQUENTIAL

    @property
    def information(self) -> Any:
        return self.spiel.GameType.Information.IMPERFECT_INFORMATION

    @property
    def reward_model(self) -> Any:
        return self.spiel.GameType.RewardModel.TERMINAL

    def max_utility(self) -> float:
        return 1.0

    def evaluate(self, state: State) -> Any:
        world = state.clone()
        self.bound.rollout(world.rows, 0, self.rngs, 0, self.shares)
        return self.shares[: self.seats].copy()

    def prior(self, state: State) -> list[tuple[int, float]]:
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.legal_actions()
        return [(move, 1 / len(legal)) for move in legal]


class Theirs:
    """OpenSpiel's search as one of our bots, by seconds or by iterations a move."""

    def __init__(self, game: Game, seats: int, seconds: float | None, iterations: int | None, uct: float = UCT) -> None:
        import numpy as np
        from open_spiel.python.algorithms import ismcts, mcts

        self.adapter = Adapter(game, seats)
        self.seconds = seconds
        self.simulations = iterations or 100
        random = np.random.RandomState(1)
        if game.name in HIDDEN_HANDS:
            self.search: Any = ismcts.ISMCTSBot(
                self.adapter, self.adapter, uct, self.simulations, random_state=random, use_observation_string=True
            )
        else:
            self.search = mcts.MCTSBot(self.adapter, uct, self.simulations, self.adapter, solve=False, random_state=random)
        self.thoughts = 0
        self.thinking = 0.0
        self.made = 0

    def choose(self, view: Any, seat: int, past: Any, rng: Luck) -> int:
        root = State(self.adapter, self.adapter.schema.pack(view))
        if len(root.legal_actions()) == 1:
            return root.legal_actions()[0]
        if self.adapter.game.name not in HIDDEN_HANDS:  # nothing is hidden but the future
            root = root.resample_from_infostate(seat, None)
        self.search.max_simulations = self.search._max_simulations = self.simulations
        began = time.perf_counter()
        move = int(self.search.step(root))
        took = time.perf_counter() - began
        self.thoughts += 1
        self.thinking += took
        self.made += self.simulations
        if self.seconds:
            self.simulations = max(10, int(self.simulations * (0.5 + 0.5 * self.seconds / took)))
        return move


def duel(game: Game, ours: Any, theirs: Theirs, names: list[str], games: int) -> Result:
    """Two seats, both seatings with the same dice."""
    result = Result(game.name, names, {})
    for number in range(games):
        seed, seating = number // 2 + 1, [number % 2, 1 - number % 2]
        result.outcomes.append(play_one(new(game, 2), [ours, theirs], seating, seed))
    return result


def play_one(play: Play, bots: list[Any], seating: list[int], seed: int) -> Outcome:
    dice, luck = Luck(seed), Luck(seed + 1_000_000)
    outcome = Outcome.begun(seed, seating)
    while not play.over:
        if play.turn == CHANCE:
            play.roll(dice)
            continue
        seat = play.turn
        began = time.perf_counter()
        play.play(bots[seating[seat]].choose(play.view(seat), seat, play.recall(seat), luck), seat)
        outcome.seconds[seating[seat]] += time.perf_counter() - began
        outcome.decisions[seating[seat]] += 1
    outcome.plies = play.ply
    for seat, share in enumerate(play.score()):
        outcome.shares[seating[seat]] += share
    return outcome


def measure(game: Game, games: int, kinds: Sequence[str]) -> list[dict[str, Any]]:
    """The matches of one game."""
    rows = []
    for kind in kinds:
        ours, seconds, iterations = MATCHES[kind]
        theirs = Theirs(game, 2, seconds, iterations)
        theirs.choose(*first_question(game))
        theirs.thoughts, theirs.thinking, theirs.made = 0, 0.0, 0
        mine = bot(ours, game)
        mine.choose(*first_question(game))
        result = duel(game, mine, theirs, [ours, "OpenSpiel"], games)
        share, half = result.share(0)
        rows.append({
            "game": game.name, "ours": ours, "search": type(theirs.search).__name__, "games": games,
            "share": share, "half": half,
            "their_milliseconds": 1000 * theirs.thinking / theirs.thoughts,
            "their_simulations": theirs.made / theirs.thoughts,
        })  # fmt: skip
        print(sentence(rows[-1]), flush=True)
    return rows


def first_question(game: Game) -> tuple[Any, int, Any, Luck]:
    play = new(game, 2)
    play.roll_all(Luck(1))
    return play.view(play.turn), play.turn, play.recall(play.turn), Luck(1)


def sentence(row: dict[str, Any]) -> str:
    return (
        f"{row['game']}: {row['ours']} wins {100 * row['share']:.1f} ± {100 * row['half']:.1f} % of {row['games']} games "
        f"against OpenSpiel's {row['search']}, which made {row['their_simulations']:.0f} simulations "
        f"in {row['their_milliseconds']:.0f} ms a move (its tree in Python, our compiled rules and rollouts)."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Our search against OpenSpiel's, on our games.")
    parser.add_argument("name", nargs="*", default=["abraca_what", "dice_heist"], help="games")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--by", choices=list(MATCHES), help="one of the two matches only")
    parser.add_argument("--json", type=Path, metavar="FILE")
    asked = parser.parse_args()
    kinds = [asked.by] if asked.by else list(MATCHES)
    rows = [row for name in asked.name for row in measure(find(name), asked.games, kinds)]
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
