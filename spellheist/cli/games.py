"""Commands to read about a game, to play it, to replay it and to verify it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from spellheist.cli.commands import SEED, as_json, json_option, option_pairs, plain
from spellheist.core import game as games_module
from spellheist.core.game import Game
from spellheist.core.refused import Refused, did_you_mean


@click.command()
@click.option("--json", "json_", is_flag=True, help="Print them as JSON, with all their options.")
def games(json_: bool) -> None:
    """List the games and how many they seat."""
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
    """Show the rules of GAME, or the one with the id RULE."""
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
@click.option("--seats", help="Who sits where: you,greedy,steady or, with names, you=Ann,master=Bob.")
@option_pairs
@click.option("--seed", type=SEED, help="The same seed gives the same dice.")
@click.option("--fair", is_flag=True, help="Use dice that `spellheist verify` can prove fair.")
@click.option("--from", "from_", type=click.Path(path_type=Path), help="Resume a saved game, or start from any record.")
@click.option("--record", "file", type=click.Path(path_type=Path), help="Write the record of the game to this file.")
def play(
    game: str | None,
    seats: str | None,
    options: dict[str, str],
    seed: int | None,
    fair: bool,
    from_: Path | None,
    file: Path | None,
) -> None:
    """Play GAME in the terminal.

    You play with bots, or with others at the same keyboard. Without GAME you choose from a list. While you play, ? explains
    what you can do, and Ctrl-C saves the game and leaves.

    \b
    Examples:
      spellheist play GAME --seats you,greedy,steady --seed 7
      spellheist play --from FILE"""
    plain()
    from spellheist.terminal.start import go_on, start

    if fair and seed is not None:
        raise click.UsageError("Fair dice have a secret instead of a seed; give --fair or --seed.")
    if from_:
        if game or options or seed is not None or fair:
            raise click.UsageError("--from resumes a saved game; its game, options and dice are in the file.")
        go_on(from_, seats, file or from_)
    else:
        start(game, seats, options, seed, fair, file)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=int, metavar="PLY", help="Show only the table after this ply.")
@click.option("--json", "json_", is_flag=True, help="Print every ply as JSON.")
def replay(file: Path, at: int | None, json_: bool) -> None:
    """Replay a recorded game, ply by ply."""
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
@json_option
def verify(file: Path, json_: bool) -> None:
    """Prove that every move in a record was legal and every roll honest.

    Rolls must follow from the seed, or from the secret that was promised before the game. The exit code is 1 if anything is
    wrong."""
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
        click.echo("\n".join(proved) if refusal is None else f"The record does not hold. {refusal}")
    sys.exit(0 if refusal is None else 1)
