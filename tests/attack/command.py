"""The kernel's command, with a certificate in a file and a ledger that pins it, as a user calls it."""

import json
import re
from ast import literal_eval
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

from attack import prover
from dp_kernel.__main__ import main
from dp_kernel.certificate import digest as digests
from dp_kernel.certificate.check import FORMAT
from dp_kernel.certificate.digest import digest, laws

Json = dict[str, Any]
WORK = 1_000_000
"""Units of the kernel's work for one attempt: more would slow the attack down."""
SCOPE: Callable[[Json], str | None] = getattr(digests, "scope", lambda document: None)
"""The kernel's digest of what was exhausted and of the ties, if it has one."""
CARDS = re.compile(r"the cards that are applied: (\[[^]]*\])")


def certificate(statement: Any, verdict: Any, evidence: Any) -> Json:
    """A certificate whose form is right, of a program that was enumerated at m = 1, K = 2, N = 0."""
    at = {"m": 1, "K": 2, "N": 0}
    ties = [{"law": digest(law), "at": [at], "table": "0" * 64} for law in laws(statement)]
    document = {"format": FORMAT, "id": "attack", "statement": statement, "verdict": verdict, "evidence": evidence}
    return {**document, "cards": [], "ties": ties}


def entry(document: Json) -> Json:
    """What a ledger pins of a certificate (of a malformed scope: nothing)."""
    pinned = {"verdict": document["verdict"], "digest": digest(document["statement"])}
    with suppress(*prover.ERRORS):
        pinned |= {} if (scope := SCOPE(document)) is None else {"scope": scope}
    return pinned


def accepts(document: Json, pinned: Json, folder: Path) -> bool:
    """Whether the command accepts the certificate with a ledger that has this entry under its id; the cards that it
    says are applied are written into the certificate."""
    files = folder / "certificate.json", folder / "ledger.json"
    files[1].write_text(json.dumps({"claims": {document["id"]: pinned}}), encoding="utf-8")
    for _ in "12":
        files[0].write_text(json.dumps(document), encoding="utf-8")
        with redirect_stdout(StringIO()) as said:
            status = main(["--work", str(WORK), "--ledger", str(files[1]), str(files[0])])
        cards = CARDS.search(said.getvalue())
        if cards is None:
            return status == 0
        document["cards"] = literal_eval(cards[1])
    return False
