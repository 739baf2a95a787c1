"""What a seat sees as a row of numbers, the table turned so that this seat comes first.

A template: run once for each game.
"""

from types import ModuleType

from spellheist.core.kernel import copy, kernel, row
from spellheist.core.state import WATCHER

rules: ModuleType
hide, seen_from = rules.hide, rules.seen_from


@kernel
def observe(states, low, high, seats, views, cells, sources, named, out):
    """Write what seats[i] (or WATCHER) sees of states[i] into out[i], for the rows from `low` up to `high`; nothing where
    nobody is asked. `views` has room for that many. `sources` has for each seat where its numbers are among those of
    a state, `named` those of them that are seats."""
    for i in range(low, high):
        seat = int(seats[i])
        if seat >= 0 or seat == WATCHER:
            copy(views, i - low, states, i)
            hide(views[i - low], seat)
            if seat > 0:
                seen_from(views[i - low], seat)
    # Numbers are read back only when all views are written: at once, each would wait for its own.
    for i in range(low, high):
        seat = int(seats[i])
        if seat >= 0 or seat == WATCHER:
            place = max(0, seat)
            source, numbers, seen = sources[place], row(cells, i - low), out[i]
            for k in range(len(seen)):
                seen[k] = numbers[source[k]]
            for k in named:
                if seen[k] >= place:
                    seen[k] -= place
                elif seen[k] >= 0:
                    seen[k] += views[i - low].seats - place
