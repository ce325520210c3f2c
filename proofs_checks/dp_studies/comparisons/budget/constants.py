"""Best use of the budget: exact smallest constants of the mechanisms, and the budget at which a constant is e^epsilon.

The constants are the proved closed forms of the claims, looked up by mechanism and reading of (11). A mechanism run
with a nominal budget spends e^(nominal) only in the worst of all readings; calibrated to a reading it is run with the
largest nominal budget whose smallest constant in this reading is at most e^epsilon.

Readings: `marginal`, `marginal-nonempty` (reports without a sensitive element in the protected datum are not compared),
`joint`, `deniability`, `samenon`. A mechanism that treats every item as sensitive (an existing one) is judged at K = d,
N = 0; `joint` is epsilon-LDP for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any, Literal, NamedTuple

from flint import arb, fmpq, fmpz

from dp_checks.verdict import InternalDisagreementError
from dp_refimpl.requirements import require_integer
from dp_spec.frequency.claims import source_002
from dp_spec.vocabulary.budget import Budget, Epsilon, rational_budget, real_budget
from dp_spec.vocabulary.claim import Formal
from dp_spec.vocabulary.exceptions import DomainError, NotExactError
from dp_spec.vocabulary.names import require_name
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import All, Smallest, Unbounded
from dp_spec.vocabulary.term import Term

Reading = Literal["marginal", "marginal-nonempty", "joint", "deniability", "samenon"]
READINGS: tuple[Reading, ...] = ("marginal", "marginal-nonempty", "joint", "deniability", "samenon")
EXISTING = frozenset({"GRRSplit", "GRRSample", "RAPPORSet", "RAPPORSample", "Wheel", "PrivSet"})
"""Mechanisms that treat every item as sensitive."""


def _same(*claims: str, deniability: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The same claims for every reading but one."""
    return {**dict.fromkeys(READINGS, claims), "deniability": deniability}


_FEW, _BETWEEN = "002.budget.surapsample@sen-marginal-few", "002.budget.surapsample@sen-marginal-between"
_BIT_MARGINALS = ("002.budget.surapsample@sen-marginal", _FEW, _BETWEEN)
CLAIMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "SuGRR": {
        "marginal": ("002.budget.sugrr@multiset-marginal",),
        "marginal-nonempty": ("002.budget.sugrr@multiset-marginal-nonempty",),
        **{r: (f"002.budget.sugrr@multiset-{r}",) for r in READINGS[2:]},
    },
    "SuGRRSet": {
        "marginal": ("002.budget.sugrr@set-marginal",),
        "marginal-nonempty": ("002.budget.sugrr@set-marginal-nonempty",),
        **{r: (f"002.budget.sugrr@set-{r}",) for r in READINGS[2:]},
    },
    "SuGRRSample": {
        "marginal": ("002.budget.sugrrsample@bot-in-marginal",),
        "marginal-nonempty": ("002.budget.sugrrsample@bot-out-marginal",),
        **{r: (f"002.budget.sugrrsample@{r}",) for r in READINGS[2:]},
    },
    "SuRAP": {
        **dict.fromkeys(READINGS[:2], ("002.budget.surap@sen-marginal",)),
        **{r: (f"002.budget.surap@{r}",) for r in READINGS[2:]},
    },
    "SuRAPSample": {
        **dict.fromkeys(READINGS[:2], _BIT_MARGINALS),
        **{r: (f"002.budget.surapsample@{r}",) for r in READINGS[2:]},
    },
    "SuWheel": {
        **dict.fromkeys(READINGS[:2], ("002.budget.suwheel@marginal",)),
        **{r: (f"002.budget.suwheel@{r}",) for r in READINGS[2:]},
    },
    "GRRSplit": _same(
        "002.base.grrsplit.tight@multiset.corrected",
        deniability=("002.budget.sugrr@multiset-deniability",),
    ),
    "GRRSample": _same("002.base.grrsample.tight.corrected", deniability=("002.budget.sugrrsample@deniability",)),
    "RAPPORSet": _same(
        "002.base.rappor.eq6-7.tight@wide",
        "002.base.rappor.eq6-7.tight@narrow.corrected",
        deniability=("002.budget.surap@deniability",),
    ),
    "RAPPORSample": _same(
        "002.base.rapporsample.tight@wide",
        "002.base.rapporsample.tight@narrow.corrected",
        deniability=("002.budget.surapsample@deniability",),
    ),
    "Wheel": _same("002.budget.wheel@joint", deniability=("002.budget.wheel@deniability",)),
    "PrivSet": _same("002.base.privset.tight", deniability=()),
}
"""Claims that give the constant of a mechanism in a reading: the first whose stated domain has the sizes decides.

Without non-sensitive items the tables of suGRR(-Sample) and suRAP(-Sample) are those of GRR and RAPPOR for sets.
"""


