"""Formal statements of the literature on amplification by shuffling, as the authors' code computes them.

`stated` has the preconditions of the code, `any` none of them but that the bound is defined. e^epsilon0 is x of every
randomizer, w of randomized response and local hashing; e is e^epsilon.
"""

from collections.abc import Callable, Mapping

from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.shuffle.claims.amplification import DELTA, USERS, B, K, W, domain
from dp_spec.shuffle.messages import HASHED
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.ranges import ABOVE_ONE
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Domain, Range
from dp_spec.vocabulary.term import Term, exp, log, minimum, sqrt, term, var

X, E = var("x"), var("e")
_MORE = {"x": ABOVE_ONE, "e": ABOVE_ONE}
Bound = Callable[[Term, Term], tuple[Term, tuple[Term, ...]]]
"""Of the budget and the number of labels: e^epsilon, and what is >= 0 where it is stated."""


def _of(law: Law | None) -> tuple[Term, Term]:
    """The budget and the number of labels (2 of every randomizer)."""
    return (X, term(2)) if law is None else (W, K if law is GRR_SAMPLE else B)


def _variables(law: Law | None, names: str) -> dict[str, Range]:
    """The variables of a law, and others."""
    labels = [] if law is None else ["w", "K" if law is GRR_SAMPLE else "b"]
    stated = domain(" ".join([*labels, *(name for name in names.split() if name not in _MORE)])).variables
    return {
        **({"x": _MORE["x"]} if law is None else {}),
        **stated,
        **{n: _MORE[n] for n in names.split() if n in _MORE},
    }


def closed(law: Law | None, bound: Bound, *, stated: bool) -> Divergence:
    """epsilon is a formula in the budget, n and delta."""
    e_eps, constraints = bound(*_of(law))
    at = {"K": term(3)} if law is HASHED else {}
    whole = Domain(_variables(law, "n delta"), constraints if stated else ())
    return Divergence(law, whole, USERS, e_eps, DELTA, at=at)


def implicit(law: Law | None, bound: Callable[[Term, Term], Term]) -> Divergence:
    """delta is a formula in the budget, n and e^epsilon < e^epsilon0."""
    budget, labels = _of(law)
    whole = Domain(_variables(law, "n e"), (budget - E,))
    return Divergence(law, whole, USERS, E, bound(budget, labels))


def erlingsson(budget: Term, _: Term) -> tuple[Term, tuple[Term, ...]]:
    """12 epsilon0 sqrt(ln(1 / delta) / n)."""
    epsilon0 = log(budget)
    bound = 12 * epsilon0 * sqrt(log(1 / DELTA) / USERS)
    return exp(bound), (1 - 2 * epsilon0, USERS - 1000, term(1) / 100 - DELTA, epsilon0 - bound)


def clones(budget: Term, _: Term) -> tuple[Term, tuple[Term, ...]]:
    """ln(1 + (b / d) (a + c)): the closed form of 2021."""
    near = 8 * sqrt(budget * log(4 / DELTA) / USERS) + 8 * budget / USERS
    bound = 1 + (1 - 1 / budget) / (1 + 1 / (budget * (1 + near))) * near
    return bound, (USERS / (16 * log(4 / DELTA)) - budget,)


def _near(chance: Term) -> Term:
    """What the closed forms of 2023 have in common: r, the chance of a clone of each kind."""
    expected = chance * (USERS - 1)
    return sqrt(16 * log(4 / DELTA) / expected) + 2 / expected


def stronger(budget: Term, _: Term) -> tuple[Term, tuple[Term, ...]]:
    """The closed form with clones of chance 1 / (e^epsilon0 + 1)."""
    chance = 1 / (budget + 1)
    bound = 1 + (budget - 1) / (budget + 1) * _near(chance)
    return bound, (USERS - 8 * log(4 / DELTA) / chance,)


def variation(budget: Term, labels: Term) -> tuple[Term, tuple[Term, ...]]:
    """The closed form of variation-ratio reductions: beta = (E - 1) / (E + k - 1), p = q = E."""
    beta, chance = (budget - 1) / (budget + labels - 1), 1 / (budget + labels - 1)
    share = -minimum(term(0), 4 * (3 * chance - 1) / (9 * (1 - 2 * chance)))
    bound = 1 + beta / ((1 - share) * (1 + budget) * beta / (budget - 1) + share) * _near(chance)
    return bound, (USERS - 8 * log(4 / DELTA) / chance,)


