"""What a search remembers, as its compiled code gets it: tables that belong together."""

from __future__ import annotations

from typing import Any, NamedTuple


class Nodes(NamedTuple):
    """The nodes of a tree: a row for each, with a column for each move; and where a node is found by its key."""

    visits: Any  # how often a move was made here
    offered: Any  # how often it could have been made
    won: Any  # the shares that it brought, added up
    squares: Any  # the squares of those shares
    keys: Any  # a table by hash
    kids: Any  # the node under each key; 0 where there is none


class Path(NamedTuple):
    """The decisions of one iteration."""

    nodes: Any  # where they were made
    columns: Any  # the columns of the moves
    seats: Any  # who decided
