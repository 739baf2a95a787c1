"""Commands of the lab: matches, ladders, learning, laws, speed."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import click

from spellheist.cli.commands import as_json, json_option, option_pairs, seed_option, threads_option
from spellheist.core import game as games_module

adjusted_option = click.option(
    "--adjusted", is_flag=True, help="Also with the luck of the dice taken out: narrower intervals from the same games."
)


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
def warm(names: tuple[str, ...]) -> None:
    """Compile rules, bots and reviews ahead of time.

    This takes some minutes once; without it, they are compiled when they are first needed. By default all games are
    compiled."""
    from spellheist.bots import bot
    from spellheist.bots import warm as warm_bot
    from spellheist.core.warm import warm_up
    from spellheist.review import warm as warm_review

    for name in names or games_module.names():
        began = time.perf_counter()
        game = games_module.find(name)
        warm_up(game)
        for kind in ("greedy", "gentle"):
            warm_bot(bot(kind, game), game)
        warm_review(game)
        click.echo(f"{name:15} ready in {time.perf_counter() - began:.1f} s")


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--games", type=click.IntRange(1), help="Play this many random games of each variant, instead of --plies.")
@click.option("--plies", type=click.IntRange(1), default=1_000_000, show_default=True,
              help="Plies of each game to play compiled; a fifth with bounds checks, a hundredth plain.")  # fmt: skip
@click.option("--bots/--no-bots", default=True, show_default=True, help="Check the law of bots too, which compiles them.")
@json_option
def check(names: tuple[str, ...], games: int | None, plies: int, bots: bool, json_: bool) -> None:
    """Play random games and check every law, in every mode.

    Bots have a law too: what a seat does not know cannot change what its bot does. GAME may be the folder of a game of your
    own. The exit code is 1 if a law is broken.

    \b
    Example:
      spellheist check examples/pig --games 20 --no-bots"""
    from spellheist.bots.honesty import honest
    from spellheist.laws.check import Broken
    from spellheist.laws.check import check as run

    failed = False
    results = []
    for name in names or games_module.names():
        games_module.find(name)
        try:
            reports = run(name, {"fast": plies, "checked": max(1, plies // 5), "plain": max(1, plies // 100)}, games)
            decisions = honest(games_module.find(name)) if bots else 0
        except Broken as broken:
            failed = True
            results.append({"game": name, "holds": False, "broken": str(broken)})
        else:
            counts = {r.mode: {"games": r.games, "plies": r.plies, "variants": len(r.digests)} for r in reports}
            results.append({"game": name, "holds": True, "modes": counts, "bots": decisions})
        if not json_:
            click.echo(said(results[-1]))
    if json_:
        as_json(results)
    sys.exit(1 if failed else 0)


def said(result: dict[str, Any]) -> str:
    if not result["holds"]:
        return f"{result['game']:15} A law does not hold. {result['broken']}"
    counts = ", ".join(f"{c['plies']:,} plies {mode}" for mode, c in result["modes"].items())
    found = f"{result['modes']['fast']['variants']} variants, {counts}; all modes agree"
    honest = f"; bots are honest in {result['bots']:,} decisions" if result["bots"] else ""
    return f"{result['game']:15} every law holds: {found}{honest}"


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True,
              help="Play at least this many; every deal is played once for each rotation of the seats.")  # fmt: skip
@seed_option
@threads_option
@option_pairs
@adjusted_option
@click.option("--json", "as_json_file", type=click.Path(path_type=Path), help="Write everything to this file, as JSON.")
@click.option("--csv", "as_csv", type=click.Path(path_type=Path), help="Write a row for each game to this file, as CSV.")
@click.option("--parquet", "as_parquet", type=click.Path(path_type=Path), help="The same as Parquet; needs pyarrow.")
def match(
    game: str,
    bots: tuple[str, ...],
    games: int,
    seed: int,
    threads: int,
    options: dict[str, str],
    adjusted: bool,
    as_json_file: Path | None,
    as_csv: Path | None,
    as_parquet: Path | None,
) -> None:
    """Let bots play GAME against each other, with intervals and ratings.

    Name one bot for each seat: random, greedy, gentle, steady, sharp or master; one with a budget, such as master@100ms or
    sharp@5000; or a Python file of your own. Ctrl-C shows the result so far. If a bot fails or makes an illegal move, the
    exit code is 1, and the positions of the first ten faults are written to the current folder.

    \b
    Example:
      spellheist match GAME examples/careful.py greedy --games 200 --threads 2"""
    from spellheist.lab import report
    from spellheist.lab.match import play_match

    report.can_write(as_json_file, as_csv, as_parquet)
    with report.progress(games) as moved:
        result = play_match(game, list(bots), games, seed, threads, options, moved, adjusted)
    click.echo(report.table(result))
    for sentence in report.write_faults(result, Path()):
        click.echo(sentence, err=True)
    report.write(result, as_json_file, as_csv, as_parquet)
    if any(outcome.fault for outcome in result.outcomes):
        sys.exit(1)


@click.command()
@click.argument("game")
@click.argument("bots", nargs=-1, metavar="[BOT BOT...]")
@click.option("--games", type=click.IntRange(2), default=200, show_default=True, help="Games for each pair.")
@seed_option
@threads_option
@option_pairs
@adjusted_option
@click.option("--write", "page", type=click.Path(path_type=Path),
              help="Put the table into this page, such as docs/strength.md.")  # fmt: skip
def ladder(
    game: str, bots: tuple[str, ...], games: int, seed: int, threads: int, options: dict[str, str], adjusted: bool,
    page: Path | None,
) -> None:  # fmt: skip
    """Let every bot play every other at GAME, and rate them.

    Each pair plays with two seats. Without BOT, all bots take part; the strong ones need hours in some games."""
    from spellheist.bots import NAMES
    from spellheist.core.files import check_writable
    from spellheist.lab.ladder import climb, into_page

    if page:
        check_writable(page)
    names = bots or NAMES[::-1]
    if len(set(names)) < max(2, len(names)):
        raise click.UsageError("A ladder needs two or more bots, each named once.")
    text = climb(game, names, games, seed, threads, options, lambda line: click.echo(line, err=True), adjusted)
    click.echo(text)
    if page:
        into_page(page, game, text)


@click.command()
@click.argument("game")
@click.option("--iterations", type=click.IntRange(1), default=400, show_default=True,
              help="Iterations a move, for both searches.")  # fmt: skip
@click.option("--games", type=click.IntRange(2), default=400, show_default=True, help="Games for each candidate.")
@seed_option
@threads_option
@option_pairs
def tune(game: str, iterations: int, games: int, seed: int, threads: int, options: dict[str, str]) -> None:
    """Try other constants of the search in GAME.

    Each candidate plays against the current constants. Nothing is written: put what wins into the game's bot.py."""
    from spellheist.lab.tune import tune as run

    found = run(game, iterations, games, seed, threads, options, click.echo)
    click.echo("Constants: " + ", ".join(f"{name.upper()} {value:g}" for name, value in found.items()))


