"""Faults planted in the kernel: each is found by a certificate that is misjudged, or by what is derived otherwise."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from corpus.certificates import accepted, misjudged, rejected
from dp_kernel import Rejected
from independent import kernel_laws
from independent.definition_examples import disagreements, split_disagreements
from mutants.rewriting import planted_test, read_faults

SMALL_LAWS: dict[str, Callable[[], Iterator[str]]] = {
    "laws of sets": kernel_laws.wrong_laws_of_sets,
    "laws on arcs": kernel_laws.wrong_laws_on_arcs,
    "sketches": kernel_laws.wrong_sketches,
    "trees": kernel_laws.wrong_sums_of_trees,
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * name.startswith("laws")) for name in SMALL_LAWS]
)
def test_what_is_derived_is_what_other_programs_have(name: str) -> None:
    """(Predicates are compared in `spec/vocabulary/test_definitions`.)"""
    assert list(SMALL_LAWS[name]()) == []


def derived_otherwise(search: Callable[[], Iterator[str]]) -> Iterator[str]:
    """What a search finds; an error of the kernel is another law, too."""
    try:
        yield from search()
    except (Rejected, ArithmeticError, LookupError) as error:
        yield str(error)


FINDERS: dict[str, Callable[[], Iterator[str]]] = {
    **{name: partial(misjudged, [line]) for name, line in {**accepted(), **rejected()}.items()},
    **{name: partial(derived_otherwise, search) for name, search in SMALL_LAWS.items()},
    "definitions": disagreements,
    "channels": split_disagreements,
}
test_planted_faults_are_found = planted_test(read_faults("kernel.toml"), FINDERS)
