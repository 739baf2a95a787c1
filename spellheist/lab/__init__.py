"""The lab: what can be learned of a game, and of the rules' own speed, by running many games."""
