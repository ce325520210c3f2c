"""False certificates about quantities of additive laws."""

from typing import Any

from planted.register import planted
from planted.sums import NATURAL, POSITIVE, REAL, summed, tends
from tampered.certificates import Json, certified

ALL: Any = ["sums", 0, "h", 1, 1]
EVERY: Any = ["differences", 1, "h", 1, 1]
COVER: Json = {"cover": []}


def law(*rows: Any, noise: str = "laplace", branching: Any = 2, **more: Any) -> Json:
    return {"mechanism": "planted", "noise": noise, "branching": branching, "rows": list(rows), **more}


def named(of: Json, what: str, which: str, **at: Any) -> Json:
    return {"law": of, "of": [what, which], "at": at}


def stated(op: str, value: Any, evidence: Json, variables: Json | None = None, **quantities: Json) -> Json:
    """A relation between the first quantity and a value."""
    domain = {"variables": variables or {}, "constraints": []}
    body = {"type": "formula", "domain": domain, "relations": [[op, next(iter(quantities)), value]], "values": {}}
    verdict = "refuted" if "relation" in evidence else "proved"
    of = {word for quantity in quantities.values() for word in quantity["of"]}
    cards = ["noise"] * bool(of & {"loss", "sensitivity", "covariance"}) + ["spectra"] * bool(
        of & {"least squares", "ranges"}
    )
    return certified({**body, "of_data": False, "quantities": quantities}, verdict, evidence) | {"cards": cards}


WITNESS: Json = {"relation": 0, "values": {}}
"""At which a true equation is said to fail."""

# --- names ------------------------------------------------------------------------------------------------------------


@planted("not an identity")
def quantities_that_are_called_alike() -> Json:
    """2 = 3: what two sums exceed 0 by is called the same, for trees of height 1 and 2."""
    total = summed(0, "h", ["mul", 1, 1])
    evidence = {"steps": [{}], "sums": [[total, 0, ["mul", 5, "s"]]]}
    one, two = (named(law(ALL), "gram", "diagonal", h=h) for h in (1, 2))
    return stated("eq", "a", evidence, b=two, a=one)


@planted('unbound symbol [e^"x"]')
def exponential_of_another_variable() -> Json:
    """-e^2 e^2 = -e^x e^x: the law's x is 2, and e^x is called as outside."""
    power = ["mul", ["exp", "x"], ["exp", "x"]]
    total = summed(["add", "k", 1], "h", power)
    form = ["mul", power, "s"]
    quantity = named(law(["differences", 1, "h", ["exp", "x"], 1]), "gram", "pair", h="h", k="h", x=2)
    variables = {"x": {**REAL, "min": 1}, "h": POSITIVE}
    return stated("eq", ["neg", power], {"steps": [{}], "sums": [[total, form, form]]}, variables, a=quantity)


@planted("s, q and k are heights")
def branching_that_varies() -> Json:
    """Trees of s = 2 children, with s children at height s."""
    quantity = named(law(["sums", 0, 1, 1, 1], branching="s"), "gram", "ranges", h=1, s=2)
    return stated("eq", 10, WITNESS, a=quantity)


@planted("s, q and k are heights")
def rows_up_to_their_own_height() -> Json:
    """Rows up to a height s = 1."""
    quantity = named(law(["sums", 0, "s", 1, 1]), "gram", "diagonal", h=1, s=1)
    return stated("eq", 2, WITNESS, a=quantity)


@planted("s, q and k are heights")
def weight_called_as_an_index() -> Json:
    """A weight q = 3, of queries that are summed over heights q."""
    quantity = named(law(["sums", 0, 1, ["add", "q", 1], 1]), "least squares", "diagonal", h=1, q=2)
    return stated("eq", ["div", 2, 27], WITNESS, a=quantity)


@planted("s, q and k are heights")
def weight_called_as_the_common_ancestor() -> Json:
    """Estimates restored by k: another law for every pair."""
    quantity = named(law(ALL, restored=["k"]), "returned", "pair", h=2, k=1)
    return stated("le", 3, COVER, a=quantity)


@planted("s, q and k are heights")
def weight_that_is_a_sum() -> Json:
    """A weight 0 s + 1 s + 2 s, read at the height k as 0 + 1 + 4."""
    weight = summed(0, 2, ["mul", "s", "k"], "k")
    quantity = named(law(["sums", 1, 1, 1, 1], ["differences", 1, 1, weight, 1]), "least squares", "pair", h=1, k=1)
    return stated("eq", ["div", 2, 9], WITNESS, a=quantity)


