"""False certificates about laws on arcs."""

from fractions import Fraction
from itertools import product
from typing import Any

from dp_spec.frequency import grr, wheel
from dp_spec.frequency.wheel import ARC, SUWHEEL, WHEEL
from dp_spec.vocabulary.error_statements import Formula
from dp_spec.vocabulary.law import K, Law, M, N, interval, push
from dp_spec.vocabulary.statement import (
    Chance,
    Domain,
    Invertible,
    Range,
    Ratio,
    Smallest,
    Statement,
    Unbounded,
)
from dp_spec.vocabulary.term import Term, term, var
from planted.register import W, planted
from tampered.certificates import Json, certified

COVER, EMITTED, SUPPORT, CONTRIBUTIONS = ({"rule": name} for name in ("cover", "emitted", "support", "contributions"))
ALONE: Json = {}
STEPS: Json = {"steps": [{}, {}]}
SIZES = {"m": Range(1, integer=True), "w": Range(1, strict=True)}
COVERS = Domain({**SIZES, "u": Range()})
AT: Json = {"m": 1, "K": 1, "N": 1, "w": "2"}
"""m = 1, e^eps = 2: arcs of length 1/3, Omega = 4/3, densities 3/2 and 3/4."""
APART = ["0", "1/3"]
TWO_SETS = K + N - M - 1


def affine(g: int, d: int) -> list[Any]:
    """h(x) = ((a x + b) mod g) / g."""
    found: dict[tuple[str, ...], Fraction] = {}
    for a, b in product(range(g), repeat=2):
        values = tuple(str(Fraction((a * x + b) % g, g)) for x in range(d))
        found[values] = found.get(values, Fraction(0)) + Fraction(1, g * g)
    return [[list(values), str(weight)] for values, weight in found.items()]


def pair(**changes: Any) -> Json:
    """A true witness against the joint reading, with something changed."""
    evidence: Json = {"instance": AT, "hashes": [[APART, "1"]], "s": [0], "other": [1], "output": [[0, [0]], []]}
    return evidence | {"probability": "1/2", "other_probability": "0"} | changes


def outside(arc: Term, covered: Term) -> Term:
    """The density off a cover of the given length."""
    omega = M * arc * W + 1 - M * arc
    return (omega - covered * W) / ((1 - covered) * omega)


def density(arc: Term, covered: Term, domain: Domain | None = None) -> Formula:
    """It is >= 0 off a cover of the given length, which leaves a gap."""
    return Formula(domain or Domain(SIZES), (("le", term(0), outside(arc, covered)), ("lt", covered, term(1))))


JOINT = Ratio(SUWHEEL, "hash", "joint")
MARGINAL = Ratio(SUWHEEL, "hash", "marginal", sizes="atmost")


# --- laws ---------------------------------------------------------------------------------------------------------


def other(length: Term, weight: Term = W, *, emits: bool = True) -> Law:
    """suWheel or Wheel with other arcs."""
    point = interval("ideal", length, weight)
    return Law("suwheel" if emits else "wheel", "w", term(1), push("emit", point) if emits else point)


@planted("m arcs are not shown to leave a gap")
def arcs_longer_than_the_circle() -> Json:
    """p = 1 / m leaves no gap outside the cover."""
    return certified(Ratio(other(1 / M), "hash", "marginal", sizes="atmost"), "proved", COVER)


@planted("an arc is not shown to have a length")
def arcs_without_length() -> Json:
    """p = 0."""
    return certified(Ratio(other(term(0)), "hash", "marginal"), "proved", COVER)


@planted("the density on arcs is not shown to be >= 0")
def negative_densities_on_arcs() -> Json:
    """w - 2 < 0 for e^eps < 2."""
    return certified(Ratio(other(ARC, W - 2), "hash", "marginal"), "proved", COVER)


@planted("the density on arcs is not shown to be at most e^eps / Omega")
def twice_the_density_on_arcs() -> Json:
    """Ratios up to 2 e^eps."""
    return certified(Ratio(other(ARC, 2 * W), "hash", "marginal"), "proved", COVER)


