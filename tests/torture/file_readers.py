"""The readers of files and lines: certificates, ledgers, tables, samples, answers, audits, vectors."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow
from flint import fmpq
from pyarrow import parquet

from corpus.certificates import real
from dp_audit.audit import audit_reports, audit_table
from dp_audit.report.document import read_audit
from dp_audit.run.protocol import read_estimates, read_samples
from dp_audit.run.report_codes import read_chunks
from dp_checks.ledger import FORMAT, Ledger, LedgerError, load_ledger
from dp_checks.runtime.journal import Journal
from dp_checks.statements import load_statements
from dp_kernel import Rejected, verify
from dp_kernel.__main__ import read as read_certificate
from dp_kernel.certificate.digest import require_pinned
from dp_refimpl.enumeration import exact_channel
from dp_refimpl.frequency.grr import GRR
from dp_spec.vocabulary.budget import rational_budget
from dp_spec.vocabulary.export import from_json, to_csv, to_json
from dp_spec.vocabulary.items import ItemDomain
from torture.reader import Misread, Reader, seeds_of, text_of

WORK = 20_000
"""Units of the kernel's work for an input: more would slow the campaign down."""
CERTIFIED = (
    *("all proved", "completions ill_posed on sets", "formula proved", "implies refuted for a number of items"),
    *("ratio proved for bits", "unbiased proved", "ratio refuted on arcs", "formula proved at both ends"),
    *("formula refuted by numbers", "bounded proved for cells", "sentence verified of a bound"),
)
"""Real certificates that are small, and checked and made at once."""
GRR3 = {"d": 3, "epsilon": "ln(3)"}
SAMPLES = (b'{"id":1,"reports":[0,2,{"set":[0,1]}]}', b'{"id":1,"counts":[[0,2],[[1,2],1]]}', b'{"id":1,"error":"no"}')
ESTIMATES = (b'{"id":1,"estimates":[0.5,"1/3",0]}', b'{"id":1,"estimates":[1e-3,-2]}', b'{"id":1,"error":"no"}')
BITS = (b'input,report\n0,"[0,1,1]"\n2,"[0,0,1]"\n1,"[1,1,1]"\n', b'a,report,input\r\nx,"[0, 1]",1\r\ny,"[1, 1]",0\r\n')
REPORTS = (b"input,report\n0,0\n1,2\n2,1\n", b'report,x,input\n"[0,1]",,0\n"{""set"":[1,2]}",a,1\n"a,b",b,0\n')


