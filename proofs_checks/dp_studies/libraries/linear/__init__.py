"""Linear parts of released libraries against ours: trees of sums, consistency, variances of noise.

    python -m dp_studies.libraries.linear

asks opendp, diffprivlib, mbi and tmlt-core again (in their environments: `dp-refimpl audit environment central
marginals tumult`) and rewrites `docs/data/linear.json`. What they answered is compared with exact values whenever it is
read.
"""

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import arb, fmpq, fmpq_mat

from dp_audit.environment import Environment
from dp_audit.run.process_guard import run
from dp_checks.pages.notation import table
from dp_refimpl.matrix.consistency import Boost
from dp_refimpl.matrix.geometric import DiscreteLaplace
from dp_refimpl.matrix.laplace import Laplace
from dp_refimpl.matrix.mechanism import pseudoinverse, strategy
from dp_refimpl.matrix.parameters import Neighbors, Root
from dp_refimpl.matrix.tree import Tree
from dp_refimpl.matrix.workload_totals import Workload
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.real import Real
from dp_studies.comparisons.strategies.candidates import NoiseLaw, Setting, candidates, padded
from dp_studies.comparisons.strategies.ranking import By, ranking, unit

FORMAT = "dp-refimpl linear parts 2"
ASKED = ("central", "marginals", "tumult")
"""The environments."""
COMMITTED = Path("docs") / "data" / "linear.json"
TOLERANCE = fmpq(1, 2**40)
"""Of results in floating point, relative to the largest value of a case: as of audits."""
SHAPES = tuple((b, n) for b, most in ((2, 16), (3, 27), (4, 16), (5, 25)) for n in range(2, most + 1))
"""Branching factors and numbers of leaves, those of complete trees and others."""
COMPLETE = tuple((b, h) for b in (2, 3, 4, 5) for h in range(1, 6) if b**h <= 128)
"""Branching factors and heights of complete trees."""
SCALES = (1, 2, 11, 20)
PLACES = (-30, -5, -1, 0, 1, 2, 7, 30)
SIZES = (16, 100, 256, 1000, 1024, 4096, 65536, 2**20)


@dataclass(frozen=True)
class Compared:
    """What was compared in how many cases; the largest relative difference, and the first case beyond the tolerance."""

    package: str
    what: str
    cases: int
    difference: fmpq
    witness: str

    @property
    def verdict(self) -> str:
        """equal, rounding or deviates."""
        return "deviates" if self.witness else "rounding" if self.difference else "equal"


def request(seed: int = 1) -> dict[str, Any]:
    """What is asked, always the same."""
    draws = random.Random(seed)
    shapes = [(b, n, _nodes(b, n)) for b, n in SHAPES]
    return {
        "consistent": [
            {"branching": b, "leaves": n, "noisy": [draws.randint(-99, 99) for _ in range(nodes)]}
            for b, n, nodes in shapes
        ],
        "trees": [{"branching": b, "data": [draws.randint(0, 99) for _ in range(n)]} for b, n, _ in shapes],
        "choices": list(SIZES),
        "noise": [{"epsilon": e, "sensitivity": s} for e in (0.125, 0.5, 1.0, 2.0) for s in (1, 2, 11, 20)],
        "totals": [
            {"branching": b, "levels": [[draws.randint(10, 99) for _ in range(b**d)] for d in range(h + 1)]}
            for b, h in COMPLETE
        ],
        "low": [
            {"branching": b, "levels": [[draws.randint(-9, 0) for _ in range(b**d)] for d in range(h + 1)]}
            for b, h in COMPLETE
        ],
        "laws": [{"scale": scale, "at": list(PLACES)} for scale in SCALES],
    }


