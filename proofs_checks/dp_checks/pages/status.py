"""How far the work has come: claims by source, verdict and kind."""

from collections import Counter
from collections.abc import Mapping

from dp_checks.ledger import Entry, errata
from dp_checks.pages.notation import badge, picture, reference, table
from dp_checks.status import status_table
from dp_checks.verdict import VERDICTS
from dp_spec.vocabulary.claim import Claim

MEANINGS = {
    "proved": "holds for every parameter of the stated domain; the kernel accepts the proof",
    "verified": "holds, exactly, on every instance of the scope that the evidence names",
    "conditional": "a row: some readings hold, others are refuted or ill-posed, whatever the undecided ones are",
    "refuted": "a certified counterexample inside the stated domain, or a proof of the negation",
    "ill_posed": "something is left open, and two completions of the print disagree",
    "unchecked": "not decided by any computation here; the reason is given",
}


def page(claims: tuple[Claim, ...], ledger: Mapping[str, Entry]) -> list[str]:
    """The page: tables by verdict, by kind and by who asserts it, and figures."""
    lines = ["# Status", "", *table(["Verdict", "Meaning"], [[badge(v), MEANINGS[v]] for v in VERDICTS])]
    lines += ["## By source", "", SOURCES, "", status_table(ledger), ""]
    lines += ["## By kind", "", *_counted("kind", ledger), *picture("verdicts-by-kind", VERDICTS_ALT)]
    lines += ["## By who asserts it", "", *_counted("asserted_by", ledger)]
    lines += [f"{len(errata(ledger))} rows and readings are [errata](errata.md).", ""]
    lines += ["## What is lost, what is gained", "", CONSTANTS, "", *picture("smallest-constants", CONSTANTS_ALT)]
    lines += [ERRORS, "", *picture("sampling-errors", ERRORS_ALT)]
    left = [(i, e) for i, e in ledger.items() if e.verdict == "unchecked" and not e.data.get("readings")]
    lines += ["## Unchecked", "", *table(["Claim", "Why"], [[reference(i), str(e.evidence["scope"])] for i, e in left])]
    return lines


SOURCES = (
    "Five source papers, of local (002, 004), shuffle (000) and central (001, 003) differential privacy; *lit* is the "
    "literature that they build on."
)
VERDICTS_ALT = (
    "Bar chart of the verdicts of all rows, one bar for every kind of claim; the table above has the same numbers."
)
CONSTANTS = (
    "A mechanism that spends its budget on $m$ items promises the constant $e^\\epsilon$. How much of it the reports "
    "really use is the smallest constant that bounds them. Drawn from the terms of the claims, for the sizes their "
    "domains include, at $e^\\epsilon=4$, $d=12$, $K=3$:"
)
CONSTANTS_ALT = (
    "Smallest constants of suGRR, suGRR-Sample, suRAP and suRAP-Sample in the joint reading against the set size m, "
    "with the promised constant 4 as a line: suRAP and suRAP-Sample use all of it up to m = K, the others less from "
    "m = 2 on."
)
ERRORS = (
    "The printed errors of the sampling versions leave out what drawing one of $m$ items does to the variance. "
    "Printed and corrected formulas (17) and (22), exactly as checked, at $e^\\epsilon=4$, $K=3$, $n=1$, "
    "$f_x=\\tfrac12$:"
)
ERRORS_ALT = (
    "Printed and corrected mean squared errors of suGRR-Sample and suRAP-Sample against the set size m for a "
    "sensitive and a non-sensitive item; the curves agree at m = 1 and separate as m grows."
)


def _counted(key: str, ledger: Mapping[str, Entry]) -> list[str]:
    rows = [e for e in ledger.values() if "row" not in e.data]
    counts = Counter((str(e.data[key]), e.verdict) for e in rows)
    names = list(dict.fromkeys(str(e.data[key]) for e in rows))
    cells = [[name, *(str(counts[name, v]) if counts[name, v] else "" for v in VERDICTS)] for name in names]
    return table([key.replace("_", " "), *(v.replace("_", "-") for v in VERDICTS)], cells, "l" + "r" * len(VERDICTS))
