"""What many reviewed games say of each player: luck, own play, and what was given away at a choice, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spellheist.core import record
from spellheist.core.files import read_text
from spellheist.core.refused import Refused
from spellheist.lab.share import Share, mean_of
from spellheist.review import Review, Settings, review
from spellheist.review.levels import level_of
from spellheist.review.report import points


@dataclass
class Figures:
    """Reviews, and what could not be reviewed."""

    reviews: list[Review] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # the sentence for each file
    stopped: bool = False

    def players(self) -> list[Player]:
        """One for each game and name, by game and number of games."""
        lines: dict[tuple[str, str], list[tuple[Review, int]]] = {}
        for one in self.reviews:
            for seat, name in enumerate(one.names):
                lines.setdefault((one.game, name), []).append((one, seat))
        found = [player(game, name, seen) for (game, name), seen in lines.items()]
        return sorted(found, key=lambda one: (one.game, -one.games, one.name))

    def json(self) -> dict[str, Any]:
        return {"players": [one.json() for one in self.players()], "refused": self.refused, "stopped": self.stopped}


@dataclass(frozen=True)
class Player:
    """A name in the games of one kind."""

    game: str
    name: str
    games: int
    result: Share  # above what the seats had at the start
    own: Share
    others: Share
    luck: Share
    error: float  # at a choice
    level: str | None

    def json(self) -> dict[str, Any]:
        shares = {name: getattr(self, name)._asdict() for name in ("result", "own", "others", "luck")}
        rest = {"error": self.error, "level": self.level}
        return {"game": self.game, "name": self.name, "games": self.games, **shares, **rest}


def player(game: str, name: str, seen: Sequence[tuple[Review, int]]) -> Player:
    seats = [one.seat(seat) for one, seat in seen]
    choices = [decision for one, seat in seen for decision in one.decisions if decision.seat == seat]
    return Player(
        game, name, len({id(one) for one, _ in seen}), mean_of([seat.result - seat.start for seat in seats]),
        mean_of([seat.own for seat in seats]), mean_of([seat.others for seat in seats]),
        mean_of([seat.luck for seat in seats]), sum(choice.error for choice in choices) / max(1, len(choices)),
        level_of(game, choices),
    )  # fmt: skip


def figures(
    files: Sequence[Path], settings: Settings, seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Figures:  # fmt: skip
    """Review the games in some files; on Ctrl-C those so far. Files that are no records are passed over, records that
    cannot be reviewed get a sentence."""
    found = Figures()
    try:
        for count, file in enumerate(files, 1):
            with suppress(Refused, OSError):
                text = read_text(file, record.LARGEST)
                if text.startswith(record.FIRST_LINE):
                    try:
                        one = review(record.read(text), settings, seconds)
                    except Refused as refusal:
                        found.refused[file.name] = str(refusal)
                    else:
                        found.stopped = not one.whole
                        if one.whole:
                            found.reviews.append(one)
            if found.stopped:
                break
            if progress:
                progress(count, len(files))
    except KeyboardInterrupt:
        found.stopped = True
    return found


def table(found: Figures) -> list[str]:
    """A row for each player, points of win share a game with half a 95 % interval."""
    players = found.players()
    wide = max(6, *(len(one.name) for one in players))
    head = "".join(f"{name:>16}" for name in ("above start", "own play", "others'", "luck"))
    lines = [f"{'game':15} {'player':{wide}} {'games':>5}{head}  a choice"]
    for one in players:
        cells = "".join(f"{interval(share):>16}" for share in (one.result, one.own, one.others, one.luck))
        level = f", like {one.level}" if one.level else ""
        lines.append(f"{one.game:15} {one.name:{wide}} {one.games:5}{cells}  -{100 * one.error:.2f}{level}")
    lines += [f"{name}: {sentence}" for name, sentence in found.refused.items()]
    return [*lines, "It was stopped before all games were looked at."] if found.stopped else lines


def interval(share: Share) -> str:
    return f"{points(share.value)} ± {100 * share.half:.1f}" if share.half < 100 else points(share.value)
