"""The table of Spellcaster in a terminal: a pure function of the view."""

from rich import box
from rich.console import Group
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text

from spellheist.core.speech import count
from spellheist.core.state import NONE, OVER
from spellheist.games.spellcaster import deck
from spellheist.games.spellcaster.rules import COLOURS, EACH, GOAL
from spellheist.games.spellcaster.words import cards_in, faces, is_enchantment, name, side_names, text, top_card

INK = ("red", "yellow", "blue", "green")
SIGNS = ("✦", "☼", "◆", "❧")  # combat, healing, sorcery, conjuring
WIDTH = 100  # at most: a narrower terminal wraps the text


def draw(s, seat, names):
    """What one seat sees."""
    parts = [heading(s), piles(s, seat, names), sides(s, seat, names)]
    if seat >= 0 and s.held[seat]:
        parts.append(own_hand(s, seat))
    return Constrain(Group(*parts), WIDTH)


def heading(s):
    head = Text(f"Turn {s.turns + 1}", "bold")
    head.append(f"   deck {s.left}", "not bold dim")
    if s.actions and s.turn != OVER:
        head.append("   actions left " + "●" * s.actions if s.actions < 9 else f"   actions left {s.actions}", "not bold")
    if s.ending:
        head.append("   last turn", "bold")
    if s.card != NONE and s.turn != OVER:
        head.append("   under way: ", "not bold dim").append_text(title(s, s.card))
    return head


def title(s, card):
    """'✦ Ember Dart', with a mark for an enchantment."""
    colour = card // EACH
    return Text(f"{SIGNS[colour]} {name(s, card)}{' ∞' if is_enchantment(s, card) else ''}", INK[colour])


def piles(s, seat, names):
    """Each pile: its top card, whom it faces, what it says, and what it covers."""
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), expand=True, header_style="dim")
    for column in ("pile", "on top", "faces", "what it does", "covered"):
        ratio = {"what it does": 5, "covered": 3}.get(column)
        widest = {"on top": 20, "faces": 16}.get(column)
        grid.add_column(column, ratio=ratio, max_width=widest, no_wrap=column == "pile", overflow="fold")
    for colour in range(COLOURS):
        pile = Text(f"{SIGNS[colour]} {deck.COLOURS[colour]}", INK[colour])
        if not s.height[colour]:
            grid.add_row(pile, Text("empty", "dim"))
            continue
        card = top_card(s, colour)
        said = Text(text(s, card))
        if s.used[colour] >> card % EACH & 1:
            said.append(" (activated)", "dim")
        if s.waiting >> colour & 1:
            said.append(" (waits to go off)", "bold")
        grid.add_row(pile, title(s, card), facing(s, colour, seat, names), said, covered(s, colour))
    return grid


def facing(s, colour, seat, names):
    side = 1 if faces(s, colour, 1) else 0
    mine = seat >= 0 and seat & 1 == side
    allies = " &\n  ".join(side_names(s, side, names))
    return Text(f"{'▼' if mine else '▲'} {allies}", "bold" if mine else "")


def covered(s, colour):
    """The cards below the top, from above, and how many more there are."""
    below = [EACH * colour + k for k in reversed(s.pile[colour][: s.height[colour] - 1])]
    shown = ", ".join(name(s, card) for card in below[:2])
    return Text(shown + (f" +{len(below) - 2}" if len(below) > 2 else "") or "-", "dim")


def sides(s, seat, names):
    """Energy and sapphires of both sides, hands as far as they are known, and the discard pile."""
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1), expand=True, header_style="dim")
    for column in ("side", "energy", "sapphires", "hand", "known of it"):
        grid.add_column(column, ratio={"known of it": 1}.get(column))
    for side in (0, 1):
        first = True
        for other in range(side, s.seats, 2):
            marker = "▶ " if other == s.mage and s.turn != OVER else "  "
            who = Text(marker + names[other], "bold" if other == seat else "")
            energy = Text(f"♥ {s.energy[side]}", "red") if first else Text("  shared", "dim")
            gems = Text(f"◆ {s.sapphires[side]} of {GOAL}", "blue") if first else Text("  shared", "dim")
            grid.add_row(who, energy, gems, count(s.held[other], "card"), known(s, seat, other, names))
            first = False
    discards = ", ".join(name(s, card) for card in cards_in(s.discards))
    grid.add_row(Text("  discards", "dim"), "", "", f"{len(cards_in(s.discards))}", Text(discards or "-", "dim"))
    return grid


def known(s, seat, other, names):
    """What this seat knows of a hand, and how much others do."""
    line = Text()
    if other != seat:
        for card in cards_in(s.hand[other]):
            line.append("  " if line else "").append_text(title(s, card))
    others = [looker for looker in range(s.seats) if looker != seat and s.knows[looker][other]]
    lookers = [f"{names[looker]} knows {s.knows[looker][other]}" for looker in others]
    if lookers:
        line.append(f"{'   ' if line else ''}({', '.join(lookers)})", "dim")
    return line or Text("-", "dim")


def own_hand(s, seat):
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Text("Your hand", "bold"), Text("∞ is an enchantment: it goes off when your turn starts", "dim"))
    for card in cards_in(s.hand[seat]):
        seen = " (others know it)" if s.shown[card // EACH] >> card % EACH & 1 else ""
        seen = seen or (" (seen by a rival)" if any(row[card // EACH] >> card % EACH & 1 for row in s.known) else "")
        grid.add_row(title(s, card), Text(text(s, card)).append(seen, "dim"))
    return grid
