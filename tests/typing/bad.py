"""A program of mistakes: on each line with an error type checkers must find one, and on no other."""

import spellheist

play = spellheist.new("abraca_what", seats=3)
play.plya("call 8 Magic Drink")  # error
play.view(0).live  # error
play.view("Ann")  # error
play.play(None)  # error
play.view(0).hand[0] + 1  # error
spellheist.new("abraca_what")  # error
spellheist.new("spellcaster", 2).view(0).hand_cards  # error
spellheist.bot("greedy")  # error
spellheist.nwe("abraca_what", 3)  # error
spellheist.batch("abraca_what", seats=4, gams=8)  # error
play.moves()["call 8 Magic Drink"]  # error
