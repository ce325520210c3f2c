"""The guide's example of a new mechanism, applied to a copy of the tree, is found wherever a mechanism is looked for.

With a part left out it is said which.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from dp_refimpl.records import Mechanism
from structure.tree import PACKAGES, ROOT, tracked_files

NAME, CLAIMS = "ForcedResponse", "lit.boruch1971.forcedresponse"
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(python|diff)\n(.*?)^```$", GUIDE.partition("## Adding a mechanism")[2], re.M | re.S)
SOURCES = [*dict.fromkeys(str(path.parent.relative_to(ROOT)) for path in PACKAGES.values()), "tests"]

GENERATE = f"""
from pathlib import Path
from dp_checks import ledger, lock_files
from dp_checks.certify import all_claims, certify

run = certify("{CLAIMS}*", Path("build/new"))
merged = ledger.linked({{**ledger.load_ledger(), **run.ledger}}, all_claims())
for path, text in lock_files.texts(ledger.default_path(), all_claims(), merged).items():
    path.write_text(text, encoding="utf-8")
"""
"""What `certify --write` does, with what is already in the ledger as it is: a whole run would take minutes."""
PAGE = f"""
from dp_checks.certify import all_claims
from dp_checks.ledger import load_ledger
from dp_checks.pages import mechanisms

(subject,) = (one for one in mechanisms.subjects(all_claims()) if one.name == "{NAME}")
print(*mechanisms.page(subject, load_ledger(), {{}}), sep="\\n")
"""
"""Its page."""
VECTORS = f"""
from dp_audit.vectors.documents import document, text

print(text(document("{NAME}")))
"""
REQUIRED = [field.name for field in fields(Mechanism) if field.default is field.default_factory is MISSING]
"""What a record has to say."""
COMMAND = ("-c", "from dp_command import main; main()")
FOREIGN = """
import random

def randomize(item):
    return item if random.random() < {truth} else random.randrange(3)
"""


def applied(tree: Path) -> list[str]:
    """Do what the guide says: write its files, change others as its differences say. The paths."""
    touched = []
    for kind, text in BLOCKS:
        if kind == "diff":
            touched += re.findall(r"^\+\+\+ b/(\S+)$", text, re.M)
            subprocess.run(["git", "apply", "-"], input=text, text=True, check=True, cwd=tree)
        else:
            first, _, rest = text.partition("\n")
            touched.append(first.removeprefix("# "))
            (tree / touched[-1]).write_text(rest, encoding="utf-8")
    return touched


def run(tree: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """A Python that imports the tree's packages and no others of ours."""
    path = ":".join(str(tree / folder) for folder in SOURCES)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env={"PYTHONPATH": path, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def said(tree: Path, *arguments: str) -> str:
    """What the command of the tree prints."""
    done = run(tree, [*COMMAND, *arguments])
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is committed, with the example."""
    copy = tmp_path_factory.mktemp("new") / "tree"
    for path in tracked_files():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    assert len(set(applied(copy))) <= 6
    done = run(copy, ["-c", GENERATE])
    assert done.returncode == 0, done.stderr
    return copy


@pytest.mark.slow
def test_it_is_known_by_its_names_and_proved(tree: Path) -> None:
    assert said(tree, "table", "warner", "--param", "d=2", "--param", "epsilon=ln(3)").count("3/4") == 2
    assert f"\t{CLAIMS}.privacy\t" in said(tree, "list", "--mechanism", NAME)
    assert "verdict proved" in said(tree, "explain", f"{CLAIMS}.privacy")
    assert "kernel  accepts" in said(tree, "explain", f"{CLAIMS}.var")
    assert f"certified by {CLAIMS}.privacy" in said(tree, "audit", "oracles", NAME)
    assert run(tree, ["-c", f"from dp_refimpl import {NAME}; {NAME}(d=2, epsilon=1)"]).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "code"), [("1 / 3", 0), ("1 / 2", 1)])
def test_implementations_are_audited_by_it(tree: Path, truth: str, code: int) -> None:
    """At e^epsilon = 5/2 the chance of the truth is 1/3."""
    (tree / "foreign.py").write_text(FOREIGN.format(truth=truth), encoding="utf-8")
    parameters = ["--param", "d=3", "--param", "epsilon=ln(5/2)"]
    done = run(tree, [*COMMAND, "audit", "python", "foreign.py:randomize", "--oracle", NAME, *parameters])
    assert done.returncode == code, done.stdout + done.stderr


@pytest.mark.slow
def test_it_has_vectors_and_a_page(tree: Path) -> None:
    document = json.loads(run(tree, ["-c", VECTORS]).stdout)
    assert [vector["result"] for vector in document["vectors"]] == ["valid"] * 4
    text = run(tree, ["-c", PAGE]).stdout
    assert text.startswith(f"# {NAME}\n")
    assert f"{CLAIMS}.unbiased" in text
    assert "## Exact example" in text


@pytest.mark.slow
def test_its_faults_are_caught(tree: Path) -> None:
    files = ["tests/refimpl/test_item_mechanisms.py", "tests/audit/oracles/test_catalogue.py"]
    done = run(tree, ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", NAME, *files])
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) >= 10


@pytest.mark.slow
def test_the_ledger_and_its_pages_need_no_hand(tree: Path) -> None:
    done = run(tree, ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/checks/test_ledger.py"])
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left_out", "error"),
    [
        ('"forced-response",', "mechanism = 'forced-response': allowed is the name of a program"),
        *((rf"        {name}=", f"missing 1 required keyword-only argument: '{name}'") for name in REQUIRED),
    ],
    ids=["the law", *REQUIRED],
)
def test_what_is_left_out_is_named(tree: Path, left_out: str, error: str) -> None:
    """A law's name, or a whole field: up to the next one, or to the end of the record."""
    file = tree / "refimpl" / "dp_refimpl" / "mechanisms.py"
    whole = file.read_text(encoding="utf-8")
    head, example, rest = whole.partition(f"    Mechanism(\n        program={NAME},\n")
    pattern = left_out + (r".*?,\n(?=        \w+=|    \),)" if left_out.endswith("=") else "")
    changed, times = re.subn(pattern, "", example + rest, count=1, flags=re.DOTALL)
    assert times == 1
    try:
        file.write_text(head + changed, encoding="utf-8")
        done = run(tree, [*COMMAND, "certify", f"{CLAIMS}.privacy", "--out", "build/x"])
    finally:
        file.write_text(whole, encoding="utf-8")
    assert done.returncode != 0
    assert error in done.stderr
    assert "Traceback" not in done.stderr