@planted("the density is not shown to be larger on arcs")
def a_smaller_density_on_arcs() -> Json:
    """1 / w on arcs: ratios up to more than e^eps, the other way round."""
    return certified(Ratio(other(ARC, 1 / W), "hash", "marginal"), "proved", COVER)


@planted("the law is not about arcs")
def disjoint_arcs_of_dummies() -> Json:
    """The dummies have arcs, too: nothing says that all of them fit."""
    law = Law("wheel", "w", term(1), ("dummies", "sen", interval("disjoint", ARC, W)))
    body = Chance(WHEEL, "disjoint", "sensitive", "other", ARC / wheel.OMEGA).json() | {"law": law.json()}
    return certified(body, "proved", CONTRIBUTIONS)


@planted("each held of such outcomes")
def a_point_for_every_item() -> Json:
    """Off the arc of one item the density is not 1 / Omega (for m > 1); disjoint arcs need not even exist."""
    law = Law("wheel", "w", term(1), ("each", "held", interval("disjoint", ARC, W)))
    body = Chance(WHEEL, "disjoint", "sensitive", "other", M * ARC / wheel.OMEGA).json() | {"law": law.json()}
    return certified(body, "proved", CONTRIBUTIONS)


@planted("the probability is another one")
def a_chance_of_another_density() -> Json:
    """P_true = p e^eps without the normalizer."""
    return certified(Chance(SUWHEEL, "fixed", "sensitive", "held", ARC * W), "proved", CONTRIBUTIONS)


@planted("x is emitted with another probability")
def emission_by_another_coin() -> Json:
    """r = 1/2 whatever the point is."""
    return certified(Invertible(SUWHEEL, "hash", probability=term(1) / 2), "proved", SUPPORT)


@planted("no hash functions are called universal")
def an_unknown_family() -> Json:
    """Nothing is known of it."""
    return certified(Chance(other(ARC), "universal", "sensitive", "held", wheel.HIT), "proved", CONTRIBUTIONS)  # type: ignore[arg-type]


# --- densities and ratios -----------------------------------------------------------------------------------------


@planted("positivity is not shown")
def a_density_for_all_sets() -> Json:
    """The arcs of enough items cover almost everything, and leave no mass for the rest."""
    domain = Domain({**SIZES, "l": Range(unit=True)})
    return certified(density(ARC, var("l"), domain), "proved", STEPS)


@planted("is not shown to differ from 0")
def a_density_for_too_many_items() -> Json:
    """2m + 1 arcs may cover everything."""
    return certified(density(ARC, (2 * M + 1) * ARC), "proved", STEPS)


@planted("positivity is not shown")
def a_density_for_longer_arcs() -> Json:
    """With arcs of length 1 / (3m), 2m of them leave a gap, but no mass for it if e^eps > 2."""
    arc = 1 / (3 * M)
    return certified(density(arc, 2 * M * arc), "proved", STEPS)


@planted("the relation is not shown to fail")
def a_density_called_none() -> Json:
    """Two disjoint arcs leave density 0 outside: that is a law."""
    evidence = {"relation": 0, "values": {"m": "1", "w": "2"}}
    return certified(density(ARC, 2 * M * ARC), "refuted", evidence)


@planted("u lies outside the domain")
def a_larger_set_against_the_density_of_m_items() -> Json:
    """A statement about at most m items, and the length of the arcs of 3 m."""
    evidence = {"relation": 0, "values": {"m": "1", "w": "2", "u": "-2/3"}}
    return certified(density(ARC, M * ARC / (1 + var("u")), COVERS), "refuted", evidence)


@planted("the cover of more than m items is not bounded")
def sets_of_all_sizes() -> Json:
    """Two disjoint arcs and m = 1: density 0 outside."""
    return certified(Ratio(SUWHEEL, "hash", "marginal", sizes="all"), "proved", COVER)


@planted("invertible data are compared")
def the_joint_reading_by_covers() -> Json:
    """What is emitted is compared, too."""
    return certified(JOINT, "proved", COVER)


@planted("invertible data are compared")
def local_privacy_of_what_is_emitted() -> Json:
    """suWheel is not epsilon-LDP."""
    return certified(Ratio(SUWHEEL, "hash", "ldp"), "proved", COVER)


