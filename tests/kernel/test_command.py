"""`python -m dp_kernel` where nothing but the standard library can be imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dp_checks
from corpus.certificates import real, rejected

PACKAGES = Path(dp_checks.__file__).parents[1]
NAMES = ("ratio proved", "ratio refuted", "mse proved", "definition verified", "completions ill_posed")
UNREADABLE = ("folder", "missing")


def isolated(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Python without site-packages, started where `dp_checks` lies."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-S", "-s", "-B", *arguments]
    return subprocess.run(command, cwd=PACKAGES, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("certificates")
    good = {name: json.dumps(real(name)) for name in NAMES}
    bad = {line.id: line.text for line in [*rejected().values()][:700:10]}
    spoof = real("ratio proved") | {"id": "x: proved\naccepted 002.thm1"}
    deep = "[" * 100_000 + "]" * 100_000
    texts = good | bad | {"spoof": json.dumps(spoof), "deep": deep, "cut": good["ratio proved"][:-20], "empty": ""}
    texts |= {"list": "[]", "null": "null", "text": '"accepted"', "digits": "1" * 5000, "nan": '{"format": NaN}'}
    texts["twice"] = good["ratio proved"].replace('"verdict": "proved"', '"verdict": "refuted", "verdict": "proved"')
    texts["surrogate"] = json.dumps(real("ratio proved") | {"verdict": "\ud800\nproved"})
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "utf-16").write_text(good["ratio proved"], encoding="utf-16")
    (folder / "bom").write_text(good["ratio proved"], encoding="utf-8-sig")
    (folder / "bytes").write_bytes(bytes(range(256)))
    (folder / "folder").mkdir()
    return {path.name: path for path in folder.iterdir()} | {"missing": folder / "missing"}


def test_nothing_but_the_standard_library_is_there_or_needed() -> None:
    for library in ("flint", "sympy", "mpmath", "numpy", "dp_spec", "dp_refimpl"):
        assert "ModuleNotFoundError" in isolated("-c", f"import {library}").stderr
    script = (
        "import sys, dp_kernel.__main__\n"
        "print({m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names) - {'__main__'})"
    )
    assert isolated("-c", script).stdout.strip() == "{'dp_kernel'}"


def test_accepted_certificates(files: dict[str, Path]) -> None:
    run = isolated("-m", "dp_kernel", *(str(files[name]) for name in NAMES))
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [f"accepted {c['id']}: {c['verdict']}" for c in map(real, NAMES)]


def test_everything_else_is_rejected_in_a_line(files: dict[str, Path]) -> None:
    others = [name for name in files if name not in (*NAMES, *UNREADABLE)]
    assert len(others) > 16
    run = isolated("-m", "dp_kernel", *(str(files[name]) for name in others))
    assert (run.returncode, run.stderr) == (1, "")
    lines = run.stdout.splitlines()
    assert len(lines) == len(others)
    for line, name in zip(lines, others, strict=True):
        assert line.startswith(f"REJECTED {files[name]}: ")
        assert line.isascii()
        assert line.isprintable()


def test_what_cannot_be_read_is_not_rejected(files: dict[str, Path]) -> None:
    run = isolated("-m", "dp_kernel", str(files["cut"]), *(str(files[name]) for name in UNREADABLE))
    assert (run.returncode, run.stderr) == (2, "")
    assert [line.split(":")[0] for line in run.stdout.splitlines()[1:]] == [f"NOT READ {files[n]}" for n in UNREADABLE]


def test_one_rejected_certificate_is_enough(files: dict[str, Path]) -> None:
    run = isolated("-m", "dp_kernel", str(files["cut"]), str(files["mse proved"]))
    assert run.returncode == 1
    assert [line.split()[0] for line in run.stdout.splitlines()] == ["REJECTED", "accepted"]


def test_help_and_no_arguments() -> None:
    assert isolated("-m", "dp_kernel", "--help").returncode == 0
    bare = isolated("-m", "dp_kernel")
    assert bare.returncode == 2
    assert "CERTIFICATE" in bare.stderr
