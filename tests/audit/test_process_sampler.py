"""Whatever a child process does, a sampler returns in bounded time and memory, with a typed finding."""

import json
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from audit.targets.hostile_children import RAW
from cases.refusals import refusal_test, refuses
from dp_audit.observation.findings import Finding, MalformedAnswer, TargetDied, TargetHung, TargetPrinted, TargetRaised
from dp_audit.observation.samples import SamplerError
from dp_audit.observation.values import thaw
from dp_audit.run import protocol
from dp_audit.run.process_sampler import BATCH, Bounds, ProcessSampler
from dp_audit.run.protocol import SCHEMA, Counts, Refused, read_estimates, read_samples
from dp_spec.vocabulary.exceptions import FormatError

CHILD = Path(__file__).parent / "targets" / "hostile_children.py"
PRINTED = ("not_json", "empty_line", "array", "number")
DOCUMENT = json.loads(SCHEMA.read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(DOCUMENT)
REQUESTS = Draft202012Validator({"$ref": "#/$defs/request", "$defs": DOCUMENT["$defs"]})


def child(behavior: str, **bounds: Any) -> ProcessSampler:
    return ProcessSampler([sys.executable, "-S", str(CHILD), behavior], Bounds(**bounds))


def second_answer(behavior: str, **bounds: Any) -> SamplerError:
    """What comes of the second request, after a good first answer; a third one says the same."""
    with child(behavior, **bounds) as sampler:
        first = sampler.sample(0, 5)
        assert len(first) == 5
        with pytest.raises(SamplerError) as error:
            sampler.sample(0, 1)
        with pytest.raises(SamplerError) as again:
            sampler.sample(1, 1)
        assert again.value.finding is error.value.finding is sampler.failure
        assert sampler.finish() is None
    return error.value


# --- good children ----------------------------------------------------------------------------------------------------


def test_reports_keep_their_order_and_large_samples_are_several_requests() -> None:
    lines: list[bytes] = []
    command = [sys.executable, "-S", str(CHILD), "good"]
    with ProcessSampler(command, record=lines.append) as sampler:
        reports = sampler.sample(1, BATCH + 7)
        assert isinstance(reports, tuple)
        assert len(reports) == BATCH + 7
        assert set(reports) == {0, 1}
        assert sampler.finish() is None
    requests = [json.loads(line) for line in lines[::2]]
    assert [request["count"] for request in requests] == [BATCH, 7]
    answers = [json.loads(line) for line in lines[1::2]]
    assert tuple(y for answer in answers for y in answer["reports"]) == reports


def test_counts_are_added_up() -> None:
    with child("counted") as sampler:
        counts = sampler.sample(0, BATCH + 7)
        assert isinstance(counts, Mapping)
        assert sum(counts.values()) == BATCH + 7


def test_estimates_are_exact() -> None:
    with child("good") as sampler:
        assert sampler.estimate([0, 0, 1]) == (
            fmpq(*((2 / 3 - 0.25) / 0.5).as_integer_ratio()),
            fmpq(1, 6) * 0 + fmpq(*((1 / 3 - 0.25) / 0.5).as_integer_ratio()),
        )
    with child("wrong_estimates") as sampler:
        assert sampler.estimate([0]) == (fmpq(1, 2), fmpq(1, 3))


def test_an_error_is_no_end() -> None:
    with child("good") as sampler:
        with pytest.raises(SamplerError, match="no such input") as error:
            sampler.sample(7, 1)
        assert type(error.value.finding) is TargetRaised
        assert len(sampler.sample(0, 3)) == 3
        assert sampler.finish() is None


def test_real_traffic_has_the_published_form() -> None:
    lines: list[bytes] = []
    for behavior in ("good", "counted", "no_estimates", "wrong_estimates"):
        with ProcessSampler([sys.executable, "-S", str(CHILD), behavior], record=lines.append) as sampler:
            sampler.sample(0, 3)
            for reports in ([0, 1], [1]):
                with suppress(SamplerError):
                    sampler.estimate(reports)
            with pytest.raises(SamplerError):
                sampler.sample(5, 1)
    assert len(lines) == 4 * 8
    for line in lines:
        VALIDATOR.validate(json.loads(line))


# --- bad children -----------------------------------------------------------------------------------------------------


SMALL = {"answer_bytes": 1 << 20, "total_bytes": 1 << 22}
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bounds and processes are those of Linux")
FAILURES: tuple[tuple[str, type[Finding], str, Mapping[str, Any]], ...] = (
    *(
        (name, TargetPrinted if name in PRINTED else MalformedAnswer, "a sample of 1 on the input 0", {})
        for name in RAW
    ),
    ("truncated", TargetDied, "exit status 0", {}),
    ("prompts", TargetPrinted, "'> ", {}),
    ("exits", TargetDied, "exit status 3: no licence", {}),
    ("exits_zero", TargetDied, "exit status 0", {}),
    ("crashes", TargetDied, "SIGSEGV", {}),
    ("closes_stdout", TargetDied, "closed its standard output", {}),
    ("hangs", TargetHung, "no answer within 0.3 s", {"timeout": 0.3}),
    ("one_line_forever", MalformedAnswer, "more output than is read", SMALL),
    ("complains_forever", MalformedAnswer, "more output than is read", SMALL),
)


@pytest.mark.parametrize(
    ("behavior", "kind", "message", "bounds"),
    [failure for failure in FAILURES if failure[:2] != ("truncated", MalformedAnswer)],
    ids=lambda value: value if isinstance(value, str) and value in RAW else "",
)
def test_failures(behavior: str, kind: type[Finding], message: str, bounds: Mapping[str, Any]) -> None:
    finding = second_answer(behavior, **bounds).finding
    assert type(finding) is kind
    assert message in finding.message
    assert len(finding.message) < 1000


@pytest.mark.parametrize(
    ("behavior", "kind", "message", "bounds"),
    [
        ("hangs_at_once", TargetHung, "no answer within 0.3 s", {"timeout": 0.3}),
        ("hangs_at_once", TargetHung, "in all", {"timeout": 60, "deadline": 0.3}),  # counted from the start
        ("greets", TargetPrinted, "Welcome", {}),
    ],
)
def test_failures_before_the_first_answer(behavior: str, kind: type[Finding], message: str, bounds: Any) -> None:
    with child(behavior, **bounds) as sampler, pytest.raises(SamplerError, match=message) as error:
        sampler.sample(0, 1)
    assert type(error.value.finding) is kind


def test_lines_that_nobody_asked_for() -> None:
    with child("lines_forever", answer_bytes=1 << 20) as sampler:
        assert sampler.sample(0, 1)
        assert sampler.sample(0, 1) == (0,)
        with pytest.raises(SamplerError) as error:
            sampler.sample(0, 1)
    assert type(error.value.finding) is MalformedAnswer


def test_all_bytes_together_are_bounded() -> None:
    with child("good", total_bytes=2000) as sampler:
        assert len([sampler.sample(0, 50) for _ in range(10)]) == 10  # each answer has 169 bytes or so
        with pytest.raises(SamplerError, match="more output than is read"):
            # in several requests: an answer that is there already when the limit is passed is still read
            sampler.sample(0, 3 * BATCH)


def test_what_was_collected_before_is_kept() -> None:
    with child("exits") as sampler:
        with pytest.raises(SamplerError) as error:
            sampler.sample(0, 2 * BATCH)
        assert error.value.partial is not None
        assert len(error.value.partial) == BATCH


def test_a_child_that_never_reads_does_not_block_the_writer() -> None:
    with child("never_reads", timeout=0.5) as sampler, pytest.raises(SamplerError) as error:
        sampler.estimate([0] * 1_000_000)  # far more than a pipe holds
    assert type(error.value.finding) is TargetHung


@pytest.mark.parametrize("behavior", ["talks_after", "two_answers"])
def test_what_comes_after_the_last_answer_is_found(behavior: str) -> None:
    with child(behavior) as sampler:
        sampler.sample(0, 1)
        finding = sampler.finish()
    assert type(finding) is MalformedAnswer
    assert "more than it was asked for" in finding.message


def test_an_answer_too_many_is_not_taken_for_the_next() -> None:
    with child("two_answers") as sampler:
        sampler.sample(0, 1)
        with pytest.raises(SamplerError, match="the id of the request, 2"):
            sampler.sample(0, 1)


def test_a_child_that_ignores_the_end_is_killed() -> None:
    with child("ignores_the_end") as sampler:
        sampler.sample(0, 1)
        assert sampler.finish() is None
        assert sampler._child._process.poll() == -signal.SIGKILL


@LINUX
def test_memory_is_bounded() -> None:
    finding = second_answer("eats_memory", megabytes=128).finding
    assert type(finding) is TargetDied
    assert "MemoryError" in finding.message


@LINUX
@pytest.mark.parametrize("behavior", ["leaves_a_child", "leaves_a_session"])
def test_what_the_child_started_is_killed(behavior: str) -> None:
    """One that is dead but not reaped has no command line."""
    finding = second_answer(behavior, timeout=5).finding
    assert type(finding) is TargetDied
    assert "exit status 4: left" in finding.message
    left = Path(f"/proc/{finding.message.split('left ')[1].split(',')[0]}/cmdline")
    with suppress(OSError):
        assert left.read_bytes() == b""


# --- bad calls --------------------------------------------------------------------------------------------------------


def sampled(count: Any) -> None:
    with child("good") as sampler:
        sampler.sample(0, count)


test_bad_calls = refusal_test(
    refuses("command", ProcessSampler, (), "node client.js", ("no-such-program",), (1,)),
    refuses("command", ProcessSampler, (sys.executable, "a\0b"), (str(CHILD.parent),)),
    refuses("timeout", lambda seconds: Bounds(timeout=seconds), 0, float("inf")),
    refuses("deadline", lambda: Bounds(deadline=float("nan"))),
    refuses("megabytes", lambda: Bounds(megabytes=1.5)),  # type: ignore[arg-type]
    refuses("answer_bytes", lambda: Bounds(answer_bytes=True)),
    refuses("count", sampled, 0, -1, 1.0, True),
)


# --- the format -------------------------------------------------------------------------------------------------------

LEAVES = (
    st.integers()
    | st.text(max_size=3)
    | st.none()
    | st.binary(max_size=3)
    | st.fractions().map(lambda f: fmpq(f.numerator, f.denominator) if f.denominator > 1 else int(f))
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3), max_leaves=8
)


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_all_canonical_values_can_be_reported(values: list[Any]) -> None:
    line = json.dumps({"id": 3, "reports": [thaw(value) for value in values]})
    VALIDATOR.validate(json.loads(line))
    assert read_samples(line.encode(), 3, len(values)) == tuple(values)
    VALIDATOR.validate(json.loads(protocol.estimate_request(4, values)))
    VALIDATOR.validate(json.loads(protocol.sample_request(5, values[0], 1)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["id", "counts", "reports", "estimates", "error", "set", "fraction"]), inner
            )
        ),
    )
)
def test_whatever_is_read_is_an_answer_or_an_error(document: Any) -> None:
    line = json.dumps(document).encode()
    readers: list[Callable[[], object]] = [lambda: read_samples(line, 1, 1), lambda: read_estimates(line, 1)]
    for read in readers:
        try:
            answer = read()
        except FormatError:
            continue
        assert isinstance(answer, tuple | Counts | Refused)
        VALIDATOR.validate(document)


