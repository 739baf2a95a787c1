"""The verbs of one game, callable from Python: states and an index in, numbers out.

A template: run once for each game with `rules` as its global (`kernel.bind`). Passing the array
and an index is several times quicker than passing a row.
"""

from types import ModuleType

from spellheist.core.kernel import copy, kernel
from spellheist.core.state import WATCHER

rules: ModuleType
_setup, _legal, _chance, _play, _score = rules.setup, rules.legal, rules.chance, rules.play, rules.score
_hide, _imagine, _owner, _sees, _sound = rules.hide, rules.imagine, rules.owner, rules.sees, rules.sound
_rotated, _stage, _limited, _pieces = rules.rotated, rules.stage, rules.limited, rules.pieces


@kernel
def setup(states, i):
    _setup(states[i])


@kernel
def turn(states, i):
    return states[i].turn


@kernel
def legal(states, i, moves):
    return _legal(states[i], moves)


@kernel
def legal_for(states, i, seat, moves):
    """Writes the legal moves of one seat, answers how many."""
    s = states[i]
    count = 0
    for k in range(_legal(s, moves)):
        move = int(moves[k])
        if _owner(s, move) == seat:
            moves[count] = move
            count += 1
    return count


@kernel
def chance(states, i, odds):
    for outcome in range(len(odds)):
        odds[outcome] = 0
    return _chance(states[i], odds)


@kernel
def play(states, i, move):
    _play(states[i], move)


@kernel
def score(states, i, out):
    _score(states[i], out)


@kernel
def hide(states, i, seat):
    _hide(states[i], seat)


@kernel
def views(states, i):
    """Write what each seat may know of states[i] into the rows after it."""
    for seat in range(states[i].seats):
        copy(states, i + 1 + seat, states, i)
        _hide(states[i + 1 + seat], seat)


@kernel
def imagine(states, i, rngs, j):
    _imagine(states[i], rngs[j])


@kernel
def owner(states, i, move):
    return _owner(states[i], move)


@kernel
def seen_by(states, i, move):
    """Who learns which move this is: bit k for seat k, the bit after the last seat for WATCHER."""
    s = states[i]
    who = 0
    for seat in range(s.seats):
        if _sees(s, move, seat):
            who |= 1 << seat
    if _sees(s, move, WATCHER):
        who |= 1 << s.seats
    return who


@kernel
def advance(states, i, move):
    """Play a move; answers who learned which it was, and who is asked then."""
    known = seen_by(states, i, move)
    _play(states[i], move)
    return known, states[i].turn


@kernel
def rotated(states, i, move, by):
    return _rotated(states[i], move, by)


@kernel
def stage(states, i):
    return _stage(states[i])


@kernel
def limited(states, i):
    return _limited(states[i])


@kernel
def sound(states, i):
    return _sound(states[i])


@kernel
def pieces(states, i, out):
    return _pieces(states[i], out)
