"""Every constructor of laws means what a small program does, in general position; a difference is seen."""

from collections.abc import Iterator
from typing import Any

import pytest

from dp_kernel.laws import grammar
from independent import constructor_programs


def nodes(term: Any) -> Iterator[tuple[Any, Any]]:
    """The names of a term's nodes, with the function that a push applies."""
    if isinstance(term, list):
        yield term[0], term[1] if term[0] == "push" else None
        for part in term[1:]:
            yield from nodes(part)


@pytest.mark.slow
def test_programs_and_enumerator_agree_on_every_constructor_and_function() -> None:
    assert constructor_programs.compare() > 1000
    found = {pair for n in (0, 1) for term in constructor_programs.examples(3, n, 2) for pair in nodes(term)}
    assert {name for name, _ in found} == grammar.NODES.keys() - {"hashed", "interval"}
    assert {by for name, by in found if name == "push"} == grammar.PUSHES.keys() - {"emit"}


@pytest.mark.parametrize("name", sorted(constructor_programs.SHOWN))
def test_another_function_of_the_outcome_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    push = grammar.PUSHES[name]
    other = push._replace(of=lambda y, k: (push.of(y, k)[0], (99,)))
    monkeypatch.setattr(grammar, "PUSHES", {**grammar.PUSHES, name: other})
    with pytest.raises(AssertionError):
        constructor_programs.compare()


def test_another_share_of_a_drawn_item_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = grammar.outcome_law
    monkeypatch.setattr(
        grammar, "outcome_law", lambda term, s, *at: outcome(term, s[-1:] if term[0] == "drawn" else s, *at)
    )
    with pytest.raises(AssertionError):
        constructor_programs.compare()
