"""A Dask cluster gives the bytes of one process, whatever happens to its workers; without its scheduler, one line."""

import gc
import importlib
import os
import pickle
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dp_checks.certify import certify
from dp_checks.runtime import cluster
from dp_checks.runtime.boundary import INTERRUPTED
from dp_checks.runtime.cluster import Call, ClusterError, run
from dp_checks.runtime.parallel import Workers, spread
from dp_checks.runtime.processes import WorkerLostError
from dp_checks.runtime.sources import everything
from dp_spec.vocabulary.exceptions import DomainError
from running.process_marks import command, lines
from running.tasks import fail, kill, kill_once, place, span, square

distributed: Any = pytest.importorskip("distributed", reason="the extra dask")
dask: Any = pytest.importorskip("dask", reason="the extra dask")

SMALL = "002.thm5*"


@contextmanager
def started(workers: int, threads: int = 1) -> Iterator[Any]:
    """A cluster of processes on this machine; that it takes long to close is not what is tested."""
    running = distributed.LocalCluster(n_workers=workers, threads_per_worker=threads, dashboard_address=":0")
    try:
        yield running
    finally:
        with suppress(TimeoutError):
            running.close(timeout=60)


@pytest.fixture(scope="module", autouse=True)
def frozen_heap() -> Iterator[None]:
    """What is there before is not looked through between tests: it is a lot, if other tests ran."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """What Dask leaves is finalized between tests: in the thread of a loop that starts it would wait for a lock, which
    the starting thread holds."""
    gc.collect()
    yield
    gc.collect()


@pytest.fixture(scope="module")
def pair() -> Iterator[Any]:
    with started(2) as running:
        yield running


def pids(running: Any) -> list[int]:
    with distributed.Client(running.scheduler_address, set_as_default=False) as client:
        return list(client.run(os.getpid).values())


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "certificates").iterdir()}


@pytest.mark.slow
def test_the_bytes_are_those_of_one_process(pair: Any, tmp_path: Path) -> None:
    alone = certify(SMALL, tmp_path / "alone")
    spread_out = certify(SMALL, tmp_path / "cluster", Workers(scheduler=pair.scheduler_address))
    assert spread_out.taken == 0
    assert spread_out.ledger.text() == alone.ledger.text()
    assert written(tmp_path / "cluster") == written(tmp_path / "alone")
    assert len(written(tmp_path / "alone")) > 2


@pytest.mark.slow
def test_all_workers_work(pair: Any) -> None:
    processes = set(spread(place, range(20), Workers(scheduler=pair.scheduler_address)))
    assert processes == set(pids(pair))
    assert len(processes) == 2


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(pair: Any, tmp_path: Path) -> None:
    tasks = [(number, tmp_path / "trace") for number in range(12)]
    assert sorted(spread(kill_once, tasks, Workers(scheduler=pair.scheduler_address))) == list(range(12))
    assert (tmp_path / "trace").exists()


@pytest.mark.slow
def test_an_error_of_a_task_is_the_one_that_is_raised(pair: Any) -> None:
    with pytest.raises(KeyError, match="1"):
        list(spread(fail, [1], Workers(scheduler=pair.scheduler_address)))


@pytest.mark.slow
def test_what_a_worker_cannot_import_is_one_line(pair: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("def same(number):\n    return number\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    only_here = importlib.import_module("only_here")
    with pytest.raises(ClusterError, match="cannot import what it is to run: No module named 'only_here'"):
        list(spread(only_here.same, [1], Workers(scheduler=pair.scheduler_address)))


@pytest.mark.slow
def test_a_task_that_ends_every_worker_ends_the_run() -> None:
    """After two: a scheduler allows three by default, and every worker takes seconds to start."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        started(2) as running,
        pytest.raises(WorkerLostError, match="ended several workers"),
    ):
        list(spread(kill, [1], Workers(scheduler=running.scheduler_address)))


@pytest.mark.slow
def test_threads_of_a_worker_take_turns() -> None:
    with started(1, threads=4) as running:
        spans = sorted(spread(span, range(8), Workers(scheduler=running.scheduler_address)))
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.slow
def test_the_command_ends_in_one_line_when_the_scheduler_is_gone(tmp_path: Path) -> None:
    with started(2) as running:
        address = running.scheduler_address
        with command("certify", "002.thm1*", "--scheduler", address, "--out", tmp_path) as job:
            job.wait_until(lambda: lines(tmp_path / "journal.jsonl"))
            running.close(timeout=60)
            code, errors, left = job.end()
    assert (code, left) == (INTERRUPTED, []), errors
    (said,) = [line for line in errors.splitlines() if " statements" not in line]
    assert said.startswith(f"Error: the scheduler {address} is gone; what is decided is kept in {tmp_path}")
    assert lines(tmp_path / "journal.jsonl")


def test_no_scheduler_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"no scheduler answers at {address}"):
            certify(SMALL, tmp_path, Workers(scheduler=address))


@pytest.mark.parametrize("address", ["no such scheme://1", "127.0.0.1:99999999", "host:port", "a b"])
def test_what_is_no_address(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    with pytest.raises(ClusterError, match="no scheduler answers at"):
        certify(SMALL, tmp_path, Workers(scheduler=address))


@pytest.mark.slow
def test_a_scheduler_without_workers_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    with started(0) as running, pytest.raises(ClusterError, match="has no workers"):
        certify(SMALL, tmp_path, Workers(scheduler=running.scheduler_address))


def test_other_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    call = pickle.dumps(Call(square, 3))
    assert pickle.loads(call) == 9
    monkeypatch.setattr(cluster, "everything", lambda: "another version")
    with pytest.raises(ClusterError, match="another version of dp-refimpl"):
        pickle.loads(call)


@pytest.mark.parametrize(
    "arguments", [{"jobs": 0}, {"jobs": True}, {"jobs": 1.5}, {"scheduler": ""}, {"scheduler": " "}]
)
def test_workers_that_cannot_be(arguments: dict[str, Any]) -> None:
    with pytest.raises(DomainError, match=next(iter(arguments))):
        Workers(**arguments)


def test_one_task_at_a_time_in_a_process() -> None:
    spans: list[tuple[float, float]] = []
    threads = [threading.Thread(target=lambda: spans.append(run(everything(), span, 0))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ordered = sorted(spans)
    assert len(ordered) == 4
    assert all(before[1] <= after[0] for before, after in pairwise(ordered))
