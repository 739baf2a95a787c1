"""Many games at once: the same bytes as single games, arrays that are written in place, and what is refused."""

import numpy as np
import pytest

from spellheist.bots import bot
from spellheist.core.dice import Luck
from spellheist.core.game import find, names
from spellheist.core.play import new
from spellheist.core.refused import Refused
from spellheist.core.state import OVER
from spellheist.lab.batch import batch

GAMES = 5
EVERY = [(name, seats) for name in names() for seats in find(name).seats]
VARIANTS = {"spell_stealers": {"stealing": "race"}, "abraca_what": {"last_standing": True}}
NAMES = ("turns", "masks", "observations", "done", "rewards", "finals", "seeds", "plies")


class Single:
    """One game beside a row of a batch, played through the door."""

    def __init__(self, name, seats, seed, options, bots):
        self.name, self.seats, self.options, self.bots = name, seats, options, bots
        self.players = {seat: bot(player, find(name)) for seat, player in bots.items()}
        self.ended = None
        self.begin(seed)

    def begin(self, seed):
        self.play, self.dice, self.luck = new(self.name, self.seats, self.options), Luck(seed), Luck(~seed)
        self.seed = seed
        self.go_on()

    def go_on(self):
        play = self.play
        play.roll_all(self.dice)
        while play.turn in self.players:
            seat = play.turn
            play.play(self.players[seat].choose(play.view(seat), seat, play.recall(seat), self.luck))
            play.roll_all(self.dice)

    def step(self, move):
        self.ended = None
        seat = self.play.turn
        self.play.play(move)
        self.go_on()
        while self.play.over:
            if self.ended is None:
                self.ended = self.play.score(), self.play.observation(seat)
            self.begin(self.seed + GAMES)


@pytest.mark.parametrize("bots", [{}, {1: "greedy"}, {0: "random"}])
@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_the_games_of_a_batch_are_single_games_with_the_same_seeds(name, seats, bots):
    options = VARIANTS.get(name) if seats % 2 else None
    games = batch(name, seats, GAMES, 7, options, bots=bots)
    singles = [Single(name, seats, 7 + i, options, bots) for i in range(GAMES)]
    choice = Luck(1)
    for _ in range(40):
        for i, single in enumerate(singles):
            assert games.play(i).bytes == single.play.bytes
            assert (games.turns[i], games.seeds[i], games.plies[i]) == (single.play.turn, single.seed, single.play.ply)
            assert np.flatnonzero(games.masks[i]).tolist() == sorted(single.play.legal())
            assert np.array_equal(games.observations[i], single.play.observation(single.play.turn))
            assert games.done[i] == (single.ended is not None)
            assert games.rewards[i].tolist() == pytest.approx(single.ended[0] if single.ended else [0] * seats)
            if single.ended:
                assert np.array_equal(games.finals[i], single.ended[1])
        moves = [single.play.legal()[choice.below(len(single.play.legal()))] for single in singles]
        games.step(moves)
        for single, move in zip(singles, moves, strict=True):
            single.step(move)


def run_on(games, steps):
    for _ in range(steps):
        games.step(games.random_moves())
    return [games.play(i).bytes for i in range(games.games)], games.observations.copy(), games.seeds.copy()


def test_threads_change_nothing():
    alone, shared = (run_on(batch("dice_heist", 3, 7, 5, threads=threads), 60) for threads in (1, 3))
    assert alone[0] == shared[0]
    assert np.array_equal(alone[1], shared[1]) and np.array_equal(alone[2], shared[2])


def test_arrays_are_written_in_place():
    games = batch("abraca_what", 4, 6, 3)
    held = [getattr(games, name) for name in NAMES]
    before = [array.copy() for array in held]
    run_on(games, 80)
    assert all(array is getattr(games, name) for name, array in zip(NAMES, held, strict=True))
    assert not np.array_equal(before[2], held[2])


def test_games_that_end_start_anew_with_the_next_seeds_or_stay_over_until_they_are_started():
    games = batch("spell_stealers", 2, 4, 10, {"turn_limit": 3}, restart=False)
    ends = np.zeros(4, int)
    for _ in range(100):
        games.step(games.random_moves())
        ends += games.done
    assert (games.turns == OVER).all() and ends.tolist() == [1, 1, 1, 1] and not games.masks.any()
    assert games.play(0).over
    games.reset([True, False, False, True])
    assert games.seeds.tolist() == [14, 11, 12, 17]
    assert [bool(turn == OVER) for turn in games.turns] == [False, True, True, False]
    games.reset(seed=[1, 2, 3, 4])
    assert games.seeds.tolist() == [1, 2, 3, 4] and (games.turns >= 0).all()
    again = batch("spell_stealers", 2, 4, [1, 2, 3, 4], {"turn_limit": 3}, restart=False)
    assert np.array_equal(games.observations, again.observations)


def test_a_move_that_is_not_legal_is_refused_and_nothing_changes():
    games = batch("abraca_what", 3, 3, 1)
    before = [games.play(i).bytes for i in range(3)]
    for moves in ([1, 1, 0], [1, 9, 1], [1, -1, 1]):
        with pytest.raises(Refused, match=r"Game \d: -?\d is not a legal move for seat \d now\."):
            games.step(moves)
    for moves in ([1, 1], [[1, 1, 1]], [1.0, 1.0, 1.0], "111", [True, True, True]):
        with pytest.raises(Refused, match="3 moves are needed, each a whole number"):
            games.step(moves)
    assert [games.play(i).bytes for i in range(3)] == before


def test_what_a_batch_cannot_do_is_refused_with_a_sentence():
    with pytest.raises(Refused, match="anyone may move at any time, which a batch cannot ask"):
        batch("spell_stealers", 3, 4, options={"stealing": "live"})
    with pytest.raises(Refused, match="seats 2 to 5 players, not 9"):
        batch("abraca_what", 9, 4)
    for count in (0, -1, 2.5):
        with pytest.raises(Refused, match="number of games is a whole number above 0"):
            batch("abraca_what", 3, count)
        with pytest.raises(Refused, match="number of threads is a whole number above 0"):
            batch("abraca_what", 3, 4, threads=count)
    with pytest.raises(Refused, match="4 games but 2 seeds"):
        batch("abraca_what", 3, 4, [1, 2])
    with pytest.raises(Refused, match="no seat 3 for a bot"):
        batch("abraca_what", 3, 4, bots={3: "random"})
    with pytest.raises(Refused, match="random and greedy, not 'master'"):
        batch("abraca_what", 3, 4, bots={0: "master"})
    with pytest.raises(Refused, match="leave one for the learner"):
        batch("abraca_what", 2, 4, bots={0: "random", 1: "greedy"})
    with pytest.raises(Refused, match="no game 4; the games are 0 to 3"):
        batch("abraca_what", 2, 4).play(4)
    with pytest.raises(Refused, match="4 answers are needed which to start"):
        batch("abraca_what", 2, 4).reset([0, 1, 2, 3])


DIGEST = """
import hashlib, spellheist
games = spellheist.batch("abraca_what", 4, 16, 3, bots={1: "greedy", 2: "random"}, threads=2)
digest = hashlib.sha256()
for _ in range(120):
    games.step(games.random_moves())
    for array in (games.observations, games.masks, games.turns, games.seeds, games.rewards, games.finals):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_compiled_batches_have_the_same_bytes_as_plain_ones(run):
    plain, fast = (run("-c", DIGEST, mode=mode) for mode in ("plain", "fast"))
    assert plain.stdout == fast.stdout and plain.stdout, fast.stderr
