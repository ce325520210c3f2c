"""README and guide, from an installed wheel outside the checkout."""

from pathlib import Path

import pytest

from consumer.wheel_environment import run
from first_contact.__main__ import bad_inputs
from first_contact.documents import NOT_RUN, PAGES, prepare, run_commands, run_programs
from first_contact.environments import name_of, requirements, tools
from first_contact.readme import PICTURE, blocks, commands, first_audit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("reader")
    prepare(place)
    return place


def test_what_is_not_run_is_on_a_page() -> None:
    texts = [text for page in PAGES for text in (*commands(page), *blocks(page, "python"))]
    assert [part for part in NOT_RUN if not any(part in text for text in texts)] == []


@pytest.mark.slow
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
    assert ran or page.stem in (
        "trust",
        "audit-confine",
        "cite",
        "audit-findings",
        "exit-codes",
        "reproduce",
        "audit-protocol",
        "cluster",
        "vectors",
    )


@pytest.mark.slow
def test_bad_inputs_end_alike_from_the_wheel(python: Path, tmp_path: Path) -> None:
    assert bad_inputs(python, tmp_path, every=5) == []


def test_the_oldest_releases_are_those_that_the_project_declares() -> None:
    assert all("==" in text and ">=" not in text for text in requirements(lowest=True))
    assert len(requirements(lowest=False)) == len(requirements(lowest=True)) > 5
    locked = {name_of(text) for text in tools()}
    assert {"pytest", "mypy", "pillow"} <= locked
    assert not locked & {"numpy", "matplotlib", "pyarrow"}