@dataclass(frozen=True)
class Constant:
    """The smallest constant as a term in `base` (a root of e^nominal: base^power) and the sizes; None if unbounded."""

    claim: str
    base: str
    power: int
    term: Term | None
    sizes: Mapping[str, int]

    def at(self, root: Any) -> Any:
        """The constant at a root of e^nominal, in the root's field."""
        if self.term is None:
            raise DomainError(self.claim, None, "a finite constant")
        return self.term.evaluate({**self.sizes, self.base: root})


@dataclass(frozen=True)
class Calibration:
    """The largest nominal budget (up to rounding) whose smallest constant is at most e^epsilon.

    `root` ** `power` is e^nominal. The constant at `root` is e^epsilon exactly where `unused` is 0; otherwise it is
    smaller, and e^epsilon is at most (1 + unused) times as large.
    """

    constant: Constant
    root: fmpq
    unused: fmpq

    bits: int = 128

    @property
    def exact_root(self) -> arb:
        """A ball around the root at which the constant is e^epsilon: `root` or less than 2^(1 - bits) above it."""
        return arb(self.root) if self.unused == 0 else arb(self.root).union(arb(self.root + fmpq(2, 2**self.bits)))

    @property
    def budget(self) -> Budget[fmpq]:
        """The nominal budget."""
        return Budget.of_root(self.root, self.constant.power)

    @property
    def nominal(self) -> arb:
        """The nominal epsilon as a ball of the current precision."""
        return arb(self.root).log() * self.constant.power


class NoConstantError(DomainError):
    """No finite constant is known for a mechanism in a reading at some sizes; `unbounded` if none exists."""

    def __init__(self, mechanism: str, reading: str, sizes: Mapping[str, int], unbounded: bool) -> None:
        self.unbounded = unbounded
        why = "a reading with a finite constant (none exists here)" if unbounded else "sizes with a known constant"
        super().__init__("reading", f"{reading} of {mechanism} at {dict(sizes)}", why)


class Sizes(NamedTuple):
    """Sets of m among K sensitive and N other items."""

    m: int
    K: int
    N: int


def constant_of(mechanism: str, reading: str, of: Sizes) -> Constant | None:
    """The smallest constant of a mechanism in a reading, at sizes.

    None if no claim speaks of these sizes. Raises `DomainError` for unknown names and impossible sizes.
    """
    mechanism, reading = require_name("mechanism", mechanism, CLAIMS), require_name("reading", reading, READINGS)
    sizes = _sizes(mechanism, of)
    for claim in CLAIMS[mechanism].get(reading, ()):
        formal = formal_of(claim)
        for part in formal.parts if isinstance(formal, All) else (formal,):
            constant = _constant(claim, part, sizes)
            if constant is not None:
                return constant
    return None


def _constant(claim: str, formal: Formal, sizes: dict[str, int]) -> Constant | None:
    """What a statement says of the constant at the given sizes; None if it says nothing."""
    if not isinstance(formal, Smallest | Unbounded):
        return None
    if formal.law.unit == "subsets" and (formal.law.brought or sizes["m"] >= sizes["d"]):
        return None
    if any(compare(tree.evaluate(sizes), 0) is Ordering.LESS for tree in formal.where):
        return None
    power = int(formal.law.power.evaluate(sizes))
    return Constant(claim, formal.law.base, power, formal.constant if isinstance(formal, Smallest) else None, sizes)


def calibrated(mechanism: str, reading: str, sizes: Sizes, epsilon: str | int | fmpq, bits: int = 128) -> Budget[fmpq]:
    """The nominal budget at which the mechanism's smallest constant in the reading is e^epsilon, never more.

    Rounded towards more privacy as `calibration` says. Raises `NoConstantError` where no finite constant is known.
    """
    return calibration(mechanism, reading, sizes, epsilon, bits).budget


def calibration(mechanism: str, reading: str, sizes: Sizes, epsilon: str | int | fmpq, bits: int = 128) -> Calibration:
    """The calibrated budget with what rounding its root down to a fraction of denominator 2^bits leaves unused.

    A rational root that gives e^epsilon exactly is kept as it is. That the constant does not exceed e^epsilon is
    certified by balls for the root returned, whatever led to it. Raises `NoConstantError` where no finite constant is
    known, `DomainError` for bad names, sizes and epsilon, and for one that is too small or too large for the bits.
    """
    require_integer("bits", bits, 8, 4096)
    constant = constant_of(mechanism, reading, sizes)
    if constant is None or constant.term is None:
        raise NoConstantError(mechanism, reading, sizes._asdict(), constant is not None)
    with precision(2 * bits + 128):
        target = _target(epsilon, 2 * bits + 128)
        # at epsilon = 0 every constant is 1, and so is the root
        guess = fmpq(1) if target == 1 else _inverse(constant.term, constant.base, target, constant.sizes)
        if isinstance(guess, fmpq) and constant.at(guess) == target:
            return Calibration(constant, guess, fmpq(0), bits)
        root = _largest(constant, target, bits, guess)
        unused = None if root is None else arb(target) / arb(constant.at(arb(root))) - 1
        if root is None or unused is None or compare(unused, 0) is Ordering.UNDECIDED:
            raise DomainError("epsilon", epsilon, f"a number whose e^epsilon can be told from a root of {bits} bits")
        return Calibration(constant, root, _upper(unused), bits)


