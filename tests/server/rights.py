"""Who may be where at a table: a telling of its own of what the journal says, apart from the server's."""

import json
from typing import NamedTuple


class Fold(NamedTuple):
    """Who may be where after some entries of a journal."""

    state: str
    host: str
    watchers: bool
    holders: tuple[str, ...]  # of each seat: the token, or nothing
    away: frozenset[int]
    ply: int
    wish: int | None  # the ply that somebody wants to go back to
    rematch: str | None = None

    def may_be(self, seat, token):
        """May this token have a line, for this seat or without one?"""
        if seat is not None:
            return self.holders[seat] == token
        return self.may_look() or token in (*self.holders, self.host)

    def may_look(self):
        return self.watchers or self.state in ("gathering", "over", "closed")

    def seats_of(self, token):
        return {seat for seat, holder in enumerate(self.holders) if holder == token}

    def after(self, entry):
        change = getattr(self, f"on_{entry['e']}", None)
        return self._replace(**change(entry)) if change else self

    def with_holder(self, seat, token):
        return (*self.holders[:seat], token, *self.holders[seat + 1 :])

    def on_sat(self, entry):
        return {"holders": self.with_holder(entry["seat"], entry["token"])}

    def on_rose(self, entry):
        return {"holders": self.with_holder(entry["seat"], "")}

    def on_asked(self, entry):
        return {"state": "promising"}

    def on_begun(self, entry):
        return {"state": "playing", "ply": len(entry["plies"])}

    def on_moved(self, entry):
        return {"ply": self.ply + len(entry["plies"]), "wish": None}

    def on_wished(self, entry):
        return {"ply": entry["to"], "wish": None} if entry.get("done") else {"wish": entry["to"]}

    def on_agreed(self, entry):
        if entry.get("done") and self.wish is not None:
            return {"ply": self.wish, "wish": None}
        return {} if entry["yes"] else {"wish": None}

    def on_away(self, entry):
        holders = self.with_holder(entry["seat"], "") if entry.get("final") else self.holders
        return {"away": self.away | {entry["seat"]}, "holders": holders}

    def on_back(self, entry):
        return {"away": self.away - {entry["seat"]}}

    def on_paused(self, entry):
        return {"state": "paused" if entry["on"] else "playing"}

    def on_resigned(self, entry):
        return {"state": "over"}

    def on_closed(self, entry):
        return {"state": "closed"}

    def on_rematch(self, entry):
        return {"rematch": entry["table"]}


def folds(bodies):
    """What each entry of a journal, one after the other, makes true."""
    entries = [json.JSONDecoder().raw_decode(body.decode())[0] for body in bodies]
    made = entries[0]
    chairs = [chair.get("token", "") for chair in made["chairs"]]
    found = [Fold("gathering", made["host"], made.get("watchers", True), tuple(chairs), frozenset(), 0, None)]
    for entry in entries[1:]:
        found.append(found[-1].after(entry))
    return found
