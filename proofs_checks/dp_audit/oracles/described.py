"""What the mechanisms and their parameters are, in words, with values that can be typed: for `audit oracles NAME`."""

import shlex
from collections.abc import Iterator, Mapping

from flint import arb, ctx

from dp_audit.exact.target import encoded
from dp_audit.figures import PRECISIONS, short, show
from dp_audit.handed import handed
from dp_audit.interceptor.given import decode
from dp_audit.oracles import KINDS
from dp_audit.oracles.base import Kind, Oracle

_GRR = "the true item with probability e^epsilon / (e^epsilon + d - 1), every other one equally often"
_UNARY = "every bit of the item's indicator on its own: 1 stays 1 with probability {}, 0 becomes 1 with probability {}"
_HALF = "e^(epsilon/2) / (e^(epsilon/2) + 1)", "1 / (e^(epsilon/2) + 1)"
_EXPONENTIAL = "a candidate with probability proportional to e^(epsilon u / (2 sensitivity)), u its utility"
_TWICE = "; without the 2 if monotonic"
_GEOMETRIC = "the true value + z, P(z) proportional to e^(-epsilon |z| / sensitivity)"
_PROTECTED = "a sensitive item: itself with probability {0} / ({0} + K - 1), every other sensitive one equally often; "
_PROTECTED += "another item: each sensitive one with probability 1 / ({0} + K - 1), else itself"
_SHOWN = "{0}, with t = {1}: the sensitive bits: 1 stays 1 with probability t / (t + 1), 0 becomes 1 with probability "
_SHOWN += "1 / (t + 1); an item that is not sensitive is shown, if it is held, with probability (t - 1) / t"
_ARCS = (
    "a point of the circle [0, 1), of density e^epsilon / W where an arc of one of the m items is, W = m p e^epsilon + "
)
_ARCS += (
    "1 - m p, and of another constant density elsewhere; the arc of x is [hash(x), hash(x) + p), p = 1 / (2m - 1 + "
)
_ARCS += "m e^epsilon)"
_CELL = "GRR on the g cells, of the cell that the hash function gives the item"
LAWS: Mapping[str, str] = {
    "GRR": _GRR,
    "RR": _GRR.replace("d - 1", "1"),
    "GRR-categories": _GRR.replace("item", "category"),
    "SUE": _UNARY.format(*_HALF),
    "OUE": _UNARY.format("1/2", "1 / (e^epsilon + 1)"),
    "UE": _UNARY.format("p", "q"),
    "THE": "every bit of the item's indicator + Laplace noise of scale 2 / epsilon; 1 where the sum is above theta",
    "SS": "a set of k items: with the true item with probability k e^epsilon / (k e^epsilon + d - k), else without; "
    "all such sets equally often",
    "LH": _CELL,
    "FLH": f"the number of the function is uniform; {_CELL}",
    "LH-ideal": f"the function is uniform among all g^d; {_CELL}",
    "HM": "t uniform indices i; the signs H[i, first + item], (-1)^popcount(i & (first + item)), are all kept with "
    "probability e^epsilon / (e^epsilon + 2^t - 1), every other tuple of signs equally often; 0 <= i < D, the smallest "
    "power of two >= d + first",
    "HR": "B blocks of b indices, b the smallest power of two >= d / B + 1: item x has block x // (b - 1) and the b/2 "
    "indices y in it with (-1)^popcount(y & (x % (b - 1) + 1)) = 1 (y counted in the block), each with probability "
    "e^epsilon / (2B - 1 + e^epsilon) * 2/b; all K = B b others with 1 / (2B - 1 + e^epsilon) * 2/b",
    "ADP": "GRR or OUE, whichever has the smaller variance at frequency 0 (GRR if equal)",
    "L-GRR": "two rounds of GRR: the first (eps_perm) is kept for a value, every report is a second one on it, with "
    "the budget ln((e^(eps_perm + eps_1) - 1) / (e^eps_perm - e^eps_1)); for d > 2 one report spends less than eps_1",
    "L-LH": "two rounds, as L-GRR, on the g cells, of the cell that the hash function gives the item",
    **{
        name: f"two rounds: {first}, kept for a value, with eps_perm, then {second} on it for every report, so that "
        "one report spends eps_1 exactly"
        for name, first, second in (
            ("L-SUE", "SUE", "SUE"),
            ("L-OUE", "OUE", "OUE"),
            ("L-OSUE", "OUE", "SUE"),
            ("L-SOUE", "SUE", "OUE"),
        )
    },
    "L-ADP": "L-GRR or L-OSUE, whichever has the smaller variance at frequency 0 (L-GRR if equal)",
    "CMS": "m signs, 1 in the item's cell and -1 elsewhere, each flipped with probability 1 / (e^(epsilon/2) + 1); the "
    "number of the function is uniform",
    "HCMS": "the entry H[index, cell of the item], (-1)^popcount(index & cell), flipped with probability "
    "1 / (e^epsilon + 1); index below m (a power of two) and number of the function are uniform",
    "PCS": "m uniform signs, but that in the item's cell is the item's sign with probability e^epsilon / (e^epsilon + "
    "1); the number of the function is uniform",
    "RAPPOR": "the item's Bloom filter in a uniform cohort; every bit is replaced by a fair coin with probability f "
    "(the permanent response)",
    "dBitFlipPM": "`bits` of the buckets are drawn without replacement, and the SUE bit of each is sent; item x has "
    "bucket x buckets // d",
    "GRR-column": "GRR of every user's item on its own",
    "Exponential-column": "the exponential mechanism for every user on its own",
    "Exponential": _EXPONENTIAL + _TWICE,
    "ExponentialScores": "a candidate with probability proportional to e^(epsilon u / (2 s)), u its score and s its "
    "sensitivity" + _TWICE,
    "PermuteAndFlip": "candidates in a random order; each is taken with probability e^(epsilon (u - largest) / (2 "
    "sensitivity)), u its utility, until one is" + _TWICE,
    "NoisyMax": "the candidate with the largest utility + Laplace noise of scale 2 sensitivity / epsilon" + _TWICE,
    "ExponentialCategorical": "y with probability proportional to e^(-epsilon d(x, y) / (2 D)), D the largest "
    "distance; without the 2 if all rows of distances are permutations of each other",
    "ExponentialHierarchical": "as ExponentialCategorical; the distance of two leaves is the height of their lowest "
    "common node",
    "Geometric": _GEOMETRIC,
    "GeometricTruncated": _GEOMETRIC + ", replaced by the nearest bound where it is outside",
    "GeometricFolded": _GEOMETRIC + ", mirrored at the bounds (y becomes 2 upper - y, or 2 lower - y) until it is "
    "inside",
    "Laplace": "the true value + Laplace noise of scale sensitivity / epsilon",
    "LaplaceCounts": "every count + independent Laplace noise of scale sensitivity / epsilon",
    "RoundedLaplace": "the input + Laplace noise of scale (upper - lower) / epsilon, rounded, then clipped",
    "DiscreteGaussian": "the true value + z, P(z) proportional to e^(-z^2 / (2 sigma^2))",
    "DiscreteLaplace": "the true value + z, P(z) proportional to e^(-|z| / scale)",
    "GRRSplit": "GRR with epsilon / m of each of the m items, independently",
    "GRRSample": "one of the m items, uniformly, then GRR",
    "RAPPORSet": _UNARY.format("e^(epsilon/(2m)) / (e^(epsilon/(2m)) + 1)", "1 / (e^(epsilon/(2m)) + 1)").replace(
        "item's indicator", "m items' indicator"
    ),
    "RAPPORSample": "one of the m items, uniformly, then SUE",
    "URR": _PROTECTED.format("e^epsilon"),
    "URAP": "every bit on its own: a sensitive item's own bit is 1 with probability theta, every other sensitive bit "
    "with d1 = theta / ((1 - theta) e^epsilon + theta); an item that is not sensitive is shown with probability "
    "1 - theta / (d1 e^epsilon)",
    "SuGRR": f"each of the m items on its own, with e0 = e^(epsilon/m): {_PROTECTED.format('e0')}",
    "SuGRRSample": f"one of the m items, uniformly, then as uRR: {_PROTECTED.format('e^epsilon')}",
    "SuRAP": _SHOWN.format("every bit on its own", "e^(epsilon/(2m))"),
    "SuRAPSample": _SHOWN.format("one of the m items, uniformly, and then every bit on its own", "e^(epsilon/2)"),
    "Wheel": _ARCS,
    "SuWheel": f"{_ARCS}; I are the items held that are not sensitive and whose arc does not hold the point",
    "PrivSet": "a set of k items; those that hold one of the m items are e^epsilon times as probable as the others",
}
"""By mechanism; of several attributes, see `law`."""
_RULES = {
    "SMP": "one attribute is drawn uniformly and reported with the whole budget",
    "SPL": "every attribute is reported with its share of the budget, epsilon / number of attributes",
    "RSpFD": "one attribute is drawn uniformly and reported with ln(n (e^epsilon - 1) + 1) for n attributes, the "
    "others are fake",
}
_TABLE = "a list for every function: the cells of all items", "[[0, 1, 1], [1, 0, 1]]"
_ROWS = "[[0, 1, 2], [1, 1, 1]]"
_EVERY, _APART = "for every input (a data set) a row:", "; every two are at most the sensitivity apart"
_PARAMETERS: Mapping[str, tuple[str, str]] = {
    "d": ("number of items, which are 0 .. d-1", "3"),
    "epsilon": ("the budget", "1"),
    "categories": ("their names, two or more", "red, green, blue"),
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
    "view": ("the form of the report: multiset, or vector (GRRSplit), set, position, padded (SuGRR)", "multiset"),
    "K": ("number of sensitive items, 0 .. K-1", "2"),
    "N": ("number of items that are not sensitive, K .. K+N-1", "1"),
    "relation": ("the reading in which privacy is judged: joint, marginal, deniability or samenon", "joint"),
}
"""By name: what it is, and a value of it as text."""
_OWN: Mapping[tuple[str, str], tuple[str, str]] = {
    **{(name, "m"): ("number of cells", "2") for name in ("CMS", "HCMS", "PCS")},
    ("LH", "hash"): ("the cells of all items; not needed with --hash", "0, 1, 1"),
    ("RAPPOR", "m"): ("number of bits of a filter", "2"),
    ("PrivSet", "k"): ("size of the set", "1"),
    **{(name, "hash"): ("hash values of all items, in [0, 1]", "0, 1/3, 1/2") for name in ("Wheel", "SuWheel")},
    **{(name, "hashes"): ("for every attribute, the cells of its values", "[[0, 1], [1, 0, 1]]") for name in _RULES},
    **{(name, "buckets"): ("number of buckets of every attribute", "2, 2") for name in _RULES},
    ("URAP", "theta"): ("the parameter of uRAP; e^(epsilon/2) / (e^(epsilon/2) + 1) by default", "2/3"),
    ("GRR-column", "d"): ("number of items", "2"),
    ("LaplaceCounts", "sensitivity"): ("by how much one user changes the counts, in the sum of absolute values", "2"),
}
"""Parameters that are something else in a mechanism (or in SMP, SPL of several attributes)."""


