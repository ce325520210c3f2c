"""Faults planted in the kernel's rules for explicit matrices: each accepts a false certificate or rejects a real
one."""

import inspect
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from corpus.certificates import accepted_about, changed, planted
from dp_kernel import Rejected, verify
from dp_kernel.cards import projection
from dp_kernel.certificate.check import KINDS
from dp_kernel.finite import matrices
from dp_kernel.numbers import json_numbers

LITTLE = 300_000


@cache
def false() -> dict[str, Any]:
    return planted("matrices") | changed("matrices")


@cache
def genuine() -> list[Any]:
    return [*accepted_about("matrices").values()]


def misjudged() -> Iterator[str]:
    for name, certificate in false().items():
        try:
            verify(certificate, LITTLE)
        except Rejected:
            continue
        yield f"accepted: {name}"
    for certificate in genuine():
        try:
            verify(certificate)
        except Rejected as error:
            yield f"rejected: {certificate['id']}: {error}"


@pytest.mark.slow
def test_the_kernel_misjudges_nothing() -> None:
    assert [*misjudged()] == []


FAULTS: dict[str, tuple[Any, str, str, str]] = {
    "rows: any law": (matrices, "columns", "require_rows(law, Region(values, {}))", "pass"),
    "rows: any noise": (matrices, "columns", 'noise.times_variance(law, "scale", 1)', "pass"),
    "rows: without their scales": (matrices, "columns", "[1 / c for c in scales]", "[1 for c in scales]"),
    "rows: times their scales": (matrices, "columns", "[1 / c for c in scales]", "[c for c in scales]"),
    "estimates: of some queries": (matrices, "best_linear", "and len(workload) == len(estimates)", ""),
    "estimates: of any counts": (matrices, "best_linear", "{*map(len, workload)} == {len(a)} and", ""),
    "estimates: biased": (
        *(matrices, "best_linear", "require(_times(estimates, a) == workload"),
        "require(True",
    ),
    "estimates: anywhere": (matrices, "best_linear", "require(spanned == estimates", "require(True"),
    "estimates: of some of the queries": (
        *(matrices, "best_linear", "require(spanned == estimates"),
        "require(all(x == y for x, y in zip(spanned, estimates))",
    ),
    "estimates: without the scales": (
        *(matrices, "best_linear", '_matrix(statement["estimates"], scales)'),
        '_matrix(statement["estimates"])',
    ),
    "refuted estimates: unbiased": (
        *(matrices, "best_linear", "require(_times(estimates, a)[i] != workload[i]"),
        "require(True",
    ),
    "refuted estimates: by biased ones": (
        *(matrices, "best_linear", "require(_times([better], a) == [workload[i]]"),
        "require(True",
    ),
    "refuted estimates: by any": (matrices, "best_linear", "require(dot(better, better) <", "require(True or 0 <"),
    "refuted estimates: by as good ones": (matrices, "best_linear", "dot(better, better) <", "dot(better, better) <="),
    "refuted estimates: by weights alone": (
        *(matrices, "best_linear", '_matrix([evidence["better"]], scales)'),
        '_matrix([evidence["better"]])',
    ),
    "refuted estimates: from the end": (
        *(matrices, "best_linear", 'integer(evidence["query"], 0, len(workload) - 1)'),
        'integer(evidence["query"])',
    ),
    "strategies: any factor": (matrices, "dominates", "require(factor > 0", "require(True"),
    "strategies: the factor 0": (matrices, "dominates", "require(factor > 0", "require(factor >= 0"),
    "strategies: on some of the counts": (
        *(matrices, "dominates", "zip(a, b, strict=True)] for u, v in zip(a, b, strict=True)"),
        "zip(a, b)] for u, v in zip(a, b)",
    ),
    "strategies: without the factor": (matrices, "dominates", "(factor, -1)", "(1, -1)"),
    "strategies: the factor of the other": (matrices, "dominates", "(factor, -1)", "(1, -factor)"),
    "strategies: the other way round": (matrices, "dominates", '("strategy", "other")', '("other", "strategy")'),
    "strategies: their sum": (matrices, "dominates", "(factor, -1)", "(factor, 1)"),
    "strategies: forms that vanish": (matrices, "dominates", ") < 0,", ") <= 0,"),
    "strategies: any direction": (matrices, "dominates", "require(dot(vector,", "require(True or dot(vector,"),
    "squares: any pivots": (projection, "require_semidefinite", "require(all(d >= 0 for d in pivots)", "require(True"),
    "squares: no pivot is 0": (projection, "require_semidefinite", "d >= 0", "d > 0"),
    "squares: the diagonal": (projection, "require_semidefinite", "for j in range(i + 1))", "for j in [i])"),
    "squares: below the diagonal": (projection, "require_semidefinite", "for j in range(i + 1))", "for j in range(i))"),
    "squares: of fewer counts": (
        *(projection, "require_semidefinite", "[*map(len, lower)] == [*range(len(matrix))] and"),
        "",
    ),
    "squares: without a diagonal": (projection, "require_semidefinite", "[*lower[j], 1]", "[*lower[j], 0]"),
    "squares: pivots twice": (
        *(projection, "require_semidefinite", "[*lower[j], 1]"),
        "[*products(lower[j], pivots[:j]), pivots[j]]",
    ),
    "products: of some numbers": (json_numbers, "dot", "strict=True", "strict=False"),
    "products: times a scale, of some": (json_numbers, "products", "strict=True", "strict=False"),
    "products: the last one": (json_numbers, "dot", "total += x * y", "total = x * y"),
}
"""Module, function, what its text says, and what the mutant's says."""


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_caught(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    genuine(), false()  # certificates are made before the kernel is broken
    module, name, written, wrong = FAULTS[fault]
    original, space = getattr(module, name), dict(vars(module))
    source = inspect.getsource(original)
    assert source.count(written) == 1, "the kernel says something else now"
    exec(source.replace(written, wrong), space)
    for path, other in list(sys.modules.items()):
        if path.startswith("dp_kernel") and vars(other).get(name) is original:
            monkeypatch.setattr(other, name, space[name])
    for kind, found in KINDS.items():
        if found.rule is original:
            monkeypatch.setitem(KINDS, kind, found._replace(rule=space[name]))
    assert next(misjudged(), None) is not None
