"""The games for players that read and write: what a seat sees in words, and moves in words; called as TextArena is.

    from spellheist.adapters.text import Env

    game = Env("dice_heist")
    game.reset(num_players=3, seed=7)
    done = False
    while not done:
        player, text = game.get_observation()
        done, info = game.step(answer_to(text))
    rewards, info = game.close()

An answer is the words of a move, in any case, with anything before it: the last line that is a move counts. One that is no
move is told so, and asked again; after the third in a row the player has lost. In `live` a player may answer "wait".
"""

from __future__ import annotations

from typing import Any

from spellheist.adapters.asking import Asking
from spellheist.core.dice import Luck
from spellheist.core.game import Game, find
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import OVER

TRIES = 3  # answers in a row that may be no move, the last of which loses


class Env:
    """A game in words.

    >>> game = Env("dice_heist")
    >>> game.reset(num_players=2, seed=7)
    >>> player, text = game.get_observation()
    >>> text.splitlines()[0], text.splitlines()[-1]
    ('You are Seat 0 in a game of Dice Heist with 2 players.', 'Answer with the words of one move.')
    >>> game.step("I think that this is best:\\nrecruit")[0]
    False
    """

    def __init__(self, game: Game | str, options: dict[str, Any] | None = None) -> None:
        self.game = find(game) if isinstance(game, str) else game
        self.options = options

    def reset(self, num_players: int | None = None, seed: int = 0, names: list[str] | None = None) -> None:
        """Begin a game."""
        play = new(self.game, num_players, self.options, names)
        self.unread: list[list[str]] = [[self.welcome(play.names[seat], play.seats)] for seat in range(play.seats)]
        self.asking = Asking(play, Luck(seed), Luck(~seed))
        self.wrong, self.loser, self.why = 0, OVER, ""

    def welcome(self, name: str, seats: int) -> str:
        """What a player is told first: the rules."""
        return f"You are {name} in a game of {self.game.title} with {seats} players.\n\n{self.game.page}"

    def get_observation(self) -> tuple[int, str]:
        """Who is asked, and everything that this player is told: the news, the table, the question, the moves."""
        seat, play = self.asking.seat, self.asking.play
        if seat == OVER or self.loser != OVER:
            raise Refused("The game is over: nobody is asked.")
        view = play.view(seat)
        told, self.unread[seat] = self.unread[seat], []
        moves = "\n".join(f"- {words}" for words in self.asking.words().values())
        question = self.game.words.question(view, play.names)
        parts = [*told, play.picture(seat), question, f"Your moves:\n{moves}", "Answer with the words of one move."]
        return seat, "\n\n".join(parts)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take an answer; whether the game is over, and if it was no move, why."""
        if self.asking.seat == OVER or self.loser != OVER:
            raise Refused("The game is over.")
        seat, choices = self.asking.seat, self.asking.words()
        named = {words.lower(): move for move, words in choices.items()}
        lines = [line.strip(" \t-*.`\"'").lower() for line in str(action).splitlines()]
        found = [named[line] for line in lines if line in named]
        if not found:
            return self._no_move(seat, str(action))
        self.wrong = 0
        self._tell(found[-1])
        return self.asking.play.over, {}

    def _no_move(self, seat: int, action: str) -> tuple[bool, dict[str, Any]]:
        self.wrong += 1
        why = f"{action.strip()[-60:]!r} is no move."
        if self.wrong == TRIES:
            self.loser, self.why = seat, f"Seat {seat} gave {TRIES} answers in a row that are no move."
            return True, {"refused": self.why}
        self.unread[seat].append(f"{why} Answer with the words of one of your moves, alone on a line.")
        return False, {"refused": why}

    def _tell(self, move: int) -> None:
        """Make a move and what follows, and keep the news of each ply for each player."""
        words, again = self.game.words, self.asking.play.clone()
        for ply in self.asking.answer(move):
            before = [again.view(seat) for seat in range(again.seats)]
            again.repeat(ply)
            for seat, view in enumerate(before):
                if view.phase not in words.QUIET:
                    self.unread[seat].append(words.news(view, again.past(seat)[-1][1], again.view(seat), again.names))

    def close(self) -> tuple[dict[int, float], dict[str, Any]]:
        """The rewards: shares of the win; -1 for who gave no move, and 0 for the others."""
        seats = range(self.asking.play.seats)
        if self.loser != OVER:
            return {seat: -1.0 if seat == self.loser else 0.0 for seat in seats}, {"reason": self.why}
        if not self.asking.play.over:
            return dict.fromkeys(seats, 0.0), {"reason": "The game was left before its end."}
        return dict(zip(seats, self.asking.play.score(), strict=True)), {"reason": "The game is over."}
