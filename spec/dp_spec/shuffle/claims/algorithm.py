"""Formal statements of source 000: Algorithm 1, line by line; its line 14 (EM) is in `refinement`.

w is e^epsilon_l, b the number of labels, c the number of dummies of a user, N the number of functions of a family.
"""

from dp_spec.frequency.claims.one_item import private
from dp_spec.frequency.local_hashing import B, P, Q, W
from dp_spec.shuffle.claims.definitions import SUMS
from dp_spec.shuffle.claims.estimators import SENT, unbiased
from dp_spec.shuffle.claims.tables import LABELS
from dp_spec.shuffle.dummies import gamma
from dp_spec.shuffle.messages import BUNDLE, DUMMIES, FRESH, GRR, HASHED, S2, SHARED
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import USERS, K, Law
from dp_spec.vocabulary.ranges import ABOVE_ONE, FROM_ONE, NATURAL, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.shuffle_statements import Divergence, Shuffled
from dp_spec.vocabulary.statement import Domain, Ratio, Relation, conjunction
from dp_spec.vocabulary.term import Term, term, var

A, D, N, X, Y = (var(name) for name in ("a", "d", "N", "x", "y"))
ONE = term(1)
MESSAGES = USERS * (DUMMIES + 1)
RANGES = {
    "a": FROM_ONE,
    "b": SEVERAL,
    "c": NATURAL,
    "K": SEVERAL,
    "n": SOME,
    "w": ABOVE_ONE,
    "y": POSITIVE,
}
"""a is e^epsilon, below w = a + y where y occurs."""

# --- lines 2 and 3 --------------------------------------------------------------------------------------------------

LEVEL = conjunction(Ratio(BUNDLE, "vector", "ldp", where=(K - 2,)), private(HASHED), SUMS)
"""What a user sends is epsilon_l-LDP, and all that follows is a function of it and of coins: no event adds more than
the sum of the positive u - w x, of which there is none."""


def domain(names: str) -> Domain:
    """The variables with these names."""
    return Domain({name: RANGES[name] for name in names.split()})


def uniform_part(labels: Term, p: Term, q: Term) -> tuple[Relation, ...]:
    """Given that a user randomizes, which has chance gamma: the chances of the own and of another label, each that of a
    uniform one. Not randomizing, a user reports the own label."""
    share = gamma(labels, W)
    return ("eq", (p - (1 - share)) / share, 1 / labels), ("eq", q / share, 1 / labels)


_MAPPED = formula({"b": SEVERAL, "d": SEVERAL, "x": NATURAL}, ("eq", X / D, 1 / B), where=(D - X,))
"""Beside a function that maps x of d items to a label, any x <= d: the chance that a uniform item has the label."""

LAWS: dict[str, Formal] = {
    "000.alg1.budget@eps": LEVEL,
    "000.alg1.budget@epsl": Divergence(GRR, domain("a y K n c"), USERS, A, at={"w": A + Y}),
    "000.alg1.dummylaw@unif": formula(LABELS, *uniform_part(B, P, Q)),
    "000.alg1.dummylaw@domain": _MAPPED,
    "000.thm1.step.dummydist@nohash": formula(LABELS, *uniform_part(B, P, Q)),
    "000.thm1.step.dummydist@hashed": _MAPPED,
}

# --- lines 4 to 13 --------------------------------------------------------------------------------------------------

_SAME_SENDER = DUMMIES / (MESSAGES - 1)
"""The chance that two of all messages, drawn at random, have one sender."""


def _together(law: Law) -> Divergence:
    """As private as if dummies had no sender: shuffled with the users' reports, each beside a function of its own."""
    free = Shuffled(HASHED, USERS * DUMMIES)
    several = Domain({**domain("a w K b c").variables, "n": SEVERAL})
    return Divergence(law, several, USERS, A, relation="eq", than=free, functions="all")


LINES: dict[str, Formal] = {
    "000.alg1.union@multiset": SENT,
    # one user, one dummy: the chance that the label of the report is that of the dummy, so that one message is left
    "000.alg1.union@set": formula(LABELS, ("eq", P * (1 / B) + (B - 1) * (Q * (1 / B)), term(0))),
    "000.alg1.shuffle@message-fresh": _together(FRESH),
    "000.alg1.shuffle@message-shared": _together(BUNDLE),
    # two messages of one unit have one sender, whatever the functions are
    "000.alg1.shuffle@bundle-fresh": formula({"n": SEVERAL, "c": SOME}, ("eq", _SAME_SENDER, ONE)),
    "000.alg1.loop@permessage": formula({"n": SOME, "c": NATURAL, "d": SOME}, ("eq", MESSAGES, D)),
    # of every value an estimate, made of all messages, that is right in the mean
    "000.alg1.loop@pervalue": unbiased(SHARED, S2),
}

FORMAL: dict[str, Formal] = LAWS | LINES
"""Every id with its formal statement."""
