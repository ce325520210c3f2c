"""What an exact audit of one's own code looks at, and its bounds."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from dp_audit.judge.estimator import Unit
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.items import Item

LIMITS = ("paths", "draws", "output_items", "unexplored")


@dataclass(frozen=True)
class Checks:
    """What an exact audit looks at beside the law of the report on every input, and its bounds.

    `users`: the sizes of the data sets whose estimates are checked, which are counts or frequencies (`unit`).
    `inputs`: the names of the oracle's items, in their order, that the code is given and reports (None: the items).
    `outside`: inputs that should be refused. `reuse`: whether one client used in turn gives independent reports.
    `plain`: whether the code is also run as it is, with nothing replaced. `hash`: of local hashing in a file, the
    function of it that is the hash function (`wrapped.hashed`), given the first of `conditioned`. `input_types`,
    `conditioned`, `condition_from`: as in `Job`. `limits`: at most so many `paths`, `draws` on a path, `output_items`;
    2^-`unexplored` of a law may stay so. `seconds`: of enumeration (None: any); what takes longer is tested by samples.
    `handed`: parameters that the audited code is given beside those of the oracle. `distributions`: packages whose
    versions the audit names.

    Raises `DomainError` for sizes that are no integers >= 1, seconds that are not > 0, and unknown limits.
    """

    users: tuple[int, ...] = (1, 2)
    unit: Unit = "frequencies"
    inputs: tuple[Item, ...] | None = None
    outside: tuple[Item, ...] = ()
    reuse: bool = True
    plain: bool = True
    hash: str | None = None
    input_types: tuple[str, ...] = ("int",)
    conditioned: tuple[int, ...] = ()
    condition_from: int | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    handed: Mapping[str, object] = field(default_factory=dict)
    distributions: tuple[str, ...] = ()
    seconds: float | None = 40.0

    def __post_init__(self) -> None:
        seconds = self.seconds
        if seconds is not None and (isinstance(seconds, bool) or not 0 < seconds < float("inf")):
            raise DomainError("seconds", seconds, "a finite number > 0")
        if self.unit not in ("counts", "frequencies"):
            raise DomainError("unit", self.unit, "counts or frequencies")
        for name, value in (*(("users", n) for n in self.users), *self.limits.items()):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise DomainError(name, value, "an integer >= 1")
            if name not in ("users", *LIMITS):
                raise DomainError("limits", name, f"one of {', '.join(LIMITS)}")


ALL = Checks()


def require_hash(checks: Checks, tree: ast.Module) -> None:
    """Raise `DomainError` unless the hash function is one of the file, and a draw is conditioned on."""
    known = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if checks.hash not in known:
        raise DomainError("hash", checks.hash, f"a function of the file: {', '.join(known)}")
    if not checks.conditioned:
        raise DomainError("conditioned", checks.conditioned, "the seed of the hash function, if one is named")
