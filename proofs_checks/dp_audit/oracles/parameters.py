"""What the parameters of mechanisms are, in words, with values that can be typed."""

from collections.abc import Mapping

_TABLE = "a list for every function: the cells of all items", "[[0, 1, 1], [1, 0, 1]]"
_ROWS = "[[0, 1, 2], [1, 1, 1]]"
_EVERY, _APART = "for every input (a data set) a row:", "; every two are at most the sensitivity apart"
PARAMETERS: Mapping[str, tuple[str, str]] = {
    "d": ("number of items, which are 0 .. d-1", "3"),
    "epsilon": ("the budget", "1"),
    "k": ("size of the set; by default that of the smallest sum of variances where all hold one item", "1"),
    "g": ("number of cells", "2"),
    "hash": ("the cells of all items", "0, 1, 1"),
    "hashes": _TABLE,
    "signs": ("a list for every function: 1 (+1) or 0 (-1) for all items", "[[1, 0, 1], [0, 0, 1]]"),
    "t": ("number of coefficients, 1 by default", "1"),
    "first": ("column of item 0: 0, or 1 to leave out the constant column; 0 by default", "0"),
    "blocks": ("B, a power of two; by default the largest one <= min(e^epsilon, 2d)", "1"),
    "permutation": ("places of the items; by default their own", "0, 2, 1"),
    "theta": ("the threshold; by default that of the smallest variance at frequency 0", "1/2"),
    "p": ("probability that a 1 stays 1", "3/4"),
    "q": ("probability that a 0 becomes 1", "1/4"),
    "m": ("number of items that a user holds", "1"),
    "f": ("probability of a coin", "1/2"),
    "filters": (
        "for every cohort and item the positions of its bits (fewer where hashes coincide)",
        "[[[0], [1], [1]], [[1], [0], [1]]]",
    ),
    "eps_perm": ("budget of the first round, and of all reports on one value together", "2"),
    "eps_1": ("budget of one report, below eps_perm", "1"),
    "buckets": ("number of buckets", "3"),
    "bits": ("number of buckets that are sent", "1"),
    "sizes": ("number of values of every attribute", "2, 3"),
    "columns": ("the inputs: the items of all users, in each", "[[0, 1], [1, 1]]"),
    "utilities": (f"{_EVERY} the utilities of all candidates{_APART}", _ROWS),
    "scores": (f"{_EVERY} the scores of all candidates{_APART}", _ROWS),
    "sensitivity": ("by how much one user changes it at most", "1"),
    "sensitivities": ("by how much one user changes each score at most", "1, 1, 1"),
    "monotonic": ("true if one user changes all utilities in one direction; false by default", "false"),
    "distances": ("of every two categories", "[[0, 1, 2], [1, 0, 1], [2, 1, 0]]"),
    "hierarchy": ("nested lists with the leaves 0 .. n-1", "[[0, 1], [2, 3]]"),
    "values": ("the inputs: true values, integers at most the sensitivity apart (if there is one)", "0, 1"),
    "counts": (f"{_EVERY} counts; two rows are at most the sensitivity apart, in sum", "[[1, 0], [0, 1]]"),
    "low": ("least value that is looked at by itself", "-3"),
    "high": ("largest value that is looked at by itself", "4"),
    "lower": ("least value that is reported", "0"),
    "upper": ("largest value that is reported", "3"),
    "sigma": ("of the noise", "1"),
    "scale": ("of the noise", "2"),
    "K": ("number of sensitive items, 0 .. K-1", "2"),
    "N": ("number of items that are not sensitive, K .. K+N-1", "1"),
    "relation": ("the reading in which privacy is judged: joint, marginal, deniability or samenon", "joint"),
}
"""By name: what it is, and a value of it as text."""
