"""The words of Mage's Dice: labels of moves, the news, the question, and why a move is refused."""

from spellheist.core.kernel import plain
from spellheist.core.speech import count, does, listed, whose
from spellheist.core.state import CHANCE, NONE, OVER
from spellheist.games.mages_dice import rules
from spellheist.games.mages_dice.rules import (
    ACT,
    AGAIN,
    CAST,
    CLASH,
    DEFEND,
    FACES,
    FOCUS_DICE,
    KINDS,
    MOVES,
    REFOCUS,
    REFOCUSING,
    REFRESH,
    REFRESHING,
    SHOW,
    SPELL_DICE,
)

ELEMENTS = ("fire", "water", "earth", "air")
TURN_RULE = "MD-5"

opposite = plain(rules.opposite)


def spell(kind):
    """'fire 5'."""
    return f"{ELEMENTS[kind // FACES]} {kind % FACES + 1}"


def cards(s):
    """What is printed on the dice: the elements, and for each the one that nullifies it."""
    return [{"element": name, "opposite": ELEMENTS[opposite(k)]} for k, name in enumerate(ELEMENTS)]


def label(s, move):
    """The words of a legal move or a possible outcome."""
    if s.turn == CHANCE:
        if s.phase == FOCUS_DICE:
            return f"focus {move} for seat {roller(s)}"
        if s.phase == REFOCUSING:
            return f"focus {move} for seat {s.mage}"
        return {SHOW: "next round", AGAIN: "roll again"}.get(s.phase) or f"{next_die(s)} {move}"
    return {REFRESH: "refresh", REFOCUS: "refocus"}.get(move) or f"cast {spell(move - CAST)}"


def roller(s):
    """The seat that rolls its focus die next, at the start of a round."""
    order = [(s.mage + step) % s.seats for step in range(s.seats)]
    return next(seat for seat in order if not s.focus[seat])


def next_die(s):
    """The element of the spell die that is rolled next."""
    return next(name for name, left in zip(ELEMENTS, s.rolling, strict=True) if left)


def question(s, names):
    """What is being asked, of whom."""
    if s.turn == OVER:
        return "The game is over."
    if s.phase == ACT:
        verbs = [does(names[s.turn], verb) for verb in ("refresh", "refocus", "cast")]
        return f"{verbs[0]} the pool, {verbs[1].split()[-1]} or {verbs[2].split()[-1]} a spell."
    if s.phase == DEFEND:
        return f"{does(names[s.turn], 'answer')} {whose(names[s.mage])} {spell(s.played[s.mage])} with a spell."
    if s.phase in (FOCUS_DICE, REFOCUSING):
        return f"{does(names[roller(s) if s.phase == FOCUS_DICE else s.mage], 'roll')} the focus die."
    if s.phase in (SHOW, AGAIN):
        return "The next round begins." if s.phase == SHOW else "The round begins again."
    return f"{dice(s.rolling).capitalize()} of the pool to roll."


def rules_now(s):
    """The ids of the rules that explain the present question."""
    if s.phase == ACT:
        return ["MD-5", "MD-6", "MD-7", "MD-8", "MD-10", "MD-15"]
    if s.phase == DEFEND:
        return ["MD-10", "MD-11", "MD-12", "MD-14"]
    return {
        FOCUS_DICE: ["MD-1"],
        SPELL_DICE: ["MD-2", "MD-3" if s.stage == 0 else "MD-4"],
        AGAIN: ["MD-c"],
        REFRESHING: ["MD-6", "MD-9"],
        REFOCUSING: ["MD-7", "MD-8"],
        CLASH: ["MD-8", "MD-9", "MD-b" if s.literal_collect else "MD-a"],
        SHOW: ["MD-16", "MD-e"] if s.turn == OVER else ["MD-15", "MD-4"],
    }[s.phase]


def why_not(s, move):
    """The rule that stands in the way of a move, and a sentence."""
    if s.turn == OVER:
        return "MD-16", "The game is over."
    if not 0 <= move < MOVES:
        return "MD-5", f"There is no move {move}: refresh, refocus, or cast one of the {KINDS} kinds of spells."
    if s.turn == CHANCE:
        return "MD-5", "Nobody may act while dice are rolled."
    if move < CAST:
        return "MD-10", "In a battle a spell must be cast: the pool and the focus dice are left alone."
    if not any(s.arsenal[s.turn]):
        return "MD-10", "A battle needs a spell, and the arsenal is empty."
    return "MD-10", f"There is no {spell(move - CAST)} in the arsenal."


