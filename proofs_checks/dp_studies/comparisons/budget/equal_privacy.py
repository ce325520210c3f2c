"""Errors at equal certified privacy: the exact sum of mean squared errors over X, every mechanism calibrated alike.

Every user holds m of d = K + N items and every item has the frequency m / d (only the sum of the non-sensitive
frequencies matters, and m / d makes it mN / d). Formulas are those of proved claims; the calibrated root is rational,
so that every sum is an exact rational number. Which is smallest is decided for the sums before rounding, by balls.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from flint import arb, fmpq

from dp_refimpl.requirements import require_integer
from dp_spec.frequency import experiment_sizes, privset
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.precision import precision
from dp_spec.vocabulary.scalar import Ordering, compare
from dp_spec.vocabulary.statement import Mse
from dp_spec.vocabulary.term import Term
from dp_studies.comparisons.budget.constants import (
    EXISTING,
    Calibration,
    NoConstantError,
    Sizes,
    calibration,
    formal_of,
)

NAMES = (
    *("SuGRR", "SuGRRSample", "SuRAP", "SuRAPSample", "SuWheel"),
    *("GRRSplit", "GRRSample", "RAPPORSet", "RAPPORSample", "Wheel", "PrivSet"),
)
"""The mechanisms that are compared; suGRR with a multiset as y0 (with a set its printed estimator is biased)."""

Kind = Literal["sensitive", "nonsensitive"]
ERRORS: Mapping[str, Mapping[Kind, str]] = {
    "SuGRR": {
        "sensitive": "002.thm3.eq16.sens@multiset",
        "nonsensitive": "002.thm3.eq16.non@multiset",
    },
    "SuGRRSample": {
        "sensitive": "002.thm3.eq17.sens@fixed-data.corrected",
        "nonsensitive": "002.thm3.eq17.non@fixed-data.corrected",
    },
    "SuRAP": {
        "sensitive": "002.thm6.eq21.sens@fixed-data",
        "nonsensitive": "002.thm6.eq21.non@fixed-data",
    },
    "SuRAPSample": {
        "sensitive": "002.thm6.eq22.sens@fixed-data.corrected",
        "nonsensitive": "002.thm6.eq22.non@fixed-data.corrected",
    },
    "SuWheel": {
        "sensitive": "002.thm9.proof.var@ideal",
        "nonsensitive": "002.thm9.eq25.non@fixed-data",
    },
}
"""Claims that give the error of an item, by mechanism."""
SHOWING = tuple(ERRORS)
"""Mechanisms whose reports show items that are not sensitive."""
_BUILT_ON = {
    "GRRSplit": "SuGRR",
    "GRRSample": "SuGRRSample",
    "RAPPORSet": "SuRAP",
    "RAPPORSample": "SuRAPSample",
    "Wheel": "SuWheel",
}
"""Without non-sensitive items the mechanism on the right has the table and the estimator of the existing one."""


MAX_SIZES: Mapping[str, int] = {"users": 10**15, "m": 300, "K": 20_000, "N": 20_000}
"""The largest numbers that are compared: constants are polynomials whose degrees are m and K + N."""


@dataclass(frozen=True)
class Size:
    """n users with m items each, of K sensitive and N other items. Raises `DomainError` beyond `MAX_SIZES`."""

    users: int
    m: int
    k: int
    n: int

    def __post_init__(self) -> None:
        require_integer("users", self.users, 1)
        for name, number in (("users", self.users), ("m", self.m), ("K", self.k), ("N", self.n)):
            if number > MAX_SIZES[name]:
                raise DomainError(name, number, f"at most {MAX_SIZES[name]}")


TABLE4: Mapping[str, Size] = {name: Size(r.n, r.m, r.k, r.d - r.k) for name, r in experiment_sizes.TABLE4.items()}
"""Source 002, Table 4."""

Status = Literal["calibrated", "unbounded", "unknown"]


@dataclass(frozen=True)
class Row:
    """A mechanism calibrated to e^epsilon in a reading, and its sum of errors; `choice` is PrivSet's k. `total` is the
    sum at the calibrated root, `ideal` a ball around the sum at the root before it was rounded.

    `unbounded`: no constant exists in this reading; `unknown`: no proved claim gives the constant or the error.
    """

    mechanism: str
    status: Status
    calibration: Calibration | None = None
    total: fmpq | None = None
    choice: int | None = None
    ideal: arb | None = None


def compared(reading: str, size: Size, epsilon: str | int | fmpq, bits: int = 128) -> tuple[Row, ...]:
    """Every mechanism at the nominal budget whose smallest constant in the reading is e^epsilon > 1.

    Raises `DomainError` for unknown readings and impossible sizes.
    """
    return tuple(_row(mechanism, reading, size, epsilon, bits) for mechanism in NAMES)


def best(rows: Sequence[Row]) -> tuple[str, ...]:
    """The mechanisms with the smallest sum of errors before their roots were rounded; none where none is known.

    Several where the rounding leaves open which sum is smaller, as it does where two mechanisms are one.
    """
    calibrated = [row for row in rows if row.ideal is not None]
    return tuple(
        row.mechanism
        for row in calibrated
        if not any(compare(other.ideal, row.ideal) is Ordering.LESS for other in calibrated)
    )


def error_sum(mechanism: str, size: Size, root: Any, choice: int | None = None) -> Any | None:
    """The sum of the mean squared errors over X at a root of e^nominal, every f_x = m / d; None without a proved claim.

    For PrivSet with the given k, or the one that `best_choice` finds.
    """
    d = size.k + size.n
    if mechanism == "PrivSet":
        return _privset(size, root, choice or best_choice(d, size.m, root))
    source = _BUILT_ON.get(mechanism, mechanism)
    values: dict[str, Any] = {"m": size.m, "K": size.k, "N": size.n, "n": size.users, "f": fmpq(size.m, d)}
    values["g"] = fmpq(size.m * size.n, d)
    if mechanism in EXISTING:
        values |= {"K": d, "N": 0, "g": fmpq(0)}
    total: Any = 0
    sizes: Mapping[Kind, int] = {"sensitive": values["K"], "nonsensitive": values["N"]}
    for kind, count in sizes.items():
        formula = _formula(ERRORS[source][kind])
        if count:
            if formula is None:
                return None
            total += count * formula[1].evaluate({**values, formula[0]: root})
    return total


def best_choice(d: int, m: int, w: Any) -> int:
    """The smallest k in 1..d - m at which PrivSet's sum of errors does not fall any more.

    Found by bisection, which relies on the sum being convex in k: `002.base.privset.ksearch.corrected2` has the sizes
    at which that is proved.
    """

    def falls(k: int) -> bool:
        return compare(_weighted(d, m, w, k + 1), _weighted(d, m, w, k)) is Ordering.LESS

    return bisect_left(range(d - m), True, 1, key=lambda k: not falls(k))


def _row(mechanism: str, reading: str, size: Size, epsilon: Any, bits: int) -> Row:
    try:
        calibrated = calibration(mechanism, reading, Sizes(size.m, size.k, size.n), epsilon, bits)
    except NoConstantError as error:
        return Row(mechanism, "unbounded" if error.unbounded else "unknown")
    if compare(calibrated.root, 1) is not Ordering.GREATER:
        allowed = f"a number > 0 whose e^epsilon a root of {bits} bits tells from 1: at 0 no error is finite"
        raise DomainError("epsilon", epsilon, allowed)
    choice = best_choice(size.k + size.n, size.m, calibrated.root) if mechanism == "PrivSet" else None
    total = error_sum(mechanism, size, calibrated.root, choice)
    if total is None:
        return Row(mechanism, "unknown", calibrated)
    with precision(2 * bits + 128):
        ideal = arb(error_sum(mechanism, size, calibrated.exact_root, choice))
    return Row(mechanism, "calibrated", calibrated, total, choice, ideal)


def _formula(claim: str) -> tuple[str, Term] | None:
    """The root's name and the error formula of a claim about the MSE; None where the claim has no formal statement."""
    formal = formal_of(claim)
    return (formal.law.base, formal.formula) if isinstance(formal, Mse) and formal.formula is not None else None


def _weighted(d: int, m: int, w: Any, k: int) -> Any:
    """n times the sum of PrivSet's errors over the d items, on the plain domain of d outputs."""
    values = {"D": d, "m": m, "k": k, "w": w}
    held, other = (chance(privset.OUTPUTS).evaluate(values) for chance in (privset.held, privset.other))
    return privset.SET_WEIGHTS.evaluate({**values, "P": held, "Q": other})


def _privset(size: Size, w: Any, k: int) -> Any:
    return _weighted(size.k + size.n, size.m, w, k) / size.users
