"""README and guide, from an installed wheel outside the checkout."""

import json
import subprocess
from pathlib import Path

import pytest

from first_contact.bad_inputs import cases, files
from first_contact.documents import NOT_RUN, PAGES, prepare, run_commands, run_programs
from first_contact.readme import PICTURE, blocks, commands, first_audit
from first_contact.test_bad_inputs import complaint
from installed import clean_environment, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("reader")
    prepare(place)
    return place


def test_what_is_not_run_is_on_a_page() -> None:
    texts = [text for page in PAGES for text in (*commands(page), *blocks(page, "python"))]
    assert [part for part in NOT_RUN if not any(part in text for text in texts)] == []


def test_the_picture_of_the_first_page_is_that_of_its_audit() -> None:
    report = first_audit()
    assert "spends epsilon = 1.53, not 1" in (PAGES[0]).read_text(encoding="utf-8")
    assert report.row("privacy").figures["effective epsilon"]
    title = PICTURE.read_text(encoding="utf-8").partition("<title")[2].partition("</title>")[0]
    assert "largest difference is 0.131, for input 0 and output 0" in title
    assert report.row("law").detail.endswith("0.131158")


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_and_blocks_of_a_page_run_from_the_wheel(page: Path, python: Path, folder: Path) -> None:
    ran = run_commands(page, run, python, folder) + run_programs(page, run, python, folder)
    assert ran or page.stem in ("trust", "audit-findings", "exit-codes", "reproduce", "audit-protocol", "vectors")


@pytest.mark.slow
def test_bad_inputs_end_alike_from_the_wheel(python: Path, tmp_path: Path) -> None:
    files(tmp_path)
    listed = list(cases())
    driver = Path(__file__).with_name("driver.py")
    done = subprocess.run(
        [python, driver],
        input=json.dumps([arguments for arguments, _, _ in listed]),
        cwd=tmp_path,
        env=clean_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    found = json.loads(done.stdout)
    assert [c for case, result in zip(listed, found, strict=True) if (c := complaint(case, result))] == []
