"""One draw in several places of an output: its law is that of all values of the draws, counted by a plain loop."""

import itertools
import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.targets import hash_tables
from audit.test_intercept_members import loaded
from dp_audit.audit import audit_adapter, audit_callable
from dp_audit.options import Options
from dp_audit.outcome import Verdict
from dp_audit.run.child.interceptor import joint_outcomes
from dp_audit.run.child.interceptor.rewrite import Loader
from dp_audit.run.child.refusals import TooManyPaths, UnmodeledRandomness
from independent.intercepting import law, walked

FILE = Path(hash_tables.__file__)
SIZES = {"d": 2, "g": 3, "epsilon": 1.0}
CHECKS = Options(users=(), reuse=False)
EIGHTHS = [(2 * i + 1) / 64 for i in range(32)]
"""One uniform double of each 32nd: programs ask for eighths only, as the exact law of a double does."""
DRAWS: dict[str, list[Any]] = {
    "random.randrange(5)": list(range(5)),
    "random.randint(2, 4)": [2, 3, 4],
    "random.randrange(2, 42)": list(range(2, 42)),
    "random.getrandbits(3)": list(range(8)),
    "random.choice([1, 2, 4, 8])": [1, 2, 4, 8],
    "random.choice([7, 3, 3, 0])": [7, 3, 3, 0],
    "random.choices([5, 1, 2], [1, 2, 1])[0]": [5, 1, 1, 2],
    "int(np.random.randint(6))": list(range(6)),
    "int(np.random.default_rng().integers(1, 4))": [1, 2, 3],
    "(os.urandom(1)[0] >> 5)": list(range(8)),
    "random.random()": EIGHTHS,
}
WHOLE, REAL = list(DRAWS)[:-1], list(DRAWS)[-1:]
ASKED = [
    *("{x}", "{x} + 3", "4 - {x}", "{x} * 2", "{x} // 2", "{x} % 3", "{x} % 2", "{x} >> 1", "{x} & 1", "{x} & 6"),
    *("{x} < 2", "{x} == 1", "{x} != 3", "{x} >= 2.5", "{x} / 2 < 1", "int({x} / 2)", "divmod({x}, 2)[1]", "{x} ^ 1"),
    *("[4, 1, 2, 7, 9, 0, 3, 3, 1][{x} % 9]", "[0, 1, 2, 3, 5, 8, 13, 21, 34][{x}]", "min({x}, 3)", "max({x}, 1)"),
    *("abs({x} - 2)", "7 if {x} < 2 else {x}", "{x} in (1, 2)", "int({x})", "bool({x})", "str({x})", "{x} - {x}"),
    *("({x} ^ 5) % 7", "({x} + 9) % 40", "({x} ^ 37) < 20", "(3 * {x} % 41) == 5", "(({x} ^ 6) + 1) % 43"),
    *("-{x}", "~({x} ^ 9)"),
    *("({x} % 4) // 2", "({x} + 1) % 3", "(2 * {x} + 1) % 4", "{x}.bit_length()", "bytes([{x}])", "hash({x})"),
    *("{x} + {y}", "{x} * {y}", "{x} - {y}", "{x} < {y}", "{x} == {y}", "min({x}, {y})", "{y} if {x} < 2 else 0"),
]
ASKED_REAL = ["{x} < 0.25", "{x} >= 0.625", "int({x} * 4)", "{x} * 2 < 1.25", "int({x} * 8) % 3", "1 - {x} <= 0.5"]
PLACES = ["[{a}, {b}]", "({a}, {b})", "[[{a}], {b}]", "({a}, (({b},),))", "{{1: {a}, 2: {b}}}", "{{0: [{a}]}}, {b}"]
PLACES += ["np.array([{a}, 0], dtype=object), {b}", "frozenset([{a}]), [{b}]", "[{a}] * 2, {b}", "pair({a}, {b})"]
HEAD = "import os, random\nimport numpy as np\n\ndef pair(a, b): return [a, (b, a)]\n\n"


@st.composite
def programs(draw: st.DrawFn) -> tuple[list[str], str]:
    """Up to three draws, and an expression in x0, x1, x2 that holds functions of them at several depths."""
    kinds = draw(st.lists(st.sampled_from(WHOLE), min_size=1, max_size=2)) + draw(
        st.lists(st.sampled_from(REAL), max_size=1)
    )
    names = [f"x{i}" for i, kind in enumerate(kinds) if kind in WHOLE]

    def leaf() -> str:
        if len(kinds) > len(names) and draw(st.integers(0, 3)) == 0:
            return draw(st.sampled_from(ASKED_REAL)).format(x=f"x{len(names)}")
        return draw(st.sampled_from(ASKED)).format(x=draw(st.sampled_from(names)), y=draw(st.sampled_from(names)))

    def part(depth: int) -> str:
        if depth == 0 or draw(st.integers(0, 4)) == 0:
            return leaf()
        return "(" + draw(st.sampled_from(PLACES)).format(a=part(depth - 1), b=part(depth - 1)) + ")"

    return kinds, "(" + draw(st.sampled_from(PLACES)).format(a=part(2), b=part(2)) + ")"


def plain(value: Any) -> Any:
    """An output as JSON, as the interceptor writes it; made here again, so that nothing of it is used."""
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, frozenset):
        return {"set": sorted((plain(part) for part in value), key=json.dumps)}
    if isinstance(value, dict):
        return {"dict": sorted(([plain(k), plain(v)] for k, v in value.items()), key=text)}
    return {"bytes": value.hex()} if isinstance(value, bytes) else value


