"""Commands about decks of cards in files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from spellheist.cli.commands import Commands, option_pairs, plain, seed_option, threads_option
from spellheist.core import game as games_module
from spellheist.core.refused import Refused


@click.group(cls=Commands)
def deck() -> None:
    """Check a deck of your own, or measure its balance.

    A game with the option deck takes other cards: --option deck=FILE."""


@deck.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--game", "name", help="The game the deck is for; by default, every game with decks is tried.")
def deck_check(file: Path, name: str | None) -> None:
    """Check whether FILE is a playable deck. The exit code is 1 if it is not."""
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
            refusals.append(f"It is not a deck for {game.title}. {refusal}")
        else:
            click.echo(f"{file} is a deck for {game.title}.")
            return
    click.echo("\n".join(refusals), err=True)
    sys.exit(1)


@deck.command("balance")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--game", "name", help="The game the deck is for; by default the one whose decks can be studied.")
@click.option("--seats", help="Seat counts to study, such as 2,3; by default all.")
@click.option("--games", type=click.IntRange(2), default=2_000, show_default=True, help="Games for each seat count.")
@click.option("--bot", "bot_", default="master@10ms", show_default=True, help="The bot on all seats.")
@click.option("--card-games", type=click.IntRange(0), default=20_000, show_default=True,
              help="Games to measure what each card is worth.")  # fmt: skip
@click.option("--card-bot", default="master@1ms", show_default=True, help="The bot on all seats in those games.")
@seed_option
@threads_option
@option_pairs
@click.option("--write", "page", type=click.Path(path_type=Path),
              help="Write the page to this file, and the picture beside it.")  # fmt: skip
def deck_balance(
    file: Path | None,
    name: str | None,
    seats: str | None,
    games: int,
    bot_: str,
    card_games: int,
    card_bot: str,
    seed: int,
    threads: int,
    options: dict[str, str],
    page: Path | None,
) -> None:
    """Let strong bots play with a deck and measure its balance.

    Shows who wins, how games end, how long they take and what each card is worth. Without FILE it is the standard deck.
    Ctrl-C ends a study early and uses the games so far.

    \b
    A first look, in seconds:
      spellheist deck balance deck.toml --bot greedy --card-bot greedy"""
    from spellheist.core.files import check_writable, write_text
    from spellheist.lab import balance, report
    from spellheist.lab.deck import play_games

    if page:
        check_writable(page)
    game = games_module.find(name) if name else studied()
    used = str(file) if file else "standard"
    options = {**options, "deck": used} if file else options
    if seats and not all(part.strip().isdecimal() for part in seats.split(",")):
        raise Refused(f"--seats takes numbers such as 2,3,4, not {seats!r}.")
    counts = [int(part) for part in seats.split(",")] if seats else list(game.seats)

    def study(seats: int, bot: str, games: int) -> balance.Study:
        with report.counting(games) as moved:
            return balance.Study(seats, bot, play_games(game.where, seats, bot, options, games, seed, threads, moved))

    studies = []
    for count in counts:
        studies.append(study(count, bot_, games))
        click.echo("\n  ".join(balance.summary(game, studies[-1])))
    cards = study(game.seats[0], card_bot, card_games) if card_games else None
    picture = page.with_suffix(".svg") if page and cards and balance.enough(cards) else None
    text = balance.page(game, used, studies, cards, picture.name if picture else None)
    if cards:
        click.echo("\n".join(balance.card_lines(game, used, cards, None)))
    if page:
        write_text(page, text)
        if picture and cards:
            write_text(picture, balance.picture(game, used, cards))


def studied() -> games_module.Game:
    """The game whose decks can be studied, where there is one."""
    found = [game for game in map(games_module.find, games_module.names()) if game.deck.faces("standard")]
    if len(found) != 1:
        raise Refused("Name the game whose deck is to be studied with --game.")
    return found[0]
