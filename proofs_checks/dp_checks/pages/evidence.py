"""Kinds of evidence: what each shows and what the kernel does with it."""

from collections.abc import Mapping

from dp_checks.pages import divergences, errors, sketches, subsets

LEMMAS_PAGE = "/_generated/certificates.md"

EVIDENCE: Mapping[str, str] = {
    "identity": "Both sides of an equation are the same rational function. The kernel expands both and "
    "cross-multiplies. A sum whose ends are symbolic is closed by telescoping first: a form is stated whose difference "
    "from one term to the next is the term. (Of an equation or inequality in an integer, induction may show the rest: "
    "it holds at the first value, and both sides grow accordingly.)",
    "positivity": "An inequality between rational functions on the whole stated domain. Every variable is shifted "
    "to the lower end of its range; the numerator and denominator of the difference (times a positive factor, less "
    "stated multiples of the constraints) must then have coefficients ≥ 0 only; where it is affine in a variable, at "
    "both ends of its range; and a variable above 0 may be split at a positive term. Sums whose ends are symbolic are "
    "closed as in an identity, or enclosed between two such forms.",
    "constant for a bound": "A positive constant in nothing but what is fixed, for which the bound is shown by "
    "positivity.",
    "witness": "One exact instance inside the stated domain where the statement fails, the first one in the "
    "declared order of sizes and budgets. The kernel enumerates the law's term there.",
    "channel": "One explicit finite channel with rational entries. The kernel checks that its rows are laws, that "
    "it has every premise, and that the conclusion fails.",
    "channels": "Of a definition: all channels of small families (every law with probabilities in multiples of a "
    "fraction, for every input), on which its forms agree. Each family has channels of both kinds.",
    "exhausted channels": "All channels of small families (every law with probabilities in multiples of a fraction, "
    "for every input): those with the premises have the conclusions. The verdict is *verified*, not *proved*.",
    "listed instances": "What is said of all sizes, at the sizes that the formal statement lists, each decided by "
    "itself. Nothing is shown of other sizes, whatever is said of them in words: the verdict is *verified*, not "
    "*proved*.",
    "exhausted scope": "Every case (a user, a compared pair of inputs with an output, a table and its neighbor) at the "
    "listed sizes, as rational functions of the root of $e^\\epsilon$, or of what else may vary: for every "
    "$\\epsilon>0$, but at these sizes only. The verdict is *verified*, not *proved*.",
    "pair of completions": "The print leaves a choice open: its completions differ in one reading and in nothing else. "
    "One explicit channel has what is presupposed, and the one reading and not the other.",
    "product of powers": "A ratio of report probabilities is a product of one factor for every item that one set has "
    "and the other has not, a quotient of two probabilities in a row of the law; a sum over orders, slots or hidden "
    "parts of the report is at most the largest ratio of its terms. Each factor is shown to be at most a power of the "
    "root of $e^\\epsilon$, by positivity, and the powers are added up over all pairs of sets.",
    "product of powers that is reached": "The same bound, and a pair of sets with an output at which every factor "
    "reaches its power, at all stated sizes: the bound is the smallest constant.",
    "sums over items": "The probabilities of a mechanism that reports one drawn item are sums of weights of the held "
    "items, linear in how many are lost, gained or common, so that a bound for all sets is a matter of the signs of "
    "coefficients.",
    "sums over items that are reached": "The same for a stated constant, and a pair of sets that reaches it: it is the "
    "smallest one.",
    "card matching": "The smallest constant for unordered reports of $m$ results, by the card *matching*: the mean of "
    "$x^{\\text{matches}}$ over the assignments of results to slots, at most $\\sum_{i\\le a}(x-1)^i/i!$ where two "
    "sets can exchange $a$ sensitive items, reached when everything else is common and emitted. The kernel checks the "
    "card's premises and compares the constants.",
    "sums of contributions": "For all sizes and all data sets: what a user adds to $F_x$ is a sum of independent "
    "Bernoulli variables read off the law's term; its mean and variance are affine in $[x\\in s]$ and in the number of "
    "non-sensitive items, so averages over users put $f_x$ and $f(X_{\\rm non})$ in their place. The kernel derives "
    "both moments and compares them with the formula as rational functions.",
    "length of the cover": "For every hash function: $m$ arcs of length $p$ cover at most $mp<1$, as length is "
    "subadditive, so that the density off the cover lies between $1/\\Omega$ and $e^\\epsilon/\\Omega$, the density "
    "on it.",
    "disjoint covers": "The bound that the length of the cover gives is reached: disjoint arcs of $s'$ cover $mp<1$, "
    "and a point of the arc of an item of $s$ that begins in the gap they leave lies off this cover.",
    "emitted item": "At a point outside the arcs of $s'$ a non-sensitive item of $s'$ is emitted for certain; a "
    "set without it never reports it.",
    "interval enclosure": "Rational lower and upper bounds, computed with exact integers, that decide a relation "
    "at a point, between numbers, or on every piece of an interval.",
    "parts": "Of a row: one refuted part refutes it, otherwise the weakest part decides.",
    "alternatives": "Of a row: the print means one of the readings. All alike: that verdict. Some hold and some are "
    "refuted or ill-posed: *conditional*, whatever the undecided ones are.",
    "none": "Nothing here decides it, for the stated reason.",
    **divergences.EVIDENCE,
    **errors.EVIDENCE,
    **sketches.EVIDENCE,
    **subsets.EVIDENCE,
}
"""By the kind the ledger names; every kind of the committed ledger must be here."""


def explained(kind: str) -> str:
    """The anchor of a kind's explanation; empty for an unknown kind."""
    return "evidence-" + kind.lower().replace(" ", "-") if kind in EVIDENCE else ""
