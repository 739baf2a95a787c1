"""Checking: any game under every law, in every mode, with every option.

    check("GAME")          all laws, all seat counts, every option; raises Broken
    spellheist check GAME  the same as a command, with a report

Most laws are walked by compiled code (`templates/laws.py`). Those about words, records and rotated
seats are walked here, in Python, on fewer plies. Each mode runs in a process of its own, because a
process has one mode; the same seeds are played in each, and the digests of the games must agree.

Secrecy cannot be proved from `hide` and `imagine` alone, which would forget the same things: the
twin-world tests of each game do that from outside (`twins.py`).
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from spellheist.core.game import Game, find
from spellheist.core.options import Deck
from spellheist.core.refused import Refused
from spellheist.core.state import CHANCE, JUDGE, WATCHER

LAWS = Path(__file__).parent / "templates" / "laws.py"
PLIES = {"fast": 1_000_000, "checked": 200_000, "plain": 10_000}
WORDY = 20  # one ply in so many is also walked under the laws about words, records and rotation, compiled
LEFT_AFTER = 1_000  # plies of one game, where Python walks along: compiled, every game is played to its end
KEPT = 40  # digests of the first so many games of a variant are compared between the modes


class Broken(AssertionError):
    """A law does not hold; the message says which, and how to see it again."""


@dataclass(frozen=True)
class Variant:
    """A number of seats and a setting of the options."""

    seats: int
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return " ".join([f"{self.seats} seats", *(f"{name}={value}" for name, value in self.options)])


@dataclass
class Report:
    """What one mode found in one game."""

    mode: str
    plies: int
    games: int
    digests: dict[str, list[str]]
    broken: str | None = None


def variants(game: Game) -> Iterator[Variant]:
    """Every seat count with the defaults, with each option at each of its samples, all switches together,
    and a pairing of options that is another one for each seat count."""
    for seats in game.seats:
        yield Variant(seats)
        samples = {option.name: [option.show(v) for v in option.samples(seats)] for option in game.options}
        defaults = {option.name: option.show(option.default) for option in game.options}
        for option in game.options:
            for value in samples[option.name]:
                if value != defaults[option.name]:
                    yield Variant(seats, ((option.name, value),))
        free = [option for option in game.options if not isinstance(option, Deck)]
        for shift in range(4):
            if len(free) > 1:
                mixed = [(o.name, turned(samples[o.name], shift * seats * i)) for i, o in enumerate(free, 1)]
                yield Variant(seats, tuple(mixed))


def turned(values: list[str], by: int) -> str:
    """The last of several values, or one further back."""
    return values[-1 - by % len(values)]


def seed_of(number: int, game: int) -> int:
    """The seed of one game of one variant."""
    return number * 1_000_003 + game


class Walker:
    """One game under the laws, in the mode of this process."""

    def __init__(self, game: Game) -> None:
        from spellheist.core import dice, kernel

        self.game = game
        self.kernel, self.dice = kernel, dice
        self.laws = game.bound(LAWS)
        self.schema = game.rules.State
        self.states = kernel.rows(self.schema, self.laws.ROWS)
        self.cells = kernel.cells(self.schema, self.states)
        self.lows, self.highs = kernel.bounds(self.schema)
        self.rngs = dice.rngs(self.laws.RNGS)

    def begin(self, variant: Variant) -> None:
        plain = self.schema.blank()
        settings = self.game.settings(variant.seats, dict(variant.options))
        for name, value in self.game.fields(variant.seats, settings).items():
            setattr(plain, name, value)
        self.kernel.load(self.schema, self.states, 0, self.schema.pack(plain))

    def walk(self, seed: int, most: int | None = None) -> tuple[int, int, str]:
        """One random game from a seed: the law that broke (0: none), the plies, the digest.
        A game that is left after `most` plies has no digest."""
        self.dice.start(self.rngs, self.laws.COURSE, seed)
        self.dice.start(self.rngs, self.laws.WORLDS, seed + 1)
        self.game.verbs.setup(self.states, 0)
        most = most or self.laws.LONGEST
        law, plies, digest = self.laws.walk(
            self.states, self.cells, self.rngs, self.lows, self.highs, self.kernel.EMPTY_DIGEST, most
        )
        return int(law), int(plies), f"{int(digest):016x}" if plies < most else ""


def walk_all(game: Game, plies: int, games: int | None = None) -> Report:
    """All variants of a game in the mode of this process: `plies` in all, or so many games of each."""
    from spellheist.core.kernel import MODE

    walker = Walker(game)
    report = Report(MODE, 0, 0, {})
    chosen = list(variants(game))
    for number, variant in enumerate(chosen):
        walker.begin(variant)
        kept = report.digests[str(variant)] = []
        done = played = 0
        while (played < games) if games else (done < plies / len(chosen)):
            seed = seed_of(number, played)
            law, length, digest = walker.walk(seed, LEFT_AFTER if MODE == "plain" else None)
            if law:
                report.broken = f"{walker.laws.LAWS[law]}: broken at ply {length} of {game.name}, {variant}, seed {seed}"
                return report
            if played < KEPT:
                kept.append(digest)
            played += 1
            done += length
        report.plies += done
        report.games += played
        try:
            read_along(game, variant, seed_of(number, 0), WORDY)
        except Broken as broken:
            report.broken = str(broken)
            return report
    return report


def read_along(game: Game, variant: Variant, seed: int, every: int) -> None:
    """One random game under the laws about words, records and rotated seats; every so many plies in full."""
    from spellheist.core import record
    from spellheist.core.dice import Luck
    from spellheist.core.play import new

    def law(holds: bool, sentence: str) -> None:
        if not holds:
            raise Broken(f"{sentence}: broken at ply {play.ply} of {game.name}, {variant}, seed {seed}")

    luck = Luck(seed)
    play = new(game, variant.seats, dict(variant.options))
    looks = [*range(variant.seats), WATCHER]
    while not play.over and play.ply < LEFT_AFTER:
        choices = play.outcomes() if play.turn == CHANCE else play.moves()
        full = play.ply % every == 0
        for problem in itertools.chain(label_problems(choices), position_problems(game, play, choices) if full else ()):
            law(False, problem)
        before = {seat: play.view(seat) for seat in looks} if full else {}
        if play.turn == CHANCE:
            play.roll(luck)
        else:
            moves = play.legal()
            owners = {play.owner(move) for move in moves}
            law(owners <= {*range(variant.seats), JUDGE}, "every move belongs to a seat or to the judge")
            play.play(moves[luck.below(len(moves))])
        for seat, view in before.items():
            said = game.words.news(view, play.past(seat)[-1][1], play.view(seat), play.names)
            law(isinstance(said, str) and bool(said.strip()), "there is news of every ply")
            law(bool(game.words.question(play.view(seat), play.names)), "there is always a question")
        if full and not play.over:
            law(set(game.words.rules_now(play.view(WATCHER))) <= set(game.rule), "rules_now names rules of the page")
    try:
        again = record.read(record.write(play, luck)).replay()
    except Refused:
        law(False, "a record replays to the same bytes")
    law(again.bytes == play.bytes and again.ply == play.ply, "a record replays to the same bytes")


def label_problems(choices: dict[int, str]) -> Iterator[str]:
    """Every move can be told from the others by its words."""
    labels = list(choices.values())
    if len(set(map(str.lower, labels))) != len(labels):
        yield "words are unique among legal moves and among outcomes"
    if not all(label and label == " ".join(label.split()) for label in labels):
        yield "words are plain text on one line"


def position_problems(game: Game, play: Any, choices: dict[int, str]) -> Iterator[str]:
    """What holds in a position as it does with the seats rotated, and what is said of moves that are not legal."""
    yield from rotation_problems(game, play, choices)
    if play.turn == CHANCE:
        return
    illegal = (move for move in range(game.rules.MOVES) if move not in choices)
    for move in (-1, game.rules.MOVES, *itertools.islice(illegal, 3)):
        rule, sentence = game.words.why_not(play.view(max(play.turn, 0)), move)
        if rule not in game.rule or not sentence.endswith("."):
            yield f"why_not names a rule of the page (it said {rule})"


def rotation_problems(game: Game, play: Any, choices: dict[int, str]) -> Iterator[str]:
    """Moving every seat on around the table commutes with legal, chance and play."""
    from spellheist.core import kernel

    schema, verbs = game.rules.State, game.verbs
    if game.rules.FIXED_SIDES:
        return
    states = kernel.rows(schema, 2)
    moves, odds = kernel.shorts(game.rules.MOVES), kernel.shorts(game.rules.OUTCOMES)
    here = schema.unpack(play.bytes)
    for by in range(1, play.seats):
        turned = schema.pack(schema.rotate(here, by))
        kernel.load(schema, states, 0, play.bytes)
        new_id = {move: int(verbs.rotated(states, 0, move, by)) for move in choices}
        kernel.load(schema, states, 1, turned)
        if play.turn == CHANCE:
            verbs.chance(states, 1, odds)
            found = {k: int(odds[k]) for k in range(len(odds)) if odds[k]}
            expected = {new_id[k]: weight for k, weight in enumerate(play.odds()) if weight}
        else:
            found = dict.fromkeys((int(moves[i]) for i in range(verbs.legal(states, 1, moves))), 1)
            expected = dict.fromkeys(new_id.values(), 1)
        if found != expected:
            yield "rotating the seats rotates the legal moves and odds"
            return
        for move, turned_move in itertools.islice(new_id.items(), play.ply % 3, None, 3):
            kernel.load(schema, states, 0, play.bytes)
            kernel.load(schema, states, 1, turned)
            verbs.play(states, 0, move)
            verbs.play(states, 1, turned_move)
            after = schema.rotate(schema.unpack(kernel.dump(schema, states, 0)), by)
            if schema.pack(after) != kernel.dump(schema, states, 1):
                yield "rotating the seats commutes with play"
                return


def signature(game: Game) -> str:
    """The digest of seeded games of every variant: one number that changes when the rules do."""
    from spellheist.core.kernel import EMPTY_DIGEST

    walker = Walker(game)
    digest = hashlib.blake2b(digest_size=8)
    for number, variant in enumerate(variants(game)):
        walker.begin(variant)
        walker.dice.start(walker.rngs, walker.laws.COURSE, seed_of(number, 0))
        walker.game.verbs.setup(walker.states, 0)
        course = walker.laws.course(walker.states, walker.cells, walker.rngs, EMPTY_DIGEST)
        digest.update(f"{variant}: {int(course):016x}".encode())
    return digest.hexdigest()


def check(name: str, plies: dict[str, int] | None = None, games: int | None = None, threads: int = 2) -> list[Report]:
    """One game under every law in every mode. Raises Broken with the first law that does not hold."""
    plies = plies or PLIES
    with ThreadPoolExecutor(threads) as pool:
        reports = list(pool.map(lambda mode: in_mode(name, mode, plies[mode], games), plies))
    for report in reports:
        if report.broken:
            raise Broken(f"{report.broken} ({report.mode})")
    compare(name, reports)
    return reports


def compare(name: str, reports: list[Report]) -> None:
    """The modes must have played the same games."""
    for one, other in itertools.combinations(reports, 2):
        for variant, digests in one.digests.items():
            for number, (a, b) in enumerate(zip(digests, other.digests[variant], strict=False)):
                if a != b and a and b:
                    where = f"broken in game {number} of {name}, {variant}"
                    raise Broken(f"{one.mode} and {other.mode} agree byte for byte: {where}")


def in_mode(name: str, mode: str, plies: int, games: int | None = None) -> Report:
    """Run `walk_all` in a process of its own."""
    command = [sys.executable, "-m", "spellheist.laws.check", name, str(plies), str(games or 0)]
    environment = {**os.environ, "SPELLHEIST_KERNEL": mode}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return Report(mode, 0, 0, {}, f"the check stopped with an error:\n{done.stderr}")
    return Report(**json.loads(done.stdout))


if __name__ == "__main__":
    game_name, ply_count, game_count = sys.argv[1:]
    print(json.dumps(asdict(walk_all(find(game_name), int(ply_count), int(game_count) or None))))
