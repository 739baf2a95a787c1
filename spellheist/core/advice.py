"""Advice: what the `bot.py` of several games share on their way from how good moves look to how likely they are."""

from spellheist.core.kernel import kernel


@kernel
def sharpen(weights, n, heat, floor):
    """Turn the worth of n moves into weights: one that is worse than the best by `heat` gets about a third of its weight,
    and none gets less than `floor`."""
    best = weights[0]
    for i in range(1, n):
        best = max(best, weights[i])
    for i in range(n):
        # Nearly exp(-worse / heat), but a third of the price and the same to the last bit everywhere.
        weight = 1.0 / (1.0 + (best - weights[i]) * (1.0 / (8.0 * heat)))
        weight *= weight
        weight *= weight
        weights[i] = weight * weight + floor