@planted("does not violate")
def a_ratio_equal_to_the_bound() -> Json:
    """Disjoint arcs reach e^eps; that is no violation."""
    evidence = pair(output=[0, [0]], other_probability="1/4")
    return certified(MARGINAL, "refuted", evidence)


@planted("not those of the law")
def densities_of_another_law() -> Json:
    """The density on a cover is 3/2."""
    return certified(JOINT, "refuted", pair(probability="2/3"))


@planted("or not in an output of s")
def emitted_items_in_the_marginal_reading() -> Json:
    """I is not part of y0."""
    return certified(MARGINAL, "refuted", pair(output=[[0, [0]], []]))


@planted("or not in an output of s")
def an_item_that_only_one_set_holds() -> Json:
    """Joint: I is held by both sets."""
    evidence = pair(s=[1], other=[0], output=[[0, [0]], [1]], probability="1/4")
    return certified(JOINT, "refuted", evidence)


@planted("the pair is not compared")
def sets_with_other_invertible_items() -> Json:
    """`samenon` compares sets with equal non-sensitive items."""
    return certified(Ratio(SUWHEEL, "hash", "samenon"), "refuted", pair())


@planted("nothing is drawn from it")
def a_ratio_of_something_that_is_no_density() -> Json:
    """Three arcs cover everything: the integral is 3/2."""
    at, hashes = {"m": 1, "K": 3, "N": 0, "w": "2"}, [[["0", "1/3", "2/3"], "1"]]
    evidence = pair(instance=at, hashes=hashes, s=[0, 1, 2], other=[0, 1], output=[0, [2]])
    return certified(Ratio(SUWHEEL, "hash", "marginal", sizes="all"), "refuted", evidence)


@planted("the pair is not compared")
def a_set_against_itself() -> Json:
    """Every ratio is 1."""
    return certified(MARGINAL, "refuted", pair(other=[0], output=[0, [0]], other_probability="1/2"))


@planted("is no point of [0, 1)")
def a_hash_value_beyond_the_circle() -> Json:
    """4/3 would be 1/3 again, if anybody reduced it."""
    return certified(JOINT, "refuted", pair(hashes=[[["0", "4/3"], "1"]]))


@planted("a function has a value for every item")
def a_hash_function_without_an_item() -> Json:
    """x has no arc."""
    return certified(JOINT, "refuted", pair(hashes=[[["0"], "1"]]))


@planted("or not in an output of s")
def a_point_of_two_disjoint_arcs() -> Json:
    """No point lies in both."""
    return certified(JOINT, "refuted", pair(output=[[0, [0, 1]], []]))


@planted("or not in an output of s")
def a_hash_function_that_is_not_listed() -> Json:
    """Function 1 of one."""
    return certified(JOINT, "refuted", pair(output=[[1, [0]], []]))


@planted("one public hash function")
def two_published_functions() -> Json:
    """A ratio on average over two functions is no ratio given the published one."""
    return certified(JOINT, "refuted", pair(hashes=[[APART, "1/2"], [["1/3", "0"], "1/2"]]))


@planted("whatever it is")
def a_violation_given_one_of_many_functions() -> Json:
    """On average over independent hash values every point is as likely."""
    grid = ("0", "1/3", "2/3")
    evidence = pair(hashes=[[list(h), "1/9"] for h in product(grid, repeat=2)], output=[[1, [0]], []])
    return certified(Ratio(SUWHEEL, "ideal", "joint"), "refuted", evidence | {"probability": "1/18"})


@planted("hash functions of an instance are listed")
def an_instance_without_hash_functions() -> Json:
    """A law on arcs has none without them."""
    evidence = pair()
    del evidence["hashes"]
    return certified(JOINT, "refuted", evidence)


@planted("the law is not about arcs")
def hash_functions_of_a_law_without_any() -> Json:
    """GRR reports a label."""
    evidence = pair(instance={"m": 1, "K": 2, "N": 0, "w": "2"}, output=[0, []])
    return certified(Ratio(grr.GRR_SAMPLE, "one", "joint"), "refuted", evidence)


