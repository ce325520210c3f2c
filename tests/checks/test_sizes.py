"""Sizes at which a table or a comparison would not end are refused at once, with what is allowed."""

from itertools import product

import pytest

from cases.commands import bad_command_test
from cases.refusals import refusal_test, refuses_each
from dp_checks.tables import mechanism_table
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


@pytest.mark.parametrize("name", SIZES)
def test_tables_of_huge_sizes_are_refused(name: str) -> None:
    for size, huge in product(SIZES[name], HUGE):
        with pytest.raises(DomainError) as error:
            mechanism_table(name, {"epsilon": "1", **SIZES[name], size: huge})
        assert len(str(error.value)) < 1000


test_tables_with_too_many_paths_in_all_are_refused = refusal_test(
    refuses_each(
        "",
        mechanism_table,
        ("GRR", {"epsilon": "1", "d": "1000"}),
        ("SuGRR", {"epsilon": "1", "K": "30", "N": "30", "m": "2"}),
        ("SuGRR", {"epsilon": "1", "K": "20000", "N": "20000", "m": "20000"}),
        says="sizes with at most",
    )
)


VAST = "1" + "0" * 30
test_comparisons_of_huge_sizes_are_refused = bad_command_test(
    "budget",
    [
        (sizes.format(huge), "allowed is at most")
        for sizes in ("--m {} --K 3 --N 2 --users 10", "--m 2 --K {} --N 2 --users 10", "--m 2 --K 3 --N {} --users 10")
        for huge in ("1000000000", VAST)
    ]
    + [(f"--m 2 --K 3 --N 2 --users {VAST}", "allowed is at most")],
)
test_budgets_that_the_bits_cannot_tell_are_refused = bad_command_test(
    "budget --reading joint",
    [(f"--epsilon {epsilon}", "Error: epsilon = ") for epsilon in ("1e-400", "5e-324", "700", "30000", "1000000")],
)
