"""What all commands share: sections in the help, refusals in one sentence, options given as NAME=VALUE, answers as JSON."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from spellheist.core.refused import Refused, did_you_mean


class Commands(click.Group):
    """Commands that answer a wrong name with the nearest one and a refusal with its sentence, listed by section."""

    def __init__(self, *arguments: Any, **how: Any) -> None:
        super().__init__(*arguments, **how)
        self.sections: dict[str, list[click.Command]] = {}

    def add_section(self, title: str, *commands: click.Command) -> None:
        """Add commands that help shows under this title, in this order."""
        self.sections[title] = list(commands)
        for command in commands:
            self.add_command(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if not self.sections:
            return super().format_commands(ctx, formatter)
        limit = formatter.width - 6 - max(map(len, self.commands))
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(command.name or "", command.get_short_help_str(limit)) for command in commands])

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


SEED = click.IntRange(-(2**62), 2**62)
seed_option = click.option("--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same dice.")
threads_option = click.option(
    "--threads", type=click.IntRange(1, 64), default=1, show_default=True, help="Games to play side by side."
)
json_option = click.option("--json", "json_", is_flag=True, help="Print the answer as JSON.")


def pairs(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """--option easy=true, any number of times."""
    found = {}
    for value in values:
        name, equals, setting = value.partition("=")
        if not equals:
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.")
        found[name.strip()] = setting.strip()
    return found


option_pairs = click.option(
    "--option", "options", multiple=True, callback=pairs, metavar="NAME=VALUE",
    help="Set an option of the game, such as easy=true; `spellheist games --json` lists them. Repeatable.",
)  # fmt: skip
