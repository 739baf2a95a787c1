"""What all commands share: refusals in one sentence, options given as NAME=VALUE, answers as JSON."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from spellheist.core.game import Refused, did_you_mean


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


SEED = click.IntRange(-(2**62), 2**62)
seed_option = click.option(
    "--seed", type=SEED, default=1, show_default=True, help="The same seed gives the same dice."
)


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
    help="An option of the game, such as easy=true; `spellheist games --json` lists them.",
)  # fmt: skip
