"""Spell Stealers solved exactly, as far as it can be.

`best_turn`: how far one turn gets on average when nobody steals, and which die to roll, or to bank, with how many
artifact points. Rivals come into it only as thieves, so it is the same for any number of seats.

`solve`: the chance to win of two seats that both play perfectly, with stealing set to `polite` and tokens that
turn ready by themselves. A `Solution` tells the chance of each move in a position, and `Bot` plays the best one:

    solution = load()                 # the usual game, from solved.npz
    solution.chances(game.view(0))    # {move: chance to win}

Only the turn limit is left out; with the usual one of 500 turns, a game between sensible players ends long before.

How it is made small: when a turn begins, both tokens are ready, since the rival's became ready in the turn before and
nobody steals in the own turn. So between turns there are only two pawns, who of the two began the round, and if it
is the last. Within a turn points only grow and the rival's token is spent at most once, so a turn is solved backwards
from the most points. Between turns the game can come back to where it was, so all turns are solved again and again,
with the chances found so far, until nothing changes by more than RESIDUAL. Only the chances as turns begin are kept;
what happens within a turn is worked out from them when it is asked for, which also runs uncompiled.

Two caps keep numbers finite. In a turn points are banked at POINTS: before the last round perfect players never roll
with so many (`highest_press`), and in the last one the cap matters only to a seat that is further behind than that: its
chance, three in a thousand or less, is taken for none. Before the last round pawns are below GOAL. In the last round and in
tie-breaks only the distance counts, except for thieves who are sent back to the entrance. Pawns beyond `deep` are
moved back together, to a place from which the entrance is several tied rounds of failed thefts away.

`python -m spellheist.games.spell_stealers.solve` writes solved.npz into this folder and prints what is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from spellheist.core.game import Game
from spellheist.core.kernel import kernel, plain
from spellheist.core.refused import Refused
from spellheist.games.spell_stealers import rules
from spellheist.games.spell_stealers.rules import (
    ASK,
    BANK,
    CHOOSE,
    DECLINE,
    DICE,
    GOAL,
    GREEN,
    ORB,
    POLITE,
    PYRAMID,
    READY,
    RED,
    ROLL,
    SIDES,
    STEAL,
    YELLOW,
)

FILE = Path(__file__).with_name("solved.npz")
FACES = (2, 4, 2)  # of the success die, as usual
POINTS = 60  # of a turn that are counted
HIGHEST = SIDES[ORB]
RESIDUAL = 1e-12
SWEEPS = 1_000
FIRST, SECOND = 0, 1  # who of the two has this turn: the one who begins the rounds, or the other


def odds_to_find(faces: tuple[int, ...] = FACES) -> list[list[float]]:
    """The chance that a roll of a die finds the artifact of a number: rows are dice from 1, columns numbers from 1."""
    green, either, red = faces
    symbols = {GREEN: green + either, YELLOW: either, RED: red}  # SS-4
    found = [[0.0] * (HIGHEST + 1) for _ in SIDES]
    for die in range(PYRAMID, ORB + 1):
        for number in range(1, SIDES[die] + 1):
            found[die][number] = symbols[plain(rules.colour)(die, number)] / sum(faces) / SIDES[die]
    return found


# One turn without thieves.


@dataclass(frozen=True)
class Turn:
    """The best turn without thieves: for each number of artifact points, the mean of what is banked, and what to do."""

    worth: list[float]
    moves: list[int]  # ROLL + die - 1, or BANK

    @property
    def mean(self) -> float:
        """How far a turn gets on average."""
        return self.worth[0]

    @property
    def bank_from(self) -> int:
        """The fewest points with which to bank."""
        return next(points for points, move in enumerate(self.moves) if move == BANK)


def best_turn(faces: tuple[int, ...] = FACES) -> Turn:
    """The best turn without thieves, by its mean advance.

    A roll wins its number with some chance and loses the points with the rest, so what it gains falls with the points:
    once no die gains, none does with more points, and banking is right from there on. That is where this ends.
    """
    odds = odds_to_find(faces)
    last = 0
    while any(sum(row) * last + sum(n * p for n, p in enumerate(row)) > last for row in odds):
        last += 1
    worth = [float(points) for points in range(last + HIGHEST + 1)]
    moves = [BANK] * len(worth)
    for points in range(last, -1, -1):
        rolled = [sum(p * worth[points + n] for n, p in enumerate(odds[die]) if p) for die in range(PYRAMID, ORB + 1)]
        best = max(range(DICE), key=rolled.__getitem__)
        if points == 0 or rolled[best] > points:  # SS-3: the first roll must be made
            worth[points], moves[points] = rolled[best], ROLL + best
    return Turn(worth, moves)


# Two seats. Kernels see a turn from the seat that has it: `x` is its pawn, `y` the rival's, and all chances are its own.


@kernel
def after(start, who, last, x, y):
    """The chance of the seat whose turn is over. start[last, who, x, y] is the chance of a seat whose turn begins."""
    deep = start.shape[2] - 1
    back = max(x, y, deep) - deep  # only the distance counts this far beyond the spell
    x, y = max(0, x - back), max(0, y - back)
    if who == FIRST:
        return 1.0 - start[last, SECOND, y, x]
    if not last:
        return 1.0 - start[0, FIRST, y, x]
    if x == y:  # SS-16: a tie-break round, begun by the first
        return 1.0 - start[1, FIRST, y, x]
    return 1.0 if x > y else 0.0  # SS-15


@kernel
def banked(start, who, last, x, y, points, goal):
    return after(start, who, 1 if x + points >= goal else last, x + points, y)  # SS-14


@kernel
def alone(start, odds, who, last, x, y, goal, chance):
    """A turn after the rival's token was spent: chance[points], from the most points down."""
    most = len(chance) - 1
    bust = after(start, who, last, x, y)
    chance[most] = banked(start, who, last, x, y, most, goal)
    for points in range(most - 1, -1, -1):
        best = banked(start, who, last, x, y, points, goal)  # SS-c: even nothing can be banked after a theft
        for die in range(PYRAMID, ORB + 1):
            lost, rolled = 1.0, 0.0
            for face in range(1, SIDES[die] + 1):
                lost -= odds[die, face]
                rolled += odds[die, face] * chance[min(most, points + face)]
            best = max(best, rolled + lost * bust)
        chance[points] = best


