"""One table: its journal, its fold, what may be done there, what each seat is shown, and who is connected."""
