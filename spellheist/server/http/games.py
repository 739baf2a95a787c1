"""Games over HTTP: what pages are told of a game before anybody plays it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from spellheist.core import state
from spellheist.core.game import Game, find, names
from spellheist.core.options import Option
from spellheist.core.play import new
from spellheist.server.http import bodies
from spellheist.server.http.answers import encoded
from spellheist.server.service import Service
from spellheist.server.table.levels import LEVEL_SENTENCES
from spellheist.server.table.rights import NoTable

SENTINELS = ("CHANCE", "OVER", "HIDDEN", "ANYONE", "WATCHER", "JUDGE", "NONE")


@cache
def all_games() -> bytes:
    return msgspec.json.encode([bodies.GameOut(**described(find(name))) for name in names()])


@cache
def page_of(name: str) -> bytes:
    """Everything of one game. Games are found by their names alone, never by folders of this machine."""
    game = find(name)
    return msgspec.json.encode(bodies.GamePageOut(
        **described(game), constants=constants(game), rules=game.rule, page=game.page,
        cards=game.words.cards(new(game, game.seats[0]).state),
    ))  # fmt: skip


def described(game: Game) -> dict[str, Any]:
    return {
        "name": game.name, "title": game.title, "sentence": game.sentence, "credits": game.credits,
        "seats": list(game.seats), "options": [option_of(option) for option in game.options],
        "levels": [bodies.LevelOut(name, sentence) for name, sentence in LEVEL_SENTENCES.items()],
    }  # fmt: skip


def option_of(option: Option) -> bodies.OptionOut:
    return bodies.OptionOut(
        option.name, option.kind, option.show(option.default), option.sentence, option.range,
        words=getattr(option, "choices", None), low=getattr(option, "low", None), high=getattr(option, "high", None),
        among_people=getattr(option, "among_people", None),
    )  # fmt: skip


def constants(game: Game) -> dict[str, int]:
    """The numbers of a game's rules by name, and the sentinels."""
    found = {name: getattr(state, name) for name in SENTINELS}
    for name, value in vars(game.rules).items():
        if name.isupper() and isinstance(value, int) and not isinstance(value, bool):
            found[name] = int(value)
    return found


class GameRoutes:
    """What can be asked of games."""

    def __init__(self, service: Service) -> None:
        self.service = service

    async def all_games(self, request: Request) -> Response:
        return encoded(all_games())

    async def game(self, request: Request) -> Response:
        name = request.path_params["game"]
        if name not in names():
            raise NoTable(f"There is no game {name[:40]!r}.")
        await self.service.ready(find(name))
        return encoded(page_of(name))
