"""The table of Dice Heist in a terminal: a pure function of the view."""

from rich import box
from rich.console import Group
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from spellheist.core.state import NONE, OVER
from spellheist.games.dice_heist.rules import (
    ARTIFACT,
    BLUE,
    GREEN,
    KINDS,
    LEVELS,
    NO_DIE,
    PAINTING,
    RAID,
    RED,
    ROLL,
    SEND,
    SIDEKICKS,
    START,
    TO_ROLL,
)
from spellheist.games.dice_heist.words import (
    COLOURS,
    MUSEUMS,
    artifacts,
    bonus,
    exhibit,
    gems,
    paintings,
    percent,
    tally,
    target_face,
    target_museum,
)

PAINT, CARVED = "yellow", "cyan"
SHELF = (PAINTING, RED, GREEN, BLUE, ARTIFACT)  # the order in which cards are shown
WIDTH = 100  # at most: a narrower terminal wraps the text


def draw(s, seat, names):
    """What one seat sees."""
    parts = [heading(s), museums(s, seat), seats(s, seat, names), Text()]
    if s.phase == START or s.target != NONE:
        parts.append(dice(s, names))
    return Constrain(Group(*parts), WIDTH)


def heading(s):
    limit = f" of at most {s.turn_limit}"
    head = Text(f"Turn {s.turns if s.turn == OVER else s.turns + 1}", "bold")
    head.append(f"{limit}   deck {sum(s.left)}   supply ", "not bold dim")
    head.append("□" * s.supply or "empty", "white")
    head.append("■" * (SIDEKICKS - s.supply) + f" {s.supply} of {SIDEKICKS}", "dim")
    return head


def museums(s, seat):
    """What lies in each museum, what can still come, and how likely a heist is."""
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), expand=True, header_style="dim")
    grid.add_column("museum", no_wrap=True)
    grid.add_column("lies open", ratio=5)
    grid.add_column("in the deck", ratio=4)
    grid.add_column("chance, with sidekicks", no_wrap=True)
    for museum, name in enumerate(MUSEUMS):
        title = Text(f"{name}\n", "bold").append(f"level {LEVELS[museum]}", "not bold dim")
        lying, coming = cards(s, s.shown, museum), cards(s, s.left, museum)
        coming.stylize("dim")
        grid.add_row(title, lying, coming, chances(s, seat, museum))
    return grid


def cards(s, counts, museum):
    """Cards of one museum: values of paintings, dots for artifacts, gems with their colour's letter."""
    shown = Text()
    kinds = [kind for kind in range(KINDS) if counts[kind] and s.kind_museum[kind] == museum]
    for kind in sorted(kinds, key=lambda kind: SHELF.index(s.kind_what[kind])):
        if shown:
            shown.append("  ")
        shown.append_text(cards_of(s, kind, counts[kind]))
    return shown or Text("-", "dim")


def cards_of(s, kind, count):
    what, worth = s.kind_what[kind], s.kind_worth[kind]
    if what == PAINTING:
        return Text("  ".join([f"▣{worth}"] * count), PAINT)
    if what == ARTIFACT:
        return Text(" ".join(["●" * worth] * count), CARVED)
    return Text(f"{COLOURS[what]}{'◆' * count}", COLOURS[what])


def chances(s, seat, museum):
    """'33%  +1 56%  +2 70%': how likely the seat's dice are to beat a museum, alone and with sidekicks."""
    most = s.sidekicks[seat if 0 <= seat < s.seats else s.thief]
    joining = sorted({n for n in (0, 1, 2, most) if n <= most})
    text = Text("  ".join(likely(LEVELS[museum], n) for n in joining))
    if s.targeted_raid:
        text.append("\n" + "  ".join(likely(LEVELS[museum] - 1, n) for n in joining) + " raid", "dim")
    return text


def likely(beaten, joining):
    """'+1 56%': the chance that the highest of the dice is above a number."""
    chance = percent(beaten, joining)
    return f"+{joining} {chance}%" if joining else f"{chance}%"


def seats(s, seat, names):
    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, collapse_padding=True, expand=True, header_style="dim")
    grid.add_column("  player", overflow="fold")
    for title in ("sidekicks", "paintings", *COLOURS.values(), "artifacts", "points"):
        grid.add_column(title, no_wrap=True)
    points = tally(s)
    for other in range(s.seats):
        covered = other != seat and s.turn != OVER  # piles of artifacts lie face down
        marker = "▶" if other == s.thief and s.turn != OVER else " "
        total = points[other] - artifacts(s, other) if covered else points[other]
        grid.add_row(
            Text(f"{marker} {names[other]}", "bold" if other == seat else ""),
            Text(several("□", s.sidekicks[other]) or "-"),
            painted(s, other),
            *gemmed(s, other),
            pile(s, other, covered),
            Text(f"{total}{' + ?' if covered and pile_size(s, other) else ''}", "bold"),
        )
    return grid


def painted(s, seat):
    change = bonus(s, seat)
    text = Text(f"▣ {paintings(s, seat)}", PAINT)
    return text.append(f" ({change:+d})" if change else "", "not bold dim")


def gemmed(s, seat):
    """'◆◆ 3' for each colour: its gems and what they score."""
    return [
        Text(f"{several('◆', n)} {n * (n + 1) // 2}", COLOURS[what]) if n else Text("-", "dim")
        for what, n in gems(s, seat).items()
    ]


def several(sign, n):
    """'□□□', or '□x4' where a row of signs would be long."""
    return sign * n if n < 4 else f"{sign}x{n}"


def pile(s, seat, covered):
    size = pile_size(s, seat)
    if not size:
        return Text("-", "dim")
    return Text(f"{size} hidden" if covered else f"● {artifacts(s, seat)}", CARVED)


def pile_size(s, seat):
    return sum(s.stolen[seat][kind] for kind in range(KINDS) if s.kind_what[kind] == ARTIFACT)


def dice(s, names):
    """The dice on the table: for the start, of the heist that is on, or of the last one."""
    if s.phase == START:
        rolls = [f"{names[seat]} {face(abs(s.opening[seat]) or TO_ROLL)}" for seat in range(s.seats)]
        return Text("  For the start: " + "  ".join(rolls))
    on = s.phase in (SEND, ROLL)
    thief = s.thief if on or s.turn == OVER else (s.thief - 1) % s.seats
    what = "heist" if s.target < RAID else f"raid on {exhibit(s, s.target - RAID)}"
    plan = f"  {names[thief]}: {what} at the {MUSEUMS[target_museum(s)]}, {target_face(s)} is needed"
    rolled = "".join(f"  {face(value)}" for value in s.dice if value != NO_DIE)
    return Text(plan, "" if on else "dim").append(rolled, "bold")


def face(value):
    return "[ ]" if value == TO_ROLL else f"[{value}]"