def ask(name: str, environment: Environment) -> dict[str, Any]:
    """What those in an environment answer. Raises `subprocess.CalledProcessError` where they fail."""
    script = Path(__file__).with_name("child.py")
    done = run([str(environment.python), "-I", str(script), name], stdin=json.dumps(request()))
    done.check_returncode()
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def together(answers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The answers of all environments, as committed."""
    merged: dict[str, Any] = {"format": FORMAT, "versions": {}}
    for answer in answers:
        merged |= {**answer, "versions": merged["versions"] | answer["versions"]}
    return merged


def committed(tree: Path) -> Mapping[str, Any]:
    """The committed answers."""
    answers: Mapping[str, Any] = json.loads((tree / COMMITTED).read_text(encoding="utf-8"))
    return answers


def compared(answers: Mapping[str, Any]) -> list[Compared]:
    """The answers beside exact values."""
    complete = [one for one in answers["consistent"] if padded(one["leaves"], one["branching"]) == one["leaves"]]
    others = [one for one in answers["consistent"] if one not in complete]
    return [
        _comparison("opendp", "make_b_ary_tree: sums", _sums(answers["trees"])),
        _comparison("opendp", "make_b_ary_tree: bound for one person more or less", _bounds(answers["trees"])),
        _comparison("opendp", "make_consistent_b_ary_tree: complete trees", _restored(complete)),
        _comparison("opendp", "make_consistent_b_ary_tree: missing leaves", _restored(others)),
        _comparison("diffprivlib", "Geometric.variance", _variances(answers["noise"], "geometric")),
        _comparison("diffprivlib", "Laplace.variance", _variances(answers["noise"], "laplace")),
        _comparison("mbi", "minimum_variance_unbiased_total: levels of complete trees", _totals(answers["totals"])),
        _comparison("mbi", "minimum_variance_unbiased_total: totals below 1", _totals(answers["low"])),
        _comparison("tmlt-core", "double_sided_geometric_pmf", _chances(answers["laws"], "mass")),
        _comparison("tmlt-core", "double_sided_geometric_cmf", _chances(answers["laws"], "below")),
    ]


def choices(answers: Mapping[str, Any]) -> list[tuple[int, int, int, float]]:
    """opendp's branching factor for N leaves, the best one for prefixes, and how many times its error theirs has.

    Of consistent trees with their root, filled up with zeros: of branching factors from 2 to 64, and theirs.
    """
    rows = []
    for one in answers["choices"]:
        n, theirs = one["size"], one["found"]
        tried = tuple(sorted({*range(2, 65), theirs}))
        setting = Setting(n, Workload.PREFIX, branchings=tried, pad=True)
        trees = [c for c in candidates(setting, ["Boost"])[0] if getattr(c.mechanism, "root", None) is Root.RELEASED]
        keys = {
            getattr(row.candidate.mechanism, "branching", 0): row.key(By.TOTAL)
            for row in ranking(setting, 1, trees, seek=False)
        }
        best = next(iter(keys))
        rows.append((n, theirs, best, float(keys[theirs] / keys[best])))
    return rows


Case = tuple[str, Sequence[fmpq], Sequence[fmpq]]
"""What was asked, their values, and ours."""


def _comparison(package: str, what: str, cases: Iterator[Case]) -> Compared:
    listed, largest, witness = 0, fmpq(0), ""
    for asked, theirs, ours in cases:
        listed += 1
        whole = max([abs(x) for x in ours], default=fmpq(0)) or fmpq(1)
        same = len(theirs) == len(ours)
        difference = max([abs(a - b) / whole for a, b in zip(theirs, ours, strict=True)]) if same else fmpq(1)
        largest = max(largest, difference)
        if difference > TOLERANCE and not witness:
            witness = asked
    return Compared(package, what, listed, largest, witness)


def _restored(answers: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    """Least squares by exact linear algebra: leaves that are missing are 0, nodes above them alone tell nothing."""
    for one in answers:
        b, n, noisy = one["branching"], one["leaves"], one["noisy"]
        whole = strategy(Tree(padded(n, b), b))
        part = fmpq_mat(len(noisy), n, [whole[i, j] for i in range(len(noisy)) for j in range(n)])
        ours = pseudoinverse(part) * fmpq_mat(len(noisy), 1, noisy)
        yield f"b = {b}, {n} leaves, nodes {noisy}", _exact(one["found"]), [ours[i, 0] for i in range(n)]


def _sums(answers: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    for one in answers:
        b, data = one["branching"], one["data"]
        size = padded(len(data), b)
        sums = Tree(size, b).compress([*data, *[0] * (size - len(data))])
        yield f"b = {b}, data {data}", _exact(one["found"]), _exact(sums[: _nodes(b, len(data))])


def _bounds(answers: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    for one in answers:
        b, n = one["branching"], len(one["data"])
        yield f"b = {b}, {n} leaves", _exact(one["bounds"][:1]), [Tree(padded(n, b), b).scale(Neighbors.ADD_REMOVE)]


def _variances(answers: Sequence[Mapping[str, Any]], law: str) -> Iterator[Case]:
    """Ours to 256 bits where it is irrational."""
    for one in answers:
        epsilon, sensitivity = Fraction(one["epsilon"]), one["sensitivity"]
        if law == "laplace":
            ours = Laplace(fmpq(sensitivity * epsilon.denominator, epsilon.numerator)).variance
        else:
            with precision(256):
                ours = _middle(unit(fmpq(sensitivity), NoiseLaw.DISCRETE, epsilon).enclosure(256))
        yield f"epsilon = {epsilon}, sensitivity {sensitivity}", _exact([one[law]]), [ours]


def _totals(answers: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    """The root of the consistent tree that is nearest to all nodes."""
    for one in answers:
        b, levels = one["branching"], one["levels"]
        leaves = Boost(len(levels[-1]), b).restore([x for level in levels for x in level])
        yield f"b = {b}, levels {levels}", _exact([one["found"]]), [fmpq(sum(leaves))]


def _chances(answers: Sequence[Mapping[str, Any]], name: str) -> Iterator[Case]:
    """P[Z = z] or P[Z <= z] for alpha = e^(-1 / scale), to 256 bits: one case each, as they differ by magnitudes."""
    for one in answers:
        law = DiscreteLaplace(Real.power(None, Fraction(-1, one["scale"])))
        for z, theirs in zip(one["at"], one[name], strict=True):
            ours = law.prob(z) if name == "mass" else 1 - law.at_least(z + 1)
            yield f"scale {one['scale']}, z = {z}", _exact([theirs]), [_middle(ours.enclosure(256))]


def _middle(ball: arb) -> fmpq:
    mantissa, exponent = ball.mid().man_exp()
    return fmpq(mantissa) * fmpq(2) ** int(exponent)


def _exact(values: Sequence[float]) -> list[fmpq]:
    """Floats as the rational numbers that they are."""
    return [fmpq(*Fraction(value).as_integer_ratio()) for value in values]


def _nodes(b: int, leaves: int) -> int:
    """How many nodes a tree has whose last level lacks the leaves beyond the given ones."""
    size = padded(leaves, b)
    return (size - 1) // (b - 1) + leaves


LEAD = (
    "The exact programs of the matrix mechanisms beside code that others wrote: what opendp, diffprivlib, mbi and "
    "tmlt-core answered, unmodified and in environments of their own, is in `docs/data/linear.json`, and is compared "
    "with exact rational numbers when this page is made. *Within rounding*: no relative difference above $2^{-40}$; "
    "they compute with floats."
)
MISSING = (
    "Where leaves are missing, opendp takes them as 0, leaves them out, and weighs the corrections; that is least "
    "squares on the leaves that there are. Its bound for a data set in which one person moves to another count (two in "
    "the $L_1$ distance) is twice that for one; the root does not change then, so that $2h$ would do."
)
OTHERS = (
    "mbi fits tables that are nowhere negative, which is no linear estimate; what it does linearly is to estimate the "
    "total from marginals, weighed by their variances. The levels of a complete tree are such marginals (of h "
    "attributes of b values), and the total that is consistent with all of them is the root of the tree by least "
    "squares. mbi's is never below 1: a total that noise makes smaller is raised to that, so that the estimate, which "
    "is called unbiased, is not for few records. Of tmlt-core the law of the two-sided geometric noise is compared, at "
    "a scale of the sensitivity over epsilon; its measurements, and with them their privacy functions, need pyspark, "
    "which is left out of the environment. hdmm, ektelo and private-pgm are not compared: the package index that was "
    "asked has no packages of these names."
)
CHOICE = (
    "opendp's `choose_branching_factor` approximates the best branching factor for cumulative sums and quantiles of "
    "consistent trees with their root; its argument, a guess at the size, is read as the number $N$ of leaves. The "
    "exact one, for all prefixes and trees filled up with zeros, of those from 2 to 64; and how many times its error "
    "opendp's choice has."
)
WORDS = {
    "equal": "[✓ equal]{.verdict .proved}",
    "rounding": "[✓ within rounding]{.verdict .verified}",
    "deviates": "[✗ deviates]{.verdict .refuted}",
}


def pages(answers: Mapping[str, Any]) -> dict[str, str]:
    """The page, by its path."""
    versions = ", ".join(f"{name} {number}" for name, number in answers["versions"].items())
    lines = ["# Trees and noise of released libraries", "", LEAD, "", f"Compared: {versions}.", ""]
    rows = []
    for one in compared(answers):
        difference = f"{_double(one.difference):.1e}" if one.difference else "0"
        verdict = WORDS[one.verdict] + (f"<br>{one.witness}" if one.witness else "")
        rows.append([one.package, one.what, str(one.cases), difference, verdict])
    lines += [
        *table(["Library", "What", "cases", "largest difference", "Verdict"], rows, "llrrl"),
        MISSING,
        "",
        OTHERS,
        "",
    ]
    lines += ["## Branching factors", "", CHOICE, ""]
    listed = [[str(n), str(theirs), str(best), f"{times:.4g}"] for n, theirs, best, times in choices(answers)]
    lines += table(["N", "opendp", "exact", "times the least error"], listed, "rrrr")
    lines += [
        "```console",
        f"$ dp-refimpl audit environment {' '.join(ASKED)}",
        "$ python -m dp_studies.libraries.linear",
        "```",
    ]
    return {"linear.md": "\n".join(lines) + "\n"}


def _double(number: fmpq) -> float:
    return int(number.p) / int(number.q)