class Files:
    """Readers of files, each with a file of its own name in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def reader(self, name: str, read: Callable[[Path], object]) -> Callable[[bytes], object]:
        """The input is written to a file of this name."""
        path = self.folder / name

        def written(data: bytes) -> object:
            path.write_bytes(data)
            return read(path)

        return written


def _verify(path: Path) -> None:
    verify(read_certificate(path), WORK)


def _ledger(number: int) -> dict[str, Any]:
    claims = load_ledger().json()["claims"]
    return {"format": FORMAT, "claims": dict(list(claims.items())[number : number + 3])}


def _ledger_used(path: Path) -> None:
    """Everything that an entry offers, as `explain`, `list` and gates use it."""
    ledger = load_ledger(path)
    for claim, entry in ledger.items():
        assert claim in ledger
        _ = entry.evidence, entry.statement, entry.instead, entry.digest
    ledger.text().encode("utf-8", "surrogatepass")


def _statements() -> tuple[Ledger, bytes]:
    ledger = load_ledger()
    every = load_statements(ledger)
    chosen = {i: statement for i, statement in every.items() if len(json.dumps(statement)) < 600}
    some = dict(list(chosen.items())[:3])
    return Ledger({i: ledger[i] for i in some}), json.dumps(some).encode()


def _read_audit(data: bytes) -> object:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return None  # it reads what JSON has become, not text
    return read_audit(content)


def _audits(folder: Path) -> Iterator[Any]:
    path = folder / "audit.csv"
    for probability in ("3/5", "0.6"):
        path.write_text(f"input,output,probability\n0,0,{probability}\n0,1,1/5\n0,2,1/5\n", encoding="utf-8")
        yield audit_table(path, "GRR", GRR3).as_json()


def _parquet(*pairs: tuple[Any, Any]) -> bytes:
    file = io.BytesIO()
    columns = {"input": [x for x, _ in pairs], "report": [y for _, y in pairs]}
    parquet.write_table(pyarrow.table(columns), file)
    return file.getvalue()


ENTRIES: Mapping[str, Any] = {
    "a1" * 32: {"id": "002.def1.eq1@pmf", "verdict": "verified", "data": {"instances": [{"m": 1, "K": 1}]}},
    "b2" * 32: {"id": "002.eq12", "verdict": "refuted", "data": {"x": [0, "1/2"], "y": None}, "cards": ["card"]},
    "seed=1 runs=2 SuGRR:n=3": {"inside": {"sensitive": True}, "sum": "1.25e-3"},
}


def _journal(files: Files) -> Reader:
    """The one of `certify` and `reproduce` raises nothing, and returns nothing that was not written."""
    path = files.folder / "journal.jsonl"
    Journal(path, "certify").add(ENTRIES)
    whole = path.read_bytes()

    def read(path: Path) -> None:
        entries, _ = Journal(path, "certify").read()
        if wrong := [key for key, value in entries.items() if key not in ENTRIES or ENTRIES[key] != value]:
            raise Misread(f"a damaged line counts: {wrong[0]!r}")

    return Reader("journals", (whole,), files.reader(path.name, read), ())


def file_readers(folder: Path) -> tuple[Reader, ...]:
    """All of them; they write into a folder of their own."""
    files = Files(folder)
    certificates = seeds_of(*map(real, CERTIFIED))
    ledgers = seeds_of(_ledger(0), _ledger(50), _ledger(-3))
    pinned, statements = _statements()
    channel = exact_channel(
        lambda x, coins: GRR(ItemDomain.of_sizes(3), rational_budget("ln(3)")).randomize(x, coins), (0, 1, 2), fmpq(1)
    )
    rows = [{"input": x, "law": [[y, "3/5" if x == y else 0.2] for y in range(3)]} for x in range(3)]
    tables = (to_json(channel).encode(), *seeds_of({"rows": rows}))
    texts = (to_csv(channel).encode(), b"input,output,probability\n0,0,0.6\n0,1,2e-1\n1,,\n")
    packed = (_parquet((0, 0), (1, 2), (2, 1)), _parquet(("0", '{"set":[1,2]}'), ("a", "b")))
    return (
        Reader("certificates", certificates, files.reader("certificate.json", _verify), (Rejected,), 60),
        Reader(
            "pinning by a ledger",
            ledgers,
            lambda data: require_pinned({"id": "002.def1.eq1", "statement": {}, "verdict": "proved"}, _json(data)),
            (Rejected,),
        ),
        Reader("ledgers", ledgers, files.reader("ledger.json", _ledger_used), (LedgerError,), 3),
        Reader(
            "statements",
            (statements,),
            files.reader("statements.json", lambda path: load_statements(pinned, path)),
            (LedgerError,),
            10,
        ),
        Reader("tables (JSON)", tables, files.reader("t.json", lambda path: audit_table(path, "GRR", GRR3)), share=15),
        Reader("tables (CSV)", texts, files.reader("t.csv", lambda path: audit_table(path, "GRR", GRR3)), share=15),
        Reader("exported tables (JSON)", tables[:1], lambda data: from_json(text_of(data)), share=15),
        Reader(
            "samples (CSV)", REPORTS, files.reader("s.csv", lambda path: list(read_chunks(path, range(3)))), share=20
        ),
        Reader(
            "samples (Parquet)",
            packed,
            files.reader("s.parquet", lambda path: list(read_chunks(path, range(3)))),
            share=10,
        ),
        Reader(
            "audits of samples", REPORTS, files.reader("r.csv", lambda path: audit_reports(path, "GRR", GRR3)), share=2
        ),
        Reader(
            "lists of bits",
            BITS,
            files.reader("b.csv", lambda path: list(read_chunks(path, range(3), width=3))),
            share=10,
        ),
        Reader("samples of processes", SAMPLES, lambda data: read_samples(data, 1, 3), share=30),
        Reader("estimates of processes", ESTIMATES, lambda data: read_estimates(data, 1), share=20),
        Reader("audits", seeds_of(*_audits(folder)), _read_audit, (KeyError, TypeError, ValueError), 10),
        _journal(files),
    )


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
