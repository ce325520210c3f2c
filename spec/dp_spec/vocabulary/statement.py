"""Formal statements: what a claim says, as data. The checker decides them, certificates carry them, the kernel reads
them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, Literal

from flint import fmpq

from dp_spec.vocabulary.additive import Additive, Quantity
from dp_spec.vocabulary.law import Estimator, Law
from dp_spec.vocabulary.sentences import written
from dp_spec.vocabulary.term import Term, minimum

Relation = tuple[Literal["eq", "le", "lt"], Term, Term]
Hashing = Literal["ideal", "kwise", "pairwise", "fixed", "disjoint", "hash"]
"""Of laws on arcs: fresh hash functions (all, every m + 1, every two values independent and uniform), one fixed public
function, one under which the arcs of all items are disjoint, or conditional on whatever function is published."""
View = Literal["set", "multiset", "position", "padded", "vector", "one", "sen", "whole"] | Hashing
Compared = Literal["ldp", "marginal", "joint", "deniability", "samenon"]
Item = Literal["sensitive", "nonsensitive"]


class Statement:
    """Base of all statements; `type` names it in certificates."""

    type: ClassVar[str]

    def json(self) -> dict[str, Any]:
        """The statement as plain data (absent options left out)."""
        return written({"type": self.type, **_record(self)})


@dataclass(frozen=True)
class Range:
    """A variable >= min (> min if strict), an integer if `integer`; or strictly between 0 and 1 if `unit`."""

    min: int = 0
    strict: bool = False
    integer: bool = False
    unit: bool = False


@dataclass(frozen=True)
class Domain:
    """Quantified variables with ranges, and constraints (each term >= 0)."""

    variables: Mapping[str, Range]
    constraints: tuple[Term, ...] = ()

    def restricted(self, names: Collection[str]) -> "Domain":
        """The domain of those of its variables that have these names."""
        return Domain({name: x for name, x in self.variables.items() if name in names}, self.constraints)


@dataclass(frozen=True)
class Ratio(Statement):
    """Every compared ratio of report probabilities is at most e^epsilon: a reading of (1), (4) or (11).

    `sizes`: admissible sets (exactly m, 1..m, all); `counted`: whether an empty y0 counts; `where`: size
    constraints, each >= 0; `any_order`: for every order in which the items of a set may be processed; `cases`: as a
    sentence, which is shown at listed sizes, where no rule shows it at all of them.
    """

    type: ClassVar[str] = "ratio"
    law: Law
    view: View
    relation: Compared
    counted: Literal["all", "nonempty"] = "all"
    sizes: Literal["exactm", "atmost", "all"] = "exactm"
    where: tuple[Term, ...] = ()
    any_order: bool = False
    cases: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Exceeds(Ratio):
    """On the whole domain some compared ratio is larger than e^epsilon."""

    type: ClassVar[str] = "exceeds"


@dataclass(frozen=True)
class Smallest(Ratio):
    """The smallest constant that bounds every compared ratio is `constant`, which grows with every min(...) in it: as
    plain data it is the smallest of what these make of it."""

    type: ClassVar[str] = "smallest"
    constant: Term = field(kw_only=True)

    def json(self) -> dict[str, Any]:
        """The statement as plain data, with min(...) outermost in the constant."""
        choices = self.constant.choices()
        if self.cases:
            return super().json()
        return super().json() | {"constant": (choices[0] if len(choices) == 1 else minimum(*choices)).json()}


@dataclass(frozen=True)
class Unbounded(Ratio):
    """At all sizes of the domain no constant bounds the compared ratios: a positive probability meets probability 0."""

    type: ClassVar[str] = "unbounded"


@dataclass(frozen=True)
class Unbiased(Statement):
    """E[estimate of f_x] = f_x for every data set of m-sets (of at most m items, where dummies complete the sets)."""

    type: ClassVar[str] = "unbiased"
    law: Law
    view: View
    item: Item
    estimator: Estimator
    sizes: Literal["exactm", "atmost"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Mse(Unbiased):
    """The MSE of the estimate is `formula` (in n, f = f_x, g = f(X_non), m, K and the root of e^epsilon)."""

    type: ClassVar[str] = "mse"
    data: Literal["fixed", "iid"] = "fixed"
    formula: Term | None = None


@dataclass(frozen=True)
class Chance(Statement):
    """The chance that a user's report counts for an item of the class that is held (`held`), or not (`other`), is
    `probability`, for every set of m items."""

    type: ClassVar[str] = "chance"
    law: Law
    view: View
    item: Item
    event: Literal["held", "other"]
    probability: Term
    sizes: Literal["exactm", "atmost"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class BernoulliSum(Statement):
    """For x in X_sen, F_x is a sum of n f_x Bernoulli(p), n (m - f_x) Bernoulli(q) variables, all independent."""

    type: ClassVar[str] = "bernoulli-sum"
    law: Law
    view: View
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class ProductForm(Statement):
    """Ratios of report probabilities are products of table ratios, results matched to items."""

    type: ClassVar[str] = "product-form"
    law: Law
    view: View
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Computable(Statement):
    """The server can compute F_x, the number of results equal to x, from the report."""

    type: ClassVar[str] = "computable"
    law: Law
    view: View
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Definition(Statement):
    """The forms are equivalent definitions: they agree on all small channels, some of which they accept and some of
    which they reject."""

    type: ClassVar[str] = "definition"
    forms: tuple[str, ...]


@dataclass(frozen=True)
class Implies(Statement):
    """Every channel with the premises has the conclusions, with the same e^epsilon.

    Definition 2 is about items: `singletons`, or `sets as items`, each of which is one."""

    type: ClassVar[str] = "implies"
    premises: tuple[str, ...]
    conclusions: tuple[str, ...]
    inputs: Literal["m-sets", "singletons", "sets as items"] = "m-sets"


@dataclass(frozen=True)
class Frequencies(Statement):
    """The true frequencies f_x, counted item by item, sum to m for every data set of m-sets, of at most three users of
    a law."""

    type: ClassVar[str] = "frequencies"
    law: Law
    view: View
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Padding(Statement):
    """A user's expected estimate of f_x, after bringing s to m items, is `mean` (in m, size = |s|, held = [x in s]).

    The law is one of sets that are sampled or filled up."""

    type: ClassVar[str] = "padding"
    law: Law
    estimator: tuple[Estimator, Estimator]
    mean: Term
    sizes: Literal["exactm"] = "exactm"
    where: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Not(Statement):
    """The other statement is false."""

    type: ClassVar[str] = "not"
    of: Statement


@dataclass(frozen=True)
class All(Statement):
    """Every part holds."""

    type: ClassVar[str] = "all"
    parts: tuple[Statement, ...]


@dataclass(frozen=True)
class Instances(All):
    """What is said of all sizes holds: every part says it of one of them, or of some. That all parts hold shows nothing
    of other sizes."""

    type: ClassVar[str] = "instances"


def conjunction(*parts: Statement) -> All:
    """Every part holds."""
    return All(parts)


def instances(*parts: Statement) -> Instances:
    """What is said of all sizes, of some of them."""
    return Instances(parts)


@dataclass(frozen=True)
class Completions(Statement):
    """The print leaves open how an equation is read: on channels with the premises its two named readings differ."""

    type: ClassVar[str] = "completions"
    readings: Mapping[str, str]
    premises: tuple[str, ...] = ()
    inputs: Literal["m-sets", "singletons"] = "m-sets"


def _json(value: Any) -> Any:
    if isinstance(value, Term | Law | Additive | Quantity | Statement):
        return value.json()
    if isinstance(value, fmpq):
        return int(value.p) if value.q == 1 else str(value)
    if is_dataclass(value):
        return _record(value)
    if isinstance(value, Mapping):
        return {name: _json(v) for name, v in value.items()}
    if isinstance(value, tuple):
        return [_json(v) for v in value]
    return value


def _record(value: Any) -> dict[str, Any]:
    data = {f.name: _json(getattr(value, f.name)) for f in (fields(value) if is_dataclass(value) else ())}
    if "view" in data:
        data |= {name: law.in_view(data["view"]).json() for name, law in vars(value).items() if isinstance(law, Law)}
        del data["view"]
    return {name: v for name, v in data.items() if v is not None}
