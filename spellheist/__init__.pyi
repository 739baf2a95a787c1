from typing import Any, Literal, overload

from spellheist.bots import Bot as Bot
from spellheist.bots import bot as bot
from spellheist.core import record as record
from spellheist.core.dice import Dice as Dice
from spellheist.core.dice import Fair as Fair
from spellheist.core.dice import Luck as Luck
from spellheist.core.game import Game as Game
from spellheist.core.game import find as find
from spellheist.core.game import names as names
from spellheist.core.memory import Past as Past
from spellheist.core.memory import Ply as Ply
from spellheist.core.observation import Legend as Legend
from spellheist.core.play import Play as Play
from spellheist.core.refused import Refused as Refused
from spellheist.core.state import ANYONE as ANYONE
from spellheist.core.state import CHANCE as CHANCE
from spellheist.core.state import HIDDEN as HIDDEN
from spellheist.core.state import JUDGE as JUDGE
from spellheist.core.state import NONE as NONE
from spellheist.core.state import OVER as OVER
from spellheist.core.state import WATCHER as WATCHER
from spellheist.games.abraca_what.view import View as AbracaWhat
from spellheist.games.dice_heist.view import View as DiceHeist
from spellheist.games.mages_dice.view import View as MagesDice
from spellheist.games.spell_stealers.view import View as SpellStealers
from spellheist.games.spellcaster.view import View as Spellcaster
from spellheist.lab.batch import Batch as Batch
from spellheist.lab.batch import batch as batch
from spellheist.laws import check as check
from spellheist.review import review as review

__version__: str

@overload
def new(
    game: Literal["abraca_what"], seats: int, options: dict[str, Any] | None = None,
    names: list[str] | None = None, position: dict[str, Any] | None = None,
) -> Play[AbracaWhat]: ...  # fmt: skip
@overload
def new(
    game: Literal["dice_heist"], seats: int, options: dict[str, Any] | None = None,
    names: list[str] | None = None, position: dict[str, Any] | None = None,
) -> Play[DiceHeist]: ...  # fmt: skip
@overload
def new(
    game: Literal["mages_dice"], seats: int, options: dict[str, Any] | None = None,
    names: list[str] | None = None, position: dict[str, Any] | None = None,
) -> Play[MagesDice]: ...  # fmt: skip
@overload
def new(
    game: Literal["spell_stealers"], seats: int, options: dict[str, Any] | None = None,
    names: list[str] | None = None, position: dict[str, Any] | None = None,
) -> Play[SpellStealers]: ...  # fmt: skip
@overload
def new(
    game: Literal["spellcaster"], seats: int, options: dict[str, Any] | None = None,
    names: list[str] | None = None, position: dict[str, Any] | None = None,
) -> Play[Spellcaster]: ...  # fmt: skip
@overload
def new(
    game: Game | str, seats: int, options: dict[str, Any] | None = None,
    names: list[str] | None = None, position: dict[str, Any] | None = None,
) -> Play: ...  # fmt: skip
