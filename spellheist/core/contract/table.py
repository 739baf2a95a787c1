"""`table.py`: the table in a terminal."""

NEEDED = {"draw(s, seat, names)": "what one seat, or WATCHER, sees, as something that Rich can print"}
