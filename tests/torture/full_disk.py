"""A full disk: outputs that cannot be written end the run in one line and exit code 2; with space it goes on."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from torture.findings import Finding, Tried
from torture.processes import Job, full
from torture.workshop import CERTIFY, REPRODUCE, Case, Workshop, one_line, orphans

CASES = (*CERTIFY, *CERTIFY, *REPRODUCE)
FULL = Path("/dev/full")


def full_disk(rng: Random, tried: Tried, workshop: Workshop, cases: tuple[Case, ...] = CASES) -> Iterator[Finding]:
    """One run with a largest size of files (as a quota has it), or with one output on a full device."""
    case = rng.choice(cases)
    out = workshop.fresh()
    whole = workshop.whole(case).files
    way = rng.choice(("size", "size", "document", "output") if FULL.exists() else ("size",))
    link = out / (rng.choice(sorted(whole)) if way == "document" else "")
    how = f"on a full device: {link.name if link != out else 'the standard output'}"
    if way == "size":
        largest = rng.choice((0, 1, rng.randrange(max(map(len, whole.values())))))
        how = f"with files of at most {largest} bytes"
        ended = Job(case.arguments(out), fsize=largest).ended()
    elif way == "output":
        with full() as device:
            ended = Job(case.arguments(out), output=device).ended()
    else:
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(FULL)
        ended = Job(case.arguments(out)).ended()
    done = f"{case} {how}"
    tried[f"{case.words[0]} {case.words[-1]} ({way})"] += 1
    yield from orphans(ended, done)
    yield from one_line(ended, done, (2,) if way == "output" else (0, 2))  # what is written to may be replaced
    if link.is_symlink():
        link.unlink()
    again = Job(case.arguments(out)).ended()
    yield from workshop.compared(case, out, again, f"{done}; started again with space")
