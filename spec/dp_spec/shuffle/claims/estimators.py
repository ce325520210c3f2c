"""Formal statements of source 000: what estimates are in the mean."""

from dataclasses import replace

from dp_spec.frequency import local_hashing
from dp_spec.frequency.claims import one_item
from dp_spec.frequency.local_hashing import ANY, B, P, Q
from dp_spec.shuffle import messages
from dp_spec.shuffle.claims.tables import LABELS
from dp_spec.shuffle.messages import DUMMIES, OTHER
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.error_statements import Formula, Mean, formula
from dp_spec.vocabulary.law import KAPPA1, USERS, Estimator, F, K, Law
from dp_spec.vocabulary.ranges import ABOVE_ONE, ANY_SIZE, NATURAL, SEVERAL, SOME
from dp_spec.vocabulary.statement import Domain, Unbiased, conjunction
from dp_spec.vocabulary.term import Term, term, var


def unbiased(law: Law, of: Estimator) -> Unbiased:
    """For every data set; two items, so that another one may be held."""
    return Unbiased(law, "vector", "sensitive", of, where=(K - 2,))


def mean_count(law: Law, formula: Term) -> Mean:
    """The mean number of messages that support an item, by n."""
    return Mean(law, "vector", "sensitive", messages.COUNT, where=(K - 2,), formula=formula)


def _supporting(f: Term) -> Term:
    """`MEAN_GRR` for an item of frequency f."""
    return messages.MEAN_GRR.substitute({"f": f})


_NONE, _ALL = _supporting(term(0)), _supporting(term(1))
_MODEL = {"K": SEVERAL, "w": ABOVE_ONE, "n": SOME, "c": NATURAL}
SENT = conjunction(
    mean_count(messages.GRR, messages.MEAN_GRR),
    formula({**_MODEL, "f": ANY_SIZE}, ("eq", messages.MEAN_GRR, _NONE + F * (_ALL - _NONE)), where=(1 - F,)),
    formula(_MODEL, ("eq", USERS * (_ALL + (K - 1) * _NONE), USERS * (DUMMIES + 1))),
)
"""n users send n (c + 1) messages. Without a hash every message supports one item: summed over the items, whose
frequencies add up to 1, it is the number of those that do."""


def _printed(labels: Term, q: Term) -> Term:
    """The mean number as (10) has it."""
    return F * (1 - q) + (1 - F) * q + DUMMIES / labels


def _t2a(labels: Term, randomized: Term) -> Estimator:
    """The first line of the proof of Theorem 2, the constant subtracted once: gamma (1 - 1 / h) is `randomized`."""
    return Estimator(1 - 2 * randomized, randomized + DUMMIES / labels)


def _inner(mean: Term, labels: Term, q: Term) -> Formula:
    """The same with the constant subtracted for every message: the mean, for n users."""
    randomized = labels / (labels - 1) * q * (1 - 1 / labels)
    less = USERS * (DUMMIES + 1) * randomized + DUMMIES / labels
    estimate = (mean - less) / (1 - 2 * randomized)
    domain = {**LABELS, "n": SOME, "c": NATURAL, "f": ANY_SIZE}
    return formula(domain, ("eq", estimate.substitute({"K": B}), F), where=(1 - F,))


def _with_a_dummy(law: Law) -> Law:
    return replace(law, integers={**law.integers, "c": 1})


_COLLISIONS = Domain(
    {**LABELS, "f": ANY_SIZE, "kappa1": ANY_SIZE},
    (1 - F, (1 - F) / B - KAPPA1),
)
_AT_MOST = conjunction(
    one_item.mean(ANY, local_hashing.ESTIMATOR, local_hashing.MEAN),
    formula(_COLLISIONS, ("eq", local_hashing.MEAN, F)),
)
"""Any two items share a label with a chance of at most 1/b: kappa1, its sum over the users without the item by n, is at
most (1 - f) / b."""
_EXACT = one_item.unbiased(local_hashing.OLH, local_hashing.ESTIMATOR)
_MU = var("mu")

FORMAL: dict[str, Formal] = {
    "000.sec15.count@const": SENT,
    "000.def3.universal@exact": _EXACT,
    "000.def3.universal@atmost": _AT_MOST,
    "000.sec2.est@exact": _EXACT,
    "000.sec2.est@universal": _AT_MOST,
    "000.sec2.est@public": one_item.unbiased(ANY, local_hashing.ESTIMATOR),
    "000.sec2.est@universal.corrected": one_item.mean(ANY, local_hashing.ESTIMATOR, local_hashing.MEAN),
    "000.alg1.est@reports": _EXACT,
    "000.alg1.est@allmsg-each": conjunction(
        unbiased(messages.SHARED, messages.S2), unbiased(messages.FRESH, messages.S2)
    ),
    "000.alg1.est@allmsg-n": unbiased(_with_a_dummy(messages.SHARED), Estimator(P - 1 / B, 1 / B)),
    # given any numbers of dummies, and so with as many less; or, for a mean number mu of them, in the mean
    "000.alg1.est-random@unbiased": conjunction(
        unbiased(messages.SHARED, messages.S2),
        unbiased(messages.FRESH, messages.S2),
        formula(
            {**LABELS, "mu": ANY_SIZE, "f": ANY_SIZE},
            ("eq", (F * P + (1 - F) / B + _MU / B - (1 + _MU) / B) / (P - 1 / B), F),
            where=(1 - F,),
        ),
    ),
    "000.thm2.form2@olh": unbiased(messages.SHARED, messages.T2_OLH),
    "000.thm2.form2@grr": unbiased(messages.GRR, messages.T2_GRR),
    "000.thm2.form2@olh.corrected": unbiased(messages.SHARED, messages.S2),
    "000.thm2.form2@grr.corrected": unbiased(messages.GRR, messages.T3_GRR),
    "000.thm2.form1@outer-g1-olh": unbiased(messages.SHARED, _t2a(B, B / (B - 1) * Q * (1 - 1 / B))),
    "000.thm2.form1@outer-g1-grr": unbiased(messages.GRR, _t2a(K, OTHER)),  # K / (K - 1) q (1 - 1 / K)
    "000.thm2.form1@outer-g2-olh": unbiased(messages.SHARED, _t2a(B, B * Q * (1 - 1 / B))),
    "000.thm2.form1@outer-g2-grr": unbiased(messages.GRR, _t2a(K, K * OTHER * (1 - 1 / K))),
    "000.thm2.form1@inner-g1-grr": conjunction(
        mean_count(messages.GRR, messages.MEAN_GRR), _inner(messages.MEAN_GRR, K, OTHER)
    ),
    "000.thm2.form1@inner-g1-olh": conjunction(
        mean_count(messages.SHARED, messages.MEAN_OLH), _inner(messages.MEAN_OLH, B, Q)
    ),
    "000.thm2.expect@olh": mean_count(messages.SHARED, _printed(B, Q)),
    "000.thm2.expect@grr": mean_count(messages.GRR, _printed(K, OTHER)),
    "000.thm2.expect@olh.corrected": mean_count(messages.SHARED, messages.MEAN_OLH),
    "000.thm2.expect@grr.corrected": mean_count(messages.GRR, messages.MEAN_GRR),
    "000.thm3.form3@olh": unbiased(messages.SHARED, messages.T3_OLH),
    "000.thm3.form3@grr": unbiased(messages.GRR, messages.T3_GRR),
}
"""Every id with its formal statement."""
