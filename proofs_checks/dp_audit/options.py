"""What an audit of code looks at, how it is run, and its bounds."""

import ast
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from dp_audit.judge.estimator import Unit
from dp_audit.run.enumeration import require_seconds
from dp_audit.run.process_sampler import BOUNDS, Bounds
from dp_spec.vocabulary.exceptions import DomainError
from dp_spec.vocabulary.integers import require_integer
from dp_spec.vocabulary.items import Item

LIMITS = ("paths", "draws", "output_items", "unexplored")


@dataclass(frozen=True)
class Options:
    """What an audit of code looks at beside the law of the report on every input, how the code is run, and its bounds.

    What is looked at. `users`: the sizes of the data sets whose estimates are checked, which are counts or frequencies
    (`unit`). `outside`: inputs that should be refused (None: those beside the domain); `also_outside` beside these.
    `reuse`: whether one client used in turn gives independent reports; `turns`: whether that is enumerated, too.
    `unmodified`: whether the code is also run as it is, with nothing replaced. `follow_up`: whether what looks wrong is
    confirmed by samples, and other processes, other budgets and defaults are looked at.

    How the code is used. `names`: of the oracle's items, in their order, that the code is given and reports (None: the
    items). `handed`: parameters that it is given beside those of the oracle. `hash`: of local hashing in a file, the
    function of it that is the hash function, given the first of `conditioned`. `input_types`, `conditioned`,
    `condition_from`: as in `Job`; `asks`: facts about the code complete the oracle although nothing is conditioned on.
    `compiled`: the code is compiled for its users, and its source is enumerated; reports of the compiled code are
    tested beside that. `distributions`: packages whose versions the audit names.

    Bounds. `limits`: at most so many `paths`, `draws` on a path, `output_items`; 2^-`unexplored` of a law may stay so.
    `seconds`: of enumeration (None: any); what takes longer is tested by samples. `timeout`: seconds that a child
    process may take (None: 120, and code at hand is run in this process). `python`: the interpreter that runs a file,
    which needs numpy. `bounds` and `variables` (None: ours): of a program that is asked for reports.

    Raises `DomainError` for sizes that are no integers >= 1, seconds that are not > 0, and unknown limits.
    """

    users: tuple[int, ...] = (1, 2)
    unit: Unit = "frequencies"
    outside: tuple[Item, ...] | None = ()
    also_outside: tuple[Item, ...] = ()
    reuse: bool = True
    turns: bool = True
    unmodified: bool = True
    follow_up: bool = True
    names: tuple[Item, ...] | None = None
    hash: str | None = None
    input_types: tuple[str, ...] = ("int",)
    conditioned: tuple[int, ...] = ()
    condition_from: int | None = None
    asks: bool = False
    compiled: bool = False
    limits: Mapping[str, int] = field(default_factory=dict)
    handed: Mapping[str, object] = field(default_factory=dict)
    distributions: tuple[str, ...] = ()
    seconds: float | None = 40.0
    timeout: float | None = None
    python: str | os.PathLike[str] = sys.executable
    bounds: Bounds = BOUNDS
    variables: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        for name, seconds in (("seconds", self.seconds), ("timeout", self.timeout)):
            if seconds is not None:
                require_seconds(seconds, name)
        if self.unit not in ("counts", "frequencies"):
            raise DomainError("unit", self.unit, "counts or frequencies")
        for name, value in (*(("users", n) for n in self.users), *self.limits.items()):
            require_integer(name, value, 1)
            if name not in ("users", *LIMITS):
                raise DomainError("limits", name, f"one of {', '.join(LIMITS)}")


DEFAULT = Options()


def require_hash(options: Options, tree: ast.Module) -> None:
    """Raise `DomainError` unless the hash function is one of the file, and a draw is conditioned on."""
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if options.hash not in functions:
        raise DomainError("hash", options.hash, f"a function of the file: {', '.join(functions)}")
    if not options.conditioned:
        raise DomainError("conditioned", options.conditioned, "the seed of the hash function, if one is named")
