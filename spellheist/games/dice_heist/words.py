"""The words of Dice Heist: labels of moves, the news, the question, and why a move is refused.

Everything here is made from a view, so no word can tell more than its reader may know.
"""

from spellheist.core.kernel import plain
from spellheist.core.speech import count, does, listed, whom
from spellheist.core.state import CHANCE, OVER
from spellheist.games.dice_heist import rules
from spellheist.games.dice_heist.rules import (
    ACT,
    ARTIFACT,
    BLUE,
    BONUS,
    DONE,
    FACES,
    GREEN,
    HEIST,
    JOIN,
    KINDS,
    LEVELS,
    MALUS,
    MINOR,
    MOVES,
    PAINTING,
    RAID,
    RECRUIT,
    RED,
    REVEAL,
    ROLL,
    SEND,
    SIDEKICKS,
    START,
    TAKE_FROM,
    TO_ROLL,
)

MUSEUMS = ("Hermitage", "Metropolitan", "British Museum", "Louvre")
COLOURS = {RED: "red", GREEN: "green", BLUE: "blue"}

TURN_RULE = "DH-1"

count_points = plain(rules.points)


def label(s, move):
    """The words of a legal move or a possible outcome."""
    if s.turn == CHANCE:
        if s.phase == REVEAL:
            return f"reveal {card(s, move)}"
        roller = f"seat {s.thief}" if s.phase == START else "thief" if s.dice[0] == TO_ROLL else "sidekick"
        return f"{roller} rolls {move}"
    if move == RECRUIT:
        return "recruit"
    if move < HEIST:
        return f"recruit from seat {move - TAKE_FROM}"
    if move < RAID:
        return f"heist {MUSEUMS[move - HEIST]}"
    if move < JOIN:
        return f"raid {card(s, move - RAID)}"
    return f"roll with {count(move - JOIN, 'sidekick')}" if move > JOIN else "roll alone"


def card(s, kind):
    """'Louvre painting 45', 'Metropolitan red gem', 'Hermitage minor artifact'."""
    return f"{MUSEUMS[s.kind_museum[kind]]} {exhibit(s, kind)}"


def exhibit(s, kind):
    what, worth = s.kind_what[kind], s.kind_worth[kind]
    if what == PAINTING:
        return f"painting {worth}"
    if what == ARTIFACT:
        return "minor artifact" if worth == MINOR else "major artifact"
    return f"{COLOURS[what]} gem"


def prose(s, kind, n=1):
    """'a red gem', '2 red gems', 'a painting worth 45', '2 paintings worth 20 each'."""
    name, worth = exhibit(s, kind), ""
    if s.kind_what[kind] == PAINTING:
        name, worth = "painting", f" worth {s.kind_worth[kind]}"
    return f"a {name}{worth}" if n == 1 else f"{count(n, name)}{worth and worth + ' each'}"


def cards(s):
    """What is printed on the museums: level, and for a heist and a raid the face needed and the chance by sidekicks."""
    return [
        {"name": name, "level": level, "heist": odds(level + 1), "raid": odds(level)}
        for name, level in zip(MUSEUMS, LEVELS, strict=True)
    ]


def odds(face):
    """A face, and in percent how likely one die or more shows it or a higher one: alone, with one sidekick, ..."""
    return {"face": face, "chances": [percent(face - 1, joining) for joining in range(SIDEKICKS + 1)]}


def percent(beaten, joining):
    """The chance that the highest die beats a number, in percent; never certain."""
    return min(99, round(100 * success(beaten, joining)))


def question(s, names):
    """What is being asked, of whom."""
    if s.turn == OVER:
        return "The game is over."
    name = names[s.thief]
    if s.phase == START:
        return f"{does(name, 'roll')} for the start."
    if s.phase == REVEAL:
        return f"{does(name, 'flip')} an exhibit."
    if s.phase == ROLL:
        return f"{does(name, 'roll')} at the {MUSEUMS[target_museum(s)]}: {target_face(s)} is needed."
    if s.phase == SEND:
        return f"{does(name, 'choose')} how many sidekicks join the thief at the {MUSEUMS[target_museum(s)]}."
    recruit, heist = does(name, "recruit"), does(name, "try").split()[-1]
    return f"{recruit} a sidekick, or {heist} a heist{' or a raid' if s.targeted_raid else ''}."


def target_museum(s):
    return s.target - HEIST if s.target < RAID else s.kind_museum[s.target - RAID]


