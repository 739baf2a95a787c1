"""A review in words: for the terminal, and for programs with the words of moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spellheist.core.play import Play
from spellheist.core.state import NONE
from spellheist.review.account import Mistake, Review, Seat, Step
from spellheist.review.levels import played_like
from spellheist.review.mistakes import SIGNS

BLOCKS, DIGITS = "▁▂▃▄▅▆▇█", "0123456789"  # the graph from 0 to 1, and the same where the terminal has no blocks
LUCKIEST = 5  # steps that are told
LONG = 3  # plies of a step that are told in words, before the rest is counted
SMALL = 0.02  # shares of the win that nobody would call luck or skill
COLUMNS = ("start", "own play", "partner's", "others'", "luck", "result")


class Told:
    """The words of a game's moves: those of a seat's own moves from its view, those of chance from the truth, which
    nobody needs to be kept from any more."""

    def __init__(self, play: Play) -> None:
        self.play = play
        again = Play(play.game, play.seats, play.settings, play.names, play.position)
        self.states = []
        for ply in play.plies:
            self.states.append(again.bytes)
            again.repeat(ply)

    def move(self, ply: int, move: int) -> str:
        """The words of a move that was, or could have been, made at a ply."""
        if move == NONE:
            return "wait"
        return str(self.play.game.words.label(self.play.game.rules.State.unpack(self.states[ply]), move))

    def step(self, step: Step) -> str:
        """Who did what."""
        plies = range(step.first, min(step.last, step.first + LONG))
        said = ", ".join(self.move(ply, self.play.plies[ply].move) for ply in plies)
        more = step.last - step.first - len(plies)
        return f"{self.play.who(step.who)}: {said}" + (f" and {more} more" if more else "")


def lines(review: Review, play: Play, seat: int | None = None, width: int = 80, blocks: bool = True) -> list[str]:
    """The whole report; of one seat, if one is named, with the table of all."""
    told = Told(play)
    seats = review.seats
    chosen = seats if seat is None else [seats[seat]]
    found = [f"{play.game.title}, {play.ply} plies, {len(review.decisions)} choices. Shares of the win in points of 100."]
    if not review.whole:
        found.append(f"It was stopped: {review.looked} of {play.ply} plies were looked at, and the rest counts as luck.")
    found += ["", *table(seats), "", *map(verdict, chosen), "", *graph(review, chosen, width, blocks), ""]
    found += ["The luckiest steps:", *(luck_line(told, step, chosen) for step in luckiest(review, chosen)), ""]
    return found + mistake_lines(review, told, {one.seat for one in chosen})


def table(seats: Iterable[Seat]) -> list[str]:
    """Start, play, luck and result of every seat, with standard errors of play."""
    seats = list(seats)
    teams = any(one.partners for one in seats)
    wide = max(6, *(len(one.name) for one in seats))
    shown = [name for name in COLUMNS if teams or name != "partner's"]
    rows = [f"{'':{wide}} " + "".join(f"{name:>14}" for name in shown)]
    for one in seats:
        cells = {
            "start": f"{100 * one.start:.1f}", "own play": f"{points(one.own)} ± {100 * one.spread:.1f}",
            "partner's": points(one.partners), "others'": points(one.rivals),
            "luck": f"{points(one.luck)} ± {100 * one.luck_spread:.1f}", "result": f"{100 * one.result:.1f}",
        }  # fmt: skip
        rows.append(f"{one.name:{wide}} " + "".join(f"{cells[name]:>14}" for name in shown))
    races = [f"{one.name} {points(one.race)}" for one in seats if one.race]
    if races:
        rows.append(f"Of the luck, where anyone could be first: {', '.join(races)}. Nobody is judged for being quick.")
    return rows


def verdict(seat: Seat) -> str:
    """Was it luck or skill?"""
    gained = seat.result - seat.start
    what = "won" if gained > 0 else "lost"
    sign = 1 if gained > 0 else -1
    play, others, luck = sign * seat.own, sign * seat.others, sign * seat.luck
    most = max(play, others, luck)
    cause = "by luck" if most == luck else "by play" if most == play else "by what others did"
    if abs(gained) < SMALL:
        what, cause = "got about what it had at the start", ""
    parts = f"{points(seat.luck)} points of luck, {points(seat.own)} of own play, {points(seat.others)} of others'"
    return f"{seat.name} {what} {cause}".rstrip() + f": {parts}."


def graph(review: Review, seats: Iterable[Seat], width: int, blocks: bool) -> list[str]:
    """The chance to win of each seat from the first ply to the last, a row a seat, and below it its mistakes."""
    seats = list(seats)
    wide = max(6, *(len(one.name) for one in seats))
    count = len(review.chances)
    room = max(10, min(width - wide - 14, count))
    at = [round(column * (count - 1) / (room - 1)) for column in range(room)]
    found = ["Chances to win, ply by ply:"]
    for one in seats:
        row = bar([review.chances[ply][one.seat] for ply in at], blocks)
        found.append(f"{one.name:{wide}} {percent(review.start[one.seat])} {row} {percent(review.result[one.seat])}")
        marks = [" "] * room
        for mistake in review.mistakes:
            if mistake.seat == one.seat:
                marks[min(room - 1, round((mistake.ply + 1) * (room - 1) / (count - 1)))] = "?"
        if "?" in marks:
            found.append(f"{'':{wide}}       {''.join(marks)}".rstrip())
    return found


def bar(chances: Iterable[float], blocks: bool) -> str:
    levels = BLOCKS if blocks else DIGITS
    return "".join(levels[max(0, min(len(levels) - 1, int(chance * len(levels))))] for chance in chances)


def luckiest(review: Review, seats: Iterable[Seat]) -> list[Step]:
    """The steps with most luck for any of these seats, in the order of the game."""
    chosen = [one.seat for one in seats]
    found = sorted(review.steps, key=lambda step: (-max(abs(step.luck[seat]) for seat in chosen), step.first))
    return sorted(found[:LUCKIEST], key=lambda step: step.first)


def luck_line(told: Told, step: Step, seats: Iterable[Seat]) -> str:
    most = max(seats, key=lambda one: abs(step.luck[one.seat]))
    return f"  ply {step.last}, {told.step(step)}: {points(step.luck[most.seat])} for {most.name}"


def mistake_lines(review: Review, told: Told, seats: set[int]) -> list[str]:
    """Both moves in words, what each was worth, and how sure that is."""
    found = [mistake_line(review, told, mistake) for mistake in review.mistakes if mistake.seat in seats]
    head = "Mistakes, by rollouts and confirmed by search:" if found else "No mistake was found."
    if review.whole and not review.confirmed:
        head += " (It was stopped before all were confirmed.)"
    return [head, *found, *level_lines(review, seats)]


def mistake_line(review: Review, told: Told, mistake: Mistake) -> str:
    return (
        f"  ply {mistake.ply + 1}, {review.names[mistake.seat]} {SIGNS[mistake.kind]} "
        f"{told.move(mistake.ply, mistake.played)} ({100 * mistake.worth:.0f} %); better "
        f"{told.move(mistake.ply, mistake.best)} ({100 * mistake.best_worth:.0f} %): "
        f"{100 * mistake.cost:.1f} ± {100 * mistake.spread:.1f} points, {100 * mistake.searched:.1f} by search"
    )


def level_lines(review: Review, seats: set[int]) -> list[str]:
    """Which bots give away as much, where that is known."""
    said = [(review.names[seat], played_like(review, seat)) for seat in sorted(seats)]
    return [f"{name} played like {level}." for name, level in said if level]


def as_json(review: Review, play: Play) -> dict[str, Any]:
    """The review with the words of its mistakes and steps."""
    told = Told(play)
    data = review.json()
    for row, mistake in zip(data["mistakes"], review.mistakes, strict=True):
        row |= {"played_words": told.move(mistake.ply, mistake.played), "best_words": told.move(mistake.ply, mistake.best)}
    for row, step in zip(data["steps"], review.steps, strict=True):
        row["words"] = told.step(step)
    for row in data["seats"]:
        row["level"] = played_like(review, row["seat"])
    return data


def points(share: float) -> str:
    """Points with their sign; what rounds to nothing has none."""
    text = f"{100 * share:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def percent(share: float) -> str:
    return f"{100 * share:3.0f} %"