@planted("the name of an error means something else")
def quantity_called_as_a_variable() -> Json:
    """The height of a tree is what its rows add up to: both are called h."""
    return stated("eq", ["add", "h", 1], {"steps": [{}]}, {"h": NATURAL}, h=named(law(ALL), "gram", "diagonal"))


@planted("a limit moves")
def limit_that_is_a_quantity() -> Json:
    """The number of rows tends to itself."""
    total = summed(0, "h", ["mul", 1, 1])
    quantity = named(law(ALL), "gram", "diagonal", h="n")
    evidence = {"rate": "n", "constant": 1, "steps": [{}, {}], "sums": [[total, "s", "s"]]}
    return tends("a", "a", evidence, quantities={"a": quantity})


# --- trees ------------------------------------------------------------------------------------------------------------


def counted(*rows: Any, h: Any = 1, **more: Any) -> Json:
    """The square of the first column has some length >= 0."""
    return stated("le", 100, COVER, a=named(law(*rows, **more), "gram", "diagonal", h=h))


@planted("a height outside the tree")
def row_above_the_root() -> Json:
    """The sums under nodes of height h + 1."""
    return counted(["sums", 0, ["add", "h", 1], 1, 1])


@planted("a height outside the tree")
def row_below_the_leaves() -> Json:
    return counted(["sums", -1, "h", 1, 1])


@planted("a height outside the tree")
def differences_of_leaves() -> Json:
    """A leaf has no children."""
    return counted(["differences", 0, "h", 1, 1])


@planted("is not an integer")
def row_at_half_a_height() -> Json:
    return counted(["sums", ["div", 1, 2], "h", 1, 1])


@planted("is not an integer")
def tree_of_half_a_height() -> Json:
    return counted(["sums", 0, 1, 1, 1], h=["div", 3, 2])


@planted("the number of children")
def differences_of_three_children() -> Json:
    return counted(EVERY, branching=3)


@planted("the number of children")
def tree_of_one_leaf() -> Json:
    """Nodes with one child: every node is the root."""
    return counted(ALL, branching=1)


@planted("is not an integer")
def half_a_child() -> Json:
    return counted(ALL, branching=["div", 5, 2])


@planted("a weight is not shown to be >= 0")
def negative_weight() -> Json:
    """The sensitivity of a row with weight -1 is -1."""
    return stated("eq", -1, COVER, a=named(law(["sums", 0, 0, -1, 1]), "sensitivity", "addremove", h=1))


@planted("a scale is not shown to be > 0")
def noise_of_a_negative_scale() -> Json:
    """Noise of scale -1, a privacy loss of -1."""
    return stated("eq", -1, COVER, a=named(law(["sums", 0, 0, 1, -1]), "loss", "addremove", h=1))


@planted("a scale is not shown to be > 0")
def no_noise() -> Json:
    """Counts without noise and their covariances, 0."""
    return stated("eq", 0, COVER, a=named(law(["sums", 0, 0, 1, 0], restored=[1]), "covariance", "diagonal", h=1))


@planted("a scale is not shown to be > 0")
def no_noise_at_the_root() -> Json:
    """Noise of scale h - s."""
    return stated("le", 3, COVER, a=named(law(["sums", 0, 0, 1, ["sub", "h", "s"]]), "loss", "addremove", h=2))


@planted("discrete noise is added to integers")
def discrete_noise_of_halves() -> Json:
    """A query that is 1/2 at one count, and integers added to it: not epsilon = 1/2, but nothing."""
    quantity = named(law(["sums", 0, 0, ["div", 1, 2], 1], noise="discrete"), "loss", "addremove", h=1)
    return stated("eq", ["div", 1, 2], COVER, a=quantity)


@planted("the variance of Laplace noise")
def variance_of_discrete_noise() -> Json:
    """2, that of Laplace noise."""
    quantity = named(law(["sums", 0, 0, 1, 1], noise="discrete", restored=[1]), "covariance", "diagonal", h=1)
    return stated("eq", 2, COVER, a=quantity)


@planted("one count exchanges nothing")
def exchange_of_one_count() -> Json:
    """2 for any height, 0 included."""
    quantity = named(law(["sums", 0, 0, 1, 1]), "sensitivity", "replace")
    return stated("eq", 2, {"steps": [{}]}, {"h": NATURAL}, a=quantity)


