"""A program that type checkers accept: what a bot writer and a researcher would write."""

import copy
import pickle

import numpy as np
from numpy.typing import NDArray

import spellheist
from spellheist import Luck, Play, Refused


def random_game(name: str, seats: int, seed: int) -> Play:
    play, luck = spellheist.new(name, seats), Luck(seed)
    while not play.over:
        if play.turn == spellheist.CHANCE:
            play.roll(luck)
        else:
            moves: list[int] = play.legal()
            play.play(moves[luck.below(len(moves))])
    return play


game = spellheist.new("abraca_what", seats=3, options={"easy": True}, names=["Ann", "Bob", "Cy"])
game.roll_all(Luck(7))
view = game.view(game.turn)
lives: list[int] = view.lives
stones: list[list[int]] = view.hand
caster: int = game.state.caster
words: dict[int, str] = game.moves()
shares: list[float] = random_game("dice_heist", 2, 1).score()
sapphires: list[int] = spellheist.new("spellcaster", 2).view(0).sapphires
ply: spellheist.Ply = game.play(8)
twins: list[Play] = [game.clone(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
world = game.imagine(0, Luck(1))
known: str = world.information(0)
own: list[list[int]] = world.state.hand
seen: NDArray[np.int16] = game.observation(0)
scaled: NDArray[np.float32] = game.legend.scaled(seen)
meaning: str = game.legend[0].meaning
taken_back: int = game.undo().move
probabilities: dict[int, float] = spellheist.new("mages_dice", 2).chances()
player: spellheist.Bot = spellheist.bot("greedy", game.game)
move: int = player.choose(game.view(game.turn), game.turn, game.recall(game.turn), Luck(1))
text: str = spellheist.record.write(game, Luck(7))
again: Play = spellheist.record.read(text).replay()
try:
    spellheist.new("pig", 2)
except Refused as refusal:
    sentence: str = str(refusal)

many = spellheist.batch("abraca_what", seats=4, games=8, seed=7)
moves: NDArray[np.int64] = many.random_moves()
many.step(moves)
masks: NDArray[np.bool_] = many.masks
rewards: NDArray[np.float32] = many.rewards