@planted("hash functions of an instance are listed")
def a_constant_under_one_hash_function() -> Json:
    """The constant is smaller under most functions; the statement is about the largest one."""
    statement = Smallest(WHEEL, "hash", "ldp", where=(TWO_SETS,), constant=W)
    evidence = {"instance": {"m": 1, "K": 2, "N": 0, "w": "2"}, "exact": "1", "stated": "2"}
    return certified(statement, "refuted", evidence)


@planted("no evidence makes this type of statement 'refuted'")
def an_unbounded_ratio_refuted_on_arcs() -> Json:
    """Nothing is said of the hash function under which a constant bounds the ratio."""
    statement = Unbounded(SUWHEEL, "hash", "joint", where=(TWO_SETS, N - 1))
    return certified(statement, "refuted", {"instance": AT, "exact": "2"})


@planted("hash functions of an instance are listed")
def a_bound_verified_on_arcs() -> Json:
    """suWheel violates the joint reading at these sizes."""
    return certified(JOINT, "verified", {"instances": [{"m": 1, "K": 1, "N": 1}]})


@planted("the instance lies outside the domain")
def a_witness_outside_the_stated_sizes() -> Json:
    """A statement about domains without non-sensitive items."""
    return certified(Ratio(SUWHEEL, "hash", "joint", where=(-N,)), "refuted", pair())


@planted("w = 1 lies outside the domain")
def a_witness_on_arcs_at_epsilon_zero() -> Json:
    """eps > 0 is stated."""
    at = {"m": 1, "K": 1, "N": 1, "w": "1"}
    return certified(JOINT, "refuted", pair(instance=at, probability="1/2"))


@planted("d > m is not stated")
def a_constant_of_a_single_set() -> Json:
    """For d = m there is one set of m items."""
    return certified(Smallest(WHEEL, "hash", "ldp", constant=W), "proved", COVER)


@planted("the constant is another one")
def a_smaller_constant() -> Json:
    """e^eps - 1/2 is reached and exceeded."""
    statement = Smallest(WHEEL, "hash", "ldp", where=(TWO_SETS,), constant=W - term(1) / 2)
    return certified(statement, "proved", COVER)


@planted("d > m, N >= 1 are not stated")
def unbounded_without_invertible_items() -> Json:
    """Without X_non the joint ratio is at most e^eps."""
    statement = Unbounded(SUWHEEL, "hash", "joint", where=(TWO_SETS,))
    return certified(statement, "proved", EMITTED)


@planted("the pair is not compared by this reading")
def unbounded_marginal_law() -> Json:
    """The point alone has bounded ratios."""
    statement = Unbounded(SUWHEEL, "hash", "marginal", where=(TWO_SETS, N - 1))
    return certified(statement, "proved", EMITTED)


@planted("whatever it is")
def privacy_on_average_over_hash_functions() -> Json:
    """The hash function is published: an average over it is another statement."""
    return certified(Ratio(SUWHEEL, "ideal", "marginal"), "proved", COVER)


@planted("not an identity")
def a_ratio_of_the_wrong_cover() -> Json:
    """l is the length of the cover of s', k that of s."""
    first, second = ((W / wheel.OMEGA) / outside(ARC, M * ARC / (1 + var(x))) for x in "uv")
    statement = Formula(Domain({**SIZES, "u": Range(), "v": Range()}), (("eq", first, second),))
    return certified(statement, "proved", {"steps": [{}]})


@planted("the relation is not shown to fail")
def a_right_ratio_called_wrong() -> Json:
    """Inside against outside the printed ratio is right."""
    covered = M * ARC / (1 + var("u"))
    printed = W * (1 - covered) / (wheel.OMEGA - covered * W)
    statement = Formula(COVERS, (("eq", (W / wheel.OMEGA) / outside(ARC, covered), printed),))
    return certified(statement, "refuted", {"relation": 0, "values": {"m": "1", "w": "2", "u": "0"}})


# --- kinds of evidence that no claim of the project needs ---------------------------------------------------------

OTHERS_ON_ARCS: list[tuple[Statement, str, Json]] = [(Invertible(SUWHEEL, "hash"), "proved", SUPPORT)]
"""True certificates of these kinds."""