@kernel
def stolen(spent, who, last, x, y, points, die, face, goal):
    """The chance of the seat when its rival tries to steal this artifact."""
    deep, most = spent.shape[2] - 1, spent.shape[4] - 1
    total = 0.0
    for shown in range(1, face):  # SS-9: the thief goes back, and the artifact is kept
        total += spent[who, last, x, max(0, y - shown), min(most, points + face)]
    deeper = y + face
    back = max(deeper, deep) - deep
    won = spent[who, 1 if deeper >= goal else last, max(0, x - back), deeper - back, points]  # SS-8
    return (total + (SIDES[die] - face + 1) * won) / SIDES[die]


@kernel
def watched(start, odds, spent, who, last, x, y, goal, chance):
    """A turn with a rival who may still steal, and does where that leaves the seat a smaller chance."""
    most = len(chance) - 1
    bust = after(start, who, last, x, y)
    chance[most] = banked(start, who, last, x, y, most, goal)
    for points in range(most - 1, -1, -1):
        best = banked(start, who, last, x, y, points, goal) if points else 0.0  # SS-3: without points nothing was rolled
        for die in range(PYRAMID, ORB + 1):
            lost, rolled = 1.0, 0.0
            for face in range(1, SIDES[die] + 1):
                lost -= odds[die, face]
                kept = chance[min(most, points + face)]
                rolled += odds[die, face] * min(kept, stolen(spent, who, last, x, y, points, die, face, goal))
            best = max(best, rolled + lost * bust)
        chance[points] = best


