"""Kinds of checks: rows that ask the same question of different inputs, types or data sets are of one kind."""

import re

from dp_audit.observation.findings import Finding

KINDS = {
    "law": "Output law: is it that of the mechanism?",
    "privacy": "Privacy: is the largest ratio of probabilities at most e^epsilon at the nominal epsilon?",
    "tightness": "Tightness: is the privacy budget used?",
    "independence": "Independence: are the reports of different users independent?",
    "alphabet": "Alphabet: can every report be one of the mechanism's?",
    "raw-output": "Raw output: do type or order of a report show more than its value?",
    "outside": "Input outside the domain: is it refused?",
    "reused-client": "Reused client: are its reports independent, or drawn from what the mechanism keeps?",
    "estimates": "Estimates: is one number given for every estimand?",
    "estimator": "Estimator: are the estimates those of the mechanism, given the same reports?",
    "expectation": "Expectation: is the estimator unbiased for every data set?",
    "variance": "Variance: is it that of the literature for every data set?",
    "server-state": "Server state: does estimating change later estimates?",
    "order-of-reports": "Order of reports: does it change estimates?",
    "unintercepted-run": "Unintercepted run: are the reports those of the mechanism when nothing is replaced?",
    "later-reports": "Later reports: do they depend on how many there were before, or forget what the mechanism keeps?",
    "fresh-process": "Fresh process: does it give other reports?",
    "beside-the-report": "Beside the report: does what is written, warned, logged or stored tell more than the report?",
    "input-type": "Input type: are numpy integers, booleans and text treated as the items they are?",
    "many-reports": "Many reports: are the estimates of long lists those of the mechanism?",
    "update": "Update: after a parameter is set, is all as if it had been made with it?",
    "hash-function": "Hash function: is it drawn independently of the item?",
    "hash-draws": "Hash draws: do two items share a cell as often as the estimator has it?",
    "clock": "Clock: is the law the same at other times?",
    "defaults": "Defaults: do client and server have the same ones?",
    "larger-epsilon": "Larger epsilon: from which one on is the bound not kept?",
    "other-epsilon": "Other epsilon: is the law the mechanism's at larger budgets, too?",
    "loss-by-design": "Loss by design: does the mechanism itself spend less than the nominal epsilon?",
    "making": "Making: can it be made with these parameters?",
    "seeds": "Seeds: is every generator seeded from the entropy of the system?",
    "run": "Run: did the audited code answer everything in time, and draw its randomness from known sources?",
}
OTHER = "A check of the audit."
FINDINGS = tuple(kind.__name__ for kind in Finding.__subclasses__())
CHECKS = (
    *(kind.replace("-", " ") for kind in KINDS),
    "seed",
    "domain",
    "entries",
    "normalization",
    "post-processing",
    "exceptions",
    "stated variance",
    "stated attack success",
)
CHECKS += FINDINGS
"""Names of checks, or beginnings of their names."""
_COMPILED = " (compiled, samples)"
_SUFFIX = re.compile(r" \([\w.]+ inputs\)$")


def kind_of(check: str) -> str:
    """The kind of a check, by its name in an audit; findings about the run as such are of kind `run` or `seeds`."""
    check = _SUFFIX.sub("", check)
    if check.startswith("input ") and check.endswith(", outside the domain"):
        return "outside"
    if check.startswith("TargetSeeds"):
        return "seeds"
    kind = re.sub(r"\W+", "-", check.partition(",")[0]).strip("-").lower()
    return "run" if check.isalnum() and check[:1].isupper() else kind


def is_check(name: str) -> bool:
    """Whether some audit has a check with this name."""
    kind = kind_of(name.removesuffix(_COMPILED))
    if name in FINDINGS or kind != "run":
        return name in FINDINGS or kind in {known.replace(" ", "-") for known in CHECKS}
    return name == "run"


def question(kind: str) -> str:
    """What checks of a kind ask."""
    return KINDS.get(kind, OTHER)
