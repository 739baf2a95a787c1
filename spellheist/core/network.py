"""A small network: the log odds of a win from features of a position.

There is a straight way from the features to the answer, and beside it one layer of hidden numbers:

    answer = bias + weights . features + sum over hidden of  out * max(0, bias + weights . features)

All its numbers stand in one row: for each hidden number its bias, a weight for each feature, and what it adds to the
answer; then the bias and the weights of the straight way. They are learned by `spellheist learn` and kept in a game's
`learned.py`.
"""

from spellheist.core.kernel import kernel


@kernel
def log_odds(network, features):
    n = len(features)
    hidden = (len(network) - n - 1) // (n + 2)
    at = hidden * (n + 2)
    answer = network[at]
    for i in range(n):
        answer += network[at + 1 + i] * features[i]
    for unit in range(hidden):
        at = unit * (n + 2)
        inner = network[at]
        for i in range(n):
            inner += network[at + 1 + i] * features[i]
        answer += network[at + n + 1] * max(0.0, inner)
    return answer