def target_face(s):
    """The face that the heist or raid needs: '5 or more', 'a 6'."""
    face = LEVELS[target_museum(s)] + (s.target < RAID)
    return "a 6" if face == 6 else f"{face} or more"


def rules_now(s):
    """The ids of the rules that explain the present question."""
    if s.phase == START:
        return ["DH-1"]
    if s.phase == REVEAL:
        return ["DH-2", "DH-s1"]
    if s.phase == DONE:
        return ["DH-9", "DH-b", "DH-c", "DH-d"]
    raids = ["DH-10"] if s.targeted_raid else []
    if s.phase == ACT:
        return ["DH-3", "DH-4", *([] if s.supply else ["DH-a"]), "DH-5", *raids, "DH-9"]
    return ["DH-5", "DH-6" if s.target < RAID else "DH-10", "DH-7", "DH-8", "DH-i"]


def why_not(s, move):
    """The rule that stands in the way of a move, and a sentence."""
    if not 0 <= move < MOVES:
        return "DH-3", f"There is no move {move}."
    if s.phase == DONE:
        return "DH-9", "The game is over."
    if s.phase == START:
        return "DH-1", "First the dice decide who starts."
    if s.phase == REVEAL:
        return "DH-2", "An exhibit is flipped first."
    if s.phase == ROLL:
        return "DH-5", "The dice are being rolled."
    if s.phase == SEND:
        if move < JOIN:
            return "DH-f", "The target is already named; now choose how many sidekicks join."
        return "DH-5", f"Only {count(s.sidekicks[s.thief], 'sidekick')} can join: that is all there are here."
    if move >= JOIN:
        return "DH-f", "Name the target first; then choose how many sidekicks join."
    if move >= RAID:
        return why_no_raid(s, move - RAID)
    if move >= HEIST:
        return "DH-j", f"Nothing lies in the {MUSEUMS[move - HEIST]}."
    if move == RECRUIT:
        return "DH-4", "The supply is empty: a sidekick can only come from another player."
    return why_not_from(s, move - TAKE_FROM)


def why_no_raid(s, kind):
    if not s.targeted_raid:
        return "DH-10", "Single exhibits are raided only with the option targeted_raid."
    if not s.kind_count[kind]:
        return "DH-10", "The deck has no such exhibit."
    return "DH-10", f"There is no {exhibit(s, kind)} in the {MUSEUMS[s.kind_museum[kind]]}."


def why_not_from(s, seat):
    if seat >= s.seats:
        return "DH-4", f"There is no seat {seat}."
    if s.supply:
        return "DH-4", "While the supply has sidekicks, they are taken from there."
    if seat == s.thief:
        return "DH-a", "You cannot recruit your own sidekicks."
    if s.recruit_from_richest_other:
        return "DH-a", "Another player has more sidekicks." if s.sidekicks[seat] else "There is no sidekick to take."
    if s.sidekicks[s.thief] == max(s.sidekicks):
        return "DH-a", "A sidekick can only be taken from whoever has the most, and no other player has more than you."
    return "DH-4", "A sidekick is taken from whoever has the most."


def news(before, move, after, names):
    """The sentence on what just happened, from the views before and after."""
    name = names[before.thief]
    if before.phase == START:
        return start_news(before, move, after, names)
    if before.phase == REVEAL:
        return reveal_news(before, move, after)
    if before.phase == SEND:
        joined = move - JOIN
        return f"{does(name, 'send')} {count(joined, 'sidekick')} along." if joined else f"{does(name, 'roll')} alone."
    if before.phase == ROLL:
        said = [f"{'The thief' if before.dice[0] == TO_ROLL else 'A sidekick'} rolls {move}."]
        if after.phase != ROLL:
            said.append(result_news(before, after, name))
    elif move == RECRUIT:
        said = [f"{does(name, 'recruit')} a sidekick."]
    elif move < HEIST:
        said = [f"{does(name, 'recruit')} a sidekick from {whom(names[move - TAKE_FROM])}."]
    elif move < RAID:
        said = [f"{does(name, 'plan')} a heist at the {MUSEUMS[move - HEIST]}."]
    else:
        kind = move - RAID
        said = [f"{does(name, 'plan')} a raid on {prose(after, kind)} in the {MUSEUMS[target_museum(after)]}."]
    return " ".join([*said, *end_news(after, names)])


