"""Kinds of evidence: what each shows and what the kernel does with it."""

from collections.abc import Mapping

from dp_checks.report import errors, subsets

LEMMAS_PAGE = "/_generated/certificates.md"

EVIDENCE: Mapping[str, str] = {
    "identity": "Both sides of an equation are the same rational function. The kernel expands both and "
    "cross-multiplies.",
    "positivity": "An inequality between rational functions on the whole stated domain. Every variable is shifted "
    "to the lower end of its range; the numerator and denominator of the difference (times a positive factor, less "
    "stated multiples of the constraints) must then have coefficients ≥ 0 only.",
    "induction step": "The statement for $m+1$ (items, users, factors) from that for $m$, as identities and "
    "inequalities that the kernel checks by the means above; the principle of induction is the reader's.",
    "constant for a bound": "A constant free of the growing variable that bounds the quotient in question; the two "
    "inequalities are shown by positivity.",
    "constant term": "A term that does not depend on the variable at all and is positive somewhere: it cannot tend "
    "to 0.",
    "free of the variables": "The variables do not occur in the expression trees of the statement.",
    "family": "Parameter values, kept fixed while m grows, along which a positive constant bounds the quotient from "
    "below.",
    "witness": "One exact instance inside the stated domain where the statement fails, the first one in the "
    "declared order of sizes and budgets. The kernel recomputes the instance from the tables with its own few lines.",
    "channel": "One explicit finite channel with rational entries. The kernel checks that its rows are laws, that "
    "it has every premise, and that the conclusion fails.",
    "channels": "Of a definition: one explicit channel that satisfies it, one that violates it. Equivalent forms "
    "must agree.",
    "containment of inequalities": "Every inequality that the conclusion consists of is among those of the "
    "premises. Which inequalities a reading consists of depends only on which single items are held, so a small "
    "pattern shows every case.",
    "exhausted scope": "Every compared pair of inputs and every output at the listed sizes, each by positivity in "
    "the root of $e^\\epsilon$: for every $\\epsilon>0$, but at these sizes only. The verdict is *verified*, not "
    "*proved*.",
    "exhausted supports": "All 16 ways in which an output can be possible or not on the memberships of two items.",
    "pair of completions": "The print leaves a choice open; one named completion holds, the other is refuted.",
    "slotwise lemma": "For all sizes from the table of one item: given the invertible data, a report's probability "
    "is a sum of products of table entries, one factor for every slot; if every entry lies in $[\\ell, c\\,\\ell]$ "
    "the ratio is at most $c^m$ for $m$ slots, and at most $c$ for one uniformly drawn slot. For bits, positions "
    "held by both or by neither cancel. The kernel checks the bounds of the entries by positivity; the sentence "
    "before is its lemma.",
    "contributions lemma": "For all sizes and all data sets: what a user's report adds to $F_x$ is a sum of "
    "independent Bernoulli variables read off the table; its mean and variance are affine in $[x\\in s]$ and in the "
    "number of non-sensitive items, so averages over users put $f_x$ and $f(X_{\\rm non})$ in their place. The "
    "kernel derives both moments and compares them with the formula as rational functions.",
    "kept-entry lemma": "A non-sensitive result can only be shown by its own item, with the table's entry $r$ "
    "(divided by $m$ for a drawn item); the kernel shows $0<r\\le 1$ by positivity.",
    "own-entry lemma": "The smallest constant of a mechanism that reports one drawn item: an item's probability is "
    "$(p+(m-1)q)/m$ if it is held and $q$ if not.",
    "exchanged-items lemma": "The smallest constant for bits: how many sensitive items one set can hold that the "
    "other does not decides which ratio is reached; the kernel compares the statement with the constant this gives.",
    "matched-results lemma": "The smallest constant for unordered reports of $m$ results: the mean of "
    "$x^{\\text{matches}}$ over the assignments of results to slots, at most $\\sum_{i\\le a}(x-1)^i/i!$ where two "
    "sets can exchange $a$ sensitive items, reached when everything else is common and emitted.",
    "impossible-datum lemma": "No constant bounds the ratios: one set shows, with positive probability, a $y_0$ "
    "that another set never shows, because $y_0$ tells of the items emitted beside it. The kernel checks that the two "
    "sets exist on the whole stated domain.",
    "cover lemma": "For every hash function: $m$ arcs of length $p$ cover at most $mp$, so that the density off the "
    "cover lies between $1/\\Omega$ and $e^\\epsilon/\\Omega$, the density on it. The kernel shows both bounds (and "
    "that the integral is 1) by positivity for every length in $(0,mp]$.",
    "disjoint-covers lemma": "The bound of the cover lemma is reached: $m+1$ disjoint arcs fit on the circle, and a "
    "point of the arc of an item of $s$ lies off the cover of a disjoint $s'$ of length $mp$.",
    "emitted-item lemma": "At a point outside the arcs of $s'$ a non-sensitive item of $s'$ is emitted for certain; a "
    "set without it never reports it.",
    "cases lemma": "The density on a cover and off it, for every length in $(0,mp]$; quotients are compared as "
    "rational functions.",
    "arcs lemma": "The arc of a held item lies inside the cover, whatever the hash function is; the arc of another "
    "item is hit with probability $p$ if its hash value is independent of those of $s$, and with $p/\\Omega$ if all "
    "arcs are disjoint.",
    "union-of-arcs lemma": "The length of a union is at most the sum of the lengths.",
    "exhausted order types": "Membership compares $\\tau$, $v$, $v+p$ and integers; one point of every order type "
    "these numbers can have is tried.",
    "slotwise count lemma": "In views that keep every slot's result, counting is additive over slots and right for "
    "one slot.",
    "results-in-place lemma": "In views that show every result in its place the report determines the results, so "
    "ratios are products of table ratios.",
    "inclusion lemma": "Given the sampled or filled-up set the estimate is unbiased; the chance that an item is in "
    "it is that of the draw.",
    "real-root count": "An exact count of the real roots of a polynomial in an interval decides its sign there.",
    "interval enclosure": "Rational lower and upper bounds, computed with exact integers, that decide a relation "
    "at a point, between numbers, or on every piece of an interval.",
    "parts": "Of a row: one refuted part refutes it, otherwise the weakest part decides.",
    "alternatives": "Of a row: the print means one of the readings. All alike: that verdict. Some hold and some are "
    "refuted: *conditional*.",
    "none": "Nothing here decides it, for the stated reason.",
    **errors.EVIDENCE,
    **subsets.EVIDENCE,
}
"""By the kind the ledger names; every kind of the committed ledger must be here."""


def explained(kind: str) -> str:
    """The anchor of a kind's explanation; empty for an unknown kind."""
    return "evidence-" + kind.lower().replace(" ", "-") if kind in EVIDENCE else ""
