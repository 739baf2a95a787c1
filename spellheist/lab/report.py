"""What came out of a match: a table for people, files for programs, and the games in which a bot did wrong."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from spellheist.core.files import check_writable, reason, write_text
from spellheist.core.refused import Refused
from spellheist.lab.match import Outcome, Result
from spellheist.lab.rating import rated

FAULTS = 10  # that are written down, at the most: after that they are only counted


def ratings(result: Result) -> list[tuple[float, float]]:
    """The rating of each bot and its uncertainty, also of bots of the same name."""
    places = [str(number) for number in range(len(result.bots))]
    found = rated([(places, outcome.shares) for outcome in result.outcomes])
    return [found[place] for place in places]


def table(result: Result) -> str:
    """Win shares with their intervals, ratings, and times."""
    games = len(result.outcomes)
    if not games:
        return "No game was finished."
    head = f"{result.game}, {len(result.bots)} seats, {games} games, {len(result.deals())} deals in all rotations"
    wide = max(16, *map(len, result.bots))
    lines = [head, f"{'bot':{wide}} {'wins':>7}  {'95 %':>15}  {'rating':>13}  {'a move':>9}  {'slowest':>9}"]
    for number, (name, (rating, sigma)) in enumerate(zip(result.bots, ratings(result), strict=True)):
        share, half = result.share(number)
        decisions = sum(outcome.decisions[number] for outcome in result.outcomes)
        seconds = sum(outcome.seconds[number] for outcome in result.outcomes) / max(1, decisions)
        slowest = max(outcome.slowest[number] for outcome in result.outcomes)
        between = f"{100 * max(0.0, share - half):5.1f} to {100 * min(1.0, share + half):5.1f}"
        lines.append(
            f"{name:{wide}} {100 * share:6.1f}%  {between:>15}  {rating:6.1f} ± {sigma:4.1f}  "
            f"{1000 * seconds:6.1f} ms  {1000 * slowest:6.1f} ms"
        )
    if any(outcome.adjusted for outcome in result.outcomes):
        lines.append("With the luck of the dice taken out:")
        for number, name in enumerate(result.bots):
            share, half = result.adjusted(number)
            lines.append(f"{name:{wide}} {100 * share:6.1f}%  {100 * (share - half):5.1f} to {100 * (share + half):5.1f}")
    plies = sum(outcome.plies for outcome in result.outcomes) / games
    all_decisions = sum(sum(outcome.decisions) for outcome in result.outcomes) / games
    lines.append(f"{all_decisions:.1f} decisions and {plies:.1f} plies a game")
    if result.stopped:
        lines.append(result.stopped)
    return "\n".join(lines)


@contextmanager
def progress(games: int) -> Iterator[Callable[[Result], None]]:
    """A bar for a match."""
    with counting(games) as moved:
        yield lambda result: moved(len(result.outcomes))


@contextmanager
def counting(games: int) -> Iterator[Callable[[int], None]]:
    """A bar with the time that is left, on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("[dim]{task.description}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("bots are compiled first if necessary", total=games)
        yield lambda done: bar.update(task, completed=min(games, done), description="")


def rows(result: Result) -> list[dict[str, Any]]:
    """A row a game, flat."""
    return [row(result, number, outcome) for number, outcome in enumerate(result.outcomes)]


def row(result: Result, number: int, outcome: Outcome) -> dict[str, Any]:
    flat: dict[str, Any] = {"game": number, "seed": outcome.seed, "plies": outcome.plies}
    for k, name in enumerate(result.bots):
        flat |= {
            f"bot_{k}": name, f"seat_{k}": outcome.seating.index(k), f"share_{k}": outcome.shares[k],
            f"decisions_{k}": outcome.decisions[k], f"seconds_{k}": round(outcome.seconds[k], 6),
        }  # fmt: skip
    return flat | {"fault": outcome.fault or ""}


def can_write(as_json: Path | None, as_csv: Path | None, as_parquet: Path | None) -> None:
    """Refuses at once what could not be written after an hour of play."""
    for path in (as_json, as_csv, as_parquet):
        if path:
            check_writable(path)
    if as_parquet:
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise Refused("Parquet files need the package pyarrow, which is not installed here.") from None


def write(result: Result, as_json: Path | None, as_csv: Path | None, as_parquet: Path | None) -> None:
    """The files that were asked for."""
    flat = rows(result)
    if as_json:
        summary = [
            {"bot": name, "share": share, "half": half, "rating": rating, "sigma": sigma}
            for name, (share, half), (rating, sigma) in zip(
                result.bots, map(result.share, range(len(result.bots))), ratings(result), strict=True
            )
        ]
        whole = {"game": result.game, "options": result.options, "bots": summary}
        write_text(as_json, json.dumps(whole | {"games": [asdict(o) for o in result.outcomes]}, indent=1) + "\n")
    if as_csv and flat:
        text = io.StringIO()
        writer = csv.DictWriter(text, flat[0])
        writer.writeheader()
        writer.writerows(flat)
        write_text(as_csv, text.getvalue())
    if as_parquet and flat:
        import pyarrow
        import pyarrow.parquet

        try:
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(flat), as_parquet)
        except OSError as error:
            raise Refused(f"{as_parquet} cannot be written: {reason(error)}.") from None


def write_faults(result: Result, folder: Path) -> list[str]:
    """For games in which a bot did wrong: a record that leads there, and a sentence; no more of them than help."""
    said = []
    wrong = [outcome for outcome in result.outcomes if outcome.fault]
    for number, outcome in enumerate(wrong[:FAULTS]):
        path = folder / f"fault-{int(time.time())}-{number}.txt"
        write_text(path, outcome.record or "")
        said.append(f"A bot lost a game by a fault. {outcome.fault} The position is in {path}.")
    if wrong[FAULTS:]:
        said.append(f"{len(wrong) - FAULTS:,} more games were lost this way.")
    return said
