"""What a seat of Abraca...What? may know, tested from outside.

`transcript` is a second, independent telling of who sees what: it reads a record line by line, keeps
the stones in its own lists, and writes down what one seat learns. Worlds with equal transcripts must
look equal to that seat; and what its view leaves open must be exactly the worlds with its transcript.
"""

import re
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product

import pytest
from scipy.stats import chisquare

from spellheist.core import kernel
from spellheist.core.dice import Luck, rngs, start
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.record import ply_lines
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, HIDDEN, NONE, OVER, WATCHER
from spellheist.games.abraca_what import rules, words
from spellheist.games.abraca_what.rules import DEAL, REFILL, SHOW, TAKE
from spellheist.games.abraca_what.test_rules import at
from spellheist.laws.twins import every_way, frames, hidden_fields, last_frame, leaky

rule = pytest.mark.rule
only_plain = pytest.mark.skipif(not kernel.PLAIN, reason="replaces a verb, which only plain rules allow")

VARIANTS = [{}, {"easy": True}, {"strict_calls": True}, {"last_standing": True}]


def transcript(lines, seat, options, lives):
    """What a seat learns from each ply. `lives` are those after each ply, which everybody sees."""
    hands, taken, caster, spell = {}, {}, None, 0
    learned = []
    for n, line in enumerate(lines):
        who, words = re.fullmatch(r"\d+ (chance|seat \d): (.*)", line).groups()
        stone = re.fullmatch(r"stone (\d) to seat (\d)", words)
        secret = re.fullmatch(r"secret stone (\d)", words)
        called = re.fullmatch(r"call (\d) .*", words)
        event = (who, words)
        if words == "next round":
            hands, taken = {}, {}
        elif stone:
            kind, owner = map(int, stone.groups())
            hands.setdefault(owner, []).append(kind)
            event = ("stone", owner, None if seat in (owner, WATCHER) else kind)
        elif secret:
            taken.setdefault(caster, []).append(int(secret[1]))
            event = ("secret", caster, int(secret[1]) if seat == caster else None)
        elif called:
            now = int(who.removeprefix("seat "))
            spell = 0 if now != caster or learned[-1][0] == "stone" else spell
            caster, kind = now, int(called[1])
            too_low = kind < spell and not options.get("easy")
            place = hands[caster].index(kind) if kind in hands[caster] and not too_low else None
            if place is not None:
                del hands[caster][place]
            spell = kind
            event = (who, kind, place)
        ended = (n + 1 == len(lines) and lives[n] is None) or (n + 1 < len(lines) and lines[n + 1].endswith(": next round"))
        if ended or lives[n] is None:
            event = (*event, "all shown", sorted(hands.items()), sorted(taken.items()))
        elif seat >= 0 and lives[n][seat] == 0:
            event = (*event, "own stones shown", hands[seat])
        learned.append(event)
    return learned


def is_hidden(event):
    """Was this ply a stone whose number the seat did not learn?"""
    return event[0] in ("stone", "secret") and event[2] is None


def random_game(seed, seats, options, plies):
    """The moves of a random game that calls right more often than wrong, up to so many plies."""
    luck = Luck(seed)
    play = new("abraca_what", seats, options)
    while not play.over and play.ply < plies:
        if play.turn == CHANCE:
            play.roll(luck)
            continue
        s, moves = play.state, play.legal()
        good = [move for move in moves if move in s.hand[s.caster]]
        if good and luck.below(10) < 6:
            moves = good
        play.play(moves[luck.below(len(moves))])
    return play


def course(seats, options, moves):
    """The lines of these moves and the lives after each ply (None when all is shown)."""
    play = new("abraca_what", seats, options)
    lives = []
    for move in moves:
        if play.turn == CHANCE:
            play.chance(move)
        else:
            play.play(move)
        shown = play.turn == OVER or (play.turn == CHANCE and play.state.phase == SHOW)
        lives.append(None if shown else play.state.lives)
    return play, ply_lines(play), lives


def twins(seed, seats, options, plies, seat, tries):
    """Pairs of games that differ in one stone hidden from the seat, cut where the seat learns of it."""
    game = random_game(seed, seats, options, plies)
    moves = [ply.move for ply in game.plies]
    _, lines, lives = course(seats, options, moves)
    told = transcript(lines, seat, options, lives)
    unseen = [n for n, event in enumerate(told) if is_hidden(event)]
    luck = Luck(seed)
    for _ in range(tries if unseen else 0):
        n = unseen[luck.below(len(unseen))]
        changed = [*moves[:n], 1 + luck.below(8), *moves[n + 1 :]]
        length = 0
        probe = new("abraca_what", seats, options)
        with suppress(Refused):
            for move in changed:
                probe.chance(move) if probe.turn == CHANCE else probe.play(move)
                length += 1
        _, other_lines, other_lives = course(seats, options, changed[:length])
        other = transcript(other_lines, seat, options, other_lives)
        same = next((k for k, (a, b) in enumerate(zip(told, other, strict=False)) if a != b), min(len(told), length))
        if same > n and changed[n] != moves[n]:
            yield moves[:same], changed[:same]


