"""Sizes at which a table or a comparison would not end are refused at once, with what is allowed."""

from itertools import product

import pytest
from click.testing import CliRunner

from dp_checks.tables import mechanism_table
from dp_command import main
from dp_spec.vocabulary.exceptions import DomainError

HUGE = ("10000", "1000000", "1000000000", "1" + "0" * 30, "7" * 5000)
SIZES = {
    "GRR": {"d": "3"},
    "RAPPOR": {"d": "3"},
    "URAP": {"K": "2", "N": "1"},
    "SuGRR": {"K": "2", "N": "1", "m": "2"},
    "SuRAPSample": {"K": "2", "N": "1", "m": "2"},
    "PrivSet": {"d": "3", "m": "2", "k": "1"},
    "OUE": {"d": "3"},
    "OLH": {"d": "3"},
    "LocalHashing": {"d": "3", "g": "2"},
    "SubsetSelection": {"d": "3", "k": "1"},
    "HadamardResponse": {"d": "3", "first": "1"},
    "HCMS": {"d": "3", "m": "2", "functions": "[[0, 1, 0]]"},
}
CASES = [(name, size, huge) for name, sizes in SIZES.items() for size in sizes for huge in HUGE]


@pytest.mark.parametrize(("name", "size", "huge"), CASES, ids=lambda value: value[:12])
def test_tables_of_huge_sizes_are_refused(name: str, size: str, huge: str) -> None:
    with pytest.raises(DomainError) as error:
        mechanism_table(name, {"epsilon": "1", **SIZES[name], size: huge})
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    "parameters",
    [{"d": "1000"}, {"K": "30", "N": "30", "m": "2"}, {"K": "20000", "N": "20000", "m": "20000"}],
    ids=str,
)
def test_tables_with_too_many_paths_in_all_are_refused(parameters: dict[str, str]) -> None:
    with pytest.raises(DomainError, match="sizes with at most"):
        mechanism_table("SuGRR" if "m" in parameters else "GRR", {"epsilon": "1", **parameters})


@pytest.mark.parametrize(
    ("option", "huge"),
    [*product(("--m", "--K", "--N"), ("1000000000", "1" + "0" * 30)), ("--users", "1" + "0" * 30)],
)
def test_comparisons_of_huge_sizes_are_refused(option: str, huge: str) -> None:
    sizes = {"--m": "2", "--K": "3", "--N": "2", "--users": "10", option: huge}
    given = [word for pair in sizes.items() for word in pair]
    result = CliRunner().invoke(main, ["budget", *given])
    assert result.exit_code == 2
    assert "allowed is at most" in result.output


@pytest.mark.parametrize("epsilon", ["1e-400", "5e-324", "700", "30000", "1000000"])
def test_budgets_that_the_bits_cannot_tell_are_refused(epsilon: str) -> None:
    result = CliRunner().invoke(main, ["budget", "--epsilon", epsilon, "--reading", "joint"])
    assert result.exit_code == 2
    assert result.output.startswith("Error: epsilon = ")
    assert result.output.count("\n") == 1