def _target(epsilon: Epsilon, bits: int) -> Any:
    """e^epsilon: exact if it is known to be rational, otherwise a ball."""
    try:
        return rational_budget(epsilon).exp()
    except NotExactError:
        return real_budget(epsilon, bits).exp()


def _inverse(formula: Term, base: str, target: Any, sizes: Mapping[str, int]) -> Any:
    """The base at which the formula has the target value, by undoing its operations from outside in.

    None where the base occurs twice or an operation has no closed inverse.
    """
    value: Any = target
    while formula.arguments:
        inside = [base in argument.variables() for argument in formula.arguments]
        if inside.count(True) != 1:
            return None
        at = inside.index(True)
        others = [a.evaluate(sizes) for a, holds in zip(formula.arguments, inside, strict=True) if not holds]
        match formula.head, at:
            case "add", _:
                value = value - others[0]
            case "sub", 0:
                value = value + others[0]
            case "mul", _:
                value = value / others[0]
            case "div", 0:
                value = value * others[0]
            case "exptrunc", 1 if others[0] == 1:
                value = value - 1
            case "pow", 0:
                value = _root(value, int(others[0]))
            case _:
                return None
        formula = formula.arguments[at]
    return value


def _root(value: Any, degree: int) -> Any:
    """The root of a number: exact if there is a rational one, otherwise a ball."""
    if isinstance(value, fmpq):
        top, bottom = value.p.root(degree), value.q.root(degree)
        if (top**degree, bottom**degree) == (value.p, value.q):
            return fmpq(top, bottom)
    return arb(value).root(degree)


def _largest(constant: Constant, target: Any, bits: int, guess: Any) -> fmpq | None:
    """The largest root k / 2^bits at which the constant is shown to be at most the target, by bisection; None where the
    target is too large for that.

    Constants are 1 at root 1 and grow with the root: this decides how close the result is, not whether it is safe. The
    guess, if there is one, only saves steps.
    """
    unit = fmpz(2) ** bits

    def safe(k: fmpz) -> bool:
        return compare(arb(constant.at(arb(fmpq(k, unit)))), target) is Ordering.LESS

    low, step = unit, unit
    if guess is not None:
        near = (arb(guess) * arb(unit)).floor().unique_fmpz()
        if near is not None and safe(near - 2):
            low, step = near - 2, fmpz(1)
    for doublings in count():
        if doublings > 64 * bits:
            return None
        if not safe(low + step):
            break
        low, step = low + step, 2 * step
    while step > 1:
        step = (step + 1) // 2
        if safe(low + step):
            low += step
    return fmpq(low, unit)


def _upper(ball: arb) -> fmpq:
    """A short rational upper bound of a small number > 0: a power of 2.

    Raises `InternalDisagreementError` unless the number is shown to be positive: the last check that the constant at
    the root found is smaller than e^epsilon.
    """
    if compare(ball, 0) is not Ordering.GREATER:
        raise InternalDisagreementError(f"e^epsilon exceeds the calibrated constant by the factor 1 + {ball}")
    exponent = 0
    while compare(ball, fmpq(1, fmpz(2) ** (exponent + 1))) is Ordering.LESS:
        exponent += 1
    return fmpq(1, fmpz(2) ** exponent)


def _sizes(mechanism: str, of: Sizes) -> dict[str, int]:
    """The sizes as the claims' terms name them; an existing mechanism takes every item for sensitive."""
    m, K, N = of
    for name, number, least in (("m", m, 1), ("K", K, 1), ("N", N, 0)):
        require_integer(name, number, least)
    if m > K + N:
        raise DomainError("m", m, f"an integer in 1..{K + N} (the number of items)")
    d = K + N
    return {"m": m, "K": d, "N": 0, "d": d} if mechanism in EXISTING else {"m": m, "K": K, "N": N, "d": d}


@cache
def _all_formal() -> Mapping[str, Formal]:
    """Every formal statement by id."""
    return {i: formal for claim in source_002() for i, formal in claim.formals()}


def formal_of(claim: str) -> Formal:
    """The formal statement of a claim or reading."""
    return _all_formal()[claim]