def law(name: str) -> str:
    """How a report is drawn."""
    solution, _, part = name.partition("-")
    if solution not in _RULES or not part:
        return LAWS[name]
    said = "" if solution != "RSpFD" else _fake(part)
    return f"{_RULES[solution]}{said}; see {part.removesuffix('-zero').removesuffix('-random')}"


def _fake(part: str) -> str:
    if part.endswith("-random"):
        return ": random indicators, perturbed"
    return ": vectors of 0, perturbed" if part.endswith("-zero") else ": uniform, or vectors of 0 that are perturbed"


def described(name: str, parameter: str) -> tuple[str, str]:
    """What a parameter of a mechanism is, and a value of it as text."""
    solution = name.partition("-")[0]
    return _OWN.get((name, parameter)) or _OWN.get((solution, parameter)) or _PARAMETERS[parameter]


def example(name: str, kind: Kind) -> dict[str, str]:
    """Values of the parameters that are needed, as text."""
    return {p: described(name, p)[1] for p in kind.parameters if p not in kind.optional}


def explained(name: str) -> str:
    """All of it, in lines: the law, the report, the parameters, a command that audits an implementation, and what that
    one hands to it and compares its estimates with."""
    kind = KINDS[name]
    needed = example(name, kind)
    lines = [f"{name}: {law(name)}", f"report: {kind.reports}", "parameters:"]
    for parameter in kind.parameters:
        means, _ = described(name, parameter)
        also = " (optional)" if parameter in kind.optional else f', as "{needed[parameter]}"'
        lines.append(f"  {parameter}: {means}{also}")
    options = " ".join(f"--param {shlex.quote(f'{p}={value}')}" for p, value in needed.items())
    return "\n".join(
        (*lines, f"$ dp-refimpl audit python FILE.py:NAME --oracle {name} {options}", *_in_use(kind, needed))
    )


