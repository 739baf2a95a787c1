"""Looking at a finished game: it is played again, and the judge is asked at every ply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from spellheist.core import kernel
from spellheist.core.memory import Ply
from spellheist.core.play import Play
from spellheist.core.state import ANYONE, CHANCE
from spellheist.review.account import Decision, Review, Shares, Step
from spellheist.review.judge import Judge, Settings

Progress = Callable[[int, int], None]  # plies looked at, and all


@dataclass
class Examination:
    """What is known of a game so far."""

    play: Play
    judge: Judge
    chances: list[Shares] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def run(self, progress: Progress | None = None, until: Callable[[], bool] | None = None) -> Review:
        """Look at all plies, or, if somebody presses Ctrl-C or `until` says so, at those up to then."""
        play, judge = self.play, self.judge
        again = Play(play.game, play.seats, play.settings, play.names, play.position)
        self.chances.append(judge.start(again.bytes, play.seats))
        result = tuple(play.score())
        run_began, step_began = 0, 0
        try:
            for at, ply in enumerate(play.plies):
                if until and until():
                    break
                if ply.who == CHANCE:
                    run_began = at + 1  # positions that only decisions lie between are looked at with the same dice
                decision = self.decided(again, ply)
                race = is_race(again, ply.who)
                again.repeat(ply)
                if decision:
                    self.decisions.append(decision)
                if ply.who == CHANCE == again.turn:  # a run of chance is one step, and told at its end
                    self.chances.append(self.chances[-1])
                else:
                    seen = result if again.over else judge.chances(again.bytes, play.seats, run_began, judge.settings.graph)
                    self.chances.append(seen)
                    self.steps.append(self.step(step_began, at + 1, ply.who, race, decision))
                    step_began = at + 1
                if progress:
                    progress(at + 1, play.ply)
        except KeyboardInterrupt:
            del self.chances[again.ply + 1 :]
        return self.told(result, step_began)

    def decided(self, again: Play, ply: Ply) -> Decision | None:
        """The verdict on the next ply; none on chance, on what was forced, and on who was quick."""
        seat = ply.who
        if seat < 0 or is_race(again, seat):
            return None
        view = self.judge.schema.pack(again.view(seat))
        return self.judge.decision(view, again.seats, seat, again.recall(seat), again.ply, ply.move)

    def step(self, first: int, last: int, who: int, race: bool, decision: Decision | None) -> Step:
        """What is not skill of it is luck."""
        skill = decision.skill if decision else (0.0,) * self.play.seats
        moved = zip(self.chances[first], self.chances[last], skill, strict=True)
        return Step(first, last, who, race, tuple(after - before - played for before, after, played in moved))

    def told(self, result: Shares, step_began: int) -> Review:
        play, settings, looked = self.play, self.judge.settings, len(self.chances) - 1
        decisions = [decision for decision in self.decisions if decision.ply < looked]
        if looked < play.ply:  # what comes after the stop is one step
            self.chances += [self.chances[-1]] * (play.ply - 1 - looked) + [result]
            self.steps = [step for step in self.steps if step.last <= looked]
            step_began = self.steps[-1].last if self.steps else 0
            self.steps.append(self.step(step_began, play.ply, CHANCE, False, None))
        side = kernel.plain(play.game.rules.side)
        state = play.state
        return Review(
            game=play.game.name, signature=play.game.signature, names=tuple(play.names),
            sides=tuple(int(side(state, seat)) for seat in range(play.seats)), target=settings.target, seed=settings.seed,
            looked=looked, start=self.chances[0], result=result, chances=tuple(self.chances), steps=tuple(self.steps),
            decisions=tuple(decisions),
        )  # fmt: skip


def is_race(play: Play, who: int) -> bool:
    """Could anyone have moved, and was it not the seat that the table waits for who did? Then reaction was part of it."""
    return play.turn == ANYONE and who != play.owner(play.legal()[0])


def examine(
    play: Play, settings: Settings, progress: Progress | None = None, until: Callable[[], bool] | None = None
) -> Review:
    """The account of a finished game and its graph; mistakes are not confirmed yet."""
    return Examination(play, Judge(play.game, settings)).run(progress, until)
