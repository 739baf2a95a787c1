"""Commands for whoever runs a server."""

from __future__ import annotations

from typing import Any

import click

from spellheist.cli.commands import Commands, as_json, json_option, plain
from spellheist.server import limits

store_option = click.option(
    "--store", default="sqlite:///spellheist-data/tables.db", show_default=True,
    help="Where tables are kept: sqlite:///FILE or postgresql://USER@HOST/DATABASE.",
)  # fmt: skip


def limit_options(command: Any) -> Any:
    """An option for each limit; 0 switches that one off."""
    for name, default, sentence in reversed(limits.names()):
        flag = f"--{name.replace('_', '-')}"
        option = click.option(flag, type=click.FloatRange(0), default=default, show_default=True, help=sentence)
        command = option(command)
    return command


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for all.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="The port to listen on; 0 picks a free one.")  # fmt: skip
@store_option
@click.option("--public-url", help="The address people open, if it is another one, as behind a proxy.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True,
              help="Processes that share the tables.")  # fmt: skip
@click.option("--pace", type=click.FloatRange(0, 60), default=0.8, show_default=True,
              help="Seconds a bot waits before it moves.")  # fmt: skip
@click.option("--thinkers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes for bots.")
@click.option("--bots", type=click.Choice(["fast", "plain"]), default="fast", show_default=True,
              help="Compile the bots or run them plain, where only gentle ones are quick.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(0), default=1.0, show_default=True,
              help="A factor on all limits for an address or a seat; 0 switches them off.")  # fmt: skip
@limit_options
@click.option("--proxy", multiple=True, metavar="ADDRESS",
              help="A proxy on another machine whose X-Forwarded-For is trusted. Repeatable.")  # fmt: skip
@click.option("--metrics-token", default="", envvar="SPELLHEIST_METRICS_TOKEN",
              help="A token that lets other machines read /metrics.")  # fmt: skip
@click.option("--keep-days", type=click.IntRange(1), default=90, show_default=True,
              help="Days without a move until only the record of a table is kept.")  # fmt: skip
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="warning", show_default=True,
              help="How much to log, as lines of JSON on standard error.")  # fmt: skip
@click.option("--open", "open_browser", is_flag=True, help="Open a browser, if there is one.")
def serve(**how: Any) -> None:
    """Serve tables to browsers, for people and bots.

    Each limit below counts for one address, seat or table; 0 switches it off. docs/hosting.md explains them all.

    \b
    Examples:
      spellheist serve --open
      spellheist serve --store sqlite:////var/lib/spellheist/tables.db --public-url https://games.example.org"""
    from spellheist.server.process.serve import serve as run

    run(**how)


@click.group(cls=Commands)
def tables() -> None:
    """List, close or archive the tables in a store.

    The server may be running meanwhile."""


@tables.command("list")
@store_option
@click.option("--all", "every", is_flag=True, help="Include tables that are over, closed or archived.")
@json_option
def tables_list(store: str, every: bool, json_: bool) -> None:
    """List the open tables, the most recently used first."""
    plain()
    from spellheist.server.process.admin import listed

    rows = listed(store, every)
    if json_:
        as_json(rows)
        return
    if not rows:
        others = not every and listed(store, True)
        click.echo("There are no open tables; --all lists the others." if others else "There are no tables.")
    for row in rows:
        click.echo(f"{row['table']}  {row['game']:15} {row['state']:10} {row['updated']}")


@tables.command("close")
@click.argument("table")
@store_option
def tables_close(table: str, store: str) -> None:
    """Close a table: its game ends where it is, and the secret of its dice is told."""
    plain()
    from spellheist.server.process.admin import close

    close(store, table)
    click.echo(f"{table} is closed.")


@tables.command("archive")
@click.argument("names", nargs=-1, metavar="[TABLE]...")
@store_option
@click.option("--days", type=click.IntRange(1),
              help="Archive all tables, open or not, that nobody has touched for this many days.")  # fmt: skip
def tables_archive(names: tuple[str, ...], store: str, days: int | None) -> None:
    """Keep only the records of these tables.

    A table that you name must be over or closed."""
    plain()
    from spellheist.server.process.admin import archive

    if bool(names) == bool(days):
        raise click.UsageError("Name tables or give --days, not both.")
    click.echo(f"{archive(store, list(names), days)} archived.")