@planted("the root may have a row, or not")
def row_of_some_roots() -> Json:
    """2 h for rows up to l <= h, as if the root had one."""
    total = summed(0, ["sub", "h", 1], ["mul", 2, 1])
    evidence = {"steps": [{}], "sums": [[total, ["mul", 2, "s"], ["mul", 2, "s"]]]}
    quantity = named(law(["sums", 0, "l", 1, 1]), "sensitivity", "replace", h=["add", "l", "j"])
    variables = {"l": POSITIVE, "j": NATURAL}
    return stated("eq", ["mul", 2, ["add", "l", "j"]], evidence, variables, a=quantity)


@planted("a pair has an ancestor at a height 1..h")
def count_that_is_another_one() -> Json:
    return stated("eq", 2, COVER, a=named(law(ALL), "gram", "pair", h=1, k=0))


@planted("a pair has an ancestor at a height 1..h")
def pair_of_two_trees() -> Json:
    return stated("le", 0, COVER, a=named(law(ALL), "gram", "pair", h=1, k=2))


@planted("is not an integer")
def pair_at_half_a_height() -> Json:
    return stated("le", 0, COVER, a=named(law(ALL), "gram", "pair", h=2, k=["div", 3, 2]))


@planted("the common ancestor may have a row, or not")
def ancestor_in_some_rows() -> Json:
    """h - k + 1 rows are common to pairs at any k, those from j on, as if k were one of them."""
    total = summed("k", "h", ["mul", 1, 1])
    quantity = named(law(["sums", "j", "h", 1, 1]), "gram", "pair", h=["add", "j", "k"])
    evidence = {"steps": [{}], "sums": [[total, "s", "s"]]}
    return stated("eq", ["add", "j", 1], evidence, {"j": NATURAL, "k": POSITIVE}, a=quantity)


@planted("a law without a restoration")
def estimates_of_nothing() -> Json:
    return stated("eq", 1, COVER, a=named(law(["sums", 0, 0, 1, 1]), "returned", "diagonal", h=1))


@planted("zip()")
def restoration_of_fewer_rows() -> Json:
    """Unbiased, but for the row that nobody restores."""
    of = law(["sums", 0, 0, 1, 1], ALL, restored=[1])
    return stated("eq", 1, COVER, a=named(of, "returned", "diagonal", h=1))


@planted("a gap")
def least_squares_without_a_row() -> Json:
    """The inverse for all heights, of queries at the heights 0 and 2 of 3."""
    of = law(["sums", 0, 0, 1, 1], ["sums", 2, 3, 1, 1])
    return stated("eq", ["div", 1037, 1716], COVER, a=named(of, "least squares", "diagonal", h=3))


@planted("a gap")
def least_squares_without_some_differences() -> Json:
    of = law(["sums", "h", "h", 1, 1], ["differences", 1, ["sub", "h", 1], 1, 1])
    return stated("le", 0, COVER, a=named(of, "least squares", "diagonal", h=2))


@planted("ZeroDivisionError")
def least_squares_without_the_total() -> Json:
    """Differences leave the mean open."""
    return stated("le", 0, COVER, a=named(law(EVERY), "least squares", "diagonal", h=2))


@planted("ZeroDivisionError")
def least_squares_without_the_leaves() -> Json:
    """Sums of weight s, 0 for leaves: no inverse has entries for pairs, either."""
    weighted = law(["sums", 0, "h", "s", 1])
    return stated("le", 0, COVER, a=named(weighted, "least squares", "pair", h=3, k=2))


@planted("s is not shown to differ from 0")
def restoration_undefined_at_the_leaves() -> Json:
    """Factors 1 / s, of which pairs of counts see those from their ancestor on."""
    divided = law(ALL, restored=[["div", 1, "s"]])
    return stated("eq", ["div", 1, 2], COVER, a=named(divided, "returned", "pair", h=2, k=2))


@planted("no loss of pair")
def loss_of_a_pair() -> Json:
    return stated("le", 0, COVER, a=named(law(ALL), "loss", "pair", h=1, k=1))


@planted("positivity is not shown")
def privacy_of_half_the_noise() -> Json:
    """The loss of h + 1 rows with noise of scale h / eps is at most eps."""
    each = ["div", 1, ["div", "h", "eps"]]
    total = summed(0, "h", each)
    form = ["mul", each, "s"]
    quantity = named(law(["sums", 0, "h", 1, ["div", "h", "eps"]]), "loss", "addremove")
    variables = {"h": POSITIVE, "eps": {**REAL, "strict": True}}
    return stated("le", "eps", {"steps": [{}], "sums": [[total, form, form]]}, variables, a=quantity)


@planted("not one tie for every law")
def untied_law() -> Json:
    """A law that no program is said to have."""
    found = stated("eq", 1, COVER, a=named(law(["sums", 0, 0, 1, 1]), "loss", "addremove", h=1))
    return found | {"ties": []}
