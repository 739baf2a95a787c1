"""The ladder of a game: all bots against all others, two at a time, with win shares and ratings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from spellheist.bots import LEVELS
from spellheist.core.files import read_text, write_text
from spellheist.core.game import find
from spellheist.core.refused import Refused
from spellheist.lab.match import Result, play_match
from spellheist.lab.rating import rated

LARGEST = 1 << 20


def climb(
    game: str, bots: Sequence[str], games: int, seed: int, workers: int, options: dict[str, Any],
    say: Callable[[str], None], adjusted: bool = False,
) -> str:  # fmt: skip
    """The table of a ladder in Markdown. Refuses to make one of pairs that were not played to the end."""
    results: dict[tuple[str, str], Result] = {}
    for strong, weak in combinations(bots, 2):
        results[strong, weak] = found = play_match(game, [strong, weak], games, seed, workers, options, adjusted=adjusted)
        if found.stopped:
            raise Refused(f"{found.stopped} A ladder needs all of its pairs.")
        say(f"{strong} against {weak}: {found.share(0)}" + (f", adjusted {found.adjusted(0)}" if adjusted else ""))
    return page_of(bots, games, options, results, adjusted)


def page_of(
    bots: Sequence[str], games: int, options: dict[str, Any], results: dict[tuple[str, str], Result], adjusted: bool = False
) -> str:
    """Win shares of the bot of the row against that of the column."""
    ratings = rated([(pair, outcome.shares) for pair, result in results.items() for outcome in result.outcomes])
    given = "".join(f", {name}={value}" for name, value in options.items())
    lines = [
        f"Two seats{given}, {games} games a pair, seats rotated with the same dice. Shares in %, ± half a 95 % interval."
        + (" Below each: with the luck of the dice taken out." if adjusted else ""),
        "",
        f"| bot | iterations a move | rating | {' | '.join(bots)} |",
        f"|---|---|---|{'---|' * len(bots)}",
    ]
    for name in bots:
        cells = [cell(results, name, other, adjusted) for other in bots]
        mu, sigma = ratings[name]
        lines.append(f"| {name} | {LEVELS.get(name, '-')} | {mu:.1f} ± {sigma:.1f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cell(results: dict[tuple[str, str], Result], name: str, other: str, adjusted: bool = False) -> str:
    for pair, number in (((name, other), 0), ((other, name), 1)):
        if pair in results:
            raw = str(results[pair].share(number)).removesuffix(" %")
            return f"{raw}<br>{str(results[pair].adjusted(number)).removesuffix(' %')}" if adjusted else raw
    return ""


def into_page(page: Path, game: str, text: str) -> None:
    """Put a ladder into a page, in place of the one that was there."""
    old = read_text(page, LARGEST) if page.is_file() else "# Strength\n"
    title = f"## {find(game).title}"
    rest = re.sub(rf"\n*^{re.escape(title)}$.*?(?=^## |\Z)", "\n\n", old, flags=re.M | re.S).rstrip()
    write_text(page, f"{rest}\n\n{title}\n{text}\n")
