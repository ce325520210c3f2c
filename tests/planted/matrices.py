"""False certificates about explicit matrices: best estimates, and strategies that dominate."""

from typing import Any

from planted.additive import ALL, EVERY, law
from planted.register import planted
from tampered.certificates import Json, certified

LEAVES: Any = ["sums", 0, 0, 1, 1]
COUNTS, TREE, DIFFERENCE = law(LEAVES), law(ALL), law(EVERY)
ONE: Any = [[1, 0], [0, 1]]
"""Queries of the two counts of a tree of height 1; as weights of two answers they are the counts' own ones."""


def best(of: Json, estimates: Any, evidence: Json, verdict: str = "proved", workload: Any = ONE, **at: Any) -> Json:
    body = {"type": "best-linear", "strategy": of, "at": {"h": 1, **at}, "workload": workload, "estimates": estimates}
    cards = ["noise", "projection"][: 1 + (verdict == "proved")]
    return certified(body, verdict, evidence) | {"cards": cards}


def compared(of: Json, other: Json, factor: Any, evidence: Json, **at: Any) -> Json:
    body = {"type": "dominates", "strategy": of, "other": other, "factor": factor, "at": {"h": 1, **at}}
    verdict = "refuted" if "vector" in evidence else "proved"
    return certified(body, verdict, evidence) | {"cards": ["noise", "projection"]}


def squares(pivots: Any, lower: Any) -> Json:
    return {"pivots": pivots, "lower": lower}


FLAT: Any = [[1, 0, 0], [0, 1, 0]]
"""The leaves of a tree, as if the root had no answer."""

# --- estimates --------------------------------------------------------------------------------------------------------


@planted("not in the row space")
def leaves_without_their_root() -> Json:
    """Unbiased, and of more variance than with the root."""
    return best(TREE, FLAT, {"multipliers": ONE})


@planted("an estimate is biased")
def shrunk_estimates() -> Json:
    """In the row space, of less variance than every unbiased one."""
    half: Any = [["1/2", 0], [0, "1/2"]]
    return best(COUNTS, half, {"multipliers": half})


@planted("an estimate is biased")
def estimates_of_other_queries() -> Json:
    return best(COUNTS, ONE[::-1], {"multipliers": ONE[::-1]})


@planted("not in the row space")
def estimates_with_fewer_multipliers() -> Json:
    """What is shown of the first query is right."""
    return best(TREE, [["2/3", "-1/3", "1/3"], [0, 1, 0]], {"multipliers": [["2/3", "-1/3"]]})


@planted("not in the row space")
def least_squares_of_unequal_noise() -> Json:
    """Least squares as if the noise of the root were not three times as large."""
    unequal = law(LEAVES, ["sums", 1, 1, 1, 3])
    weights: Any = [["2/3", "-1/3", "1/3"], ["-1/3", "2/3", "1/3"]]
    return best(unequal, weights, {"multipliers": [["2/3", "-1/3"], ["-1/3", "2/3"]]})


@planted("the variance of Laplace noise")
def best_estimates_of_discrete_noise() -> Json:
    """Weights by scales: variances of discrete noise are no multiples of their squares."""
    return best(law(LEAVES, noise="discrete"), ONE, {"multipliers": ONE})


@planted("nothing is listed")
def estimates_of_no_query() -> Json:
    return best(COUNTS, [], {"multipliers": []}, workload=[])


@planted("no estimate of every query")
def queries_of_more_counts() -> Json:
    return best(COUNTS, ONE, {"query": 0}, "refuted", [[1, 0, 0], [0, 1, 0]])


@planted("no estimate of every query")
def query_without_an_estimate() -> Json:
    return best(COUNTS, ONE[:1], {"query": 1}, "refuted")


@planted("zip()")
def estimate_from_fewer_answers() -> Json:
    return best(TREE, ONE, {"query": 0}, "refuted")


@planted("not enough values to unpack")
def estimates_from_no_answers() -> Json:
    """Rows of the heights from 1 to 0: of none."""
    return best(law(["sums", 1, 0, 1, 1]), ONE, {"multipliers": ONE})


@planted("the estimate is unbiased")
def bias_that_is_none() -> Json:
    return best(COUNTS, ONE, {"query": 0}, "refuted")


@planted("the better estimate is biased")
def better_estimate_that_is_biased() -> Json:
    """0 has no variance."""
    return best(COUNTS, ONE, {"query": 0, "better": [0, 0]}, "refuted")


@planted("the better estimate is biased")
def better_estimate_of_another_query() -> Json:
    """Of the difference of two counts, which is -1/2 to 1/2 times what is asked."""
    weights: Any = [["2/3", "-1/3", "1/3"], ["-1/3", "2/3", "1/3"]]
    return best(TREE, weights, {"query": 0, "better": ["1/2", "-1/2", 0]}, "refuted")


@planted("it is no better")
def better_estimate_that_is_the_same() -> Json:
    return best(COUNTS, ONE, {"query": 0, "better": [1, 0]}, "refuted")


