"""Whatever an audited target does becomes a typed finding, within bounded time and output, and nothing else is lost."""

import sys
from collections import Counter
from pathlib import Path

import pytest
from flint import fmpq

from dp_audit.environment import Environment
from dp_audit.judge.assessment import assess
from dp_audit.observation.findings import (
    Finding,
    ImpossibleInput,
    MalformedAnswer,
    SomeLists,
    TargetDied,
    TargetExceedsLimits,
    TargetHung,
    TargetMutatedInput,
    TargetPrinted,
    TargetRaised,
    TargetReadsClock,
    TargetSeeds,
    TargetSeedsOthers,
    TooManyPaths,
    UnmodeledRandomness,
)
from dp_audit.observation.jobs import Job
from dp_audit.observation.target_laws import OPAQUE, TargetLaws
from dp_audit.observation.unmodified_run import NETWORK, SHORTENED
from dp_audit.oracles import oracle
from dp_audit.outcome import Verdict
from dp_audit.run import child_program
from dp_audit.run.answers import LawAnswers
from dp_audit.run.child import representation as child_representation
from dp_audit.run.child.unmodified import reports as child_reports
from dp_audit.run.child.unmodified import side_effects
from dp_audit.run.child_program import Start, run_copied
from dp_audit.run.enumeration import run_target
from dp_audit.run.process_sampler import Bounds
from dp_spec.vocabulary.exceptions import DomainError
from running.child_processes import run_shared

TARGETS = Path(__file__).parent / "targets" / "hostile_targets.py"
HERE = Environment(Path(sys.executable))


def run(protocol: str, timeout: float = 60, users: tuple[int, ...] = (), start: Start = run_shared) -> TargetLaws:
    return run_target(Job(TARGETS, protocol, {}, (0, 1), users=users), HERE, timeout, start)


def kinds(laws: TargetLaws) -> set[type[Finding]]:
    refused = [law.refused for law in (*laws.laws, *laws.outside, *laws.reuse)] + [e.refused for e in laws.estimates]
    return {type(finding) for finding in (*laws.findings, *refused) if finding is not None}


def test_quiet_target_has_no_finding() -> None:
    laws = run("Quiet", users=(1, 2))
    assert laws.complete
    assert kinds(laws) == set()
    assert [law.by_output() for law in laws.laws] == [{0: fmpq(1, 2), 1: fmpq(1, 2)}] * 2
    assert len(laws.estimates) == 2 + 4
    assert dict(laws.versions).keys() == {"python", "numpy"}


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [
        ("RaisesInInit", TargetRaised),
        ("Missing", TargetRaised),
        ("Prints", TargetPrinted),
        ("PrintsBelowPython", TargetPrinted),
        ("Uuid", UnmodeledRandomness),
        ("TimeSeeded", TargetSeeds),
        ("SeedsWhenMade", TargetSeeds),
        ("DrawsWhenMade", UnmodeledRandomness),
        ("ThreadsAtImport", UnmodeledRandomness),
        ("LeavesThread", UnmodeledRandomness),
        ("ReadsClock", TargetReadsClock),
        ("HugeOutput", MalformedAnswer),
        ("ManyPaths", TooManyPaths),
        ("Dies", TargetDied),
    ],
)
def test_misbehavior_is_found(protocol: str, kind: type[Finding]) -> None:
    """One of each kind of finding: what else is refused, and how, is a matter of the interceptor."""
    laws = run(protocol, start=run_copied if protocol == "ThreadsAtImport" else run_shared)  # threads are not copied
    assert kinds(laws) == {kind}
    rows = assess(laws, oracle("GRR", {"d": 2, "epsilon": 1.0}), "counts")
    assert max(rows, key=lambda row: list(Verdict).index(row.verdict)).verdict in (Verdict.UNDECIDED, Verdict.FAULT)


