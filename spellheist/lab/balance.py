"""The page on a deck's balance: a table for people, and a picture of what every card is worth."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape

from spellheist.core.game import Game
from spellheist.lab.deck import Story, effects, endings, middle_half, side_share, sides_of, starters_share

A_CARD = 10  # games for each card of the deck, at the least
BOUND = 0.08  # of win share: a card whose whole interval lies beyond is out of balance
COLOURS = {"red": "#c0392b", "blue": "#2f6fb5", "green": "#2e8b57", "yellow": "#b8860b"}
OTHER = "#6a6a7a"
SIZES = ("none", "one", "two", "three", "four", "five", "six")
LEFT, RIGHT, TOP, STEP, WIDTH = 170, 620, 50, 16, 640  # of the picture


@dataclass(frozen=True)
class Study:
    """Games of one number of seats between bots of one strength."""

    seats: int
    bot: str
    stories: list[Story]


def summary(game: Game, study: Study) -> list[str]:
    """A study in lines."""
    stories = study.stories
    low, mid, high = middle_half(stories)
    lines = [f"{study.seats} seats, {len(stories):,} games, every seat {study.bot}:"]
    sizes = Counter(sides_of(game, study.seats))
    if len(set(sizes.values())) > 1:
        few, many = sorted(sizes, key=sizes.__getitem__)
        shares = side_share(stories, few), side_share(stories, many)
        lines.append(f"the side of {SIZES[sizes[few]]} wins {shares[0]}, the side of {SIZES[sizes[many]]} {shares[1]}")
    else:
        lines.append(f"the side that begins wins {starters_share(stories)}")
    lines.append("decided by " + ", ".join(f"{name} {share}" for name, share in endings(stories).items()))
    lines.append(f"half of the games take {low} to {high} turns, the median {mid}")
    return lines


def page(game: Game, deck: str, studies: list[Study], cards: Study | None, picture: str | None) -> str:
    """Everything in Markdown."""
    sentence = "Bots of equal strength sit on all seats; ± is half a 95 % interval."
    lines = [f"# The balance of {game.title}", "", sentence, ""]
    for study in studies:
        first, *rest = summary(game, study)
        lines += [f"- {first}", *(f"  {line};" for line in rest[:-1]), f"  {rest[-1]}."]
    if cards:
        lines += ["", "## What each card does", "", *card_lines(game, deck, cards, picture)]
    return "\n".join(lines) + "\n"


def card_lines(game: Game, deck: str, study: Study, picture: str | None) -> list[str]:
    if not enough(study):
        return [f"{len(study.stories):,} games are too few to say what each card does."]
    found = effects(study.stories)
    names = [name for name, _ in game.deck.faces(deck)]
    outside = [names[effect.card] for effect in found if effect.outside > BOUND]
    verdict = f"Cards whose whole interval lies beyond {100 * BOUND:.0f} points: {', '.join(outside) or 'none'}."
    lines = [
        f"Points of win share that a card brings to the side that draws it, compared with the average card, in "
        f"{len(study.stories):,} games with {study.seats} seats, every seat {study.bot}. {verdict}",
        "",
    ]
    if picture:
        lines += [f"![What each card brings]({picture})", ""]
    lines += ["| card | points | ± | drawn in games |", "|---|---|---|---|"]
    for effect in found:
        lines.append(f"| {names[effect.card]} | {100 * effect.share:+.1f} | {100 * effect.half:.1f} | {effect.games:,} |")
    return lines


def enough(study: Study) -> bool:
    """Are there so many games that the effect of a card can be told from that of others?"""
    return len(study.stories) >= A_CARD * len(study.stories[0].drawn) if study.stories else False


def picture(game: Game, deck: str, study: Study) -> str:
    """The effects as an SVG: a dot and its interval for each card, and the bounds."""
    found = effects(study.stories)
    faces = game.deck.faces(deck)
    widest = max(BOUND, *(abs(effect.share) + effect.half for effect in found)) * 1.05
    height, bottom = TOP + STEP * len(found) + 40, TOP + STEP * len(found) + 6

    def x(share: float) -> float:
        return LEFT + (share + widest) / (2 * widest) * (RIGHT - LEFT)

    how = f"{len(study.stories):,} games, {study.seats} seats, every seat {study.bot}; lines are 95 % intervals"
    parts = [
        tag("rect", width=WIDTH, height=height, fill="#ffffff"),
        tag("text", f"{game.title}: points of win share that a card brings", x=12, y=22, font_size=14, fill="#222"),
        tag("text", how, x=12, y=38, fill="#555"),
        tag("rect", x=x(-BOUND), y=TOP - 4, width=x(BOUND) - x(-BOUND), height=bottom - TOP + 8, fill="#f0f0f4"),
        tag("line", x1=x(0), x2=x(0), y1=TOP - 4, y2=bottom + 4, stroke="#999"),
    ]
    for row, effect in enumerate(found):
        y, (name, colour) = TOP + STEP * row + STEP / 2, faces[effect.card]
        ink = COLOURS.get(colour, OTHER)
        low, mid, high = (x(effect.share + way * effect.half) for way in (-1, 0, 1))
        parts += [
            tag("text", name, x=12, y=y + 4, fill="#222"),
            tag("line", x1=low, x2=high, y1=y, y2=y, stroke=ink, stroke_width=1.5),
            tag("circle", cx=mid, cy=y, r=3.2, fill=ink),
        ]
    for share in (-BOUND, 0.0, BOUND):
        parts.append(tag("text", f"{100 * share:+.0f}", x=x(share), y=height - 12, text_anchor="middle", fill="#555"))
    size = f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *parts, "</svg>", ""])


def tag(name: str, text: str = "", **attributes: str | float) -> str:
    """One element of a picture."""
    shown = {key.replace("_", "-"): f"{v:.1f}" if isinstance(v, float) else v for key, v in attributes.items()}
    inside = " ".join(f'{key}="{value}"' for key, value in shown.items())
    return f"<{name} {inside}>{escape(text)}</{name}>"
