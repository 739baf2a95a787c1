"""What there is to see of a game, in other forms than a view: text that is equal when knowledge is, arrays, pictures."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

from spellheist.core.game import Game
from spellheist.core.memory import Information, Memory, Ply
from spellheist.core.observation import Legend, Observer, legend
from spellheist.core.picture import drawn
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE, CHANCE, OVER, WATCHER, Schema

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import TypeVar

    View = TypeVar("View", default=Any)
else:
    from typing import TypeVar

    View = TypeVar("View")


class Sight(Generic[View]):
    """The part of a `Play` that shows it."""

    game: Game
    seats: int
    settings: dict[str, Any]
    names: list[str]
    plies: list[Ply]
    _schema: Schema
    _states: Any
    _first: bytes  # the state before all plies that can be made again
    since: int  # how many plies there were then: none, but in an imagined world
    _told: dict[int, str]  # what seats had seen then
    _informed: dict[int, Information]
    _memories: dict[int, Memory]

    if TYPE_CHECKING:

        @property
        def ply(self) -> int: ...
        @property
        def turn(self) -> int: ...
        @property
        def state(self) -> View: ...
        def view(self, seat: int) -> View: ...
        def odds(self) -> list[int]: ...

    def seated(self, seat: int) -> None:
        """Refuses who is neither a seat of this game nor WATCHER."""
        if seat != WATCHER and not (hasattr(seat, "__index__") and 0 <= seat < self.seats):
            raise Refused(f"There is no seat {seat}; the seats are 0 to {self.seats - 1}.")

    def __repr__(self) -> str:
        turn = {CHANCE: "CHANCE", ANYONE: "ANYONE", OVER: "OVER"}.get(self.turn, str(self.turn))
        return f"Play({self.game.name!r}, seats={self.seats}, ply={self.ply}, turn={turn})"

    def __str__(self) -> str:
        return drawn(self.game, self.state, WATCHER, self.names)

    def picture(self, seat: int) -> str:
        """The table as one seat (or WATCHER) sees it, drawn as text; `print(play)` draws the whole truth.

        >>> from spellheist import Luck, new
        >>> play = new("abraca_what", seats=2, options={"starter": 0})
        >>> play.roll_all(Luck(7))
        22
        >>> print(play.picture(0).splitlines()[-2])
           Seat 1  ♥♥♥♥♥♥  0 of 8  [8] [2] [3] [5] [4]
        """
        return drawn(self.game, self.view(seat), seat, self.names)

    def chances(self) -> dict[int, float]:
        """At CHANCE: the probability of each possible outcome. `odds` has the same as whole numbers, `outcomes` the words.

        >>> from spellheist import new
        >>> new("abraca_what", seats=4).chances()
        {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}
        """
        odds = self.odds()
        total = sum(odds)
        return {outcome: weight / total for outcome, weight in enumerate(odds) if weight}

    def information(self, seat: int) -> str:
        """Everything that a seat (or WATCHER) has seen, as a text: equal exactly when that is equal. It has the settings,
        and for each ply who moved, the move if the seat saw it, and what changed in its view.

        >>> from spellheist import new
        >>> one, other = (new("abraca_what", seats=2, options={"starter": 0}) for _ in range(2))
        >>> ply = one.chance("stone 8 to seat 0"), other.chance("stone 7 to seat 0")
        >>> [one.information(seat) == other.information(seat) for seat in (0, 1)]
        [True, False]
        """
        self.seated(seat)
        known = self._informed.get(seat)
        if known is None or known.ply > self.ply:
            known = Information(self.game, seat, self._first, self.since, self._told.get(seat, ""))
            if not known.parts:
                settings = " ".join(f"{name}={value!r}" for name, value in self.settings.items())
                known.begin(f"{self.game.name} seats={self.seats} seat={seat} ply={self.since} {settings}\n")
            self._informed[seat] = known
        return known.up_to(self.plies, self.seats)

    @property
    def legend(self) -> Legend:
        """What each number of an observation is: its name, meaning and range."""
        return legend(self.game)

    def observation(self, seat: int) -> NDArray[np.int16]:
        """What a seat (or WATCHER) sees as an array of numbers, the table turned so that this seat comes first.

        >>> from spellheist import Luck, new
        >>> play = new("abraca_what", seats=3)
        >>> play.roll_all(Luck(7)), play.turn
        (22, 2)
        >>> seen = play.observation(2)
        >>> seen.shape, seen[0], play.legend[0].name
        ((120,), np.int16(0), 'turn')
        >>> play.legend.scaled(seen).dtype
        dtype('float32')
        """
        self.seated(seat)
        return self._observer.observe(self._states, seat)

    @cached_property
    def _observer(self) -> Observer:
        return Observer(self.game, self.seats)
