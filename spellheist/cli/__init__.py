"""The command line. Quick commands run the rules plain and start at once; heavy ones compile."""

import click

from spellheist import __version__
from spellheist.cli import decks, games, lab, review, tables
from spellheist.cli.commands import Commands


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="spellheist")
def main() -> None:
    """Spellheist: five tabletop games of spells and thieves."""


for command in (
    games.games, games.rules, games.play, games.replay, games.verify, review.review, decks.deck,
    tables.serve, tables.tables, lab.match, lab.ladder, lab.tune, lab.regret, lab.learn, lab.check, lab.warm, lab.bench,
):  # fmt: skip
    main.add_command(command)
