"""Records: one text file a game. Header, then one line a ply, in words; replays from the words alone.

    spellheist record 1
    game: pig
    signature: 0123456789abcdef
    seats: 3
    names: Ann | Bob | Cy
    option target: 20
    dice: seed 7

    1 seat 0: roll
    2 chance: die 5
    3 seat 0: hold
    ...
    end: 0 1 0

A record can start from any position: lines `position FIELD: numbers` in the header. A record with
fair dice has `dice: fair COMMITMENT`, a line `words: ...` for each person's contribution, and once the
game is over `secret: HEX`. A record made for one seat says `seen by: seat 1`; what that
seat did not learn stands as `hidden`, and such a record can be read but not replayed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spellheist.core.dice import Dice, Fair, Luck
from spellheist.core.files import read_text
from spellheist.core.game import Game, find
from spellheist.core.memory import Ply
from spellheist.core.options import Deck
from spellheist.core.play import Play, new
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, JUDGE, WATCHER

FIRST_LINE = "spellheist record 1"
LARGEST = 8 * 1024 * 1024  # bytes that a record file may have
PLY_LINE = re.compile(r"([0-9]{1,7}) (chance|judge|seat [0-9]): (.+)")


@dataclass
class Record:
    """A record as it was read: what stands above the plies, the plies in words, the end."""

    game: Game
    signature: str = ""
    seats: int = 0
    names: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    deck: list[str] = field(default_factory=list)
    position: dict[str, Any] = field(default_factory=dict)
    dice: str = ""
    nonces: list[str] = field(default_factory=list)  # what people added to fair dice
    secret: str = ""
    players: list[str] = field(default_factory=list)  # how each seat was filled: you, or a bot's name
    seen_by: str = ""
    plies: list[tuple[int, str, str]] = field(default_factory=list)  # line in the file, who, words
    end: str = ""

    def start(self) -> Play:
        """The game before its first ply."""
        options: dict[str, Any] = dict(self.options)
        if self.deck:
            options["deck"] = "\n".join(self.deck) + "\n"
        return new(self.game, self.seats, options, self.names, self.position)

    def replay(self) -> Play:
        """Play the whole record, every move through the door; the game as it stands after it."""
        if self.seen_by:
            raise Refused(f"This record shows only what {self.seen_by} saw, so it cannot be replayed.")
        play = self.start()
        for line, who, words in self.plies:
            try:
                self._play_one(play, who, words)
            except Refused as refusal:
                raise Refused(f"Line {line}: {refusal}{self.aside()}") from None
        if self.end and (not play.over or self.end != shares(play)):
            raise Refused(f"The record says that the game ended {self.end!r}, but it did not.{self.aside()}")
        return play

    def _play_one(self, play: Play, who: str, words: str) -> None:
        if who == "chance":
            play.chance(words)
            return
        seat = JUDGE if who == "judge" else int(who.removeprefix("seat "))
        if seat >= play.seats:
            raise Refused(f"There is no seat {seat} in a game of {play.seats}.")
        play.play(words, seat)

    def other_rules(self) -> str:
        """A sentence, if the game was not made under the present rules."""
        if self.signature == self.game.signature:
            return ""
        return f"It was made under other rules: signature {self.signature}, now {self.game.signature}."

    def aside(self) -> str:
        """The same, to go after another sentence."""
        return f" ({self.other_rules()})" if self.other_rules() else ""

    def source(self) -> Dice | None:
        """The dice of this record, as far as it tells of them."""
        if self.dice.startswith("seed "):
            return Luck(int(self.dice.removeprefix("seed ")))
        if self.dice.startswith("fair ") and self.secret:
            return Fair(bytes.fromhex(self.secret), self.nonces)
        return None


def write(
    play: Play, dice: Dice | None = None, seat: int | None = None, reveal: bool = False,
    players: list[str] | None = None, told: list[str] | None = None,
) -> str:  # fmt: skip
    """The record of a game: the whole truth, or what one seat (or WATCHER) saw of it.
    The secret of fair dice is told when the game is over, or when `reveal` says so. `told` are the lines of the plies,
    where they are known."""
    lines = [
        FIRST_LINE,
        f"game: {play.game.name}",
        f"signature: {play.game.signature}",
        f"seats: {play.seats}",
        f"names: {' | '.join(clean(name) for name in play.names)}",
    ]
    if players:
        lines.append(f"players: {' | '.join(players)}")
    for option in play.game.options:
        value = play.settings[option.name]
        if value == option.default:
            continue
        if isinstance(option, Deck):
            lines += [f"deck: {line}" for line in value.splitlines()]
        else:
            lines.append(f"option {option.name}: {option.show(value)}")
    lines += [f"position {name}: {_show(value)}" for name, value in (play.position or {}).items()]
    lines += _dice_lines(dice, reveal or play.over)
    if seat is not None:
        lines.append(f"seen by: {'a watcher' if seat == WATCHER else f'seat {seat}'}")
    lines += ["", *(ply_lines(play, seat) if told is None else told)]
    if play.over:
        lines.append(f"end: {shares(play)}")
    return "\n".join(lines) + "\n"


def ply_lines(play: Play, seat: int | None = None) -> list[str]:
    """One line a ply, in words; `hidden` where the seat did not see the move."""
    if play.since:
        raise Refused("This world was imagined in the middle of a game, so it has no record of how it came about.")
    again = Play(play.game, play.seats, play.settings, play.names, play.position)
    return [ply_line(again, ply, seat) for ply in play.plies]


def ply_line(again: Play, ply: Ply, seat: int | None = None) -> str:
    """The line of the next ply of a game that is played again, which is made."""
    speaker = {CHANCE: "chance", JUDGE: "judge"}.get(ply.who, f"seat {ply.who}")
    seen = seat is None or ply.seen_by >> (again.seats if seat == WATCHER else seat) & 1
    words = again.game.words.label(again.state, ply.move) if seen else "hidden"
    again.repeat(ply)
    return f"{again.ply} {speaker}: {words}"


def shares(play: Play) -> str:
    """How a game ended: each seat's share of the win."""
    return " ".join(f"{share:.4g}" for share in play.score())


