"""Commands to read of a game, to play it, to tell it again and to prove it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from spellheist.cli.commands import SEED, as_json, option_pairs, plain
from spellheist.core import game as games_module
from spellheist.core.game import Game, Refused, did_you_mean


@click.command()
@click.option("--json", "json_", is_flag=True, help="As JSON, with all options.")
def games(json_: bool) -> None:
    """List the games."""
    found = [games_module.find(name) for name in games_module.names()]
    if json_:
        as_json([described(game) for game in found])
        return
    for game in found:
        click.echo(f"{game.name:15} {game.title:17} {game.seats[0]}-{game.seats[-1]} seats   {game.sentence}")


def described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name, "title": game.title, "sentence": game.sentence, "seats": [game.seats[0], game.seats[-1]],
        "signature": game.signature, "credits": game.credits,
        "options": [
            {"name": o.name, "kind": o.kind, "default": o.show(o.default), "range": o.range, "sentence": o.sentence}
            for o in game.options
        ],
    }  # fmt: skip


@click.command()
@click.argument("game")
@click.argument("rule", required=False)
def rules(game: str, rule: str | None) -> None:
    """Show the rules of GAME, or the one RULE of this id."""
    from rich.console import Console
    from rich.markdown import Markdown

    chosen = games_module.find(game)
    if rule is None:
        Console().print(Markdown(chosen.page))
        return
    known = {name.lower(): name for name in chosen.rule}
    if rule.lower() not in known:
        raise Refused(f"{chosen.title} has no rule {rule!r}.{did_you_mean(rule.upper(), chosen.rule)}")
    Console().print(Markdown(f"**{known[rule.lower()]}** {chosen.rule[known[rule.lower()]]}"))


@click.command()
@click.argument("game", required=False)
@click.option("--seats", help="Who sits where: you or a bot, as in you,greedy,steady or you=Ann,master=Bob.")
@option_pairs
@click.option("--seed", type=SEED, help="The same seed gives the same dice.")
@click.option("--fair", is_flag=True, help="Dice that can be proved fair with `spellheist verify`.")
@click.option("--from", "from_", type=click.Path(path_type=Path), help="Go on from a saved game, or from any record.")
@click.option("--record", "file", type=click.Path(path_type=Path), help="Write the record of the game here.")
def play(
    game: str | None, seats: str | None, options: dict[str, str], seed: int | None, fair: bool,
    from_: Path | None, file: Path | None,
) -> None:
    """Play GAME in the terminal."""
    plain()
    from spellheist.terminal.start import go_on, start

    if fair and seed is not None:
        raise click.UsageError("Fair dice have a secret, and no seed.")
    if from_:
        if game or options or seed is not None or fair:
            raise click.UsageError("--from goes on with a saved game: its game, options and dice are in the file.")
        go_on(from_, seats, file or from_)
    else:
        start(game, seats, options, seed, fair, file)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=int, metavar="PLY", help="Show the table after this ply instead of the whole game.")
@click.option("--json", "json_", is_flag=True, help="Every ply as JSON.")
def replay(file: Path, at: int | None, json_: bool) -> None:
    """Tell a recorded game again, ply by ply."""
    plain()
    from spellheist.terminal.replay import show, table_at, told

    if json_:
        as_json(told(file))
    elif at is not None:
        table_at(file, at)
    else:
        show(file)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "json_", is_flag=True)
def verify(file: Path, json_: bool) -> None:
    """Prove a record: every move legal, every roll what the dice gave. Exit code 1 if anything is not so."""
    plain()
    from spellheist.core import record
    from spellheist.core.files import read_text

    text = read_text(file, record.LARGEST)
    try:
        proved, refusal = record.verify(record.read(text)), None
    except Refused as error:
        proved, refusal = [], str(error)
    if json_:
        as_json({"file": str(file), "holds": refusal is None, "proved": proved, "refusal": refusal})
    else:
        click.echo("\n".join(proved) if refusal is None else f"It does not hold. {refusal}")
    sys.exit(0 if refusal is None else 1)
