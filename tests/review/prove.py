"""The long forms of the laws of reviews: `python tests/review/prove.py [luck|errors|calibration|exact|speed] --games N`.

    luck          the mean luck of bots is nothing, in reviews of their games; worlds that are not weighed are caught
    errors        what bots give away at the same positions falls from random to sharp, and master is not above sharp
    calibration   of positions said to be won with x %, x % were: the slope of a logistic fit
    exact         Spell Stealers, two polite seats: luck of every run of chance against the exact solution
    speed         processor seconds of whole reviews

Intervals are half of 95 %. Exit code 1 if a law does not hold.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time

os.environ.setdefault("SPELLHEIST_KERNEL", "fast")

from bot_games import Table

from spellheist.bots import bot
from spellheist.bots.knowledge import knowledge
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import Play
from spellheist.core.state import CHANCE
from spellheist.lab.share import mean_of
from spellheist.review import Settings, confirm, examine
from spellheist.review.judge import Judge

POLITE = {"spell_stealers": {"stealing": "polite"}}
LEVELS = ("random", "greedy", "gentle", "steady", "sharp", "master")
EXACTLY = 1_000  # rollouts for each value that is set beside the exact one
BIAS = 0.02  # shares of the win that the mean luck of a bot may be off
FAR = 3.3 / 1.96  # intervals that chance exceeds once in a thousand times
failed: list[str] = []


def law(holds: bool, sentence: str) -> None:
    print(f"  {'holds' if holds else 'FAILS'}: {sentence}", flush=True)
    if not holds:
        failed.append(sentence)


def in_points(values):
    found = mean_of(values)
    return f"{100 * found.value:+.2f} ± {100 * found.half:.2f}"


def luck(game: str, games: int) -> None:
    """Bots against each other, deals rotated: luck is nothing for each of them."""
    settings = Settings(target=0.02, graph=1)
    for pair in (("gentle", "greedy"), ("steady", "greedy"), ("sharp", "steady")):
        table = Table(game, pair, POLITE.get(game))
        own, others, result = {}, {}, {}
        for seed in range(games):
            per = {}
            for shift in range(2):
                for seat in examine(table.play(seed, shift), settings).seats:
                    per.setdefault(seat.name, []).append(seat)
            seats = per[pair[0]]
            own.setdefault(pair[0], []).append(sum(seat.luck for seat in seats) / 2)
            others.setdefault(pair[0], []).append(sum(seat.own for seat in seats) / 2)
            result.setdefault(pair[0], []).append(sum(seat.result - seat.start for seat in seats) / 2)
        found = mean_of(own[pair[0]])
        print(
            f"{game} {pair[0]} against {pair[1]}, {games} deals: luck {in_points(own[pair[0]])}, "
            f"own play {in_points(others[pair[0]])}, above start {in_points(result[pair[0]])}"
        )
        law(abs(found.value) < max(BIAS, FAR * found.half), f"{game}: {pair[0]} has no luck on the mean against {pair[1]}")


def uniform(games: int) -> None:
    """Worlds that are not weighed by what rivals did are wrong by many points in Abraca...What?"""
    found = {}
    for faith in (knowledge(find("abraca_what")).BELIEF, (0.0, 0.0)):
        knowledge(find("abraca_what")).BELIEF = faith
        table, lucks = Table("abraca_what", ("gentle", "greedy")), []
        for seed in range(games):
            reviews = [examine(table.play(seed, shift), Settings(target=0.02, graph=1)) for shift in range(2)]
            lucks.append(sum(seat.luck for one in reviews for seat in one.seats if seat.name == "gentle") / 2)
        found[faith] = mean_of(lucks)
        print(f"abraca_what, gentle against greedy, BELIEF {faith}, {games} deals: luck {in_points(lucks)}")
    law(abs(found[0.0, 0.0].value) > found[0.0, 0.0].half, "uniform worlds in Abraca are caught")


def errors(game: str, games: int, judged=LEVELS) -> None:
    """Every bot is asked at the same positions, some of those in games of steady against greedy."""
    chosen = find(game)
    judge = Judge(chosen, Settings(target=0.005))
    players = {name: bot(name, chosen) for name in judged}
    table, given = Table(game, ("steady", "greedy"), POLITE.get(game)), {name: [] for name in judged}
    for seed in range(games):
        play, pick = table.play(seed, seed % 2), Luck(seed)
        again = Play(play.game, 2, play.settings)
        for ply in play.plies:
            if again.turn >= 0 and len(again.legal()) > 1 and pick.below(7) == 0:
                ask_all(judge, players, again, given, Luck(seed * 1000 + again.ply))
            again.repeat(ply)
    count = len(given[judged[0]])
    said = ", ".join(f"{name} {in_points(values).lstrip('+')}" for name, values in given.items())
    print(f"{game}, error at each of {count} choices in points: {said}")
    for worse, better in (("random", "gentle"), ("gentle", "steady"), ("steady", "sharp"), ("sharp", "master")):
        if worse in given and better in given:
            apart = mean_of([one - other for one, other in zip(given[worse], given[better], strict=True)])
            law(apart.value > -FAR * apart.half, f"{game}: {better} gives away no more than {worse}")


def ask_all(judge, players, again, given, luck) -> None:
    seat = again.turn
    view, past = judge.schema.pack(again.view(seat)), again.recall(seat)
    verdicts: dict[int, float] = {}
    for name, player in players.items():
        move = player.choose(again.view(seat), seat, past, luck)
        if move not in verdicts:
            verdicts[move] = judge.decision(view, 2, seat, past, again.ply, move).error
        given[name].append(verdicts[move])


def calibration(game: str, games: int) -> None:
    """Five positions of each game between steady bots: said and won, by a logistic fit."""
    for seats in sorted({2, find(game).seats[-1]}):
        table, judge = Table(game, ["steady"] * seats, POLITE.get(game)), Judge(find(game), Settings())
        said, won = [], []
        for seed in range(games):
            play, pick = table.play(seed), Luck(seed)
            turns = [at for at, ply in enumerate(play.plies) if ply.who >= 0]
            wanted = {turns[pick.below(len(turns))] for _ in range(5)}
            again = Play(play.game, seats, play.settings)
            for at, ply in enumerate(play.plies):
                if at in wanted:
                    seat = pick.below(seats)
                    said.append(judge.chances(again.bytes, seats, at, 200)[seat])
                    won.append(play.score()[seat])
                again.repeat(ply)
        sides = 2 if game == "spellcaster" and seats == 4 else 1
        slope, half = fitted([sides * share for share in said], [sides * share for share in won])
        found = f"slope {slope:.2f} ± {half:.2f}; said and won: {tenths(said, won)}"
        print(f"{game}, {seats} seats, {len(said)} positions of {games} games: {found}")
        law(0.8 - half < slope < 1.25 + half, f"{game}: calibrated with {seats} seats")


def fitted(said, won):
    """The slope of log odds won on log odds said, and half its interval; five positions of a game are taken for one."""
    odds = [math.log(share / (1 - share)) for share in (min(0.99, max(0.01, share)) for share in said)]
    level, slope = 0.0, 1.0
    for _ in range(30):
        a = b = c = g = h = 0.0
        for x, y in zip(odds, won, strict=True):
            p = 1 / (1 + math.exp(-(level + slope * x)))
            w = p * (1 - p)
            a, b, c, g, h = a + w, b + w * x, c + w * x * x, g + y - p, h + (y - p) * x
        det = a * c - b * b
        level, slope = level + (c * g - b * h) / det, slope + (a * h - b * g) / det
    return slope, 1.96 * math.sqrt(5 * a / det)


def tenths(said, won):
    parts = []
    for low in range(0, 100, 20):
        here = [(s, w) for s, w in zip(said, won, strict=True) if low <= 100 * s < low + 20 or (low == 80 and s >= 1)]
        if len(here) > 10:
            means = [100 * sum(pair[which] for pair in here) / len(here) for which in (0, 1)]
            parts.append("{:.0f} {:.0f}".format(*means))
    return ", ".join(parts)


def exact(games: int) -> None:
    """Luck of every run of chance by rollouts and by the exact solution."""
    from spellheist.games.spell_stealers.solve import solved

    game = find("spell_stealers")
    judge = Judge(game, Settings())
    table = Table("spell_stealers", ("steady", "greedy"), POLITE["spell_stealers"])
    pairs = []
    for seed in range(games):
        play = table.play(seed, seed % 2)
        again = Play(game, 2, play.settings)
        before = None
        for ply in play.plies:
            if again.turn >= 0 and len(again.legal()) > 1:
                view, seat = again.view(again.turn), again.turn
                chances = solved(view).chances(view)
                best = max(chances.values())
                now = best if seat == 0 else 1 - best, judge.chances(again.bytes, 2, again.ply, EXACTLY)[0]
                if before:
                    pairs.append((now[0] - before[0], now[1] - before[1]))
                moved = chances[ply.move]
                after = Play(game, 2, play.settings)
                after.stand_at(again.bytes, [])
                after.repeat(ply)
                value = judge.chances(after.bytes, 2, again.ply + 500, EXACTLY)[0] if not after.over else after.score()[0]
                before = (moved if seat == 0 else 1 - moved, value) if after.turn == CHANCE else None
            again.repeat(ply)
    rms = math.sqrt(sum((one - other) ** 2 for one, other in pairs) / len(pairs))
    spread = math.sqrt(sum(one**2 for one, _ in pairs) / len(pairs))
    print(f"spell_stealers, {len(pairs)} runs of chance: luck off by {100 * rms:.2f} points rms, of {100 * spread:.2f}")
    law(rms < 0.013, "luck in Spell Stealers is that of the exact solution within 1.3 points")


def speed(game: str, games: int) -> None:
    """Reviews of whole games of gentle against greedy, all seats, a point a decision."""
    table, settings = Table(game, ("gentle", "greedy"), POLITE.get(game)), Settings()
    took, confirming, choices = [], [], 0
    for seed in range(games + 1):
        play = table.play(seed)
        began = time.process_time()
        found = examine(play, settings)
        looked = time.process_time()
        confirm(found, play, settings)
        if seed:  # the first compiles
            took.append(looked - began)
            confirming.append(time.process_time() - looked)
            choices += len(found.decisions)
    print(
        f"{game}, {games} games, {choices / games:.0f} choices: account and graph {sum(took) / games:.2f} s "
        f"(longest {max(took):.2f}), mistakes {sum(confirming) / games:.2f} s (longest {max(confirming):.2f})", flush=True,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=["luck", "errors", "calibration", "exact", "speed"])
    parser.add_argument("--game", action="append", help="only these")
    parser.add_argument("--games", type=int, default=400)
    given = parser.parse_args()
    for what in given.what:
        if what == "exact":
            exact(max(2, given.games // 20))
            continue
        for game in given.game or names():
            {"luck": luck, "errors": errors, "calibration": calibration, "speed": speed}[what](game, given.games)
        if what == "luck" and (not given.game or "abraca_what" in given.game):
            uniform(given.games)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
