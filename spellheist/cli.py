"""The command line. Quick commands run the rules plain and start at once; heavy ones compile."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import click

from spellheist import __version__
from spellheist.core import game as games_module
from spellheist.core.game import Game, Refused, did_you_mean


class Commands(click.Group):
    """Commands that answer a wrong name with the nearest one, and a refusal with its sentence."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            raise click.UsageError(f"There is no command {args[0]!r}.{did_you_mean(args[0], known)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Refused as refusal:
            click.echo(f"spellheist: {refusal}", err=True)
            ctx.exit(2)


def plain() -> None:
    """This command runs the rules plain, unless the environment says otherwise."""
    os.environ.setdefault("SPELLHEIST_KERNEL", "plain")


def as_json(data: Any) -> None:
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="spellheist")
def main() -> None:
    """Spellheist: five tabletop games of spells and thieves."""


@main.command()
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


@main.command()
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


def pairs(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """--option easy=true, any number of times."""
    found = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.")
        found[name.strip()] = setting.strip()
    return found


option_pairs = click.option("--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE", help="A variant.")


@main.command()
@click.argument("game", required=False)
@click.option("--seats", help="Who sits where: you or a bot, as in you,random,random or you=Ann,random=Bob.")
@option_pairs
@click.option("--seed", type=int, help="The same seed gives the same dice.")
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

    if from_:
        if game or options or seed is not None or fair:
            raise click.UsageError("--from goes on with a saved game: its game, options and dice are in the file.")
        go_on(from_, seats, file or from_)
    else:
        start(game, seats, options, seed, fair, file)


@main.command()
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


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "json_", is_flag=True)
def verify(file: Path, json_: bool) -> None:
    """Prove a record: every move legal, every roll what the dice gave. Exit code 1 if anything is not so."""
    plain()
    from spellheist.core import record

    loaded = record.load(file)
    try:
        proved, refusal = record.verify(loaded), None
    except Refused as error:
        proved, refusal = [], str(error)
    if json_:
        as_json({"file": str(file), "holds": refusal is None, "proved": proved, "refusal": refusal})
    else:
        click.echo("\n".join(proved) if refusal is None else f"It does not hold. {refusal}")
    sys.exit(0 if refusal is None else 1)


@main.group(cls=Commands)
def deck() -> None:
    """Decks of cards in files."""


@deck.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "name", help="The game that the deck is for; without it, all games with decks are tried.")
def deck_check(file: Path, name: str | None) -> None:
    """Check a deck file. Exit code 1 if it cannot be played with."""
    plain()
    games = [games_module.find(name)] if name else [games_module.find(known) for known in games_module.names()]
    with_decks = [game for game in games if (game.folder / "deck.py").is_file()]
    if not with_decks:
        raise Refused(f"{games[0].title} has no deck.")
    refusals = []
    for game in with_decks:
        try:
            game.settings(game.seats[0], {"deck": str(file)})
        except Refused as refusal:
            refusals.append(f"It is no deck for {game.title}. {refusal}")
        else:
            click.echo(f"{file} is a deck for {game.title}.")
            return
    click.echo("\n".join(refusals), err=True)
    sys.exit(1)


