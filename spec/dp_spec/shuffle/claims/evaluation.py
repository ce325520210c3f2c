"""Formal statements of source 000, Section 3: comparisons of exact errors at the parameters of the figures."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

from dp_spec.frequency.local_hashing import W
from dp_spec.shuffle import dummies, messages
from dp_spec.shuffle.claims.baselines import AUE_VARIANCE, MIXDUMP_VARIANCE
from dp_spec.shuffle.claims.efficiency import EPS, GAMMA, NEEDED
from dp_spec.shuffle.claims.variances import MURS_BEST, MURS_DOMAIN
from dp_spec.vocabulary.claim import Formal, Unchecked
from dp_spec.vocabulary.error_statements import formula
from dp_spec.vocabulary.law import USERS, F, K
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, POSITIVE, SEVERAL, SOME
from dp_spec.vocabulary.statement import All, Not, Relation, conjunction
from dp_spec.vocabulary.term import Term, exp, term, var

IPUMS, KOSARAK = (602_325, 915), (1_000_000, 42_178)
"""Users and items of the two data sets."""
LABELS, BUDGETS = (2, 16, 64, 1024), (1, 4, 8, 12)
DOMAINS = (2, 16, 64, 915, 42_178)
CENTRAL = tuple(Fraction(x, 10) for x in (1, 5, 10))
LEAST = CENTRAL[0]
Y, U = var("y"), var("u")

# --- baselines and large domains ------------------------------------------------------------------------------------

_SHARE = 1 / (K + 1 + Y)
"""gamma / k, which the choice of gamma makes a number free of k; gamma < 1 for k + 1 items."""


def _sh(items: Term) -> Term:
    """The variance of SH at f = 0: p - q = 1 - gamma."""
    return _SHARE * (1 - _SHARE) / (USERS * (1 - items * _SHARE) ** 2)


_NOBODY = messages.VARIANCE_GRR.substitute({"f": term(0)})


def _scaled(items: Term, w: Term, number: Term) -> Term:
    """n (w - 1)^2 times the variance of mixDUMP at f = 0."""
    return (w + items - 2) + number * (items - 1) * (w + items - 1) ** 2 / items**2


_SCALED = formula(
    {"K": SEVERAL, "w": ABOVE_ONE, "n": SOME, "c": ANY_SIZE},
    ("eq", USERS * (W - 1) ** 2 * _NOBODY, _scaled(K, W, var("c"))),
)


def _mixed(items: int, users: int, budget: int, eps: Fraction) -> Term:
    number = dummies.positive_part(dummies.asked(items, users, budget, eps))
    return _scaled(term(items), exp(term(budget)), number)


def _growing(pairs: tuple[tuple[int, int], ...]) -> All:
    """The variance of mixDUMP is smaller for the first number of items, wherever it is asked for."""
    relations: list[Relation] = []
    for (users, _), budget, eps in product((IPUMS, KOSARAK), BUDGETS, CENTRAL):
        variances = {k: _mixed(k, users, budget, eps) for pair in pairs for k in pair}
        relations += [("lt", variances[k], variances[more]) for k, more in pairs]
    return conjunction(MIXDUMP_VARIANCE, _SCALED, formula({}, *relations))


DOMAIN_SIZES: dict[str, Formal] = {
    "000.prose.sh-aue@sh": formula(
        {"K": SEVERAL, "y": POSITIVE, "n": SOME},
        ("eq", _NOBODY.substitute({"c": term(0), "w": (1 - K * _SHARE + _SHARE) / _SHARE}), _sh(K)),
        ("lt", _sh(K), _sh(K + 1)),
    ),
    # no setting of r names k: with the same r, the variance that two items have is another one for more items
    "000.prose.sh-aue@aue": conjunction(
        replace(AUE_VARIANCE, where=(K - 2, 2 - K)), Not(replace(AUE_VARIANCE, where=(K - 3,)))
    ),
    "000.prose.mixdump-domain@monotone": _growing(tuple(pairwise(DOMAINS))),
    "000.prose.mixdump-domain@large": _growing(tuple((k, DOMAINS[-1]) for k in DOMAINS[:-1])),
    "000.prose.mixdump-domain@monotone.corrected": _growing(tuple(pairwise(DOMAINS[2:]))),
}

# --- figures --------------------------------------------------------------------------------------------------------

_CURVES = "the curves of Figures 3 and 4 are not in the text that we have"
_LOSS = {"b": SOME, "n": SOME, "gamma": POSITIVE, "l4": POSITIVE, "eps": POSITIVE, "s": ANY_SIZE, "y": POSITIVE}
_LATER = NEEDED.substitute({"eps": EPS + Y})
_LESS_NEEDED = formula(_LOSS, ("lt", _LATER, NEEDED), where=(1 - GAMMA,))
"""At epsilon + y."""


def _error(data: tuple[int, int], labels: int, budget: int) -> Term:
    """The exact MSE of OD-HP at epsilon = 1/10, averaged over all items."""
    users, items = data
    return dummies.hashed_error(labels, users, budget, LEAST, Fraction(1, items))


def _against_mixdump(data: tuple[int, int], labels: int, budget: int) -> Relation:
    users, items = data
    other = dummies.mixed_error(items, users, budget, LEAST, Fraction(1, items))
    return "lt", _error(data, labels, budget), other


def _against_murs(data: tuple[int, int], labels: int, budget: int) -> Relation:
    users, items = data
    return "lt", _error(data, labels, budget), dummies.murs_error(users, LEAST, Fraction(1, items))


_CASES = tuple(product((IPUMS, KOSARAK), LABELS, BUDGETS))
_STRICT = dummies.asked(16, IPUMS[0], 4, Fraction(1, 2))

EXPERIMENTS: dict[str, Formal] = {
    "000.exp.data.ipums": Unchecked("the data set is not in the text that we have"),
    "000.exp.data.kosarak": Unchecked("the data set is not in the text that we have"),
    # M_c = 1 + x + y grows with epsilon, and is above 1 from epsilon = 1/10 on
    "000.exp.monotone@murs-formula": conjunction(
        formula({**MURS_DOMAIN, "u": POSITIVE}, ("lt", MURS_BEST.substitute({"y": Y + U}), MURS_BEST)),
        formula({}, *(("lt", term(1), dummies.published(LEAST, users)) for users, _ in (IPUMS, KOSARAK))),
    ),
    # the larger of the number and 0 does not increase either, and the variance increases with it
    "000.exp.monotone@odhp-formula-weak": conjunction(
        _LESS_NEEDED,
        formula(
            {"b": SEVERAL, "w": ABOVE_ONE, "n": SOME, "c": ANY_SIZE, "y": POSITIVE, "f": ANY_SIZE},
            ("lt", messages.VARIANCE_OLH, messages.VARIANCE_OLH.substitute({"c": var("c") + Y})),
            where=(1 - F,),
        ),
    ),
    # where no dummies are asked for at epsilon = 1/2, none are from there on, and nothing changes
    "000.exp.monotone@odhp-formula-strict": formula({}, ("lt", term(0), _STRICT)),
    "000.exp.monotone@odhp-formula-strict.corrected": conjunction(
        _LESS_NEEDED, formula({}, ("lt", term(0), dummies.asked(16, IPUMS[0], 4, LEAST)), ("lt", _STRICT, term(0)))
    ),
    "000.exp.monotone@figures": Unchecked(_CURVES),
    "000.exp.reason": _LESS_NEEDED,
    # at epsilon = 1/10
    "000.exp.best@formula-mixdump": formula({}, *(_against_mixdump(*case) for case in _CASES)),
    "000.exp.best@formula-murs": formula({}, *(_against_murs(*case) for case in _CASES)),
    "000.exp.best@formula-some": formula({}, _against_mixdump(KOSARAK, 16, 4), _against_murs(KOSARAK, 16, 4)),
    "000.exp.best@measured": Unchecked(_CURVES),
    "000.exp.fig5": Unchecked("the running times are in the figure only"),
}

FORMAL: dict[str, Formal] = DOMAIN_SIZES | EXPERIMENTS
"""Every id with its formal statement."""
