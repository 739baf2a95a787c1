"""What a seat of Spellcaster may know, tested from outside.

`transcript` is a second, independent telling of who sees what: it reads a record line by line, keeps the
hands in its own sets, and writes down what one seat learns. Worlds with equal transcripts must look
equal to that seat; and what its view leaves open must be exactly the worlds with its transcript.
"""

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from scipy.stats import chisquare

from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.record import ply_lines
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, HIDDEN, WATCHER
from spellheist.games.spellcaster import deck, rules, words
from spellheist.games.spellcaster.rules import CARDS, DEAL, EACH, RECEIVE
from spellheist.games.spellcaster.test_rules import at, masks
from spellheist.laws.twins import every_way, frames, hidden_fields, last_frame, leaky

rule = pytest.mark.rule
hide, sound = kernel.plain(rules.hide), kernel.plain(rules.sound)
only_plain = pytest.mark.skipif(not kernel.PLAIN, reason="replaces a verb, which only plain rules allow")

SPIES = [
    "look", "look, draw 1", "take chosen 1", "strip chosen 1", "take 1", "strip 1", "take chosen 2, rival draws 1",
    "look, use",
]  # fmt: skip


def spying_deck():
    """A deck whose green incantations all concern hands."""
    lines, green = [], 0
    for line in deck.text("standard").split("\n"):
        if 'colour = "green", kind = "incantation"' in line:
            effect = SPIES[green % len(SPIES)]
            line = re.sub(r'name = "[^"]*"', f'name = "Spy {green}"', line)
            line = re.sub(r'effect = "[^"]*"', f'effect = "{effect}"', line)
            green += 1
        lines.append(line)
    return "\n".join(lines)


SPYING = spying_deck()
SPIED = {"deck": SPYING}
EFFECTS = {card.name: deck.spelled(card.effect) for card in (*deck.standard(), *deck.cards(SPYING))}
NAMES = [card.name for card in deck.cards(SPYING)]
WAYS = ((r"(.*) to seat \d", 0), (r"(.*) from seat \d", 1), (r"(?:take|recall) (.*)", 1), (r"play (.*)", 0))
LOOKS = ("look", "take chosen", "strip chosen")


def transcript(lines, seat, seats, hands=None):
    """What a seat learns from each ply. The hands at the start are empty, or those of a position."""
    hands = {other: set((hands or {}).get(other, ())) for other in range(seats)}
    looked = {(one, other): set() for one in range(seats) for other in range(seats)}
    learned, under_way, mage, team = [], "", 0, 2
    came = {}  # how each card came where it is: did all see it?
    for line in lines:
        who, said = re.fullmatch(r"\d+ (chance|seat \d): (.*)", line).groups()
        event = (who, said)
        dealt = re.fullmatch(r"(.*) to seat (\d)", said)
        any_card = re.fullmatch(r"(.*) from seat (\d)", said)
        chosen = re.fullmatch(r"(play|activate|set off|use|discard|take|recall) (\D.*)", said)
        verb = chosen[1] if chosen else ""
        if who != "chance" and (said in ("draw", "stop") or verb in ("play", "activate", "set off")):
            mage = int(who[-1])
            team = mage if mage != 1 else team
        rival = (mage + 1) % seats if seats != 3 else 1 if mage != 1 else 2 - team
        if dealt:
            hands[int(dealt[2])].add(dealt[1])
            event = ("card", int(dealt[2]), dealt[1] if seat == int(dealt[2]) else None)
        elif any_card or verb in ("play", "discard", "take"):
            card = any_card[1] if any_card else chosen[2]
            for owner in hands:
                if card in hands[owner]:
                    hands[owner].remove(card)
                    for pair in looked:
                        looked[pair].discard(card)
            if verb == "take" or (any_card and EFFECTS[under_way].startswith("take")):
                hands[mage].add(card)
        elif verb == "recall":
            hands[mage].add(chosen[2])
        elif chosen:
            under_way = chosen[2]
            if EFFECTS[under_way].startswith(LOOKS):
                looked[mage, rival] = set(hands[rival])
                event = (*event, sorted(hands[rival]) if seat in (mage, rival) else None)
        note_way(came, said)
        public = {card for card, seen in came.items() if seen}
        shown = {pair: len(cards - public) for pair, cards in looked.items()}
        learned.append((*event, "seen", sorted(shown.items())))
    return learned