@click.command()
@click.argument("game")
@click.argument("bot")
@click.argument("other")
@click.option("--judge", default="master@2000ms", show_default=True, help="The bot that says what each move is worth.")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="Games to take decisions from.")
@seed_option
@threads_option
@option_pairs
def regret(
    game: str, bot: str, other: str, judge: str, games: int, seed: int, threads: int, options: dict[str, str]
) -> None:
    """Measure what BOT gives away by not moving as OTHER would.

    Both are asked about one decision in seven or so, in games of GAME between sharp bots with the fewest seats. Where they
    differ, a judge says what their moves are worth. This takes long; Ctrl-C shows the result so far.

    \b
    What is ten times the time worth?
      spellheist regret GAME master@100ms master@1000ms"""
    from spellheist.lab.regret import regret as run
    from spellheist.lab.regret import sentence
    from spellheist.lab.report import counting

    with counting(games) as moved:
        found = run(game, bot, other, judge, games, seed, threads, options, moved)
    click.echo(sentence(bot, other, judge, found))


@click.command()
@click.argument("game")
@click.option("--positions", type=click.IntRange(5_000), default=2_000_000, show_default=True,
              help="Positions to learn from.")  # fmt: skip
@click.option("--hidden", type=click.IntRange(1, 64), default=16, show_default=True, help="Hidden units in the network.")
@click.option("--passes", type=click.IntRange(1), default=12, show_default=True, help="How often each position is used.")
@seed_option
@click.option("--write", is_flag=True, help="Write the weights to learned.py in the game's folder.")
def learn(game: str, positions: int, hidden: int, passes: int, seed: int, write: bool) -> None:
    """Learn what a position of GAME is worth from games of bots.

    The result is a small network that the search can use. It is only measured unless you give --write."""
    from spellheist.core.files import check_writable
    from spellheist.lab.learn import file_of, keep
    from spellheist.lab.learn import learn as run

    chosen = games_module.find(game)
    if write:
        check_writable(file_of(chosen))
    row = run(game, positions, hidden, passes, seed, click.echo)
    if write:
        keep(chosen, row)


@click.command()
@json_option
@click.option("--seconds", type=click.FloatRange(0.01), default=1.0, show_default=True, help="Seconds for each figure.")
@click.option("--search", is_flag=True, help="Measure how fast bots think and whether they keep to their time instead.")
def bench(json_: bool, seconds: float, search: bool) -> None:
    """Measure how fast rules or bots run on this machine."""
    from importlib import import_module

    lab = import_module("spellheist.lab.thinking" if search else "spellheist.lab.speed")
    measure, table = lab.measure, lab.table
    result = measure(seconds)
    if json_:
        as_json(result)
    else:
        click.echo(table(result))
