"""Whatever is in a file, it is decided within a number of units of work and a stated memory, by a typed rejection."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cases.greedy import formula
from cases.greedy_shuffle import HOSTILE
from corpus.certificates import real, small
from dp_kernel import Rejected, verify
from dp_kernel.__main__ import read
from dp_kernel.formulas.terms import evaluate
from dp_kernel.meter import DEFAULT, OutOfWorkError, limited, pay
from dp_kernel.numbers.polynomial import lift, substituted, variable

MEMORY = 512 * 2**20
CHILD = (
    f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))\n"
    "from dp_kernel.__main__ import main; sys.exit(main(sys.argv[1:]))"
)
SMALL = formula([["lt", 0, "x"]])


def decided(*arguments: object) -> list[str]:
    """What the kernel's command line says of every file, in 512 MB."""
    command = [sys.executable, "-c", CHILD, *map(str, arguments)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stderr
    return run.stdout.splitlines()


TRUE = {
    *("copies_of_a_long_sum", "many_variables", "variables_under_many_operators", "parts_within_parts"),
    *("long_sums_one_term_after_the_other", "nested_exponentials", "thousands_of_exponentials"),
    "thousands_of_logarithms",
}
LARGEST = ("a_product_of_many_sums", "many_variables", "a_power_of_many_variables", "all_orders")
"""Those that take most time or memory per unit."""


@pytest.mark.slow
@pytest.mark.parametrize(("names", "work"), [(tuple(HOSTILE), DEFAULT // 64), (LARGEST, DEFAULT)])
def test_hostile_certificates_are_decided_within_the_limit(tmp_path: Path, names: tuple[str, ...], work: int) -> None:
    for name in names:
        (tmp_path / name).write_text(json.dumps(HOSTILE[name]()))
    lines = decided("--work", work, *(tmp_path / name for name in names))
    assert len(lines) == len(names)
    assert {name for name, line in zip(names, lines, strict=True) if line.startswith("accepted")} <= TRUE
    assert 2 * sum("units of work" in line for line in lines) > len(names)


@pytest.mark.parametrize("name", [name for name in HOSTILE if name.startswith(("a_huge", "nested_powers", "a_l"))])
def test_nothing_is_computed_before_it_is_paid_for(name: str) -> None:
    """The limit is exceeded by one payment at most, whatever comes first; and always at the same place."""
    messages = []
    for _ in range(2):
        with pytest.raises(Rejected) as caught:
            verify(HOSTILE[name](), 300_000)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


HOSTILE_TEXTS = [
    ("[" * 10**6, "not JSON"),
    ("[" * 300 + "]" * 300, "malformed"),
    ('{"a":' * 10**5 + "1" + "}" * 10**5, "not JSON"),
    ("9" * 10**6, "digits"),
    ("-" + "9" * 10**6, "digits"),
    ("NaN", "a float in a certificate"),
    ("[-Infinity]", "a float in a certificate"),
    ("1e999999999", "a float in a certificate"),
    ("[0.5]", "a float in a certificate"),
    ('{"id": 1, "id": 1}', "a field is named twice"),
    ('{"id": "' + "x" * 10**6 + '"}', "malformed"),
    ("[" + "[]," * 10**6 + "[]]", "malformed"),
    ("[" + '{"":0},' * 5 * 10**5 + "[]]", "malformed"),
    ('"' + "\\ud800" * 10**5 + '"', "malformed"),
    ("\U0001f600" * 10**6, "not JSON"),
    (" " * (DEFAULT // 2 + 1), "the limit for 8000000 units of work"),
]


def test_hostile_texts(tmp_path: Path) -> None:
    paths = [tmp_path / str(i) for i in range(len(HOSTILE_TEXTS))]
    for path, (text, _) in zip(paths, HOSTILE_TEXTS, strict=True):
        path.write_text(text)
    for line, (_, reason) in zip(decided(*paths), HOSTILE_TEXTS, strict=True):
        assert line.startswith("REJECTED")
        assert reason in line


def test_files_of_any_size_are_read_in_part_only(tmp_path: Path) -> None:
    with (tmp_path / "gigabytes").open("wb") as file:
        file.truncate(2**33)
    for line in decided(tmp_path / "gigabytes", "/dev/zero"):
        assert "bytes, the limit" in line
    [line] = decided("--work", "1000", tmp_path / "gigabytes")
    assert "more than 500 bytes, the limit for 1000 units of work (--work)" in line


def test_work_is_declared_and_allowed(tmp_path: Path) -> None:
    units = verify(SMALL)
    assert verify(SMALL, units) == units
    assert verify(SMALL | {"work": units + 9}) >= units
    with pytest.raises(OutOfWorkError, match=f"more than {units - 1} units of work"):
        verify(SMALL, units - 1)
    with pytest.raises(OutOfWorkError):
        verify(SMALL | {"work": units - 1})
    with pytest.raises(Rejected, match=f"declares {DEFAULT + 1} units of work, {DEFAULT} are allowed"):
        verify(SMALL | {"work": DEFAULT + 1})
    assert verify(SMALL | {"work": DEFAULT + 1}, DEFAULT + 1) >= units
    for work in (-1, True, "5", 1.0, None, 10**400):
        with pytest.raises(Rejected):
            verify(SMALL | {"work": work}, 10**500)
    (tmp_path / "more").write_text(json.dumps(SMALL | {"work": DEFAULT + 1}))
    assert decided(tmp_path / "more")[0].startswith("REJECTED")
    assert decided("--work", DEFAULT + 1, tmp_path / "more")[0].startswith("accepted")
    assert verify(read(tmp_path / "more"), DEFAULT + 1) >= units


@pytest.mark.parametrize("name", ["ratio proved", "mse proved", "ratio refuted", "definition verified", "all proved"])
def test_work_depends_on_nothing_but_the_certificate(name: str) -> None:
    certificate = small(name)
    first = verify(certificate)
    verify(real("smallest refuted"))
    assert verify(certificate) == first < DEFAULT


def test_limits_do_not_nest_into_each_other() -> None:
    with limited(10) as outer:
        pay(5)
        with limited(100) as inner:
            pay(50)
        pay(5)
    assert (outer.spent, inner.spent) == (10, 50)
    pay(10**9)  # outside, work is not counted


def test_nothing_is_put_into_a_power_with_a_symbolic_exponent() -> None:
    power = evaluate(["mul", "y", ["pow", ["add", "x", 1], "m"]], {name: variable(name) for name in "xym"})
    assert substituted(power, {"y": lift(2)}) == power / variable("y") * 2
    for name in ("x", "m"):
        with pytest.raises(ValueError, match="nothing is put into"):
            substituted(power, {name: lift(2)})
