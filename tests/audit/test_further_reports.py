"""Further reports of an unmodified run as a sampler: all are handed out in their order, and what is wrong is told."""

import pytest

from dp_audit.observation.findings import TargetDied, TargetHung
from dp_audit.observation.samples import SamplerError
from dp_audit.observation.unmodified_run import UnmodifiedRun
from dp_audit.run.replay_sampler import ReplaySampler

REPORTS = (0, 1, ("raised", "ValueError: no"))


def drawn(*codes: int, kinds: tuple[str, ...] = ("int",), **more: object) -> ReplaySampler:
    other = (1, (1,), ("int",))
    return ReplaySampler((5, 6), UnmodifiedRun((5, 6), REPORTS, more=((0, codes, kinds), other), **more))  # type: ignore[arg-type]


def test_reports_come_in_their_order() -> None:
    reports = drawn(0, 1, 1, 0, 0)
    assert (reports.sample(5, 2), reports.sample(6, 1), reports.sample(5, 3)) == ([0, 1], [1], [1, 0, 0])
    assert reports.findings == ()


def test_an_exception_is_a_finding_after_the_reports_before_it() -> None:
    with pytest.raises(SamplerError, match="ValueError: no") as caught:
        drawn(0, 2, 1).sample(5, 3)
    assert caught.value.partial == [0]


def test_a_run_that_ended_early_is_told_as_it_ended() -> None:
    for findings, kind in (((), TargetDied), ((TargetHung("slow"),), TargetHung)):
        with pytest.raises(SamplerError) as caught:
            drawn(0, 1, findings=findings).sample(5, 3)
        assert type(caught.value.finding) is kind
        assert caught.value.partial == [0, 1]


def test_several_types_are_a_finding() -> None:
    (finding,) = drawn(0, kinds=("float",)).findings
    assert "float, int" in finding.message
