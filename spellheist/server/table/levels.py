"""The bots that can sit at a table, by their levels."""

from spellheist.bots import LEVELS, NAMES

STAND_IN = "steady"  # the bot that plays for those who are away
LEVEL_SENTENCES = {
    "random": "plays any legal move",
    "greedy": "follows rules of thumb",
    "gentle": "looks a little ahead",
    "steady": "thinks before it moves",
    "sharp": "thinks hard",
    "master": "as strong as we can make it",
}
assert set(LEVEL_SENTENCES) == set(NAMES) and STAND_IN in LEVELS