def test_server_misbehavior_is_found() -> None:
    assert kinds(run("RandomServer", users=(1,))) == {UnmodeledRandomness}
    assert kinds(run("NotANumber", users=(1,))) == {MalformedAnswer}
    assert kinds(run("MutatesReports", users=(1,))) == {TargetMutatedInput}


def test_changed_input_is_found() -> None:
    laws = run_target(Job(TARGETS, "Mutates", {}, ((1, 2),), ("list",)), HERE, 60, run_shared)
    assert kinds(laws) == {TargetMutatedInput}
    assert laws.laws[0].inputs == ((1, 2),)


def test_raising_on_one_input_is_an_outcome_with_its_probability() -> None:
    laws = run("Raises")
    assert laws.complete
    assert laws.laws[0].by_output() == {0: fmpq(1)}
    raised = {entry.raised: entry.probability for entry in laws.laws[1].entries}
    assert raised == {None: fmpq(3, 4), "KeyError: 'lost'": fmpq(1, 4)}
    row = assess(laws, oracle("GRR", {"d": 2, "epsilon": 1.0}), "counts")[0]
    assert row.verdict is Verdict.FAULT
    assert row.witness["probability"] == "1/4"


@pytest.mark.slow
def test_hanging_target_is_killed_and_earlier_laws_are_kept() -> None:
    laws = run("Hangs", timeout=3)
    assert kinds(laws) == {TargetHung}
    assert not laws.complete
    assert "privatize(1)" in laws.findings[0].message
    assert [law.inputs for law in laws.laws] == [(0,)]


def test_dead_child_keeps_earlier_laws() -> None:
    laws = run("Dies")
    assert "exit status 7" in laws.findings[0].message
    assert [law.inputs for law in laws.laws] == [(0,)]


def test_floods_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_program, "MAX_ANSWER_BYTES", 4 << 20)
    assert kinds(run("FloodsStderr", start=run_copied)) == {MalformedAnswer}
    assert TargetPrinted in kinds(run("FloodsStdout", start=run_copied))


def test_memory_is_bounded() -> None:
    laws = run("HugeMemory")
    assert all("MemoryError" in str(entry.raised) for law in laws.laws for entry in law.entries)


def test_target_cannot_answer_for_the_interceptor_by_printing() -> None:
    laws = run("PrintsBelowPython")
    assert laws.complete
    assert len(laws.laws) == 2


def test_laws_given_the_outcomes_of_large_draws() -> None:
    laws = run_target(Job(TARGETS, "Hashes", {}, (0, 1), users=(1,), conditioned=(3,)), HERE, 60, run_shared)
    assert kinds(laws) == set()
    assert laws.complete
    assert laws.facts == {"salt": 3, "hash": (0, 1), "ratio": fmpq(1, 2)}
    assert laws.reproduce == ("from hostile_targets import Hashes", "Hashes().privatize(None, {input})")
    assert laws.reproduce_estimate == ("server = []",)
    assert [law.by_output() for law in laws.laws] == [{0: fmpq(1, 2), 1: fmpq(1, 2)}] * 2
    assert {entry.raw for law in laws.laws for entry in law.entries} == {f"tuple[int*2] = [{x},3]" for x in (0, 1)}
    assert [estimate.estimates for estimate in laws.estimates] == [(fmpq(1), fmpq(0)), (fmpq(1), fmpq(1))]
    assert any(model.startswith("given 3 as the outcome of a draw") for model in laws.models)
    refused = run_target(Job(TARGETS, "Hashes", {}, (0, 1), conditioned=(2**63,)), HERE, 60, run_shared)
    assert "no outcome of a draw" in str(refused.laws[0].refused)


def test_a_canonical_form_does_not_hide_what_the_report_shows() -> None:
    laws = run("Canonical", users=(1,))
    assert laws.complete
    first, second = (law.by_raw() for law in laws.laws)
    assert laws.laws[0].by_output() == laws.laws[1].by_output()
    assert not first.keys() & second.keys()
    assert {law.refused for law in laws.laws} == {None}