def _in_use(kind: Kind, parameters: Mapping[str, object]) -> Iterator[str]:
    """What is handed to code, the budget by which it is judged, and what the specified estimator makes of a report."""
    reference = kind.make(**{p: kind.parameters[p](p, value) for p, value in parameters.items()})
    first, last = (decode(encoded(item), "int") for item in (reference.inputs[0], reference.inputs[-1]))
    yield f"inputs: {len(reference.inputs)}, the first is {first!r}, the last {last!r}"
    given = ", ".join(f"{p}={value!r}" for p, value in handed(kind, parameters).items())
    yield f"handed to what has arguments for them: {given}"
    with ctx.workprec(PRECISIONS[0]):
        yield f"judged by epsilon = {short(arb(reference.privacy()).log())}"
        report = next(iter(reference.law(reference.inputs[0])))
        estimates = reference.estimate([report])
        if estimates is not None:
            yield f"estimates from one report {show(report)}: {', '.join(map(short, estimates))}"
            yield from _shares(reference)


def _shares(reference: Oracle) -> Iterator[str]:
    """The estimator, where it depends on the share of the reports that support an item only."""
    reports = list(dict.fromkeys(y for x in reference.inputs for y in reference.law(x)))
    found = [(y, [arb(e) for e in reference.estimate([y]) or ()]) for y in reports]
    every = [e for _, estimates in found for e in estimates]
    low, high = min(every, key=float), max(every, key=float)
    if low.overlaps(high) or not all(e.overlaps(low) or e.overlaps(high) for e in every):
        return
    q, p = low / (low - high), (1 - low) / (high - low)
    yield f"that is (s - q) / (p - q), s the share of the reports that support an item, p = {short(p)}, q = {short(q)}"
    report, supported = next(
        (y, places) for y, e in found if (places := [i for i, x in enumerate(e) if x.overlaps(high)])
    )
    yield f"the report {show(report)} supports those in places {', '.join(map(str, supported))} (the first is 0)"