def variation_tight(budget: Term, labels: Term) -> tuple[Term, tuple[Term, ...]]:
    """The tighter closed form, with Omega."""
    p, beta, chance = budget, (budget - 1) / (budget + labels - 1), 1 / (budget + labels - 1)
    alpha, logs = beta / (p - 1), log(4 / DELTA)
    omega = (USERS - 1) * 2 * chance - sqrt(minimum(6 * chance, term(1) / 2) * (USERS - 1) * logs)
    half, rest = sqrt(omega * logs / 2), (1 - alpha - alpha * p) / (1 - 2 * chance) * chance
    below = alpha * omega + beta * (omega / 2 - half) + rest * (USERS - 1 - omega)
    bound = 1 + beta * (2 * half + 1) / below
    most = (2 * p * (beta + 1 + (beta - 1) * p) * (USERS - 1) + beta) / (p + p * (beta - 1 + (beta + 1) * p) - p * p)
    return bound, (omega, (p + 1) * alpha / 2 - rest, omega - most)


def hoeffding(gamma: Term, spread: Term) -> Term:
    """(b^2 / (4 a gamma n)) (1 - gamma (1 - exp(-2 a^2 / b^2)))^n."""
    a = E - 1
    return spread**2 / (4 * a) / (gamma * USERS) * exp(USERS * log(1 - gamma * (1 - exp(-2 * a**2 / spread**2))))


def bennett(gamma: Term, most: Term, variance: Term) -> Term:
    """Bennett's inequality for m of n users in the blanket, averaged over m >= 1: a sum in closed form."""
    a = E - 1
    beta = a * most / variance
    x = variance / most**2 * ((1 + beta) * log(1 + beta) - beta)
    mean = exp(USERS * log(1 - gamma * (1 - exp(-x)))) - exp(USERS * log(1 - gamma))
    return mean * most / log(1 + beta) / (gamma * USERS)


def _hoeffding_krr(budget: Term, k: Term) -> Term:
    gamma = k / (budget + k - 1)
    return hoeffding(gamma, (1 - gamma) * k * (E + 1))


def _hoeffding_generic(budget: Term, _: Term) -> Term:
    return hoeffding(1 / budget, (E + 1) * (budget - 1 / budget))


def _bennett_krr(budget: Term, k: Term) -> Term:
    gamma = k / (budget + k - 1)
    most = gamma * (1 - E) + (1 - gamma) * k
    return bennett(gamma, most, gamma * (2 - gamma) * (E - 1) ** 2 + (1 - gamma) ** 2 * k * (E**2 + 1))


def _bennett_generic(budget: Term, _: Term) -> Term:
    variance = budget * (E**2 + 1) - 2 / budget * E / budget**2
    return bennett(1 / budget, budget * (1 - E / budget**2), variance)


FORMAL: Mapping[str, Formal] = {
    **{
        f"lit.{name}@{reading}": closed(law, bound, stated=reading == "stated")
        for name, law, bound in (
            ("erlingsson2019.closed", None, erlingsson),
            ("feldman2021.closed", None, clones),
            ("feldman2023.closed", None, stronger),
            ("wang2023.closed", None, variation),
            ("wang2023.closed.krr", GRR_SAMPLE, variation),
            ("wang2023.closed.olh", HASHED, variation),
            ("wang2023.tight", None, variation_tight),
            ("wang2023.tight.krr", GRR_SAMPLE, variation_tight),
            ("wang2023.tight.olh", HASHED, variation_tight),
        )
        for reading in ("stated", "any")
    },
    "lit.balle2019.hoeffding.krr": implicit(GRR_SAMPLE, _hoeffding_krr),
    "lit.balle2019.hoeffding": implicit(None, _hoeffding_generic),
    "lit.balle2019.bennett.krr": implicit(GRR_SAMPLE, _bennett_krr),
    "lit.balle2019.bennett": implicit(None, _bennett_generic),
}