INPUTS = (0, -1, None, "a", True, 0.5, (1, 2.5), float("inf"))


def test_a_plain_function_takes_inputs_of_all_kinds() -> None:
    laws = run_target(Job(TARGETS, "coin", {"epsilon": 1.0, "d": 2}, INPUTS, users=(1,)), HERE, 60, run_shared)
    assert laws.complete
    assert laws.estimates == ()
    assert kinds(laws) == set()
    assert tuple(law.inputs[0] for law in laws.laws) == INPUTS
    types = [{entry.output[1] for entry in law.entries} for law in laws.laws]  # type: ignore[index]
    assert types == [{"int"}, {"int"}, {"NoneType"}, {"str"}, {"bool"}, {"float"}, {"list"}, {"float"}]
    assert all(p in (fmpq(1, 4), fmpq(3, 4)) for law in laws.laws for p in law.by_output().values())


@pytest.mark.parametrize("input_type", ["int", "numpy.int64", "numpy.float64", "float", "bool", "str", "tuple", "list"])
def test_inputs_come_in_the_type_that_is_asked_for(input_type: str) -> None:
    item = (1, 2) if input_type in ("tuple", "list") else 1
    laws = run_target(Job(TARGETS, "coin", {"epsilon": 1.0}, (item,), (input_type,)), HERE, 60, run_shared)
    name = input_type.rpartition(".")[2]
    assert [entry.output[1] for entry in laws.laws[0].entries] == [name, name]  # type: ignore[index]


def test_not_a_number_is_an_input() -> None:
    laws = run_target(Job(TARGETS, "coin", {"epsilon": 4.0}, (float("nan"),)), HERE, 60, run_shared)
    assert laws.laws[0].by_output() == {(("float", "nan"), "float", True): fmpq(1)}


def test_an_input_that_does_not_fit_its_type_is_refused() -> None:
    laws = run_target(
        Job(TARGETS, "coin", {"epsilon": 1.0}, (0,), ("numpy.int64",), outside=("x",)), HERE, 60, run_shared
    )
    assert laws.complete
    assert isinstance(laws.outside[0].refused, ImpossibleInput)


def test_what_is_restored_from_the_import_are_the_replacements() -> None:
    assert kinds(run("Restores")) == set()


def test_imports_that_seed_are_found_and_a_process_left_behind_does_not_hang() -> None:
    laws = run_target(Job(TARGETS.with_name("hostile_imports.py"), "Late", {}, (0, 1)), HERE, 20)
    assert laws.complete
    assert [type(finding) for finding in laws.findings] == [TargetSeedsOthers]
    assert "numpy.random" in laws.findings[0].message
    assert len(laws.laws) == 2


LAW = (
    b'{"part": "law", "inputs": [0], "input_type": "int", "entries": [{"outputs": [0], "raw": "int", "raised": null, '
    b"%s}]}"
)


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[]",
        b"{}",
        b'{"part": "unheard of"}',
        b'{"part": "law", "inputs": [0], "input_type": "int"}',
        LAW % b'"probability": "1/2"',
        LAW % b'"probability": 1.0',
        LAW % b'"probability": "1/0"',
        LAW % b'"probability": "0x1"',
        LAW % b'"odds": "1"',
        b'{"part": "estimate", "reports": [0], "estimates": [{"fraction": "x"}], "stepwise": []}',
        b'{"part": "finding", "kind": "unheard of", "message": ""}',
        b"[" * 100_000,
    ],
)
def test_malformed_lines_become_findings(line: bytes) -> None:
    collected = LawAnswers()
    collected.take(line)
    assert [type(finding) for finding in collected.laws().findings] == [MalformedAnswer]


def test_interpreter_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no-such-python"):
        run_target(Job(TARGETS, "Quiet", {}, (0,)), Environment(tmp_path / "no-such-python"), 5)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True, "1"])
def test_bad_timeouts_are_rejected(timeout: float) -> None:
    with pytest.raises(DomainError):
        run_target(Job(TARGETS, "Quiet", {}, (0,)), HERE, timeout)


