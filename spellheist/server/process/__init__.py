"""Processes: the server itself, its workers, its bots, and what keeps them running."""
