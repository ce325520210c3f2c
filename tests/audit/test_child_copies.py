"""Jobs that are answered by copies of one child: as if each had a child of its own, whatever another one does."""

import os
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dp_audit.environment import Environment
from dp_audit.observation.findings import TargetDied, TargetHung, TargetPrinted, TargetRaised
from dp_audit.observation.jobs import Job, UnmodifiedJob
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.run.child_program import CAN_FORK, MOST, Children
from dp_audit.run.enumeration import run_target
from dp_audit.run.unmodified_runs import run_unmodified

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="every job has a process of its own")
HERE = Environment(Path(sys.executable))
TARGET = """
    import os, random, signal, time

    CALLS = []
    print("imported")

    def coin(item, p=0.5):
        return item if random.random() < p else 1 - item

    def global_double(item):
        import numpy

        return numpy.random.random()

    def counted(item):
        CALLS.append(item)
        return len(CALLS)

    def prints(item):
        print("said by one")
        return item

    def writes(item):
        open("written", "a").close()
        return len(os.listdir("."))

    def parent(item):
        return os.getppid()

    def ends(item):
        os.kill(os.getpid(), signal.SIGKILL)

    def hangs(item):
        time.sleep(60)
"""


@pytest.fixture
def children() -> Iterator[Children]:
    with Children() as kept:
        yield kept


@pytest.fixture
def target(tmp_path: Path) -> Path:
    file = tmp_path / "target.py"
    file.write_text(textwrap.dedent(TARGET))
    return file


def plain(file: Path, name: str, children: Children, process: int = 0) -> UnmodifiedRun:
    job = UnmodifiedJob(file, name, {}, (0, 1), {"input_type": "int", "first": 6}, (0, 1), process)
    return run_unmodified(job, HERE, 30, children.run)


def reports(run: UnmodifiedRun) -> list[object]:
    assert run.findings == ()
    return [run.reports[code] for draws in run.draws for code in draws.codes]


@pytest.mark.slow
def test_laws_are_those_of_children_of_their_own(target: Path, children: Children) -> None:
    coin = Job(target, "coin", {"p": 0.25}, (0, 1), users=(1,), reuse=((0, 0),))
    jobs = [coin, replace(coin, parameters={"p": 0.75}), replace(coin, conditioned=(3,)), replace(coin, protocol="no")]
    for job in (*jobs, coin):
        assert run_target(job, HERE, 30, children.run) == run_target(job, HERE, 30)
    prints = run_target(replace(coin, protocol="prints"), HERE, 30, children.run)
    assert sum("said by one" in finding.message for finding in prints.findings) == len(prints.findings) - 1 > 0
    (imported,) = run_target(coin, HERE, 30, children.run).findings
    assert isinstance(imported, TargetPrinted)
    assert "imported" in imported.message


@pytest.mark.slow
def test_an_import_that_fails_fails_for_every_job(target: Path, children: Children) -> None:
    target.write_text("raise KeyError('no such thing')")
    for _ in range(2):
        laws = run_target(Job(target, "coin", {}, (0, 1)), HERE, 30, children.run)
        assert [type(finding) for finding in laws.findings] == [TargetRaised]
        assert plain(target, "coin", children).raised[0][1].startswith("KeyError")


def test_nothing_is_left_of_another_job(target: Path, children: Children) -> None:
    for _ in range(2):
        assert reports(plain(target, "counted", children)) == [1, 2, 3, 4, 5, 6]
        assert reports(plain(target, "writes", children)) == [1] * 6


@pytest.mark.slow
def test_processes_that_are_to_differ_do(target: Path, children: Children) -> None:
    draws = [reports(plain(target, "parent", children, process))[0] for process in (0, 1, 0, 1)]
    assert draws[:2] == draws[2:]
    assert draws[0] != draws[1]


@pytest.mark.slow
def test_draws_differ_in_different_processes(target: Path, children: Children) -> None:
    """Python seeds its generator anew in every copy; numpy does not, but another process has another seed."""
    assert len({tuple(reports(plain(target, "coin", children))) for _ in range(12)}) > 1
    drawn = [reports(plain(target, "global_double", children, process)) for process in (0, 1)]
    assert not set(drawn[0]) & set(drawn[1])


@pytest.mark.slow
def test_a_job_that_dies_or_hangs_is_told_and_the_next_is_answered(target: Path, children: Children) -> None:
    (died,) = plain(target, "ends", children).findings
    assert isinstance(died, TargetDied)
    assert "exit status -9" in died.message
    assert reports(plain(target, "counted", children))[0] == 1
    hanging = UnmodifiedJob(target, "hangs", {}, (0,), {"input_type": "int", "first": 1}, (0,))
    (hung,) = run_unmodified(hanging, HERE, 2, children.run).findings
    assert isinstance(hung, TargetHung)
    assert reports(plain(target, "counted", children))[0] == 1


@pytest.mark.slow
def test_few_are_kept_and_none_at_the_end(target: Path) -> None:
    with Children() as children:
        pids = [int(str(reports(plain(target, "parent", children, process))[0])) for process in range(MOST + 1)]
        assert not _lives(pids[0])
        assert all(map(_lives, pids[1:]))
    assert not any(map(_lives, pids))


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