@deck.command("balance")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--game", "name", default="spellcaster", show_default=True)
@click.option("--seats", default="2,3,4", show_default=True, help="Numbers of seats to study.")
@click.option("--games", type=click.IntRange(2), default=2_000, show_default=True, help="For each number of seats.")
@click.option("--bot", "bot_", default="master@10ms", show_default=True, help="On all seats.")
@click.option("--card-games", type=click.IntRange(0), default=20_000, show_default=True, help="For the effects of cards.")
@click.option("--card-bot", default="master@1ms", show_default=True, help="On all seats of those.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Games played side by side.")
@option_pairs
@click.option("--write", "page", type=click.Path(path_type=Path), help="Put the page here, and the picture beside it.")
def deck_balance(
    file: Path | None, name: str, seats: str, games: int, bot_: str, card_games: int, card_bot: str,
    seed: int, threads: int, options: dict[str, str], page: Path | None,
) -> None:
    """Let strong bots play with a deck: who wins, how games end, how long they are, and what every card is worth.
    Ctrl-C ends a study and goes on with the games so far."""
    from spellheist.core.files import write_text
    from spellheist.lab import balance, report
    from spellheist.lab.deck import play_games

    game = games_module.find(name)
    used = str(file) if file else "standard"
    options = {**options, "deck": used} if file else options
    if not all(part.strip().isdecimal() for part in seats.split(",")):
        raise Refused(f"The seats are numbers such as 2,3,4, not {seats!r}.")

    def study(seats: int, bot: str, games: int) -> balance.Study:
        with report.counting(games) as moved:
            return balance.Study(seats, bot, play_games(name, seats, bot, options, games, seed, threads, moved))

    studies = []
    for count in map(int, seats.split(",")):
        studies.append(study(count, bot_, games))
        click.echo("\n  ".join(balance.summary(studies[-1])))
    cards = study(game.seats[0], card_bot, card_games) if card_games else None
    picture = page.with_suffix(".svg") if page and cards else None
    text = balance.page(game, used, studies, cards, picture.name if picture else None)
    if cards:
        click.echo("\n".join(balance.card_lines(game, used, cards, None)))
    if page:
        write_text(page, text)
        if picture and cards:
            write_text(picture, balance.picture(game, used, cards))


@main.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
def warm(names: tuple[str, ...]) -> None:
    """Compile the rules now, so that nothing has to be compiled later."""
    from spellheist.core.warm import warm_up

    for name in names or games_module.names():
        seconds = warm_up(games_module.find(name))
        click.echo(f"{name:15} ready in {seconds:.1f} s")


@main.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--games", type=click.IntRange(1), help="So many random games of each variant, instead of --plies.")
@click.option("--plies", type=click.IntRange(1), default=1_000_000, show_default=True,
              help="Plies of each game compiled; a fifth with bounds checks, a hundredth plain.")  # fmt: skip
@click.option("--bots/--no-bots", default=True, show_default=True, help="Hold bots to their law too, which compiles them.")
@click.option("--json", "json_", is_flag=True)
def check(names: tuple[str, ...], games: int | None, plies: int, bots: bool, json_: bool) -> None:
    """Play random games under every law, in every mode, and hold bots to theirs: what a seat does not know cannot
    matter to its bot. GAME may also be the folder of a game of your own."""
    from spellheist.bots.law import honest
    from spellheist.core.check import Broken
    from spellheist.core.check import check as run

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


@main.command()
@click.argument("game")
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="At least so many; all seatings.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same dice.")
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Games played side by side.")
@option_pairs
@click.option("--json", "as_json_file", type=click.Path(path_type=Path), help="Write everything as JSON.")
@click.option("--csv", "as_csv", type=click.Path(path_type=Path), help="Write a row a game.")
@click.option("--parquet", "as_parquet", type=click.Path(path_type=Path), help="The same as Parquet (needs pyarrow).")
def match(
    game: str, bots: tuple[str, ...], games: int, seed: int, threads: int, options: dict[str, str],
    as_json_file: Path | None, as_csv: Path | None, as_parquet: Path | None,
) -> None:
    """Let bots play GAME against each other: random, greedy, gentle, steady, sharp, master, or one with a budget
    of its own such as master@100ms or sharp@5000, or a file of your own such as
    mine.py. Ctrl-C gives the result so far. Exit code 1 if a bot did wrong."""
    from spellheist.lab import report
    from spellheist.lab.match import play_match

    report.can_write(as_json_file, as_csv, as_parquet)
    with report.progress(games) as moved:
        result = play_match(game, list(bots), games, seed, threads, options, moved)
    click.echo(report.table(result))
    report.write(result, as_json_file, as_csv, as_parquet)
    faults = report.write_faults(result, Path())
    if faults:
        click.echo("\n".join(faults), err=True)
        sys.exit(1)