def test_probabilities_may_be_long() -> None:
    collected = LawAnswers()
    collected.take((LAW % b'"probability": "%s"').replace(b"%s", b"7" * 6000 + b"/" + b"7" * 6000))
    (law,) = collected.laws().laws
    assert law.by_output() == {0: fmpq(1)}


GREEDY = """
import random


class Greedy:
    def client(self):
        return None

    def privatize(self, client, item):
        held = []
        while True:
            held.append(bytearray(16 << 20))


class Swallows(Greedy):
    def privatize(self, client, item):
        try:
            super().privatize(client, item)
        except MemoryError:
            return random.randrange(2)


class Writes(Greedy):
    def privatize(self, client, item):
        with open("long", "wb") as file:
            file.write(bytes(20 << 20))
        return item
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory of a process is bounded on Linux only")
@pytest.mark.parametrize(("protocol", "said"), [("Greedy", "more memory"), ("Writes", "longer file")])
def test_a_target_that_exceeds_its_limits_is_undecided(protocol: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(GREEDY)
    job = Job(tmp_path / "greedy.py", protocol, {}, (0, 1), outside=(2,), megabytes=512)
    laws = run_target(job, HERE)
    assert kinds(laws) == {TargetExceedsLimits}
    assert laws.complete
    rows = assess(laws, oracle("GRR", {"d": 2, "epsilon": 1.0}))
    assert {row.verdict for row in rows} == {Verdict.UNDECIDED}
    assert any(said in row.detail for row in rows)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory of a process is bounded on Linux only")
def test_a_target_that_lives_with_its_limits_is_audited(tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(GREEDY)
    laws = run_target(Job(tmp_path / "greedy.py", "Swallows", {}, (0,), megabytes=512), HERE)
    assert laws.complete
    assert kinds(laws) == set()


def test_a_python_target_may_have_what_a_program_may_have() -> None:
    assert Job(TARGETS, "Quiet", {}, (0, 1)).megabytes == Bounds().megabytes


@pytest.mark.slow
def test_estimates_of_some_lists_are_no_expectation(tmp_path: Path) -> None:
    """Of many lists of reports some are compared, and nothing is said of the mean."""
    client = tmp_path / "bits.py"
    client.write_text(
        "import random\n"
        "class Bits:\n"
        "    def __init__(self, d, epsilon): self.d = d\n"
        "    def client(self): return None\n"
        "    def privatize(self, client, item): return [int(random.random() < .5) for _ in range(self.d)]\n"
        "    def server(self): return [0, [0] * self.d]\n"
        "    def aggregate(self, server, report):\n"
        "        server[0] += 1\n"
        "        server[1] = [a + b for a, b in zip(server[1], report)]\n"
        "    def estimate(self, server):\n"
        "        return [(c / server[0] - .5) for c in server[1]]\n"
    )
    job = Job(client, "Bits", {"d": 7, "epsilon": 1.0}, tuple(range(7)), users=(1, 2))
    laws = run_target(job, HERE)
    numbers = Counter(len(estimate.reports) for estimate in laws.estimates)
    assert numbers == {1: 128, 2: 1024}
    assert [type(finding) for finding in laws.findings] == [SomeLists]
    assert len({estimate.reports for estimate in laws.estimates}) == len(laws.estimates)
    rows = {row.check: row.verdict for row in assess(laws, oracle("SUE", {"d": 7, "epsilon": 1}))}
    assert rows["SomeLists"] is Verdict.INFO
    assert "expectation, n = 1" in rows
    assert "expectation, n = 2" not in rows


def test_the_words_of_the_child_program_are_those_that_judges_read() -> None:
    """The child is copied and imports nothing of ours, so that these stand twice."""
    words = (side_effects.MARK, child_reports.SHORTENED, child_representation.OPAQUE)
    assert words == (NETWORK, SHORTENED, OPAQUE)
