"""Playing: the one door to a state. Every move of every player goes through here.

    game = new("./examples/pig", seats=3)
    while game.asks(dice):
        game.play(some move of game.legal())

A `Play` refuses what is not allowed with a sentence that names the rule, and nothing changes.
Seats see `view(seat)` and `past(seat)`; the whole truth, `state`, is for tests and finished games.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from spellheist.core import game as games
from spellheist.core import kernel
from spellheist.core.copies import Copies
from spellheist.core.dice import Dice, Luck
from spellheist.core.game import Game, find
from spellheist.core.memory import VIEW, Memory, Past, Ply
from spellheist.core.position import check_field
from spellheist.core.refused import Refused
from spellheist.core.sight import View
from spellheist.core.speech import whose
from spellheist.core.state import ANYONE, CHANCE, HIDDEN, JUDGE, OVER, WATCHER


class Ahead(NamedTuple):
    """Plies that could be made from a state, the bytes of the state after each, and who is asked in the end."""

    start: bytes
    plies: list[Ply]
    states: list[bytes]
    turn: int

    @property
    def end(self) -> bytes:
        return self.states[-1] if self.states else self.start


def new(
    game: Game | str | None = None,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    names: list[str] | None = None,
    position: dict[str, Any] | None = None,
) -> Play:
    """A new game, from its first question or from any position.

    >>> from spellheist import Luck, new
    >>> play = new("abraca_what", seats=3, options={"easy": True}, names=["Ann", "Bob", "Cy"])
    >>> play
    Play('abraca_what', seats=3, ply=0, turn=CHANCE)
    >>> play.roll_all(Luck(7)), play.who(play.turn), play.legal()
    (22, 'Cy', [1, 2, 3, 4, 5, 6, 7, 8])
    """
    if game is None:
        raise Refused(f"Which game? There are {', '.join(games.names())}.")
    if isinstance(game, str):
        game = find(game)
    if seats is None:
        raise Refused(f"{game.title} seats {game.seats[0]} to {game.seats[-1]} players: say how many, as seats=...")
    if not isinstance(seats, int):
        raise Refused(f"The number of seats is a whole number, not {seats!r}.")
    return Play(game, seats, game.settings(seats, options), names, position)


class Play(Copies[View]):
    """A game being played. Type checkers know the fields of the views of the five games (`Play[View]`)."""

    def __init__(
        self,
        game: Game,
        seats: int,
        settings: dict[str, Any],
        names: list[str] | None = None,
        position: dict[str, Any] | None = None,
    ) -> None:
        names = names or [f"Seat {seat}" for seat in range(seats)]
        if len(names) != seats:
            raise Refused(f"There are {seats} seats but {len(names)} names.")
        self._room(game, seats, settings, names)
        self.position = position
        self.start()

    def _room(self, game: Game, seats: int, settings: dict[str, Any], names: list[str]) -> None:
        """Room for a game that stands nowhere yet."""
        self.game, self.seats, self.settings, self.names = game, seats, settings, names
        self.plies = []
        self._schema = game.rules.State
        self._states = kernel.rows(self._schema, 2)
        self._truth = kernel.Row(self._schema, self._states, 0)
        self._moves = kernel.shorts(game.rules.MOVES)
        self._odds = kernel.shorts(game.rules.OUTCOMES)
        self._shares = kernel.reals(game.rules.SEATS)
        self._memories, self._informed = {}, {}
        self._turn: int | None = None

    def start(self) -> None:
        """Go back to before the first ply."""
        plain = self._schema.blank()
        for name, value in self.game.fields(self.seats, self.settings).items():
            setattr(plain, name, value)
        self.stand_at(self._schema.pack(plain), [])
        self.game.verbs.setup(self._states, 0)
        self._turn = None
        if self.position:
            self._take_position(self.position)
        self._first, self.since, self._told = self.bytes, 0, {}
        self._forget()

    def _take_position(self, position: dict[str, Any]) -> None:
        plain = self.state
        first = self._pieces()
        for name, value in position.items():
            check_field(self.game, name, value)
            setattr(plain, name, value)
        given = self.game.fields(self.seats, self.settings)
        wrong = self._schema.outside(plain) or next((n for n, v in given.items() if getattr(plain, n) != v), None)
        if wrong:
            raise Refused(f"The position's {wrong} is not possible in this game.")
        self.stand_at(self._schema.pack(plain), self.plies)
        if not self.game.verbs.sound(self._states, 0) or self._pieces() != first or not self._goes_on():
            raise Refused(f"The position is not one that {self.game.title} can reach: its counts do not fit together.")

    def _pieces(self) -> list[int]:
        counts = kernel.shorts(256)
        return kernel.first(counts, self.game.verbs.pieces(self._states, 0, counts))

    def _goes_on(self) -> bool:
        """Is there a way on from here, or is the game over?"""
        if self.turn == OVER:
            return True
        if self.turn == CHANCE:
            return int(self.game.verbs.chance(self._states, 0, self._odds)) > 0
        return (self.turn == ANYONE or 0 <= self.turn < self.seats) and bool(self.legal())

    # What there is to know.

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.plies)

    @property
    def turn(self) -> int:
        """The seat that is asked, or CHANCE, ANYONE or OVER."""
        if self._turn is None:
            self._turn = int(self.game.verbs.turn(self._states, 0))
        return self._turn

    @property
    def over(self) -> bool:
        return self.turn == OVER

    @property
    def state(self) -> View:
        """The whole truth, as a plain copy."""
        return self._schema.unpack(self.bytes)

    @property
    def bytes(self) -> bytes:
        """The bytes of the state."""
        return self._truth.dump()

    def view(self, seat: int) -> View:
        """What a seat, or WATCHER, may know of the state, as a plain copy."""
        self.seated(seat)
        kernel.copy(self._states, VIEW, self._states, 0)
        self.game.verbs.hide(self._states, VIEW, seat)
        return self._schema.unpack(kernel.dump(self._schema, self._states, VIEW))

    def legal(self, seat: int | None = None) -> list[int]:
        """The moves that may be played now: all of them, or those of one seat."""
        if seat is not None and seat != JUDGE:
            self.seated(seat)
        if self.turn in (CHANCE, OVER):
            return []
        if seat is None:
            count = self.game.verbs.legal(self._states, 0, self._moves)
        else:
            count = self.game.verbs.legal_for(self._states, 0, int(seat), self._moves)
        return kernel.first(self._moves, count)

    def askable(self, luck: Luck) -> list[int]:
        """Who is asked for a move, in this order. At ANYONE all who can move, the quickest first, which is a matter of
        luck, and last the one that the table waits for; everybody before may wait."""
        if self.turn != ANYONE:
            return [self.turn]
        owners = [self.owner(move) for move in self.legal()]
        others = sorted({seat for seat in owners if seat not in (owners[0], JUDGE)})
        return [others.pop(luck.below(len(others))) for _ in range(len(others))] + owners[:1]

    def owner(self, move: int) -> int:
        """To whom a legal move belongs: a seat, or JUDGE."""
        return int(self.game.verbs.owner(self._states, 0, int(move)))

    def moves(self, seat: int | None = None) -> dict[int, str]:
        """The legal moves with their words."""
        state = self.state
        return {move: self.game.words.label(state, move) for move in self.legal(seat)}

    def odds(self) -> list[int]:
        """At CHANCE: the weight of each outcome."""
        if self.turn != CHANCE:
            raise Refused("There is nothing to roll or draw now.")
        self.game.verbs.chance(self._states, 0, self._odds)
        return kernel.first(self._odds, len(self._odds))

    def outcomes(self) -> dict[int, str]:
        """At CHANCE: the possible outcomes with their words."""
        state = self.state
        return {k: self.game.words.label(state, k) for k, weight in enumerate(self.odds()) if weight}

    def past(self, seat: int) -> list[tuple[int, int]]:
        """The plies as one seat (or WATCHER) saw them: who, and which move or HIDDEN."""
        self.seated(seat)
        bit = self.seats if seat == WATCHER else seat
        return [(ply.who, ply.move if ply.seen_by >> bit & 1 else HIDDEN) for ply in self.plies]

    def recall(self, seat: int) -> Past:
        """The past of a seat with what it saw before each of the last plies, for bots that look back."""
        self.seated(seat)
        if seat not in self._memories:
            self._memories[seat] = Memory(self.game, seat, self._first, self.since)
        return Past(self.past(seat), self._memories[seat].up_to(self.plies))

    def score(self) -> list[float]:
        """At the end: each seat's share of the win."""
        if not self.over:
            raise Refused("The game is not over yet.")
        self.game.verbs.score(self._states, 0, self._shares)
        return [float(self._shares[seat]) for seat in range(self.seats)]

    # What changes it.

    def play(self, move: int | str, seat: int | None = None) -> Ply:
        """Make a move, given by its number or its words. `seat` says who makes it, where that is to be checked."""
        turn = self.turn
        if turn == OVER:
            raise Refused("The game is over.")
        if turn == CHANCE:
            raise Refused("It is nobody's turn: the dice must be rolled first.")
        if isinstance(move, str):
            move = self.named(move, self.moves())
        elif not hasattr(move, "__index__"):
            raise Refused(f"A move is a number or words, not {move!r}.")
        move = int(move)
        mine = move in self.legal(seat)
        if not mine and seat is not None and turn >= 0 and turn != seat:
            raise Refused(f"It is {whose(self.who(turn))} turn, not {whose(self.who(seat))}.", self.game.words.TURN_RULE)
        if not mine:
            view = self.view(turn if turn >= 0 else WATCHER)
            rule, sentence = self.game.words.why_not(view, move)
            raise Refused(sentence, rule)
        return self._advance(self.owner(move) if seat is None else seat, move)

    def chance(self, outcome: int | str) -> Ply:
        """Let chance have this outcome, given by its number or its words."""
        odds = self.odds()
        if isinstance(outcome, str):
            outcome = self.named(outcome, self.outcomes())
        if not 0 <= outcome < len(odds) or not odds[outcome]:
            raise Refused(f"Chance cannot give outcome {outcome} now.")
        return self._advance(CHANCE, outcome)

    def roll(self, dice: Dice) -> Ply:
        """Let the dice decide the next chance ply."""
        return self._advance(CHANCE, dice.outcome(self.ply, self.odds()))

    def roll_all(self, dice: Dice) -> int:
        """Let the dice decide until a player is asked or the game is over; how many plies that took."""
        return sum(1 for _ in self.rolls(dice))

    def rolls(self, dice: Dice) -> Iterator[Ply]:
        """The same, ply by ply."""
        while self.turn == CHANCE:
            yield self.roll(dice)

    def asks(self, dice: Dice) -> bool:
        """Let the dice decide. Is somebody asked now, or is the game over?"""
        self.roll_all(dice)
        return not self.over

    def _advance(self, who: int, move: int) -> Ply:
        seen_by, self._turn = self.game.verbs.advance(self._states, 0, move)
        ply = Ply(who, move, seen_by)
        self.plies.append(ply)
        return ply

    def ahead(self, dice: Dice, *moves: tuple[int, int | None]) -> Ahead:
        """The plies that these moves (each with the seat that makes it) and the chance after each would make. Nothing
        changes until `go_ahead`, for which the rules are not run again."""
        start, count, turn = self._truth.dump(), len(self.plies), self.turn
        try:
            states = [self._truth.dump() for _ in self._made(dice, moves)]
            return Ahead(start, self.plies[count:], states, self.turn)
        finally:
            del self.plies[count:]
            self.stand_at(start, self.plies, turn)

    def _made(self, dice: Dice, moves: Sequence[tuple[int, int | None]]) -> Iterator[Ply]:
        """Make these moves and the chance before and after each, ply by ply."""
        yield from self.rolls(dice)
        for move, seat in moves:
            yield self.play(move, seat)
            yield from self.rolls(dice)

    def stand_at(self, state: builtins.bytes, plies: list[Ply], turn: int | None = None) -> None:
        """Be where these plies have led before, given the bytes of the state there and, if known, who is asked."""
        self._truth.load(state)
        self._turn = turn
        self.plies = plies

    def repeat(self, ply: Ply) -> None:
        """Make a ply again that is known to be legal: for replays of games that this door has let through."""
        self.game.verbs.play(self._states, 0, ply.move)
        self._turn = None
        self.plies.append(ply)

    def go_ahead(self, ahead: Ahead) -> list[builtins.bytes]:
        """Make the plies that were played ahead from here; the bytes of the state after each."""
        self.stand_at(ahead.end, self.plies, ahead.turn)
        self.plies += ahead.plies
        return ahead.states

    def repeat_all(self, plies: Sequence[tuple[int, int, int]]) -> list[builtins.bytes]:
        """Make plies again; the bytes of the state after each."""
        states = []
        for ply in map(Ply._make, plies):
            self.repeat(ply)
            states.append(self.bytes)
        return states

    def named(self, words: str, choices: dict[int, str]) -> int:
        """The move that has these words among several."""
        wanted = words.strip().lower()
        for move, label in choices.items():
            if label.lower() == wanted:
                return move
        raise Refused(f"{words.strip()!r} is not a move here. The moves are: {', '.join(choices.values())}.")

    def who(self, who: int) -> str:
        """A name for whoever made a ply."""
        return {CHANCE: "chance", JUDGE: "the judge"}.get(who) or self.names[who]