def compare(pairs, seats, options, seat):
    """How many pairs look the same to the seat, and how many do not."""
    equal = different = 0
    for one, other in pairs:
        a, b = (list(frames(new("abraca_what", seats, options), moves, seat)) for moves in (one, other))
        ends = [last_frame(new("abraca_what", seats, options), moves, seat) for moves in (one, other)]
        if a == b and ends[0] == ends[1]:
            equal += 1
        else:
            different += 1
    return equal, different


@rule("AW-s1", "AW-s2", "AW-s3", "AW-s4", "AW-s5")
@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_worlds_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(seats, options):
    found = 0
    for seed in range(4):
        for seat in (seed % seats, WATCHER):
            pairs = list(twins(seed, seats, options, 60 + 20 * seed, seat, 12))
            equal, different = compare(pairs, seats, options, seat)
            assert different == 0
            found += equal
    assert found > 10


@rule("AW-s1", "AW-s3", "AW-s5")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_past_of_a_seat_has_exactly_the_plies_that_it_saw(seats):
    assert not any(wrong_pasts(seats))


def wrong_pasts(seats):
    """Plies that the rules and the transcript do not tell alike, of a few games and for every reader."""
    for seed in range(3):
        moves = [ply.move for ply in random_game(seed, seats, {}, 120).plies]
        play, lines, lives = course(seats, {}, moves)
        for seat in (*range(seats), WATCHER):
            told = transcript(lines, seat, {}, lives)
            for (_, move), event in zip(play.past(seat), told, strict=True):
                yield (move == HIDDEN) != is_hidden(event)


LEAKS = {  # what `sees` may get wrong: who is told of a chance ply in this phase
    "a deal to all": (DEAL, lambda s, seat: True),
    "a deal to a watcher": (DEAL, lambda s, seat: seat == WATCHER or rules.dealt_to(s) not in (seat, NONE)),
    "a refill to its owner": (REFILL, lambda s, seat: seat >= 0),
    "a refill to a watcher": (REFILL, lambda s, seat: seat != s.caster),
    "a secret stone to all": (TAKE, lambda s, seat: True),
    "a secret stone to a watcher": (TAKE, lambda s, seat: seat in (s.caster, WATCHER)),
}


@only_plain
@rule("AW-s1", "AW-s3", "AW-s5")
@pytest.mark.parametrize("leak", LEAKS)
def test_a_past_that_leaks_is_found_out(leak, monkeypatch):
    phase, who = LEAKS[leak]
    sees = rules.sees
    wrong = lambda s, move, seat: bool(who(s, seat)) if s.phase == phase else sees(s, move, seat)  # noqa: E731
    monkeypatch.setattr(find("abraca_what").verbs, "_sees", wrong)
    assert any(wrong_pasts(3))
    readers = (WATCHER,) if "watcher" in leak else (0, 1, 2)
    pairs = ((seat, pair) for seed in range(8) for seat in readers for pair in twins(seed, 3, {}, 90, seat, 12))
    assert any(compare([pair], 3, {}, seat)[1] for seat, pair in pairs)


@only_plain
@rule("AW-s1", "AW-s3")
@pytest.mark.parametrize("phase", [DEAL, REFILL, TAKE])
def test_a_past_that_hides_too_much_is_found_out(phase, monkeypatch):
    sees = rules.sees
    monkeypatch.setattr(find("abraca_what").verbs, "_sees", lambda s, m, seat: s.phase != phase and sees(s, m, seat))
    assert any(wrong_pasts(3))


@only_plain
@rule("AW-s1", "AW-s3", "AW-s5")
def test_a_hide_that_leaks_any_one_field_is_found_out(monkeypatch):
    game = find("abraca_what")
    states = []
    for seed in range(6):
        play = random_game(seed, 3, {}, 70)
        states += [play.state]
    for seat in (0, WATCHER):
        fields = hidden_fields(rules.State, rules.hide, states, seat)
        assert fields == {"hand", "deck", "taken"}
        for field in fields:
            pairs = [pair for seed in range(8) for pair in twins(seed, 3, {}, 70, seat, 12)]
            with monkeypatch.context() as patch:
                patch.setattr(game.verbs, "_hide", leaky(rules.State, rules.hide, field))
                assert compare(pairs, 3, {}, seat)[1] > 0, f"a leak of {field} to {seat} was not seen"


def worlds(game, seat, options):
    """Every world that a seat cannot tell from the real one, with its number of ways: by trying out all stones
    in all hidden places and keeping those with the same transcript."""
    moves = [ply.move for ply in game.plies]
    _, lines, lives = course(game.seats, options, moves)
    told = transcript(lines, seat, options, lives)
    begin = max((n for n, line in enumerate(lines) if line.endswith(": next round")), default=0)
    view = game.view(seat)
    places = hidden_places(lines, told, begin, seat, game.state)
    found = Counter()
    for kinds in product(range(1, 9), repeat=len(places)):
        ways, left = 1, list(view.deck)
        for kind in kinds:
            ways *= left[kind]
            left[kind] -= 1
        if ways <= 0:
            continue
        changed = list(lines)
        for n, kind in zip(places, kinds, strict=True):
            changed[n] = re.sub(r"stone \d", f"stone {kind}", lines[n])
        if transcript(changed, seat, options, lives) == told:
            found[kinds] = ways
    return found


