"""What holds for every game: laws as a library, and secrecy tested from outside."""
