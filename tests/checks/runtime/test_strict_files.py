"""Mutated ledgers, statements and certificates end in a typed error; `verify` decides as the kernel does."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dp_checks.certify import certify
from dp_checks.commands import verify as verify_command
from dp_checks.ledger import Ledger, LedgerError, default_path, load_ledger
from dp_checks.statements import load_statements, path_beside
from dp_command import main
from dp_kernel.__main__ import main as kernel

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    [],
    {},
    [[]],
    {"a": 1},
    float("nan"),
    10**50,
    "\ud800",
    "\x1b[31m",
    ["x", 1],
]


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(place for key, child in children for place in places(child, (*path, key)))]


def changed(content: bytes, chance: random.Random) -> bytes:
    """One value replaced or taken away, or some bytes."""
    if chance.random() < 0.6:
        document = json.loads(content)
        *above, last = chance.choice(places(document)[1:])
        node = document
        for key in above:
            node = node[key]
        if chance.random() < 0.8:
            node[last] = chance.choice(ODD)
        else:
            del node[last]
        return json.dumps(document).encode()
    at = chance.randrange(len(content))
    inserted = chance.choice(
        [b"[" * 100_000, b"9" * 5000, b"\xff", b"\0", b"NaN", b'"id":"x",', b"\xef\xbb\xbf", b"{", b""]
    )
    if not inserted:
        return content[:at]
    at = chance.choice([0, at])
    return content[:at] + inserted + content[at:]


def few(path: Path, number: int = 5) -> tuple[bytes, bytes, Ledger]:
    """The first entries of the committed ledger, their statements, and the ledger of them."""
    ledger = load_ledger()
    ids = [i for i in ledger if ledger[i].digest is not None][:number]
    part = Ledger({i: ledger[i] for i in ids})
    statements = load_statements(ledger)
    return part.text().encode(), json.dumps({i: statements[i] for i in ids}).encode(), part


@pytest.mark.slow
def test_mutated_ledgers_and_statements_end_in_a_typed_error(tmp_path: Path) -> None:
    chance, file = random.Random(1), tmp_path / "file.json"
    ledger, statements, part = few(tmp_path)
    refused = []
    for turn in range(600):
        file.write_bytes(changed(ledger if turn % 3 else statements, chance))
        try:
            if turn % 3:
                load_ledger(file).text().encode()
            else:
                load_statements(part, file)
        except LedgerError as error:
            refused.append(len(str(error)))
    assert len(refused) > 450
    assert max(refused) < 1500


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b'{"format": "x", "format": "x"}',
        b'{"claims": NaN}',
        b'{"claims": 1e5}',
        b"[" * 100_000,
        b"9" * 5000,
        b'"\\ud800"',
        b"\xef\xbb\xbf{}",
    ],
)
def test_files_that_are_not_strict_json_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    for load in (load_ledger, lambda path: load_statements(load_ledger(), path)):
        with pytest.raises(LedgerError):
            load(tmp_path / "file")
        with pytest.raises(LedgerError):
            load(tmp_path)
    assert path_beside(default_path()).is_file()


@pytest.mark.slow
def test_verify_decides_as_the_kernel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = load_ledger()  # it stays the same: read once
    monkeypatch.setattr(verify_command, "load_ledger", lambda: ledger)
    certify("002.base.grr.eq5.norm", tmp_path)
    (path,) = (tmp_path / "certificates").glob("*.json")
    certificate, chance, file = path.read_bytes(), random.Random(2), tmp_path / "changed.json"
    for turn in range(150):
        file.write_bytes(changed(certificate, chance) if turn else certificate)
        alone = kernel([str(file)])
        result = CliRunner().invoke(main, ["verify", str(file), *["--replay"] * (turn % 2)])
        assert result.exit_code in (0, 1)
        assert result.output.replace("\n", "").isprintable()
        assert alone <= result.exit_code
        if alone < result.exit_code:
            assert "the ledger" in result.output or "NOT REPLAYED" in result.output
    capsys.readouterr()