@kernel
def sweep(start, odds, spent, ready, last, goal):
    """Solve every turn once with the chances so far; the largest change of a chance."""
    size = start.shape[2] if last else goal
    change = 0.0
    for who in range(SECOND, FIRST - 1, -1):
        for x in range(size):
            for y in range(size):
                alone(start, odds, who, last, x, y, goal, spent[who, last, x, y])
        for x in range(size):
            for y in range(size):
                if last and who == FIRST and x != y:  # a last round that begins is a tie-break
                    continue
                watched(start, odds, spent, who, last, x, y, goal, ready[who, last, x, y])
                change = max(change, abs(start[last, who, x, y] - ready[who, last, x, y, 0]))
                start[last, who, x, y] = ready[who, last, x, y, 0]
    return change


@kernel
def rolled_with(start, odds, spent, ready, who, last, x, y, points, die, goal, token):
    """The chance of the seat when it rolls this die."""
    most = spent.shape[4] - 1
    lost, rolled = 1.0, 0.0
    for face in range(1, SIDES[die] + 1):
        lost -= odds[die, face]
        kept = min(most, points + face)
        if token == READY:
            theft = stolen(spent, who, last, x, y, points, die, face, goal)
            rolled += odds[die, face] * min(ready[who, last, x, y, kept], theft)
        else:
            rolled += odds[die, face] * spent[who, last, x, y, kept]
    return rolled + lost * after(start, who, last, x, y)


@kernel
def highest_press(start, spent, ready, goal):
    """The most points with which a seat still rolls before the last round."""
    highest = 0
    for who in range(2):
        for x in range(goal):
            for y in range(goal):
                for points in range(spent.shape[4]):
                    bank = banked(start, who, 0, x, y, points, goal)
                    if max(spent[who, 0, x, y, points], ready[who, 0, x, y, points]) > bank + 1e-9:
                        highest = max(highest, points)
    return highest


@dataclass(frozen=True)
class Solution:
    """Two seats that play perfectly. `start` has the chance of the seat whose turn begins, by whether the round is the
    last, FIRST or SECOND, its pawn and the rival's. `spent` and `ready` have the same within a turn, by the state of the
    rival's token, with FIRST or SECOND before the last round and the artifact points as one more index. They are
    filled in turn by turn as they are asked for."""

    goal: int
    faces: tuple[int, ...]
    start: Any
    spent: Any
    ready: Any
    residual: float = 0.0  # the largest change of a chance in the last sweep
    sweeps: int = 0
    filled: set[tuple[int, ...]] = field(default_factory=set)  # the turns in `spent` and `ready` that are known

    @property
    def first(self) -> float:
        """The chance of the seat that begins the game."""
        return float(self.start[0, FIRST, 0, 0])

    @property
    def highest_press(self) -> int:
        """The most points with which a perfect player rolls on before the last round: known only after `solve`."""
        return int(highest_press(self.start, self.spent, self.ready, self.goal))

    @property
    def deep(self) -> int:
        """The deepest pawn that is told apart from those beyond."""
        return int(self.start.shape[2]) - 1

    def fill(self, who: int, last: int, x: int, y: int) -> None:
        """Work out a turn, and what it becomes when the rival tries to steal."""
        odds = np.array(odds_to_find(self.faces))
        for thief in range(max(0, y - HIGHEST), y + HIGHEST + 1):
            back = max(thief, self.deep) - self.deep
            place = who, int(last or thief >= self.goal), max(0, x - back), thief - back
            if place not in self.filled:
                alone(self.start, odds, *place, self.goal, self.spent[place])
                self.filled.add(place)
        if (who, last, x, y, READY) not in self.filled:
            watched(self.start, odds, self.spent, who, last, x, y, self.goal, self.ready[who, last, x, y])
            self.filled.add((who, last, x, y, READY))

    def knows(self, s: Any) -> bool:
        """Is this a position of the game that was solved?"""
        return s.seats == 2 and s.stealing == POLITE and not s.reset_by_hand and tuple(s.success_faces) == self.faces

    def chances(self, s: Any) -> dict[int, float]:
        """At CHOOSE or ASK: every move with the chance to win of the seat that is asked."""
        if not self.knows(s):
            faces = ", ".join(str(count) for count in self.faces)
            raise Refused(f"This is solved for two seats, polite, with the success die {faces}, and for nothing else.")
        if s.phase not in (CHOOSE, ASK):
            raise Refused("Nobody is asked here.")
        who, last, rival = int(s.current != s.starter), int(s.last), 1 - s.current
        back = max(0, *s.pawn[:2], self.deep) - self.deep
        x, y = max(0, s.pawn[s.current] - back), max(0, s.pawn[rival] - back)
        most = self.ready.shape[4] - 1
        points = min(int(s.points), most)
        where = (who, last, x, y)
        self.fill(*where)
        if s.phase == ASK:
            theft = stolen(self.spent, *where, points, int(s.die), int(s.face), self.goal)
            return {STEAL: 1.0 - float(theft), DECLINE: 1.0 - float(self.ready[(*where, min(points + s.face, most))])}
        odds = np.array(odds_to_find(self.faces))
        tables = self.start, odds, self.spent, self.ready
        token = int(s.token[rival])
        dice = range(PYRAMID, ORB + 1)
        found = {ROLL + die - 1: float(rolled_with(*tables, *where, points, die, self.goal, token)) for die in dice}
        if s.rolled:
            found[BANK] = float(banked(self.start, *where, int(s.points), self.goal))
        return found


