"""Accountants of released libraries: their calls fit the mechanisms, and no number of theirs is too small."""

import pytest
from click.testing import CliRunner
from flint import fmpq

from dp_audit import Verdict
from dp_audit.oracles.accounted_mechanisms import settled
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError
from dp_studies.libraries.accountants import ACCOUNTANTS, ENVIRONMENTS, audit_library_accountants, targets
from running.child_processes import environment


@pytest.mark.parametrize("name", targets.ACCOUNTANTS)
def test_calls_are_of_the_mechanism(name: str) -> None:
    target = getattr(targets, name)
    assert target.calls
    for call in target.calls:
        exact = {key: fmpq(*value.as_integer_ratio()) for key, value in call.items()}
        parameters, _ = settled(target.mechanism, target.number, exact)
        assert set(call) < {*dict(parameters), "delta", "epsilon", "order"}
    library, _, own = name.partition(", ")
    assert own in ACCOUNTANTS[library]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give FILE.py:NAME, or --library"),
        (("--library", "dp-acounting"), "dp-accounting"),
        (("--library", "dp-accounting", "--only", "x*"), "no accountant of dp-accounting has such a name"),
    ],
)
def test_what_is_not_known_is_refused(arguments: tuple[str, ...], words: str) -> None:
    result = CliRunner().invoke(main, ["audit", "accountant", *arguments])
    assert (result.exit_code, words in result.output) == (2, True), result.output


def test_a_library_is_known_by_its_name() -> None:
    with pytest.raises(DomainError, match="did you mean dp-accounting"):
        audit_library_accountants("dp-acounting", ())
    with pytest.raises(AttributeError, match="no accountant has the name"):
        _ = targets.nothing


QUICK = {
    ("dp-accounting", "Gaussian, epsilon"): {},
    ("dp-accounting", "Gaussian, delta of a PLD"): {},
    ("dp-accounting", "Gaussian, Renyi"): {},
    ("dp-accounting", "randomized response, delta of a PLD"): {},
    ("dp-accounting", "zero-concentrated, RDP accountant"): {},
    ("smartnoise-sql", "epsilon of the odometer"): {},
    ("smartnoise-sql", "delta of the odometer"): {},
    ("prv-accountant", "Gaussian, upper bound"): {
        "calls": "Floating point errors will dominate for such small values of delta"
    },
}
"""Of every mechanism one that is quick, and what its other rows say; `audit accountant --library` takes all."""


@pytest.mark.campaign
@pytest.mark.parametrize(("library", "name"), QUICK)
def test_no_number_is_too_small(library: str, name: str) -> None:
    made = environment(ENVIRONMENTS[library])
    ((_, audit),) = audit_library_accountants(library, (name,), environment=made, timeout=300)
    rows = {row.check: row for row in audit.rows}
    assert rows.pop("accountant").verdict in (Verdict.CONSISTENT, Verdict.ROUNDING), audit.text()
    assert rows.keys() == QUICK[library, name].keys(), audit.text()
    assert all(words in rows[check].detail for check, words in QUICK[library, name].items()), audit.text()