@given(st.binary(max_size=60))
def test_bytes_are_an_error(line: bytes) -> None:
    with pytest.raises(FormatError):
        read_samples(line, 1, 1)


@pytest.mark.parametrize("behavior", RAW)
def test_the_schema_rejects_what_it_can(behavior: str) -> None:
    """It knows neither the request (ids, kinds, sums) nor orders and repetitions, nor which reports are noisy numbers,
    and takes 1.0 for an integer. (NaN and infinities, as Python reads them, are no JSON.)"""
    beyond = {"wrong_id", "estimates_instead", "too_few", "too_many", "adds_up_wrong", "repeated_key", "twice"}
    beyond |= {"unsorted_set", "unreduced", "integer_fraction", "fractional", "float_report", "nan", "overflow"}
    try:
        document = json.loads(RAW[behavior])
    except (ValueError, RecursionError):
        assert behavior not in beyond
    else:
        assert VALIDATOR.is_valid(document) == (behavior in beyond)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("-2", -2),
        ("0.25", fmpq(1, 4)),
        ('"1/3"', fmpq(1, 3)),
        ('"-0.1"', fmpq(-1, 10)),
        ('"2e-3"', fmpq(1, 500)),
        ("0.1", fmpq(*(0.1).as_integer_ratio())),
        ('".5"', fmpq(1, 2)),
        ("1e3", 1000),
        ('"+4/6"', fmpq(2, 3)),
    ],
)
def test_numbers(written: str, value: Any) -> None:
    assert read_estimates(b'{"id":1,"estimates":[%b]}' % written.encode(), 1) == (value,)
    VALIDATOR.validate({"id": 1, "estimates": [json.loads(written)]})


@pytest.mark.parametrize(
    "written", ['"1/0"', '""', '"."', '"e3"', '"1e99999"', '"nan"', '"0x1"', '"1 /3"', "true", "null", "[1]", '"٣"']
)
def test_no_numbers(written: str) -> None:
    with pytest.raises(FormatError, match="estimates"):
        read_estimates(b'{"id":1,"estimates":[%b]}' % written.encode(), 1)
    assert not VALIDATOR.is_valid({"id": 1, "estimates": [json.loads(written)]})


def test_the_page_shows_valid_traffic() -> None:
    page = (Path(__file__).parents[2] / "docs" / "guide" / "audit-protocol.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in page.splitlines() if line.strip().startswith('{"id"')]
    assert len(lines) == 8
    for request, answer in zip(lines[::2], lines[1::2], strict=True):
        REQUESTS.validate(json.loads(request))
        sent = json.loads(request)
        if sent["op"] == "sample":
            assert read_samples(answer.encode(), sent["id"], sent["count"])
        else:
            assert read_estimates(answer.encode(), sent["id"])
