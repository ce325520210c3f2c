"""What README shows: its blocks, and the picture of its audit (`python -m first_contact.readme` draws it again)."""

import re
import tempfile
from pathlib import Path

from dp_audit.audit import audit_adapter
from dp_audit.outcome import Audit
from dp_audit.report.pictures import picture
from structure.tree import ROOT

README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "_static" / "audit-grr.svg"
ON_WHITE = 'style="color:#1b1b1f;background:#ffffff" '


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(path: Path) -> list[str]:
    """The commands `dp-refimpl ...` of a page, continued lines joined, without comments."""
    text = "\n".join(blocks(path, "console")).replace("\\\n", " ")
    return [re.sub(r"\s+#.*", "", line) for line in re.findall(r"^\$ (dp-refimpl .*)$", text, re.MULTILINE)]


def first_audit() -> Audit:
    """The audit that README begins with, of its own code."""
    code = next(block for block in blocks(README, "python") if block.startswith("# grr.py"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "grr.py")
        file.write_text(code, encoding="utf-8")
        return audit_adapter(str(file), "randomize", "GRR", {"d": 4, "epsilon": 1.0})


def drawing() -> str:
    """The picture as a file of its own, of two inputs: small enough for a telephone."""
    laws = {name: {x: law[x] for x in ("0", "1")} for name, law in first_audit().laws.items()}
    return picture(laws, "audit-grr").replace("<svg ", f"<svg {ON_WHITE}", 1) + "\n"


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
