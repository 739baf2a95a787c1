"""Games of bots, for tests of reviews and their long forms."""

from spellheist.bots import bot
from spellheist.core.dice import Luck
from spellheist.core.game import find
from spellheist.core.play import new
from spellheist.core.state import CHANCE, NONE
from spellheist.lab.match import lot
from spellheist.review import Settings

QUICK = Settings(target=0.2, graph=2, first=4, most=8, worlds=16, search=8)

# Games that end soon, so that they can be looked at plain.
SHORT = {
    "abraca_what": {"last_standing": False},
    "dice_heist": {"turn_limit": 12},
    "mages_dice": {"target": 1},
    "spell_stealers": {"turn_limit": 8},
    "spellcaster": {},
}


class Table:
    """Bots that play one game after the other."""

    def __init__(self, game, names, options=None):
        self.game, self.names, self.options = find(game), list(names), options or {}
        self.bots = [bot(name, self.game) for name in names]

    def play(self, seed, shift=0, plies=100_000):
        """The game of this seed, with bots moved on by so many seats; it may be left before its end."""
        seats = len(self.bots)
        seating = [(seat + shift) % seats for seat in range(seats)]
        play = new(self.game, seats, self.options, [self.names[number] for number in seating])
        dice, quickest, lots = Luck(seed), lot(seed, seats), [lot(seed, seat) for seat in range(seats)]
        while not play.over and play.ply < plies:
            if play.turn == CHANCE:
                play.roll(dice)
                continue
            askable = play.askable(quickest)
            for seat in askable:
                move = self.bots[seating[seat]].choose(play.view(seat), seat, play.recall(seat), lots[seat])
                if move != NONE or seat == askable[-1]:
                    play.play(move, seat)
                    break
        return play


def short_game(game, seats=2, bots=("random", "greedy"), seed=1, options=None):
    """A whole game that ends soon."""
    names = [bots[seat % len(bots)] for seat in range(seats)]
    return Table(game, names, {**SHORT[game], **(options or {})}).play(seed)


def ending(play, plies):
    """The last plies of a game, as one that starts from the position before them."""
    from spellheist.core.play import Play
    from spellheist.core.record import position_of

    again = Play(play.game, play.seats, play.settings, play.names, play.position)
    for ply in play.plies[:-plies]:
        again.repeat(ply)
    rest = Play(play.game, play.seats, play.settings, play.names, position_of(again))
    for ply in play.plies[-plies:]:
        if ply.who == CHANCE:
            rest.chance(ply.move)
        else:
            rest.play(ply.move, ply.who)
    return rest