def is_hidden(event):
    """Was this ply a card that the seat did not see?"""
    return event[0] == "card" and event[2] is None


def note_way(came, said):
    """Whether a card came to where it is now before the eyes of all, by what a line says of it."""
    for pattern, seen in WAYS:
        found = re.fullmatch(pattern, said)
        if found:
            came[found[1]] = seen
            return


def random_game(seed, seats, plies, options=SPIED):
    """A random game that likes green cards, up to so many plies."""
    luck = Luck(seed)
    play = new("spellcaster", seats, options)
    while not play.over and play.ply < plies:
        if play.turn == CHANCE:
            play.roll(luck)
            continue
        moves = play.moves()
        spies = [move for move, label in moves.items() if "Spy" in label and not label.startswith("discard")]
        chosen = spies if spies and luck.below(10) < 7 else [*moves]
        play.play(chosen[luck.below(len(chosen))])
    return play


def lines_of(seats, moves, options):
    play = new("spellcaster", seats, options)
    for move in moves:
        play.chance(move) if play.turn == CHANCE else play.play(move)
    return ply_lines(play)


def twins(seed, seats, plies, seat, tries, options=SPIED):
    """Pairs of games that differ in one card hidden from the seat, cut where the seat learns of it."""
    game = random_game(seed, seats, plies, options)
    moves = [ply.move for ply in game.plies]
    told = transcript(lines_of(seats, moves, options), seat, seats)
    drawn = [event[0] == "card" for event in told]
    unseen = [n for n, event in enumerate(told) if is_hidden(event)]
    luck = Luck(seed)
    for _ in range(tries if unseen else 0):
        n = unseen[luck.below(len(unseen))]
        one, other = moves[n], luck.below(CARDS)
        if one == other or any(drawn[k] and moves[k] == other for k in range(n)):
            continue
        swap = {one: other, other: one}
        changed = [swap.get(move, move) if k >= n and drawn[k] else move for k, move in enumerate(moves)]
        length = playable(seats, changed, options)
        lines = lines_of(seats, changed[:length], options)
        told_too = transcript(lines, seat, seats)
        same = next((k for k, (a, b) in enumerate(zip(told, told_too, strict=False)) if a != b), min(len(told), length))
        if same > n:
            yield moves[:same], changed[:same]


def playable(seats, moves, options):
    """How many of these moves can be made."""
    play = new("spellcaster", seats, options)
    try:
        for move in moves:
            play.chance(move) if play.turn == CHANCE else play.play(move)
    except Refused:
        pass
    return play.ply


def compare(pairs, seats, seat):
    """How many pairs look the same to the seat, and how many do not."""
    equal = different = 0
    for one, other in pairs:
        a, b = (list(frames(new("spellcaster", seats, SPIED), moves, seat)) for moves in (one, other))
        ends = [last_frame(new("spellcaster", seats, SPIED), moves, seat) for moves in (one, other)]
        if a == b and ends[0] == ends[1]:
            equal += 1
        else:
            different += 1
    return equal, different


@rule("SC-s1", "SC-s2", "SC-s3", "SC-s4", "SC-8", "SC-9", "SC-k", "SC-u")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_worlds_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(seats):
    found = 0
    for seed in range(3):
        for seat in (seed % seats, WATCHER):
            pairs = list(twins(seed, seats, 45 + 20 * seed, seat, 8))
            equal, different = compare(pairs, seats, seat)
            assert different == 0
            found += equal
    assert found > 8