@planted("it is no better")
def better_estimate_for_noise_of_one_scale() -> Json:
    """The best one has more weights on the leaves; squares of the weights are not the variance."""
    unequal, weights = law(LEAVES, ["sums", 1, 1, 1, 3]), [["10/11", "-1/11", "1/11"], ["-1/11", "10/11", "1/11"]]
    return best(unequal, weights, {"query": 0, "better": ["2/3", "-1/3", "1/3"]}, "refuted")


@planted("is not in 0..1")
def better_estimate_of_no_query() -> Json:
    return best(TREE, FLAT, {"query": 2, "better": ["2/3", "-1/3", "1/3"]}, "refuted")


@planted("is not in 0..1")
def better_estimate_counted_from_the_end() -> Json:
    return best(TREE, FLAT, {"query": -1, "better": ["-1/3", "2/3", "1/3"]}, "refuted")


@planted("units of work")
def estimates_from_a_large_tree() -> Json:
    """A row has 2^40 counts."""
    return best(COUNTS, ONE, {"multipliers": ONE}, h=40)


@planted("a height outside the tree")
def estimates_from_above_the_root() -> Json:
    return best(law(["sums", 0, 2, 1, 1]), FLAT, {"multipliers": ONE})


@planted("a scale is not shown to be > 0")
def estimates_without_noise() -> Json:
    return best(law(["sums", 0, 0, 1, 0]), ONE, {"multipliers": ONE})


@planted("unbound symbol x")
def estimates_at_no_number() -> Json:
    return best(law(["sums", 0, 0, 1, "x"]), ONE, {"multipliers": ONE}, x="x")


# --- strategies -------------------------------------------------------------------------------------------------------


@planted("a negative pivot")
def difference_of_two_squares() -> Json:
    """3/4 of the counts' form, less the tree's: -1/4 1 - J."""
    return compared(COUNTS, TREE, ["div", 3, 4], squares(["-5/4", "-9/20"], [[], ["4/5"]]))


@planted("a negative pivot")
def strategy_that_leaves_something_open() -> Json:
    """(v1 - v2)^2 has no value for the total; a hundred times that less v1^2 + v2^2 has the pivots 99 and -199 / 99."""
    return compared(DIFFERENCE, COUNTS, 100, squares([99, "-199/99"], [[], ["-100/99"]]))


@planted("not the matrix")
def pivot_of_another_sign() -> Json:
    return compared(DIFFERENCE, COUNTS, 100, squares([99, "199/99"], [[], ["-100/99"]]))


@planted("not the matrix")
def squares_of_the_diagonal_alone() -> Json:
    """The tree's form 1 + J, less that of two answers for every count, 2 1: 0 on the diagonal."""
    return compared(TREE, law(LEAVES, LEAVES), 1, squares([0, 0], [[], [0]]))


@planted("rows of other lengths")
def triangle_that_is_none() -> Json:
    """An entry above the diagonal."""
    return compared(COUNTS, COUNTS, 1, squares([0, 0], [[1], [1]]))


@planted("rows of other lengths")
def first_of_two_squares() -> Json:
    return compared(COUNTS, TREE, 2, squares([0], [[]]))


@planted("rows of other lengths")
def squares_without_a_pivot() -> Json:
    return compared(COUNTS, COUNTS, 2, squares([1], [[], [0]]))


@planted("rows of other lengths")
def squares_of_nothing() -> Json:
    return compared(COUNTS, TREE, ["div", 1, 2], squares([], []))


@planted("a factor > 0")
def no_factor() -> Json:
    """0 v^T v - 0: as if a strategy without information were no worse."""
    return compared(COUNTS, law(["sums", 0, 0, 0, 1]), 0, squares([0, 0], [[], [0]]))


@planted("a factor > 0")
def negative_factor() -> Json:
    return compared(COUNTS, TREE, -1, {"vector": [1, 0]})


@planted("zip()")
def strategies_on_other_counts() -> Json:
    """The first two of three counts."""
    return compared(COUNTS, law(LEAVES, branching=3), 1, squares([0, 0], [[], [0]]))


@planted("the form is not negative there")
def direction_that_is_none() -> Json:
    return compared(COUNTS, COUNTS, 1, {"vector": [0, 0]})


@planted("the form is not negative there")
def direction_at_which_the_form_is_0() -> Json:
    """The smallest constant is not too small: 3 v^T v - v^T (1 + J) v at (1, 1)."""
    return compared(COUNTS, TREE, 3, {"vector": [1, 1]})


@planted("zip()")
def direction_of_one_count() -> Json:
    return compared(TREE, COUNTS, 3, {"vector": [1]})


@planted("the variance of Laplace noise")
def strategy_with_discrete_noise() -> Json:
    return compared(COUNTS, law(LEAVES, noise="discrete"), 1, squares([0, 0], [[], [0]]))


@planted("unbound symbol x")
def factor_that_is_no_number() -> Json:
    return compared(COUNTS, COUNTS, "x", squares([0, 0], [[], [0]]), x=1)


@planted("units of work")
def strategies_on_too_many_counts() -> Json:
    return compared(COUNTS, COUNTS, 1, {"vector": [1] * 4096}, h=12)


@planted("not one tie for every law")
def untied_strategy() -> Json:
    found = compared(COUNTS, TREE, 3, squares([1, 0], [[], [-1]]))
    return found | {"ties": found["ties"][:1]}
