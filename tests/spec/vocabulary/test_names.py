"""Names that people type."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dp_refimpl import MECHANISMS, mechanism_of
from dp_spec.vocabulary.exceptions import DomainError, UnknownNameError
from dp_spec.vocabulary.names import require_name, suggestions


@given(st.sampled_from(sorted(MECHANISMS)), st.sampled_from([str.lower, str.upper, str.swapcase, str]), st.data())
def test_spelling_does_not_matter(name: str, cased: Any, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(name)))
    typed = cased(name[:at]) + data.draw(st.sampled_from(["", "-", "_", " "])) + cased(name[at:])
    assert require_name("mechanism", typed, MECHANISMS) == name
    assert mechanism_of(typed).__name__ == name


@pytest.mark.parametrize(("typed", "meant"), [("sugr", "SuGRR"), ("rapor", "RAPPOR"), ("set", "PrivSet")])
def test_a_near_miss_is_suggested(typed: str, meant: str) -> None:
    assert meant in suggestions(typed, MECHANISMS)
    with pytest.raises(UnknownNameError, match=f"did you mean .*{meant}"):
        mechanism_of(typed)


@pytest.mark.parametrize("typed", ["", "xyzzy", 3, None])
def test_what_is_no_name_lists_those_there_are(typed: Any) -> None:
    with pytest.raises(DomainError, match=r"^mechanism .* is not known: known are GRR"):
        mechanism_of(typed)
