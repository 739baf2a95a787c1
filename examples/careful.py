"""A bot of your own, for Dice Heist: it recruits until a museum promises one and a half cards, and then takes all along.

    spellheist match dice_heist examples/careful.py greedy --games 100
    spellheist play dice_heist --seats you,examples/careful.py

`view` has the fields of `State` in the game's rules.py, as this seat sees them. `past` is every ply so far: who made it,
and which move it was, or HIDDEN. Draw from `rng`, as in `rng.below(6)`, so that a match can be played again.
"""

import spellheist
from spellheist.bots import moves
from spellheist.games.dice_heist.rules import FACES, LEVELS
from spellheist.games.dice_heist.words import MUSEUMS

GAME = spellheist.find("dice_heist")
ENOUGH = 1.5  # cards


def choose(view, seat, past, rng):
    mine = {words: move for move, words in moves(GAME, view, seat).items()}
    together = [move for words, move in mine.items() if words.startswith("roll")]
    if together:
        return together[-1]  # from alone to with all
    promised = {f"heist {name}": promise(view, seat, museum) for museum, name in enumerate(MUSEUMS)}
    best = max((words for words in promised if words in mine), key=promised.get, default="recruit")
    if "recruit" in mine and promised.get(best, 0.0) < ENOUGH:
        return mine["recruit"]
    return mine.get(best, next(iter(mine.values())))


def promise(view, seat, museum):
    """The cards that lie there, times the chance that one of all dice is above the museum's level."""
    cards = sum(count for kind, count in enumerate(view.shown) if view.kind_museum[kind] == museum)
    return cards * (1 - (LEVELS[museum] / FACES) ** (1 + view.sidekicks[seat]))