def start_news(before, face, after, names):
    said = f"{does(names[before.thief], 'roll')} {face}."
    if after.phase != START:
        return f"{said} {does(names[after.thief], 'start')}."
    if after.opening.count(0) < before.opening.count(0):
        return said
    tied = [names[seat] for seat in range(after.seats) if after.opening[seat] == 0]
    return f"{said} {listed(tied)} tie for the highest and roll again."


def reveal_news(before, kind, after):
    said = f"{prose(before, kind).capitalize()} arrives in the {MUSEUMS[before.kind_museum[kind]]}."
    if after.phase == REVEAL:
        return f"{said} It is minor, so another follows."
    return said if any(after.left) else f"{said} It was the last card of the deck."


def result_news(before, after, name):
    what = "heist" if before.target < RAID else "raid"
    loot = [now - then for now, then in zip(after.stolen[before.thief], before.stolen[before.thief], strict=True)]
    cards = [prose(before, kind, n) for kind, n in enumerate(loot) if n]
    if not cards:
        return f"The {what} fails: no die shows {target_face(before)}."
    said = f"{does(name, 'steal')} {listed(cards)}."
    joined = after.supply - before.supply
    return f"{said} {count(joined, 'sidekick')} {'returns' if joined == 1 else 'return'} to the supply." if joined else said


def end_news(after, names):
    if after.turn != OVER:
        return []
    points = tally(after)
    best = [names[seat] for seat in range(after.seats) if points[seat] == max(points)]
    scores = listed([f"{names[seat]} {points[seat]}" for seat in range(after.seats)])
    limit = f"The game ends after {count(after.turns, 'turn')}"
    ended = limit if any(after.left) or any(after.shown) else "Nothing is left to steal"
    won = does(best[0], "win") if len(best) == 1 else f"{listed(best)} share the win"
    return [f"{ended}: {scores}. {won}."]


def paintings(s, seat):
    """The total of a seat's paintings."""
    return sum(s.stolen[seat][k] * s.kind_worth[k] for k in range(KINDS) if s.kind_what[k] == PAINTING)


def artifacts(s, seat):
    """The artifacts on a seat's cards."""
    return sum(s.stolen[seat][k] * s.kind_worth[k] for k in range(KINDS) if s.kind_what[k] == ARTIFACT)


def gems(s, seat):
    """How many gems of each colour a seat has."""
    return {colour: sum(s.stolen[seat][k] for k in range(KINDS) if s.kind_what[k] == colour) for colour in COLOURS}


def bonus(s, seat):
    """What a seat's paintings score as things stand (DH-9)."""
    totals = [paintings(s, other) for other in range(s.seats)]
    return BONUS * (totals[seat] == max(totals)) - MALUS * (totals[seat] == min(totals))


def tally(s):
    """The points of all seats as things stand (DH-9)."""
    points = [0] * s.seats
    count_points(s, points)
    return points


def standings(s):
    """What each seat has at the end."""
    return [count(points, "point") for points in tally(s)]


def success(level, joining):
    """The exact chance that the thief's die, or one of so many sidekicks', is above a level."""
    return 1 - (level / FACES) ** (1 + joining)


def hints(s, seat):
    """The exact chance of every heist that the seat could try, with each number of its sidekicks."""
    if s.phase == SEND:
        return [f"Exact chance at the {MUSEUMS[target_museum(s)]}: {by_sidekicks(s, seat, target_level(s))}"]
    museums = sorted({s.kind_museum[kind] for kind in range(KINDS) if s.shown[kind]})
    said = [f"Exact chance at the {MUSEUMS[museum]}: {by_sidekicks(s, seat, LEVELS[museum])}" for museum in museums]
    if s.targeted_raid:
        said += [f"A raid at the {MUSEUMS[museum]}: {by_sidekicks(s, seat, LEVELS[museum] - 1)}" for museum in museums]
    return said


def by_sidekicks(s, seat, level):
    """'33 % alone, with sidekicks: 1 56 %, 2 70 %'; rounded, but never to certainty."""
    percent = [f"{min(99.9, 100 * success(level, joining)):.3g} %" for joining in range(s.sidekicks[seat] + 1)]
    joined = ", ".join(f"{joining} {chance}" for joining, chance in enumerate(percent) if joining)
    return f"{percent[0]} alone" + (f", with sidekicks: {joined}" if joined else "")


def target_level(s):
    """What a die has to be above."""
    return LEVELS[target_museum(s)] - (s.target >= RAID)