def unsolved(goal: int, faces: tuple[int, ...], points: int, start: Any = None) -> Solution:
    """A solution with these chances as turns begin, or with even ones."""
    deep = max(goal - 1, 3 * HIGHEST) + HIGHEST + points
    found = np.full((2, 2, deep + 1, deep + 1), 0.5) if start is None else np.array(start)
    spent, ready = (np.zeros((2, 2, deep + 1, deep + 1, points + 1)) for _ in range(2))
    return Solution(goal, faces, found, spent, ready)


def solve(goal: int = GOAL, faces: tuple[int, ...] = FACES, points: int = POINTS) -> Solution:
    """Solve the game of two seats on a track of this length: compiled, half a minute."""
    found = unsolved(goal, faces, points)
    odds = np.array(odds_to_find(faces))
    residual, sweeps = 0.0, 0
    for last in (1, 0):  # the last round does not depend on those before it
        change = 1.0
        while change > RESIDUAL and sweeps < SWEEPS:
            change = float(sweep(found.start, odds, found.spent, found.ready, last, goal))
            sweeps += 1
        residual = max(residual, change)
    return replace(found, residual=residual, sweeps=sweeps)


def save(solution: Solution, file: Path = FILE) -> None:
    """Keep the chances at the start of turns; the rest follows from them."""
    np.savez_compressed(file, start=solution.start)


def load(file: Path = FILE) -> Solution:
    """The usual game, from its file or solved anew."""
    if not file.is_file():
        return solve()
    with np.load(file) as kept:
        return unsolved(GOAL, FACES, POINTS, kept["start"])


@cache
def usual() -> Solution:
    """The usual game, loaded once."""
    return load()


def solved(s: Any) -> Solution | None:
    """The solution that has this position, if there is one at hand."""
    return usual() if FILE.is_file() and usual().knows(s) else None


class Bot:
    """Plays perfectly where two seats play polite; refuses other games."""

    def __init__(self, game: Game, solution: Solution | None = None) -> None:
        self.solution = solution or usual()

    def choose(self, view: Any, seat: int, past: list[tuple[int, int]], rng: Any) -> int:
        """The move with the highest chance to win."""
        chances = self.solution.chances(view)
        return max(chances, key=chances.__getitem__)


def main() -> None:
    turn = best_turn()
    print(f"A turn without thieves: {turn.mean:.4f} spaces on average; bank from {turn.bank_from} points.")
    solution = solve()
    save(solution)
    print(
        f"Two seats, polite, perfect play: who begins wins {solution.first:.9f}. {solution.sweeps} sweeps, residual "
        f"{solution.residual:.1e}; before the last round nobody rolls with more than {solution.highest_press} points."
    )
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes.")


if __name__ == "__main__":
    main()