@rule("SC-s1", "SC-s4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_past_of_a_seat_has_exactly_the_plies_that_it_saw(seats):
    assert not any(wrong_pasts(seats))


def wrong_pasts(seats):
    """Plies that the rules and the transcript do not tell alike, of a few games and for every reader."""
    for seed in range(3):
        play = random_game(seed, seats, 90)
        for seat in (*range(seats), WATCHER):
            told = transcript(ply_lines(play), seat, seats)
            for (_, move), event in zip(play.past(seat), told, strict=True):
                yield (move == HIDDEN) != is_hidden(event)


LEAKS = {  # what `sees` may get wrong: who is told of a chance ply in this phase
    "a deal to all": (DEAL, lambda s, seat: True),
    "a deal to a watcher": (DEAL, lambda s, seat: seat in (rules.dealt_to(s), WATCHER)),
    "a card to all": (RECEIVE, lambda s, seat: True),
    "a card to the mage on turn": (RECEIVE, lambda s, seat: seat in (rules.drawing(s), s.mage)),
    "a card to a watcher": (RECEIVE, lambda s, seat: seat in (rules.drawing(s), WATCHER)),
}


@only_plain
@rule("SC-s1", "SC-s4")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_past_that_leaks_is_found_out(leak, monkeypatch):
    phase, who = LEAKS[leak]
    sees = rules.sees
    wrong = lambda s, move, seat: bool(who(s, seat)) if s.phase == phase else sees(s, move, seat)  # noqa: E731
    monkeypatch.setattr(find("spellcaster").verbs, "_sees", wrong)
    assert any(wrong_pasts(3))
    readers = (WATCHER,) if "watcher" in leak else (0, 1, 2)
    pairs = ((seat, pair) for seed in range(4) for seat in readers for pair in twins(seed, 3, 60, seat, 8))
    assert any(compare([pair], 3, seat)[1] for seat, pair in pairs)


@only_plain
@rule("SC-s1")
@pytest.mark.parametrize("phase", [DEAL, RECEIVE])
def test_a_past_that_hides_too_much_is_found_out(phase, monkeypatch):
    sees = rules.sees
    monkeypatch.setattr(find("spellcaster").verbs, "_sees", lambda s, m, seat: s.phase != phase and sees(s, m, seat))
    assert any(wrong_pasts(3))


@only_plain
@rule("SC-s1", "SC-s3", "SC-s4")
def test_a_hide_that_leaks_any_one_field_is_found_out(monkeypatch):
    game = find("spellcaster")
    states = [random_game(seed, 3, 70).state for seed in range(6)]
    for seat in (0, WATCHER):
        fields = hidden_fields(rules.State, rules.hide, states, seat)
        assert fields == {"deck", "hand", "known"}
        pairs = [pair for seed in range(6) for pair in twins(seed, 3, 50, seat, 8)]
        for field in fields:
            with monkeypatch.context() as patch:
                patch.setattr(game.verbs, "_hide", leaky(rules.State, rules.hide, field))
                assert any(compare([pair], 3, seat)[1] for pair in pairs), f"a leak of {field} to {seat} was not seen"


@rule("SC-s1")
def test_a_drawn_card_is_seen_by_its_mage_alone():
    play = new("spellcaster", 4)
    play.chance("seat 1 begins")
    play.chance("Ember Dart to seat 1")
    assert play.plies[-1].seen_by == 0b00010
    assert play.view(1).hand[1] != play.view(3).hand[1] == [0, 0, 0, 0]
    assert play.view(3).held[1] == 1
    assert play.view(3).deck == [rules.ALL] * 4, "as far as the teammate knows it may be in the deck"


@rule("SC-s1", "SC-8")
def test_teammates_do_not_see_each_others_hands():
    play = at([["Haste"], ["Pyre"], ["Library"]])
    assert play.view(0).hand[2] == play.view(2).hand[0] == [0, 0, 0, 0]
    assert play.view(0).held[:3] == [1, 1, 1]


@rule("SC-s2")
def test_a_known_card_stays_known_until_it_leaves_the_hand():
    hands = [[], ["Haste", "Library"]]
    play = at(hands, mage=1, known=[(0, "Haste")], shown=["Library"])
    assert play.view(0).hand[1] == play.state.hand[1]
    assert play.view(WATCHER).hand[1] == masks([number("Library")])
    play.play("play Haste")
    assert play.state.known[0] == [0, 0, 0, 0]
    assert play.state.knows[0][1] == 0


@rule("SC-s3")
def test_a_third_mage_and_a_watcher_do_not_learn_what_a_look_showed():
    play = at([[], ["Haste", "Library"], []], known=[(2, "Haste"), (2, "Library")])
    assert play.view(0).known[2] == play.view(WATCHER).known[2] == [0, 0, 0, 0]
    assert play.view(0).knows[2][1] == 2
    assert play.view(2).hand[1] == play.state.hand[1]


@rule("SC-s4")
def test_a_watcher_sees_no_hand():
    for seed in range(3):
        play = random_game(seed, 3, 60)
        view = play.view(WATCHER)
        for seat in range(3):
            assert all(view.hand[seat][c] & ~view.shown[c] == 0 for c in range(4))
            assert view.known[seat] == [0, 0, 0, 0]


def number(name):
    return [card.name for card in deck.standard()].index(name)


# What imagine fills in.


def world(s):
    """What of a state a view can leave open."""
    return tuple(map(tuple, s.hand)), tuple(map(tuple, s.known)), tuple(s.deck)


POSITIONS = [
    (2, [["Haste"], ["Library", "Pyre"]], [(0, "Pyre")], 3),
    (2, [["Haste"], ["Library", "Pyre"]], [(1, "Haste")], 2),
    (3, [["Haste"], ["Library", "Pyre", "Glint"], ["Leech"]], [(0, "Pyre"), (2, "Pyre"), (2, "Glint")], 1),
    (3, [[], ["Library", "Pyre", "Glint"], []], [(0, "Pyre"), (0, "Glint"), (2, "Pyre")], 3),
    (3, [["Haste", "Tribute"], ["Pyre"], ["Leech"]], [(1, "Haste")], 2),
    (4, [["Haste", "Tribute"], [], ["Leech"], []], [(1, "Haste"), (3, "Haste"), (3, "Tribute")], 2),
]


@only_plain
@rule("SC-s1", "SC-s2", "SC-s3", "SC-s4", "SC-u")
@pytest.mark.parametrize(("seats", "hands", "known", "left"), POSITIONS)
def test_imagine_is_exactly_uniform_over_the_worlds_that_fit(monkeypatch, seats, hands, known, left):
    play = at(hands, left=left, known=known)
    for seat in (*range(seats), WATCHER):
        expected = all_worlds(play, seat)
        found = Counter()
        for chance, imagined in every_way(rules, play.view(seat)):
            found[world(imagined)] += chance
        assert found == dict.fromkeys(expected, Fraction(1, len(expected)))


def all_worlds(play, seat):
    """Every state with the seat's view, by trying out all hands and all marks of what others have seen."""
    view, schema = play.view(seat), rules.State
    packed = schema.pack(view)
    pool = words.cards_in(view.deck)
    missing = [view.held[other] - len(words.cards_in(view.hand[other])) for other in range(view.seats)]
    found = set()
    for hands in deals(pool, missing):
        s = schema.unpack(packed)
        for other, cards in enumerate(hands):
            for card in cards:
                s.hand[other][card // EACH] |= 1 << card % EACH
                s.deck[card // EACH] &= ~(1 << card % EACH)
        for marked in marks(s, [(a, b) for a in range(s.seats) for b in range(s.seats) if s.knows[a][b]]):
            if sound(marked):
                again = schema.unpack(schema.pack(marked))
                hide(again, seat)
                if schema.pack(again) == packed:
                    found.add(world(marked))
    return found


def deals(pool, sizes):
    if not sizes:
        yield []
        return
    for cards in combinations(pool, sizes[0]):
        for rest in deals([card for card in pool if card not in cards], sizes[1:]):
            yield [list(cards), *rest]


def marks(s, pairs):
    """The state with all ways to say which cards were seen."""
    if not pairs:
        yield rules.State.unpack(rules.State.pack(s))
        return
    (looker, owner), *rest = pairs
    for cards in combinations(words.cards_in(s.hand[owner]), s.knows[looker][owner]):
        t = rules.State.unpack(rules.State.pack(s))
        for card in words.cards_in(s.hand[owner]):
            t.known[looker][card // EACH] &= ~(1 << card % EACH)
        for card in cards:
            t.known[looker][card // EACH] |= 1 << card % EACH
        yield from marks(t, rest)


def spied(first, drawn, played):
    """A short game of three. Seat 2 looks at the hand of seat 1 and draws; seat 1 draws, plays a card and draws again;
    seat 0 draws. `first` is the hand that was looked at, the deck has just the cards that are drawn."""
    cards = [NAMES.index(name) for name in (*first, *drawn)]
    rest = [card for card in range(CARDS) if card not in cards and NAMES[card] != "Spy 0"]
    position = {"deck": masks(cards[2:]), "discards": masks(rest)}
    play = at([[], first, []], [("Spy 0", 0)], mage=2, left=len(drawn), deck=SPYING, position=position)
    one, two, three, four = drawn
    course = ["activate Spy 0", "draw", f"{one} to seat 2", f"{two} to seat 1", f"play {played}", "draw"]
    for said in (*course, f"{three} to seat 1", f"{four} to seat 0"):
        play.chance(said) if play.turn == CHANCE else play.play(said)
    return play


@only_plain
@rule("SC-s1", "SC-s2", "SC-s3", "SC-s4", "SC-k", "SC-u")
@pytest.mark.parametrize("played", ["Haste", "Slow Burn"])
@pytest.mark.parametrize("seat", [0, 1, 2, WATCHER])
def test_imagine_gives_what_every_course_of_the_game_could_have_led_to(monkeypatch, seat, played):
    """All hands at the start and all cards drawn are tried out; those with the seat's transcript end in the worlds that
    it must imagine, as often as there are ways to them."""
    names = ["Haste", "Library", "Pyre", "Slow Burn", "Leech", "Glint"]
    real = spied(names[:2], names[2:], played)
    told = transcript(ply_lines(real), seat, 3, {1: names[:2]})
    ends = Counter()
    for order in permutations(names):
        first, drawn = sorted(order[:2]), order[2:]
        if played not in (*first, drawn[1]) or order[:2] != tuple(first) or (seat == 1 and first != names[:2]):
            continue
        game = spied(first, drawn, played)
        if transcript(ply_lines(game), seat, 3, {1: first}) == told:
            ends[world(game.state)] += 1
    found = Counter()
    for chance, imagined in every_way(rules, real.view(seat)):
        found[world(imagined)] += chance
    assert found == {end: Fraction(ways, ends.total()) for end, ways in ends.items()}
    assert len(ends) > 1


def samples(play, seat, count):
    schema = play.game.rules.State
    states, generators = kernel.rows(schema, 1), rngs(1)
    start(generators, 0, 5)
    view = schema.pack(play.view(seat))
    for _ in range(count):
        kernel.load(schema, states, 0, view)
        play.game.verbs.imagine(states, 0, generators, 0)
        yield schema.unpack(kernel.dump(schema, states, 0))


@rule("SC-s1", "SC-s2", "SC-s3", "SC-s4", "SC-u")
@pytest.mark.parametrize("seat", [0, 1, 2, WATCHER])
def test_imagine_passes_a_chi_square_test_on_larger_positions(seat):
    hands = [["Haste"], ["Library", "Pyre", "Glint"], []]
    known = [(2, "Pyre"), (2, "Glint"), (0, "Pyre")]
    play = at(hands, left=2, known=known)
    expected = all_worlds(play, seat)
    assert len(expected) > 2
    found = Counter(map(world, samples(play, seat, 12 * len(expected))))
    assert set(found) <= expected
    assert chisquare([found[one] for one in expected]).pvalue > 1e-4
