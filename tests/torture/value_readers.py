"""The readers of values: budgets, parameters of mechanisms and of audits, numbers, reports, ids, command lines."""

from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from dp_audit.observation.exact_json import canonical, number
from dp_audit.oracles import oracle, read_parameters
from dp_checks import tables
from dp_checks.certify import chosen
from dp_checks.ledger import load_ledger
from dp_checks.runtime.boundary import FINE, FOUND, UNDECIDED, WRONG_INPUT
from dp_command import main
from dp_spec.vocabulary.budget import Budget, high_precision_budget, rational_budget, real_budget
from independent.oracle_cases import CASES
from torture.reader import Misread, Reader, seeds_of, text_of, value_of

EPSILONS = (*seeds_of("0.1", "3/2", "ln(3)", "4*ln(2)", "ln(5/2)/2", "1e-3", 1, 0.5, 0), b"2*ln(3/2)", b"ln(2) / 3")


def _of_mechanism(data: bytes) -> tuple[Any, dict[str, object]]:
    content = value_of(data)
    name, parameters = content if isinstance(content, list) and len(content) == 2 else (content, {})
    return name, parameters if isinstance(parameters, dict) else {"epsilon": parameters}


def _table(data: bytes) -> object:
    """The law is not read but enumerated, which takes as long as it is large: not here."""
    name, parameters = _of_mechanism(data)
    with patch.object(tables, "exact_channel"):
        return tables.mechanism_table(
            str(name), {p: v if isinstance(v, str) else str(v) for p, v in parameters.items()}
        )


def _options(parameters: Mapping[str, Any]) -> list[str]:
    return [part for name, value in parameters.items() for part in ("--param", f"{name}={value}")]


def _command(data: bytes) -> None:
    """The command line says what is wrong with its arguments; exit code 4 is an error of the program."""
    content = value_of(data)
    result = CliRunner().invoke(main, [*map(str, content if isinstance(content, list) else [content])])
    if result.exit_code not in (FINE, FOUND, WRONG_INPUT, UNDECIDED):
        raise Misread(f"exit code {result.exit_code}: {result.output[-300:]}")


def value_readers() -> tuple[Reader, ...]:
    """All of them; the committed ledger is loaded once."""
    ledger = load_ledger()
    ids = tuple(i.encode() for i in list(ledger)[::40])
    oracles = seeds_of(
        *([c.name, {p: list(v) if isinstance(v, tuple) else v for p, v in c.parameters.items()}] for c in CASES)
    )
    tabled = seeds_of(
        ["sugrr", {"K": "2", "N": "1", "m": "2", "epsilon": "2*ln(2)", "view": "set"}],
        ["suwheel", {"K": "1", "N": "1", "m": "1", "epsilon": "ln(2)", "hash": "0,1/2"}],
        ["hmprivbayes", {"sizes": "2,2", "n": "2", "epsilon": "1", "partition": "[[0],[1]]", "published": "data"}],
        ["privbayes", {"sizes": "2,3", "n": "1", "epsilon": "1/2", "degree": "1", "score": "R"}],
    )
    numbers = seeds_of("1/3", "-0.25", "1e-3", 0.1, 5)
    reports = seeds_of([0, 1], {"set": [0, 1]}, {"fraction": "1/3"}, {"bytes": "00ff"}, {"tag": [1, {"set": [2]}]}, "x")
    lh = _options({"d": 3, "g": 2, "hash": [0, 1, 1], "epsilon": "1"})
    lines = seeds_of(
        ["explain", "002.def1.eq1@pmf"],
        ["list", "002.def1*", "--verdict", "proved", "--json"],
        ["audit", "table", "table.json", "--oracle", "LH", *lh],
        ["verify", "certificate.json", "--work", "1000"],
        ["table", "grr", "--digits", "20", *_options({"d": 3, "epsilon": "ln(3)"})],
        ["account", "privbayes", "--relation", "ar", *_options({"d": 5, "degree": 2, "beta": "1/3", "epsilon": "1"})],
    )
    budgets = (Budget, rational_budget, real_budget, high_precision_budget)
    return (
        *(Reader(f"epsilon of {read.__name__}", EPSILONS, lambda data, r=read: r(value_of(data))) for read in budgets),  # type: ignore[misc]
        Reader("parameters of oracles", oracles, lambda data: read_parameters(*_of_mechanism(data)), share=30),
        Reader("oracles", oracles, lambda data: oracle(*_of_mechanism(data))),
        Reader("parameters of tables", tabled, _table),
        Reader("number", numbers, lambda data: number("number", value_of(data))),
        Reader("canonical report", reports, lambda data: canonical("report", value_of(data))),
        Reader("ids of claims", ids, lambda data: ledger[text_of(data)], share=1),
        Reader("globs", (b"002.thm1*", b"*", b"002.def[13].*", *ids[:3]), lambda data: chosen(text_of(data)), share=2),
        Reader("command line", lines, _command, (), share=1),
    )
