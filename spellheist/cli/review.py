"""The command that reviews finished games."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from spellheist.cli.commands import as_json
from spellheist.core.refused import Refused


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--seat", type=click.IntRange(0), help="Tell of this seat only.")
@click.option("--seconds", type=click.FloatRange(0.1), help="As exactly as this time allows, instead of --target.")
@click.option("--target", type=click.FloatRange(0.05, 20), default=1.0, show_default=True,
              help="The error to aim at in each verdict, in points of win share.")  # fmt: skip
@click.option("--json", "json_", is_flag=True, help="Everything as JSON.")
def review(file: Path, seat: int | None, seconds: float | None, target: float, json_: bool) -> None:
    """Was it luck or skill? Look at the finished game in FILE.

    What every seat started with, its own play, that of the others, and the luck that is left; the chances to win, the
    luckiest steps, and the mistakes with what would have been better. FILE may be a folder: then all records in it are
    looked at, and what each player has had of luck and skill is added up. Ctrl-C gives what there is."""
    from spellheist.core import record
    from spellheist.review import Settings, finished, report
    from spellheist.review import review as look

    settings = Settings(target=target / 100)
    if file.is_dir():
        folder(file, settings, seconds, json_)
        return
    loaded = record.load(file)
    play = finished(loaded)
    if seat is not None and seat >= loaded.seats:
        raise Refused(f"There is no seat {seat} in this game; the seats are 0 to {loaded.seats - 1}.")
    with bar() as moved:
        found = look(play, settings, seconds, moved)
    if json_:
        as_json(report.as_json(found, play))
    else:
        width = shutil.get_terminal_size().columns
        click.echo("\n".join(report.lines(found, play, seat, width, has_blocks())))


def folder(path: Path, settings: object, seconds: float | None, json_: bool) -> None:
    """All records in a folder, and what they say of each player."""
    from spellheist.lab.figures import figures, table

    files = sorted(file for file in path.iterdir() if file.is_file())
    with bar("games") as moved:
        found = figures(files, settings, seconds, moved)  # type: ignore[arg-type]
    if not found.reviews:
        raise Refused(f"There is no finished game in {path} that could be reviewed.")
    if json_:
        as_json(found.json())
    else:
        click.echo("\n".join(table(found)))


@contextmanager
def bar(what: str = "plies") -> Iterator[Callable[[int, int], None]]:
    """How far it is, on a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("[dim]{task.description}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("what is needed is compiled first, if that was not done before", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total, description=what)


def has_blocks() -> bool:
    """Can the terminal show the blocks of a graph?"""
    try:
        "▁█±".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