def news(before, move, after, names):
    """The sentence on what just happened, from the views before and after."""
    name = names[before.mage]
    if before.phase == FOCUS_DICE:
        return " ".join([f"{does(names[roller(before)], 'focus')} on {move}.", *shared_news(before, after, names)])
    if before.phase == SHOW:
        return f"Round {after.stage + 1}: all dice return to the pool. {does(names[after.mage], 'be')} to begin."
    if before.phase == AGAIN:
        return "All dice return to the pool and the round begins again."
    if before.phase == ACT and move == REFRESH:
        return f"{does(name, 'refresh')} the mana pool: {dice(after.rolling)} to roll."
    if before.phase == ACT and move == REFOCUS:
        return f"{does(name, 'refocus')}."
    if before.phase == REFOCUSING:
        said = refocus_news(before, move, after, names)
    elif before.phase in (ACT, DEFEND):
        said = battle_news(before, move - CAST, after, names)
    else:
        said = [f"{next_die(before).capitalize()} {move}."]
    return " ".join([*said, *collect_news(before, after, names), *end_news(before, after, names)])


def dice(counts):
    """'1 die', '7 dice'."""
    return "1 die" if sum(counts) == 1 else f"{sum(counts) or 'no'} dice"


def shared_news(before, after, names):
    """MD-1: who rolls again because the numbers are not all different."""
    rolled = [seat for seat in range(before.seats) if before.focus[seat] or seat == roller(before)]
    again = [seat for seat in rolled if not after.focus[seat]]
    return [f"{listed([names[seat] for seat in again])} share a number and roll again."] if again else []


def refocus_news(before, move, after, names):
    mage = before.mage
    same = [whose(names[seat]) for seat in range(before.seats) if seat != mage and before.focus[seat] == move]
    said = f"{does(names[mage], 'focus')} on {move}"
    if not same:
        return [f"{said}."]
    rolled = f"{dice(after.rolling)} of that number to roll again" if any(after.rolling) else "no die shows it"
    return [f"{said}, which is also {listed(same)} number: {rolled}."]


def battle_news(before, kind, after, names):
    """One spell cast, and what came of the battle if it was the last."""
    name = names[before.mage]
    if before.phase == ACT:
        said = [f"{does(name, 'attack')} with {spell(kind)}."]
    else:
        said = [f"{does(names[before.turn], 'answer')} with {spell(kind)}."]
    if after.phase == DEFEND:
        return said
    attack = kind if before.phase == ACT else before.played[before.mage]
    answers = [k for seat, k in enumerate(before.played) if k != NONE and seat != before.mage]
    if before.phase == DEFEND:
        answers.append(kind)
    if after.points[before.mage] > before.points[before.mage]:
        return [*said, f"{does(name, 'score')} a point."]
    if not answers:
        return [*said, "Nobody has a spell to beat: no point."]
    if any(answer // FACES == opposite(attack // FACES) for answer in answers):
        return [*said, "The attack is nullified."]
    return [*said, "The attack beats nothing."]


def collect_news(before, after, names):
    """Which spells came to an arsenal, and which left one in another way than by being cast."""
    said = []
    for seat in range(before.seats):
        change = [new - old for old, new in zip(before.arsenal[seat], after.arsenal[seat], strict=True)]
        gained = [spell(kind) for kind in range(KINDS) for _ in range(change[kind])]
        lost = [spell(kind) for kind in range(KINDS) for _ in range(-change[kind])]
        if gained:
            said.append(f"{does(names[seat], 'collect')} {listed(gained)}.")
        if lost and before.phase == REFOCUSING:
            said.append(f"{does(names[seat], 'lose')} {listed(lost)}.")
    return said


def standings(s):
    """What each seat has at the end."""
    return [count(s.points[seat], "point") for seat in range(s.seats)]


def end_news(before, after, names):
    """What the end of the action means for the round and the game."""
    if after.phase == AGAIN:
        return ["No die is left in the pool."]
    if before.phase == SPELL_DICE and after.phase == ACT:
        return [f"{does(names[after.mage], 'begin')}."]
    if after.phase != SHOW:
        return []
    if after.turn == OVER:
        best = [names[seat] for seat in range(after.seats) if after.points[seat] == max(after.points)]
        won = does(best[0], "win") if len(best) == 1 else f"{listed(best)} share the win"
        return [f"{won}." if max(after.points) == after.target else f"The turn limit is reached: {won}."]
    why = "one spell at most is left in play" if any(after.pool) else "the pool is empty"
    return [f"The round is over: {why}. {does(names[(after.mage + 1) % after.seats], 'begin')} the next."]
