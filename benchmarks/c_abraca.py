"""Abraca...What? against `abraca.c`, the same game by hand in C at -O3.

The C has its dice inside the rules: no explicit chance, no options, no hidden state. The ratio says what the
contract costs. Both play whole random games, and their statistics must agree, or the race would mean nothing.
"""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

from spellheist.core.game import find
from spellheist.lab.speed import Figure, RandomGames, clocked

HERE = Path(__file__).parent
SEATS = (2, 3, 4, 5)
FLAGS = ("-O3", "-march=native")
BOUND = 4.0  # standard errors


def compiler() -> str | None:
    """The C compiler of this machine."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def build(folder: Path = HERE / "build") -> Path | None:
    """The compiled `abraca.c`; None where there is no compiler."""
    found = compiler()
    if not found:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "abraca"
    subprocess.run([found, *FLAGS, "-o", str(program), str(HERE / "abraca.c")], check=True)
    return program


class CGames:
    """Random games of the C program, and the sums of what it prints."""

    def __init__(self, program: Path, seats: int) -> None:
        self.program, self.seats = program, seats
        self.count = 0
        self.sums = [0.0] * (2 + seats)  # decisions, rounds, shares
        self.seed = 0

    def play(self, count: int) -> float:
        """Play so many more; how many seconds that took by the program's own clock."""
        self.seed += 1
        command = [str(self.program), str(self.seats), str(count), str(self.seed)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        seconds, *means = map(float, said)
        self.count += count
        self.sums = [total + mean * count for total, mean in zip(self.sums, means, strict=True)]
        return seconds

    @property
    def means(self) -> list[float]:
        """Of one game: decisions, rounds, and each seat's share of the win."""
        return [total / self.count for total in self.sums]


def errors_apart(means: list[float], count: int, others: list[float], others_count: int, variances: list[float]) -> float:
    """The largest difference between two rows of means, in standard errors."""
    size = 1 / count + 1 / others_count
    rows = zip(means, others, variances, strict=True)
    return max(abs(a - b) / math.sqrt(max(variance, 1e-9) * size) for a, b, variance in rows)


def our_means(run: RandomGames) -> list[float]:
    """The same row as `CGames.means`."""
    return [run.mean("DECISIONS"), run.mean("STAGES"), *run.shares]


def our_variances(run: RandomGames) -> list[float]:
    """Of the same row, for one game. A share lies between 0 and 1, so p(1 - p) bounds its variance."""
    return [run.variance("DECISIONS"), run.variance("STAGES"), *(p * (1 - p) for p in run.shares)]


class Race:
    """Ours and theirs for one number of seats."""

    def __init__(self, program: Path, seats: int) -> None:
        self.seats = seats
        self.ours = RandomGames(find("abraca_what"), seats, {"starter": 0})
        self.theirs = CGames(program, seats)
        self.figures = [Figure(clocked(self.ours.play)), Figure(self.theirs.play)]

    def result(self) -> dict[str, Any]:
        ours, theirs = (figure.best for figure in self.figures)
        a, b = our_means(self.ours), self.theirs.means
        apart = errors_apart(a, self.ours.count, b, self.theirs.count, our_variances(self.ours))
        return {
            "ours_games_a_second": ours,
            "c_games_a_second": theirs,
            "ratio": ours / theirs,
            "decisions_a_game": [a[0], b[0]],
            "rounds_a_game": [a[1], b[1]],
            "standard_errors_apart": apart,
            "agree": apart <= BOUND,
        }


class Peer:
    """All races against the C program, or a note on why there are none."""

    title = "Abraca...What? against hand-written C at -O3 (dice inside the rules), whole random games on one core"

    def __init__(self) -> None:
        program = build()
        self.note = None if program else "There is no C compiler here, so Abraca...What? is not compared with C."
        self.races = [Race(program, seats) for seats in SEATS] if program else []

    def figures(self) -> list[Figure]:
        return [figure for race in self.races for figure in race.figures]

    def result(self) -> dict[str, Any]:
        return {"note": self.note, "seats": {str(race.seats): race.result() for race in self.races}}


def table(result: dict[str, Any]) -> str:
    """The result as text."""
    if result["note"]:
        return str(result["note"])
    lines = [
        Peer.title,
        f"{'seats':>5} {'ours/s':>11} {'C/s':>11} {'ours/C':>7}   decisions and rounds a game: ours, C",
    ]
    for seats, row in result["seats"].items():
        (decisions, their_decisions), (rounds, their_rounds) = row["decisions_a_game"], row["rounds_a_game"]
        agree = "agree" if row["agree"] else "DO NOT AGREE"
        lines.append(
            f"{seats:>5} {row['ours_games_a_second']:11,.0f} {row['c_games_a_second']:11,.0f} {row['ratio']:7.2f}   "
            f"{decisions:.2f}, {their_decisions:.2f} and {rounds:.3f}, {their_rounds:.3f}: "
            f"{agree} ({row['standard_errors_apart']:.1f} standard errors)"
        )
    return "\n".join(lines)
