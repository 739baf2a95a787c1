"""A game in a terminal: the table drawn, the news told, moves picked by number or words."""

from __future__ import annotations

import itertools
import os
import shlex
import signal
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from spellheist.bots import bot, elsewhere
from spellheist.bots.search import Thought
from spellheist.core import record
from spellheist.core.dice import Dice, Luck
from spellheist.core.files import write_text
from spellheist.core.memory import Ply
from spellheist.core.play import Play
from spellheist.core.refused import Refused
from spellheist.core.speech import does, listed
from spellheist.core.state import ANYONE, CHANCE, NONE, WATCHER
from spellheist.terminal.players import Player, move_of_bot

HELP = """\
Type the number or the words of a move to play it; the first letters do if only one move fits.
?       the rules behind this question        table   draw the table again
rules   all the rules of the game             past    what has happened so far
hint    what a strong bot would do            save    write the game to a file
quit    save and leave (so do q and Ctrl-C)   save NAME   write it to that file
"""
ADVISER = "master@1000ms"


class Left(Exception):
    """The person at the keyboard wants to stop here."""


class Session:
    """One game, the people and bots who play it, and the screen."""

    def __init__(
        self, play: Play, players: list[Player], dice: Dice, luck: Luck, console: Console, file: Path | None
    ) -> None:
        self.play, self.players, self.dice, self.luck = play, players, dice, luck
        self.console, self.file = console, file
        self.written = {file.resolve()} if file else set()  # the files of this game, which it may write over
        self.people = [seat for seat, player in enumerate(players) if player.bot is None]
        self.told: list[str] = []
        self.unread: dict[int, list[str]] = {seat: [] for seat in self.people}  # news since each was last asked
        self.adviser: Any = None
        self.at_keyboard: int | None = self.people[0] if len(self.people) == 1 else None

    def run(self) -> None:
        """Play to the end; on Ctrl-C, end of input or `quit`, and when something goes wrong, save the game and leave."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, told_to_stop)
        try:
            while not self.play.over:
                self.step()
        except (Left, KeyboardInterrupt, EOFError):
            self.keep()
            return
        except Exception as fault:
            self.keep(after=f"{fault} ")
            raise
        self.console.print(self.table(self.people[0] if self.people else WATCHER))
        self.console.print(Text(self.result(), "bold"))
        if self.file:
            self.keep()

    def step(self) -> None:
        """The next ply, whoever makes it."""
        turn = self.play.turn
        if turn == CHANCE:
            self.tell(self.play.roll, self.dice)
        elif turn == ANYONE:
            self.anyone()
        else:
            move = self.ask(turn)
            self.tell(self.play.play, move, turn)

    def anyone(self) -> None:
        """Whoever wants to moves: all are asked in a random order until one does, last the one that the table waits for."""
        seats = self.play.askable(self.luck)
        for seat in seats:
            move = self.ask(seat, may_wait=seat != seats[-1])
            if move is not None:
                self.tell(self.play.play, move, seat)
                return

    def tell(self, make: Callable[..., Ply], *how: Any) -> None:
        """Make a ply and tell what happened, as the person at the keyboard saw it."""
        seat = self.people[0] if len(self.people) == 1 else WATCHER
        before = self.play.view(seat)
        make(*how)
        said = self.play.game.words.news(before, self.play.past(seat)[-1][1], self.play.view(seat), self.play.names)
        self.told.append(said)
        if before.phase not in self.play.game.words.QUIET:
            self.console.print(Text(f"  {said}"))
            for unread in self.unread.values():
                unread.append(said)

    def ask(self, seat: int, may_wait: bool = False) -> int | None:
        """The move of a seat; None when it waits."""
        player = self.players[seat]
        if player.bot is None:
            return self.ask_person(seat, may_wait)
        with self.while_thinking(player.name, player.bot):
            return move_of_bot(player, self.play, seat, self.luck, may_wait)

    def ask_person(self, seat: int, may_wait: bool) -> int | None:
        """Let a person type until it is a move, or to wait."""
        self.hand_over(seat)
        self.show(seat, may_wait)
        while True:
            try:
                answer = self.typed()
                if may_wait and answer.lower() in ("", "wait"):
                    return None
                move = self.understand(answer, seat, may_wait)
            except Refused as refusal:
                self.console.print(Text(f"  {refusal}", "yellow"))
                continue
            if move is not None:
                return move

    def typed(self) -> str:
        """A line from the keyboard."""
        try:
            return self.console.input("[bold]> [/bold]").strip()
        except UnicodeDecodeError as error:
            raise Refused(f"That is not {error.encoding.upper()} text.") from None

    def while_thinking(self, name: str, bot: Any) -> AbstractContextManager[Any]:
        """Something to look at while a bot thinks that takes its time."""
        if not isinstance(bot, elsewhere.Bot):
            return nullcontext()
        wait = "" if bot.thinker.process else ", for a minute or so if its code must be compiled first"
        return self.console.status(Text(f"{name} is thinking{wait} ...", "dim"))

    def hand_over(self, seat: int) -> None:
        """Several people on one keyboard: nobody sees another's view, and what the cleared screen told is told again."""
        if self.at_keyboard != seat and self.play.view(seat) != self.play.view(WATCHER):
            self.console.clear()
            self.console.input(f"It is [bold]{self.play.names[seat]}[/bold]'s turn. Pass the keyboard, then press Enter. ")
            for said in self.unread[seat]:
                self.console.print(Text(f"  {said}"))
        self.unread[seat].clear()
        self.at_keyboard = seat

    def show(self, seat: int, may_wait: bool) -> None:
        """The table, the question, and the moves by number."""
        self.console.print()
        self.console.print(self.table(seat))
        self.console.print(Text(self.play.game.words.question(self.play.view(seat), self.play.names), "bold"))
        keys = self.keys(seat)
        moves = self.play.moves(seat)
        shown = [Text.assemble((key, "bold"), f" {moves[move]}") for key, move in keys.items()]
        if may_wait:
            shown.append(Text.assemble(("Enter", "bold"), " wait"))
        self.console.print(Columns(shown, padding=(0, 3)))
        self.console.print(Text("Type ? for help", "dim"))

    def keys(self, seat: int) -> dict[str, int]:
        """What to type for each move: a number from 1 on, or what the game says."""
        key, view = self.play.game.words.key, self.play.view(seat)
        return {key(view, move) or str(n): move for n, move in enumerate(self.play.legal(seat), 1)}

    def table(self, seat: int) -> Any:
        return self.play.game.table.draw(self.play.view(seat), seat, self.play.names)

    def understand(self, answer: str, seat: int, may_wait: bool) -> int | None:
        """The move that an answer means; None when it was something else, which has then been done."""
        moves = self.play.moves(seat)
        word, _, rest = answer.partition(" ")
        word, rest = word.lower(), rest.strip()
        if word in ("?", "help") and not rest:
            self.explain()
        elif word == "rules":
            self.console.print(Markdown(self.play.game.page))
        elif word in ("table", "moves", ""):
            self.show(seat, may_wait)
        elif word == "past":
            self.console.print(Text("\n".join(f"  {said}" for said in self.told) or "  Nothing yet."))
        elif word == "hint":
            self.hint(seat)
        elif word == "save":
            self.save(self.named_file(rest) if rest else self.own_file())
        elif word in ("quit", "exit", "q"):
            raise Left
        elif answer in self.keys(seat):
            return self.keys(seat)[answer]
        elif answer.isdecimal() and self.play.game.words.key(self.play.view(seat), int(answer[:4])):
            rule, sentence = self.play.game.words.why_not(self.play.view(seat), int(answer[:4]))
            raise Refused(sentence, rule)
        else:
            return self.in_words(answer, moves)
        return None

    def hint(self, seat: int) -> None:
        """Exact odds, where the game has them, and what a strong bot thinks of each move."""
        view, moves = self.play.view(seat), self.play.moves(seat)
        for line in self.play.game.words.hints(view, seat):
            self.console.print(Text(f"  {line}"))
        self.adviser = self.adviser or bot(ADVISER, self.play.game, elsewhere=True)
        with self.while_thinking("A strong bot", self.adviser):
            thoughts = self.adviser.think(view, seat, self.play.recall(seat), self.luck)
        for line in advice(thoughts, {**moves, NONE: "wait"}):
            self.console.print(Text(f"  {line}"))

    def in_words(self, answer: str, moves: dict[int, str]) -> int:
        wanted = " ".join(answer.lower().split())
        fits = [m for m, words in moves.items() if words.lower() == wanted]
        fits = fits or [m for m, words in moves.items() if words.lower().startswith(wanted)]
        fits = fits or [m for m, words in moves.items() if wanted in words.lower()]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise Refused(f"That could be {listed([moves[m] for m in fits], 'or')}.")
        raise Refused(f"{answer!r} is not a move here. Type the number of a move or its words, or ? for help.")

    def explain(self) -> None:
        game = self.play.game
        for rule in game.words.rules_now(self.play.view(WATCHER)):
            self.console.print(Text.assemble((f"  {rule:6}", "bold"), game.rule[rule]))
        self.console.print()
        self.console.print(Text(HELP, "dim"))

    def result(self) -> str:
        shares = self.play.score()
        winners = [self.play.names[seat] for seat, share in enumerate(shares) if share > 0]
        if len(winners) == 1:
            return f"{does(winners[0], 'win')}."
        return f"{listed(winners)} share the win."

    def own_file(self) -> Path:
        """The file of this game: the one it came from or is recorded to, else the first name that is still free."""
        self.file = self.file or self.free_file()
        return self.file

    def free_file(self) -> Path:
        """The first name in this folder that is still free."""
        stem = self.play.game.name
        paths = (Path(f"{stem}-{n}.txt" if n > 1 else f"{stem}.txt") for n in itertools.count(1))
        return next(path for path in paths if not os.path.exists(path))

    def named_file(self, name: str) -> Path:
        """The file that somebody names. Refuses one that is there and not of this game."""
        path = Path(os.path.expanduser(name))
        if os.path.exists(path) and path.resolve() not in self.written:
            raise Refused(f"{path} already exists; choose another name, or type save alone for a free one.")
        return path

    def keep(self, after: str = "") -> None:
        """Save the game in its file or, where that cannot be, under a free name. That both failed is said `after` what went
        wrong before."""
        for path in dict.fromkeys((self.own_file(), self.free_file())):
            try:
                return self.save(path)
            except Refused as refusal:
                self.console.print(Text(f"\n{refusal}", "yellow"))
        raise Refused(f"{after}The game could not be saved.")

    def save(self, path: Path) -> None:
        """Write the record, whole or not at all, and say how to go on."""
        text = record.write(self.play, self.dice, reveal=True, players=[player.kind for player in self.players])
        write_text(path, text)
        self.written.add(path.resolve())
        on = "" if self.play.over else f" Resume it with: spellheist play --from {shlex.quote(str(path))}"
        self.console.print(Text(f"\nSaved as {path}.{on}"))


def told_to_stop(*_: Any) -> None:
    raise Left


def advice(thoughts: list[Thought], words: dict[int, str]) -> list[str]:
    """What a bot thinks of moves: of all where the game is solved, else of the five it has thought about most."""
    # A search is unsure of what it has not thought about; only a solution gives such a move a chance without error.
    if any(thought.share == thought.error == 0 for thought in thoughts):
        return [f"{words[thought.move]}: wins {100 * thought.chance:.1f} % (exactly)" for thought in thoughts]
    return [
        f"{words[thought.move]}: wins {100 * thought.chance:.1f} % ± {196 * thought.error:.1f}, "
        f"{100 * thought.share:.0f} % of its thought"
        for thought in thoughts[:5] if thought.share > 0
    ]  # fmt: skip
