"""The command line. Quick commands run the rules plain and start at once; heavy ones compile."""

import click

from spellheist import __version__
from spellheist.cli import decks, games, lab, review, tables
from spellheist.cli.commands import Commands


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="spellheist")
def main() -> None:
    """Spellheist: five tabletop games of spells and thieves.

    Play them in a terminal, serve them to browsers, or let bots study them. `spellheist COMMAND --help` explains a command.
    """


main.add_section("Play", games.play, games.games, games.rules, games.replay, games.verify, review.review)
main.add_section("Serve", tables.serve, tables.tables, lab.warm)
main.add_section(
    "Study", lab.match, lab.ladder, lab.regret, lab.tune, lab.learn, decks.deck, lab.check, lab.bench
)  # fmt: skip
