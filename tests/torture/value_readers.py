"""The readers of values: budgets, parameters of mechanisms and of audits, ids, domains, hash values."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner
from flint import fmpq

from dp_audit.observation.exact_json import canonical, number
from dp_audit.oracles import KINDS, oracle, read_parameters
from dp_audit.oracles.base import epsilon
from dp_checks import tables
from dp_checks.certify import chosen
from dp_checks.ledger import load_ledger
from dp_checks.runtime.boundary import FINE, FOUND, UNDECIDED, WRONG_INPUT
from dp_command import main
from dp_refimpl.frequency.hashing import HashFunction
from dp_spec.vocabulary.budget import Budget, high_precision_budget, rational_budget, real_budget
from dp_spec.vocabulary.items import ItemDomain
from dp_studies.reproduce.s001.settings import Plan as Tables
from dp_studies.reproduce.s002.study import Plan
from dp_studies.reproduce.s004.settings import Plan as Study
from independent.oracle_cases import CASES
from torture.reader import Misread, Reader, seeds_of, text_of, value_of

EPSILONS = (*seeds_of("0.1", "3/2", "ln(3)", "4*ln(2)", "ln(5/2)/2", "1e-3", 1, 0.5, 0), b"2*ln(3/2)", b"ln(2) / 3")
PLAUSIBLE: Mapping[str, Any] = {
    "d": 3,
    "epsilon": "ln(3)",
    "g": 2,
    "hash": [0, 1, 1],
    "hashes": [[0, 1, 1], [1, 1, 0]],
    "m": 2,
    "k": 1,
    "t": 1,
    "first": 0,
    "blocks": 1,
    "permutation": [0, 2, 1],
    "theta": "3/4",
    "p": "3/4",
    "q": "0.25",
    "K": 2,
    "N": 1,
    "signs": [[0, 1, 1], [0, 0, 1]],
    "f": "1/2",
    "filters": [[[0, 1], [0], [1]]],
    "eps_perm": "ln(3)",
    "eps_1": "ln(2)",
    "buckets": 3,
    "bits": 1,
    "sizes": [2, 3],
    "columns": 2,
    "utilities": ["1", "0", "1/2"],
    "sensitivity": 1,
    "monotonic": False,
    "distances": [[0, 1], [1, 0]],
    "hierarchy": [["a", "b"], ["c"]],
    "values": [0, 1, 2],
    "low": 0,
    "high": 2,
    "lower": 0,
    "upper": 3,
    "view": "set",
    "relation": "ldp",
    "scores": [["1", "0"], ["1/2", "1/2"]],
    "sensitivities": ["1", "1/2"],
    "counts": [[0, 1], [1, 1]],
    "sigma": "1",
    "scale": "2",
    "tables": [[[0, 0], [1, 1]], [[0, 0], [1, 0]]],
    "candidates": [[0, [1]], [1, [0]]],
    "network": [[0, []], [1, [0]]],
    "partition": [[0], [1]],
    "degree": 1,
    "score": "I",
    "weights": [1, 2],
    "release": "joints",
    "beta": "1/2",
    "matrix": [[0, 1], [1, 0]],
    "eta": "1/3",
}
"""Parameters by name, for mechanisms that have no case in `independent`."""


def parameter_seeds() -> Iterator[Any]:
    """[mechanism, its parameters]: all mechanisms, with and without what is optional."""
    for case in CASES:
        yield [case.name, {p: list(v) if isinstance(v, tuple) else v for p, v in case.parameters.items()}]
    for name, kind in KINDS.items():
        yield [name, {p: PLAUSIBLE[p] for p in kind.parameters}]
        yield [name, {p: PLAUSIBLE[p] for p in kind.parameters if p not in kind.optional}]


def _of_mechanism(data: bytes) -> tuple[Any, dict[str, object]]:
    content = value_of(data)
    name, parameters = content if isinstance(content, list) and len(content) == 2 else (content, {})
    return name, parameters if isinstance(parameters, dict) else {"epsilon": parameters}


def _parameters(data: bytes) -> object:
    name, parameters = _of_mechanism(data)
    return read_parameters(name, parameters)


def _oracle(data: bytes) -> object:
    name, parameters = _of_mechanism(data)
    return oracle(name, parameters)


def _table(data: bytes) -> object:
    """The law is not read but enumerated, which takes as long as it is large: not here."""
    name, parameters = _of_mechanism(data)
    with patch.object(tables, "exact_channel"):
        return tables.mechanism_table(
            str(name), {p: v if isinstance(v, str) else str(v) for p, v in parameters.items()}
        )


def _items(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _domain(data: bytes) -> object:
    content = value_of(data)
    if isinstance(content, dict):
        return ItemDomain.of_sizes(content.get("K", 1), content.get("N", 0))
    sensitive, others = content if isinstance(content, list) and len(content) == 2 else (content, ())
    return ItemDomain(_items(sensitive), _items(others))


def _rational(value: Any) -> Any:
    try:
        exact = Fraction(value) if isinstance(value, str) and len(value) < 100 and "e" not in value.lower() else None
    except (ValueError, ZeroDivisionError):
        exact = None
    return value if exact is None else fmpq(exact.numerator, exact.denominator)


def _hash_function(data: bytes) -> object:
    content = value_of(data)
    items, values = content if isinstance(content, list) and len(content) == 2 else ((0,), content)
    return HashFunction(_items(items), tuple(_rational(v) for v in values) if isinstance(values, list) else values)


def _plan(data: bytes) -> object:
    content = value_of(data)
    figures, calibrations, *more = content if isinstance(content, list) and len(content) > 1 else ([1], content)
    return Plan(_items(figures), _items(calibrations), *more[:2])


def _study(data: bytes) -> object:
    content = value_of(data)
    names, ks, ms, *more = content if isinstance(content, list) and len(content) > 2 else (["harmonic"], [256], content)
    return Study(_items(names), _items(ks), _items(ms), *map(_items, more[:1]))


def _tables(data: bytes) -> object:
    content = value_of(data)
    kinds, epsilons, *more = content if isinstance(content, list) and len(content) > 1 else (["laplace"], content)
    return Tables(_items(kinds), _items(epsilons), *map(_items, more[:3]))


def _options(parameters: Mapping[str, Any]) -> list[str]:
    return [part for name, value in parameters.items() for part in ("--param", f"{name}={value}")]


def _command(data: bytes) -> None:
    """The command line says what is wrong with its arguments; exit code 4 is an error of the program."""
    content = value_of(data)
    arguments = (
        [part if isinstance(part, str) else str(part) for part in content]
        if isinstance(content, list)
        else [str(content)]
    )
    result = CliRunner().invoke(main, arguments)
    if result.exit_code not in (FINE, FOUND, WRONG_INPUT, UNDECIDED):
        raise Misread(f"exit code {result.exit_code}: {result.output[-300:]}")


def value_readers() -> tuple[Reader, ...]:
    """All of them; the committed ledger is loaded once."""
    ledger = load_ledger()
    ids = tuple(i.encode() for i in list(ledger)[::40])
    tabled = seeds_of(
        ["grr", {"d": "3", "epsilon": "ln(3)"}],
        ["sugrr", {"K": "2", "N": "1", "m": "2", "epsilon": "2*ln(2)", "view": "set"}],
        ["suwheel", {"K": "1", "N": "1", "m": "1", "epsilon": "ln(2)", "hash": "0,1/2"}],
        ["privset", {"d": "3", "m": "1", "k": "2", "epsilon": "0.5"}],
        ["hmprivbayes", {"sizes": "2,2", "n": "2", "epsilon": "1", "partition": "[[0],[1]]", "published": "data"}],
        ["privbayes", {"sizes": "2,3", "n": "1", "epsilon": "1/2", "degree": "1", "score": "R"}],
    )
    numbers = seeds_of("1/3", "-0.25", "1e-3", 0.1, 5)
    reports = seeds_of([0, 1], {"set": [0, 1]}, {"fraction": "1/3"}, {"bytes": "00ff"}, {"tag": [1, {"set": [2]}]}, "x")
    lines = seeds_of(
        ["explain", "002.def1.eq1@pmf"],
        ["list", "002.def1*", "--verdict", "proved", "--json"],
        ["audit", "oracles", "GRR", "--json"],
        [
            "audit",
            "table",
            "table.json",
            "--oracle",
            "LH",
            *_options({"d": 3, "g": 2, "hash": [0, 1, 1], "epsilon": "1"}),
        ],
        ["verify", "certificate.json", "--work", "1000"],
        ["table", "grr", "--digits", "20", *_options({"d": 3, "epsilon": "ln(3)"})],
        ["account", "privbayes", "--relation", "ar", *_options({"d": 5, "degree": 2, "beta": "1/3", "epsilon": "1"})],
    )
    hashes = seeds_of([[0, 1, 2], ["0", "1/3", "2/3"]], [["a"], ["1"]])
    return (
        Reader("Budget", EPSILONS, lambda data: Budget(value_of(data))),
        Reader("rational_budget", EPSILONS, lambda data: rational_budget(value_of(data))),
        Reader("real_budget", EPSILONS, lambda data: real_budget(value_of(data))),
        Reader("high_precision_budget", EPSILONS, lambda data: high_precision_budget(value_of(data)), share=3),
        Reader("budgets of oracles", EPSILONS, lambda data: epsilon("epsilon", value_of(data))),
        Reader("parameters of oracles", (seeds := seeds_of(*parameter_seeds())), _parameters, share=30),
        Reader("oracles", seeds, _oracle, share=10),
        Reader("parameters of tables", tabled, _table),
        Reader("number", numbers, lambda data: number("number", value_of(data))),
        Reader("canonical report", reports, lambda data: canonical("report", value_of(data))),
        Reader("ids of claims", ids, lambda data: ledger[text_of(data)], share=1),
        Reader("globs", (b"002.thm1*", b"*", b"002.def[13].*", *ids[:3]), lambda data: chosen(text_of(data)), share=2),
        Reader("item domains", seeds_of([[0, 1], [2]], [["a", "b"], []], {"K": 2, "N": 1}), _domain),
        Reader("hash functions", hashes, _hash_function),
        Reader("command line", lines, _command, (), share=1),
        Reader("plans", seeds_of([[1, 2], ["paper"], 3, 5], [[4], ["joint", "paper"], 1, 0]), _plan, share=3),
        Reader(
            "tables", seeds_of([["laplace"], ["1", "1/10"], 64, 5, [1, 2]], [["discrete"], ["2"]]), _tables, share=3
        ),
        Reader(
            "studies", seeds_of([["harmonic"], [256, 1], [32], ["1", "ln(3)"]], [["even"], [1], [2]]), _study, share=3
        ),
    )