def position_of(play: Play) -> dict[str, Any]:
    """The present position as field names and values, to start another record from."""
    given = play.game.fields(play.seats, play.settings)
    state = play.state
    return {name: getattr(state, name) for name in play.game.rules.State.fields if name not in given}


def clean(name: str) -> str:
    """A name, or words, that fit on a line of the header."""
    return " ".join(name.replace("|", "/").split()) or "?"


def _show(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return " / ".join(map(_show, value)) if value and isinstance(value[0], list) else " ".join(map(str, value))


def _dice_lines(dice: Dice | None, reveal: bool) -> list[str]:
    if isinstance(dice, Luck):
        return [f"dice: seed {dice.seed}"]
    if not isinstance(dice, Fair):
        return []
    lines = [f"dice: fair {dice.commitment}", *(f"words: {clean(nonce)}" for nonce in dice.nonces)]
    return [*lines, f"secret: {dice.secret.hex()}"] if reveal else lines


def load(path: str | Path) -> Record:
    """The record in a file."""
    return read(read_text(path, LARGEST))


def read(text: str) -> Record:
    """The record in a text. Refuses what is no record with the line where it goes wrong."""
    lines = text.split("\n")
    if lines[0].strip() != FIRST_LINE:
        raise Refused(f"This is not a record: its first line is not {FIRST_LINE!r}.")
    blank = next((n for n, line in enumerate(lines) if not line.strip()), len(lines))
    record = _read_header(lines[1:blank])
    for n, line in enumerate(lines[blank:], blank + 1):
        if not line.strip():
            continue
        if record.end:
            raise Refused(f"Line {n}: nothing may follow the end of the game.")
        if line.startswith("end: "):
            record.end = line.removeprefix("end: ").strip()
            continue
        match = PLY_LINE.fullmatch(line.rstrip("\r"))
        if not match:
            raise Refused(f"Line {n}: {_short(line)} is not a ply, such as '12 seat 0: ...'.")
        if int(match[1]) != len(record.plies) + 1:
            raise Refused(f"Line {n}: this is ply {match[1]}, but ply {len(record.plies) + 1} comes next.")
        record.plies.append((n, match[2], match[3]))
    return record


def _read_header(lines: list[str]) -> Record:
    pairs = []
    for n, line in enumerate(lines, 2):
        key, colon, value = line.rstrip("\r").partition(": ")
        if not colon:
            raise Refused(f"Line {n}: {_short(line)} is not a line of a record's header, such as 'seats: 3'.")
        pairs.append((n, key, value))
    names = [value for _, key, value in pairs if key == "game"]
    if len(names) != 1 or "/" in names[0]:
        raise Refused("A record must name its game exactly once.")
    record = Record(find(names[0]))
    seen: set[str] = set()
    for n, key, value in pairs:
        if key in seen and key not in ("deck", "words"):
            raise Refused(f"Line {n}: {_short(key)} is in the header twice.")
        seen.add(key)
        try:
            _take(record, key, value)
        except Refused as refusal:
            raise Refused(f"Line {n}: {refusal}") from None
    if not record.seats:
        raise Refused("The record does not give the number of seats.")
    record.names = record.names or [f"Seat {seat}" for seat in range(record.seats)]
    record.start()
    return record


def _take(record: Record, key: str, value: str) -> None:
    """One line of the header."""
    kind, _, name = key.partition(" ")
    if key == "game":
        return
    if key == "seats":
        if value not in map(str, record.game.seats):
            raise Refused(f"{record.game.title} seats {record.game.seats[0]} to {record.game.seats[-1]} players.")
        record.seats = int(value)
    elif key in ("names", "players"):
        setattr(record, key, [name.strip() for name in value.split("|")])
    elif kind == "option" and name:
        record.game.option(name)
        record.options[name] = value
    elif kind == "position" and name:
        record.position[name] = _read_numbers(value)
    elif key == "deck":
        record.deck.append(value)
    elif key == "words":
        record.nonces.append(value)
    elif key == "dice" and re.fullmatch(r"seed -?[0-9]{1,20}|fair [0-9a-f]{64}", value):
        record.dice = value
    elif key == "secret" and re.fullmatch(r"([0-9a-f]{2}){16,64}", value):
        record.secret = value
    elif key == "signature":
        record.signature = value
    elif key == "seen by":
        record.seen_by = value
    else:
        raise Refused(f"{_short(f'{key}: {value}')} is not a line of a record's header.")


def _read_numbers(text: str) -> Any:
    def row(part: str) -> list[int]:
        if not re.fullmatch(r"\s*(-?[0-9]{1,5}\s+)*-?[0-9]{1,5}\s*", part):
            raise Refused(f"{_short(part)} is not a row of numbers.")
        return [int(word) for word in part.split()]

    if "/" in text:
        return [row(part) for part in text.split("/")]
    numbers = row(text)
    return numbers[0] if len(numbers) == 1 else numbers


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def verify(record: Record) -> list[str]:
    """Replay a record and compute all its dice again; the sentences on what was proved.
    Refuses with the first thing that does not hold."""
    if record.signature != record.game.signature:
        raise Refused(record.other_rules())
    played = record.replay()
    proved = [f"All {played.ply} plies are legal moves of {record.game.title}."]
    if played.over:
        proved.append(f"The game ended with the shares {shares(played)}.")
    if record.dice.startswith("fair ") and not record.secret:
        return [*proved, "The dice are fair, but their secret is not told until the game is over."]
    dice = record.source()
    if dice is None:
        return [*proved, "The record does not say where its dice came from."]
    if isinstance(dice, Fair) and dice.commitment != record.dice.removeprefix("fair "):
        raise Refused("The secret is not the one that was promised: its SHA-256 does not match the commitment.")
    again = record.start()
    rolls = 0
    for ply, (line, _, words) in zip(played.plies, record.plies, strict=True):
        if ply.who == CHANCE:
            rolls += 1
            if dice.outcome(again.ply, again.odds()) != ply.move:
                raise Refused(f"Line {line}: the dice did not give {words!r}.")
        again.repeat(ply)
    how = "from the secret promised before the game" if isinstance(dice, Fair) else "from the seed"
    return [*proved, f"All {rolls} rolls and draws follow {how}."]
