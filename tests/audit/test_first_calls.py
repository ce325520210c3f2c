"""Processes whose first calls are looked at: what takes long to import is imported once for all, no target is."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from dp_audit.run.child.targets import load
from dp_audit.run.child.unmodified.at_exit import import_libraries
sys.path.insert(0, {folder!r})
import_libraries(lambda: load({file!r}, "target"))
print([name in sys.modules for name in ("target", "its_own", "wave")])
"""


def test_libraries_are_imported_and_nothing_of_the_target(tmp_path: Path) -> None:
    (tmp_path / "its_own.py").write_text("")
    file = tmp_path / "target.py"
    file.write_text("import its_own, wave\n")
    program = PROGRAM.format(folder=str(tmp_path), file=str(file))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[False, False, True]"
