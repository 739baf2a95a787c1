"""Commands for whoever runs a server."""

from __future__ import annotations

from typing import Any

import click

from spellheist.cli.commands import Commands, as_json, plain
from spellheist.server import limits

store_option = click.option(
    "--store", default="sqlite:///spellheist-data/tables.db", show_default=True, help="Where tables are kept."
)


def limit_options(command: Any) -> Any:
    """An option for each limit; 0 switches that one off."""
    for name, default, sentence in reversed(limits.names()):
        flag = f"--{name.replace('_', '-')}"
        option = click.option(flag, type=click.FloatRange(0), default=default, show_default=True, help=sentence)
        command = option(command)
    return command


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at; 0.0.0.0 for every one.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 picks a free one.")
@store_option
@click.option("--public-url", help="The address that people open, where it is another one (behind a proxy).")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes to share the tables.")
@click.option("--pace", type=click.FloatRange(0, 60), default=0.8, show_default=True, help="Seconds before a bot moves.")
@click.option("--thinkers", type=click.IntRange(1, 64), default=2, show_default=True, help="Processes for bots.")
@click.option("--bots", type=click.Choice(["fast", "plain"]), default="fast", show_default=True,
              help="Compile the bots, or not: then only gentle ones are quick.")  # fmt: skip
@click.option("--rate", type=click.FloatRange(0), default=1.0, show_default=True,
              help="Factor on all limits for each address or seat; 0: none.")  # fmt: skip
@limit_options
@click.option("--proxy", multiple=True, metavar="ADDRESS",
              help="A proxy on another machine whose X-Forwarded-For is believed; may be given again.")  # fmt: skip
@click.option("--metrics-token", default="", envvar="SPELLHEIST_METRICS_TOKEN",
              help="With it others than this machine can read /metrics.")  # fmt: skip
@click.option("--keep-days", type=click.IntRange(1), default=90, show_default=True, help="Then only the record is kept.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]), default="warning", show_default=True)
@click.option("--open", "open_browser", is_flag=True, help="Open a browser, where there is one.")
def serve(**how: Any) -> None:
    """Serve tables to browsers."""
    from spellheist.server.process.serve import serve as run

    run(**how)


@click.group(cls=Commands)
def tables() -> None:
    """Tables in a store, for whoever runs a server."""


@tables.command("list")
@store_option
@click.option("--all", "every", is_flag=True, help="Also those that are over, closed or archived.")
@click.option("--json", "json_", is_flag=True)
def tables_list(store: str, every: bool, json_: bool) -> None:
    """List the tables, the one used last first."""
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
    """Close a table: the game ends where it is, and its dice are told."""
    plain()
    from spellheist.server.process.admin import close

    close(store, table)
    click.echo(f"{table} is closed.")


@tables.command("archive")
@click.argument("names", nargs=-1, metavar="[TABLE]...")
@store_option
@click.option("--days", type=click.IntRange(1), help="Archive all that nobody has touched for so many days, open or not.")
def tables_archive(names: tuple[str, ...], store: str, days: int | None) -> None:
    """Keep only the records of these tables, which must be over or closed."""
    plain()
    from spellheist.server.process.admin import archive

    if bool(names) == bool(days):
        raise click.UsageError("Name tables, or give --days.")
    click.echo(f"{archive(store, list(names), days)} archived.")
