"""What is shuffled, as the formal statement that certificates are about."""

from dataclasses import dataclass
from fractions import Fraction
from math import log as log_of
from typing import Literal, get_args

from dp_refimpl.requirements import is_integer
from dp_spec.frequency.grr import GRR_SAMPLE
from dp_spec.shuffle.messages import HASHED, PLAIN
from dp_spec.vocabulary.budget import read_epsilon
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.law import Law
from dp_spec.vocabulary.shuffle_statements import Divergence
from dp_spec.vocabulary.statement import Domain
from dp_spec.vocabulary.term import Term, exp, log, term

Mechanism = Literal["krr", "olh", "dump", "ldp"]
MECHANISMS: tuple[Mechanism, ...] = get_args(Mechanism)
ALIASES = {"GRR": "krr", "LocalHashing": "olh", "LH": "olh"}
"""What the mechanisms are called elsewhere."""
ITEMS = 3
"""Local hashing is the same for all domains of at least three items."""
MAX_USERS = 10**13
MIN_EPSILON, MAX_EPSILON = 1e-9, 64.0
"""Between these are the budgets that are looked at."""


@dataclass(frozen=True)
class Setting:
    """`users` users run a mechanism on `labels` labels with budget `epsilon0`; `dummies` uniform messages join them.

    `krr`: randomized response; `olh`: local hashing to so many labels, of any domain and with any hash functions;
    `dump`: what they hold, hidden by the dummies alone (no epsilon0); `ldp`: every epsilon0-LDP randomizer (no labels,
    no dummies).

    Raises `DomainError` for fewer than 2 labels, less than one user or more than `MAX_USERS`, negative numbers of
    dummies, epsilon0 outside `MIN_EPSILON`..`MAX_EPSILON`, dummies that are not defined.
    """

    mechanism: Mechanism
    users: int
    epsilon0: str | None
    labels: int = 2
    dummies: int = 0

    def __post_init__(self) -> None:
        if self.mechanism not in MECHANISMS:
            raise DomainError("mechanism", self.mechanism, f"one of {', '.join(MECHANISMS)}")
        for name, least in (("users", 1), ("labels", 2), ("dummies", 0)):
            if not is_integer(number := getattr(self, name), least, MAX_USERS):
                raise DomainError(name, number, f"an integer from {least} to {MAX_USERS}")
        if self.mechanism == "ldp" and (self.dummies or self.labels != 2):
            raise DomainError(
                "dummies" if self.dummies else "labels", self.dummies or self.labels, "none: any randomizer"
            )
        if self.mechanism == "dump":
            if self.epsilon0 is not None:
                raise DomainError("epsilon0", self.epsilon0, "none: items are sent as they are")
            return
        if not MIN_EPSILON <= about("0" if self.epsilon0 is None else self.epsilon0) <= MAX_EPSILON:
            raise DomainError("epsilon0", self.epsilon0, f"a number from {MIN_EPSILON:g} to {MAX_EPSILON:g}")

    @property
    def most(self) -> float:
        """No epsilon above this one is looked at: there delta is 0, or nearly what it is for all larger ones."""
        return MAX_EPSILON if self.epsilon0 is None else about(self.epsilon0)

    @property
    def law(self) -> Law | None:
        """What a user sends; None if it may be anything."""
        return {"krr": GRR_SAMPLE, "olh": HASHED, "dump": PLAIN, "ldp": None}[self.mechanism]

    def divergence(self, e_eps: Term, delta: Fraction) -> Divergence:
        """The statement that delta(epsilon) <= delta for all data sets."""
        budget = term(2) if self.epsilon0 is None else e_to(self.epsilon0)
        at = {
            "krr": {"w": budget, "K": term(self.labels)},
            "olh": {"w": budget, "K": term(ITEMS), "b": term(self.labels)},
            "dump": {"w": budget, "K": term(self.labels), "c": term(0)},
            "ldp": {"x": budget},
        }[self.mechanism]
        return Divergence(
            self.law, Domain({}), term(self.users), e_eps, fraction(delta), dummies=term(self.dummies), at=at
        )


def fraction(number: Fraction) -> Term:
    """A fraction as a term."""
    return term(number.numerator) if number.denominator == 1 else term(number.numerator) / number.denominator


def about(epsilon: str) -> float:
    """An epsilon as a float. Raises `DomainError` for what is no epsilon >= 0."""
    base, exponent = read_epsilon(epsilon)
    return float(exponent) * (1.0 if base is None else log_of(int(base.p)) - log_of(int(base.q)))


def e_to(epsilon: str) -> Term:
    """e^epsilon as a term, rational where it is. Raises `DomainError` for what is no epsilon >= 0."""
    base, exponent = read_epsilon(epsilon)
    if base is None:
        return exp(fraction(exponent)) if exponent else term(1)
    root = fraction(Fraction(int(base.p), int(base.q)))
    return root ** int(exponent) if exponent.denominator == 1 else exp(log(root) * fraction(exponent))
