"""The games for OpenSpiel: importing this registers each as `spellheist_` and its name.

    import pyspiel
    import spellheist.adapters.openspiel

    game = pyspiel.load_game("spellheist_abraca_what", {"players": 3, "easy": True})

Chance is explicit, the information state of a player is `Play.information`, and its observation tensor `Play.observation`,
each number from 0 to 1 by its range. Returns are shares of the win, which add up to 1. Options are parameters. `live`
is refused: OpenSpiel has no turn that is anyone's.
"""

from __future__ import annotations

from typing import Any

try:
    import pyspiel
except ImportError:
    raise ImportError("This adapter needs OpenSpiel: pip install spellheist[openspiel]") from None

from spellheist.core.dice import Luck
from spellheist.core.game import Game, find, names
from spellheist.core.options import Option, Starter
from spellheist.core.play import Play, new
from spellheist.core.refused import Refused
from spellheist.core.state import ANYONE, CHANCE, OVER

LONGEST = 1_000_000  # plies, which no game comes near


def game_type(game: Game) -> Any:
    """What OpenSpiel wants to know of a game before it is loaded."""
    kinds = pyspiel.GameType
    defaults = {option.name: parameter(option, option.default) for option in game.options}
    return kinds(
        short_name=f"spellheist_{game.name}", long_name=game.title, dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC, information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.CONSTANT_SUM, reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.seats[-1], min_num_players=game.seats[0],
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"players": game.seats[0], **defaults},
    )  # fmt: skip


def parameter(option: Option, value: Any) -> bool | int | str:
    """The value of an option as a parameter. Numbers have spaces between them, because a comma would end a parameter; the
    starter is a number, because a parameter has one type, and -1 is a random one."""
    if isinstance(option, Starter):
        return -1 if value == "random" else int(value)
    return value if isinstance(value, bool | int) else option.show(value).replace(",", " ")


def settled(game: Game, parameters: dict[str, Any]) -> dict[str, Any]:
    """The options that parameters stand for."""
    return {name: "random" if isinstance(game.option(name), Starter) and value == -1 else value
            for name, value in parameters.items()}  # fmt: skip


class SpielGame(pyspiel.Game):
    """A game with its players and options. Each game has a subclass of its own."""

    game: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game, given = self.game, dict(params or {})
        seats = given.pop("players", game.seats[0])
        self.opening = new(game, seats, settled(game, given))
        first = self.opening.clone()
        first.roll_all(Luck(0))
        if first.turn == ANYONE:
            raise Refused(f"In this variant of {game.title} anyone may move at any time, which OpenSpiel cannot ask.")
        info = pyspiel.GameInfo(
            num_distinct_actions=game.rules.MOVES, max_chance_outcomes=game.rules.OUTCOMES, num_players=seats,
            min_utility=0.0, max_utility=1.0, utility_sum=1.0, max_game_length=LONGEST,
        )  # fmt: skip
        super().__init__(game_type(game), info, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self, self.opening)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        return Observer(iig_obs_type, self.opening)


class SpielState(pyspiel.State):
    """Where a game stands."""

    def __init__(self, game: SpielGame, opening: Play) -> None:
        super().__init__(game)
        self.play = opening.clone()

    def current_player(self) -> int:
        kinds = pyspiel.PlayerId
        return {CHANCE: kinds.CHANCE, OVER: kinds.TERMINAL}.get(self.play.turn, self.play.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.play.legal(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(self.play.chances().items())

    def _apply_action(self, action: int) -> None:
        if self.play.turn == CHANCE:
            self.play.chance(action)
        else:
            self.play.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.play.game.words.label(self.play.state, action))

    def is_terminal(self) -> bool:
        return self.play.over

    def returns(self) -> list[float]:
        return self.play.score() if self.play.over else [0.0] * self.play.seats

    def __str__(self) -> str:
        return repr(self.play.state)


class Observer:
    """What a player sees of a state, as numbers and text."""

    def __init__(self, kind: Any, opening: Play) -> None:
        self.recalls = kind is not None and kind.perfect_recall
        self.tensor = None if self.recalls else opening.legend.scaled(opening.observation(0))
        self.dict = {} if self.recalls else {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        if self.tensor is not None:
            self.tensor[:] = state.play.legend.scaled(state.play.observation(player))

    def string_from(self, state: SpielState, player: int) -> str:
        return state.play.information(player) if self.recalls else repr(state.play.view(player))


for found in map(find, names()):
    # A class and not, say, a partial: OpenSpiel lets go of it after Python has ended, and a class does not mind.
    pyspiel.register_game(game_type(found), type(f"Spiel_{found.name}", (SpielGame,), {"game": found}))
