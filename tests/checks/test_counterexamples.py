"""Three lines of Python for a counterexample: they run, and print the numbers of the ledger."""

import pytest

from dp_checks.certify import all_statements
from dp_checks.counterexamples import names, python_lines
from dp_checks.ledger import UnknownClaimError, load_ledger
from dp_checks.replay import chances, counterexample
from dp_spec.vocabulary.exceptions import DomainError

PRINTED = (
    ("000.def1.range", "1 < 1"),
    ("000.fig1.example@others", "1 <= 0"),
    ("000.thm2.keepprob", "3/7 == 5/7"),
    ("002.thm1.sugrr.tight@set", "5/2"),
    ("002.base.grrsample.tight", "3/2"),
    ("002.thm4.surap.tight@sen-marginal", "2"),
    ("002.thm2.sugrr.sens@set", "0"),
    ("002.thm6.eq22.sens@fixed-data", "9"),
    ("002.thm1.sugrr.eq11@set-marginal", "1/2 0"),
    ("002.def3.sizes.suwheel@all-joint", "1/3 0"),
    ("002.prose.uldp.split", ""),
    ("003.fig5.nopriv.best@general", ""),
    ("002.prose.uldp.scope", ""),
)


LEDGER = load_ledger()


def lines(claim: str) -> list[str]:
    return python_lines(claim, all_statements()[claim], LEDGER[claim].evidence["witness"])


@pytest.mark.parametrize(("claim", "printed"), PRINTED)
def test_the_lines_run_and_print_the_counterexample(
    claim: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = lines(claim)
    assert len(program) == 3
    exec("\n".join(program), {})
    assert capsys.readouterr().out.strip() == printed


@pytest.mark.slow
def test_the_lines_of_all_claims_run(capsys: pytest.CaptureFixture[str]) -> None:
    """But those that ask the kernel, as `certify` has done."""
    failing = [i for i, entry in LEDGER.items() if "witness" in entry.evidence and i in all_statements()]
    programs = {i: lines(i) for i in failing}
    own_programs = {i: program for i, program in programs.items() if "counterexample" not in program[0]}
    assert len(own_programs) > 100
    for claim, program in own_programs.items():
        exec("\n".join(program), {})
        printed, data = capsys.readouterr().out.strip(), LEDGER[claim].evidence["witness"]
        assert printed == data.get("exact", printed)
        assert printed


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("002.thm1.sugrr.tight@set", ["e0 = e^(ε/m)", "m items of a user", "K sensitive items", "N other items"]),
        ("002.thm4.surap.tight@joint", ["t = e^(ε/(2 m))", "m items of a user", "K sensitive items", "N other items"]),
        ("002.prose.uldp.split", ["w = e^ε", "m items of a user", "K sensitive items", "N other items"]),
        ("000.def1.range", ["w = e^ε"]),
        ("003.sec1.direct@sensitivity", []),
    ],
)
def test_names_of_numbers_are_explained(claim: str, said: list[str]) -> None:
    assert [*names(all_statements()[claim], LEDGER[claim].evidence["witness"])] == said


def test_only_what_fails_has_a_counterexample() -> None:
    with pytest.raises(DomainError, match="it is proved"):
        counterexample("002.base.grr.eq5.tight")
    with pytest.raises(UnknownClaimError):
        counterexample("002.base.grr.eq5.tigt")
    with pytest.raises(DomainError, match="two inputs"):
        chances("000.def1.range")