def hidden_places(lines, told, begin, seat, state):
    """The lines that brought the stones which the seat holds unseen now, then the secret stones of others."""
    own, secrets = [], []
    for n in range(begin, len(lines)):
        event = told[n]
        if event[:2] == ("stone", seat):
            own.append(n)
        elif event[0] == f"seat {seat}" and len(event) == 3 and event[2] is not None:
            del own[event[2]]
        elif event[0] == "secret" and event[1] != seat:
            secrets.append((event[1], n))
    assert len(own) == state.held[seat]
    return own + [n for _, n in sorted(secrets)]


def small_positions(count, hidden, options=None):
    """Positions with so many hidden stones, of seats that have called and learned something."""
    seed = 0
    while count:
        seed += 1
        game = random_game(seed, 2 + seed % 3, options or {}, 50 + seed * 7 % 90)
        s = game.state
        seat = s.caster
        if game.over or game.turn == CHANCE or s.lives[seat] == 0:
            continue
        unseen = s.held[seat] + sum(s.takes[other] for other in range(s.seats) if other != seat)
        if unseen == hidden and any(s.never[seat]):
            count -= 1
            yield game, seat


def imagined(s, seat):
    others = [kind for other in range(s.seats) if other != seat for kind in s.taken[other][: s.takes[other]]]
    return (*s.hand[seat][: s.held[seat]], *others)


@only_plain
@rule("AW-s1", "AW-s2", "AW-s3")
def test_imagine_is_exactly_uniform_over_the_worlds_that_fit(monkeypatch):
    for game, seat in small_positions(6, hidden=3):
        expected = worlds(game, seat, {})
        total = sum(expected.values())
        found = Counter()
        for chance, world in every_way(rules, game.view(seat)):
            found[imagined(world, seat)] += chance
        assert found == {kinds: Fraction(ways, total) for kinds, ways in expected.items()}


@rule("AW-s1", "AW-s2", "AW-s3", "AW-s4")
@pytest.mark.parametrize("options", VARIANTS[:3], ids=str)
def test_imagine_passes_a_chi_square_test_on_larger_positions(options):
    for game, seat in small_positions(2, hidden=4, options=options):
        expected = worlds(game, seat, options)
        assert chi_square(sampled(game, seat, 6000), expected) > 1e-4


@rule("AW-s5")
def test_what_a_watcher_imagines_passes_a_chi_square_test_over_all_hands_together():
    play = at([[6, 7], [4, 5]], pile=0, taken=[[], [3]])
    for failed in (8, 8, 5, 7):
        play.play(failed)
    view = play.view(WATCHER)
    hidden = [(seat, slot) for seat in (0, 1) for slot in (0, 1)]
    weights = Counter()
    for kinds in product(range(1, 9), repeat=5):
        ways, left = 1, list(view.deck)
        for kind in kinds:
            ways *= left[kind]
            left[kind] -= 1
        if ways > 0 and not any(view.never[s][i] >> kind & 1 for (s, i), kind in zip(hidden, kinds, strict=False)):
            weights[kinds] = ways
    found = Counter((*w.hand[0][:2], *w.hand[1][:2], w.taken[1][0]) for w in samples(play, WATCHER, 6000))
    assert len(weights) > 20
    assert chi_square(found, weights) > 1e-4


def samples(game, seat, count):
    schema = game.game.rules.State
    states, generators = kernel.rows(schema, 1), rngs(1)
    start(generators, 0, 5)
    view = schema.pack(game.view(seat))
    for _ in range(count):
        kernel.load(schema, states, 0, view)
        game.game.verbs.imagine(states, 0, generators, 0)
        yield schema.unpack(kernel.dump(schema, states, 0))


def sampled(game, seat, count):
    return Counter(imagined(world, seat) for world in samples(game, seat, count))


def chi_square(found, weights):
    """The p-value, rare worlds put together so that each class expects at least ten."""
    assert set(found) <= set(weights)
    count, total = sum(found.values()), sum(weights.values())
    seen, expected = [0.0], [0.0]
    for kinds, ways in sorted(weights.items(), key=lambda item: item[1]):
        if expected[-1] >= 10:
            seen.append(0.0)
            expected.append(0.0)
        seen[-1] += found[kinds]
        expected[-1] += count * ways / total
    if expected[-1] < 10 and len(expected) > 1:
        seen[-2] += seen.pop()
        expected[-2] += expected.pop()
    return chisquare(seen, expected).pvalue


@rule("AW-s1")
def test_the_chances_that_hints_show_are_exact():
    found = [(game, seat) for game, seat in small_positions(8, hidden=3) if game.state.held[seat] == 3]
    assert len(found) >= 3
    for game, seat in found:
        expected = worlds(game, seat, {})
        total = sum(expected.values())
        for kind, chance in words.chances(game.view(seat), seat).items():
            holding = sum(ways for kinds, ways in expected.items() if kind in kinds)
            assert chance == pytest.approx(holding / total)