def text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def enumerated(program: Callable[..., Any], values: list[list[Any]]) -> dict[str, Fraction]:
    """The law of a program on all values of its draws, each as likely."""
    probabilities: dict[str, Fraction] = {}
    every = list(itertools.product(*values))
    for given_values in every:
        try:
            outcome = text(plain(program(*given_values)))
        except Exception as error:
            outcome = text({"raised": f"{type(error).__name__}: {error}"})
        probabilities[outcome] = probabilities.get(outcome, Fraction(0)) + Fraction(1, len(every))
    return probabilities


def compiled(kinds: list[str], expression: str, folder: str) -> tuple[Any, Any]:
    """The module of a program, as it is and as the target's file is rewritten."""
    names = ", ".join(f"x{i}" for i in range(len(kinds)))
    drawing = "".join(f"    x{i} = {kind}\n" for i, kind in enumerate(kinds))
    source = f"{HEAD}def program({names}): return {expression}\n\ndef drawn():\n{drawing}    return {expression}\n"
    source += f"\ndef twice():\n{drawing}    held = [{names}]\n    def report(): return {expression}\n"
    source += "    return [report(), held, report()]\n"
    path = Path(folder, "joint_target.py")
    path.write_text(source)
    return loaded(path, "as_it_is"), loaded(path, "rewritten", Loader("rewritten", str(path)))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(programs())
def test_a_draw_in_several_places_is_counted_once(program: tuple[list[str], str]) -> None:
    kinds, expression = program
    with tempfile.TemporaryDirectory() as folder:
        own, rewritten = compiled(kinds, expression, folder)
        expected = enumerated(own.program, [DRAWS[kind] for kind in kinds])
        assert law(own.drawn) == expected
        assert law(rewritten.drawn) == expected
        if REAL[0] not in kinds:  # a double in a report is no integer
            both = enumerated(lambda *x: [own.program(*x), list(x), own.program(*x)], [DRAWS[kind] for kind in kinds])
            assert law(own.twice) == both


@pytest.mark.parametrize("shared", ["[x0, [{}]]", "({}, {{1: x0}})", "[[x0], [[{}]]]", "(x0 // 2, ({} // 2,))"])
def test_a_draw_that_is_used_twice_is_not_two_draws(shared: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        own, _ = compiled(WHOLE[:1] * 2, shared.format("x0"), folder)
        other, _ = compiled(WHOLE[:1] * 2, shared.format("x1"), folder)
    assert len(law(own.drawn)) < len(law(other.drawn))
    assert law(own.drawn) != law(other.drawn)


def at_two_levels() -> Any:
    x = random.randrange(5)
    return x, [x // 2, (x + 1,)]


def test_what_is_at_several_levels_is_counted_in_one_path() -> None:
    distribution = walked(at_two_levels)
    assert distribution.paths == 1
    assert list(distribution.entries.values()) == [Fraction(1, 5)] * 5


def test_too_many_values_are_refused_and_not_an_outcome() -> None:
    with pytest.raises(TooManyPaths):
        law(lambda: (random.getrandbits(128), 0))


def test_a_draw_that_is_kept_between_calls_is_refused() -> None:
    hash_tables.KEPT.clear()
    with pytest.raises(UnmodeledRandomness, match="used again"):
        law(lambda: hash_tables.kept(0))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "reports"), [("ideal", 27), ("one_cell", 9), ("cell_of_its_own", 27)])
def test_tables_of_cells_are_judged_as_they_are(name: str, reports: int) -> None:
    checks = Options(unmodified=False, users=())
    audit = audit_adapter(FILE, name, "LH-ideal", SIZES, options=checks)
    assert (audit.row("law").verdict is Verdict.FAULT) is (name != "ideal"), audit.text()
    assert audit.row("reused client").verdict is not Verdict.FAULT
    exact = law(lambda: getattr(hash_tables, name)(0, **SIZES))
    assert len(exact) == reports
    if name == "cell_of_its_own":
        assert set(exact.values()) == {Fraction(1, 27)}


# --- a law that is found only where draws are replaced accuses nobody: the code's own reports contradict it -----------


@pytest.mark.slow
def test_a_wrong_interception_is_noticed_and_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count()
    monkeypatch.setattr(
        joint_outcomes, "id", lambda _: next(numbers), raising=False
    )  # draws are counted as often as held
    alone = audit_callable(hash_tables.ideal, "LH-ideal", SIZES, options=replace(CHECKS, unmodified=False))
    assert alone.row("law").verdict is Verdict.FAULT
    audit = audit_callable(hash_tables.ideal, "LH-ideal", SIZES, options=CHECKS)
    assert not audit.faults, audit.text()
    assert audit.row("law").verdict is Verdict.CONSISTENT  # samples decide
    assert "the law that was found where draws are replaced is not that of the code" in audit.notes[-1]
    assert audit.row("unintercepted run").detail.startswith("nothing found")


@pytest.mark.slow
def test_a_faulty_law_is_confirmed_by_the_reports_of_the_code() -> None:
    audit = audit_callable(hash_tables.cell_of_its_own, "LH-ideal", SIZES, options=CHECKS)
    assert audit.row("law").verdict is Verdict.FAULT
    assert "do not contradict the law found" in audit.row("unintercepted run").detail