@main.command()
@click.argument("game")
@click.option("--games", type=click.IntRange(2), default=200, show_default=True, help="For each pair.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True)
@option_pairs
@click.option("--write", "page", type=click.Path(path_type=Path), help="Put the table into this page (docs/strength.md).")
def ladder(game: str, games: int, seed: int, threads: int, options: dict[str, str], page: Path | None) -> None:
    """Let all bots play GAME against all others, two at a time, and rate them."""
    from spellheist.lab.ladder import climb, into_page

    text = climb(game, games, seed, threads, options, lambda line: click.echo(line, err=True))
    click.echo(text)
    if page:
        into_page(page, game, text)


@main.command()
@click.argument("game")
@click.option("--iterations", type=click.IntRange(1), default=400, show_default=True, help="Of both searches, a move.")
@click.option("--games", type=click.IntRange(2), default=400, show_default=True, help="For each candidate.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--threads", type=click.IntRange(1, 64), default=1, show_default=True)
@option_pairs
def tune(game: str, iterations: int, games: int, seed: int, threads: int, options: dict[str, str]) -> None:
    """Try other constants of the search in GAME, each against the present ones. They are kept in the game's bot.py."""
    from spellheist.lab.tune import tune as run

    found = run(game, iterations, games, seed, threads, options, click.echo)
    click.echo("Constants now: " + ", ".join(f"{name.upper()} {value:g}" for name, value in found.items()))


@main.command()
@click.option("--json", "json_", is_flag=True)
@click.option("--seconds", type=click.FloatRange(0.01), default=1.0, show_default=True, help="For each figure.")
@click.option("--search", is_flag=True, help="Measure how fast bots think, and if they keep to their time, instead.")
def bench(json_: bool, seconds: float, search: bool) -> None:
    """Measure the speed of the rules on this machine."""
    from importlib import import_module

    lab = import_module("spellheist.lab.thinking" if search else "spellheist.lab.speed")
    measure, table = lab.measure, lab.table
    result = measure(seconds)
    if json_:
        as_json(result)
    else:
        click.echo(table(result))


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for every one.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 picks a free one.")
@click.option("--store", default="sqlite:///spellheist-data/tables.db", show_default=True, help="Where tables are kept.")
@click.option("--public-url", help="The address that people open, where it is another one (behind a proxy).")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.8, show_default=True, help="Seconds before a bot moves.")
@click.option("--thinkers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes for bots.")
@click.option("--bots", type=click.Choice(["fast", "plain"]), default="fast", show_default=True,
              help="Compile the bots, or not: then only gentle ones are quick.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(0), default=1.0, show_default=True, help="Factor on rate limits; 0: none.")
@click.option("--keep-days", type=click.IntRange(1), default=90, show_default=True, help="Then only the record is kept.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="warning", show_default=True)
@click.option("--open", "open_browser", is_flag=True, help="Open a browser, where there is one.")
def serve(**how: Any) -> None:
    """Serve tables to browsers."""
    from spellheist.server.serve import serve as run

    run(**how)


@main.group(cls=Commands)
def tables() -> None:
    """Tables in a store, for whoever runs a server."""


store_option = click.option("--store", default="sqlite:///spellheist-data/tables.db", show_default=True)


@tables.command("list")
@store_option
@click.option("--all", "every", is_flag=True, help="Also those that are over, closed or archived.")
@click.option("--json", "json_", is_flag=True)
def tables_list(store: str, every: bool, json_: bool) -> None:
    """List the tables, the one used last first."""
    plain()
    from spellheist.server.admin import listed

    rows = listed(store, every)
    if json_:
        as_json(rows)
        return
    for row in rows:
        click.echo(f"{row['table']}  {row['game']:15} {row['state']:10} {row['updated']}")


@tables.command("close")
@click.argument("table")
@store_option
def tables_close(table: str, store: str) -> None:
    """Close a table: the game ends where it is, and its dice are told."""
    plain()
    from spellheist.server.admin import close

    close(store, table)
    click.echo(f"{table} is closed.")


@tables.command("archive")
@click.argument("names", nargs=-1, metavar="[TABLE]...")
@store_option
@click.option("--days", type=click.IntRange(1), help="Archive all that nobody has touched for so many days.")
def tables_archive(names: tuple[str, ...], store: str, days: int | None) -> None:
    """Keep only the records of these tables."""
    plain()
    from spellheist.server.admin import archive

    if bool(names) == bool(days):
        raise click.UsageError("Name tables, or give --days.")
    click.echo(f"{archive(store, list(names), days)} archived.")
