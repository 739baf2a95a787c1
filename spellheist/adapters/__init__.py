"""Adapters: the games as other libraries expect them. Each needs its library, which is an extra of this package.

pettingzoo   PettingZoo, seat by seat (AEC)
gymnasium    Gymnasium: one learner against bots, alone or many at once
openspiel    OpenSpiel: registered games
text         players that read and write words, in the manner of TextArena; needs nothing
"""
