"""`python -m first_contact [lowest|newest]`: README, guide and bad inputs with the wheel in an environment of its own.

`lowest` installs the oldest releases that pyproject.toml allows, `newest` the newest that there are; both need a
package index. Exit code 1 if something does not end as the pages say.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from consumer.wheel_environment import clean_environment, run
from first_contact.bad_inputs import cases, files
from first_contact.documents import PAGES, prepare, run_commands, run_programs
from first_contact.environments import with_wheel
from first_contact.test_bad_inputs import complaint


def bad_inputs(python: Path, folder: Path, every: int = 1) -> list[str]:
    """What is wrong with how bad inputs (one of so many) end."""
    files(folder)
    listed = list(cases())[::every]
    driver = Path(__file__).with_name("driver.py")
    request = json.dumps([arguments for arguments, _, _ in listed])
    done = subprocess.run(
        [python, driver],
        input=request,
        cwd=folder,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [c for case, answer in zip(listed, json.loads(done.stdout), strict=True) if (c := complaint(case, answer))]


def main(versions: str) -> int:
    """Everything; the exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = with_wheel(folder, versions == "lowest")
        prepare(folder)
        wrong = []
        for page in PAGES:
            try:
                ran = run_commands(page, run, python, folder) + run_programs(page, run, python, folder)
                print(f"{page.name}: {ran} commands and programs", flush=True)
            except AssertionError as error:
                wrong.append(f"{page.name}: {error}")
        place = folder / "bad"
        place.mkdir()
        wrong += bad_inputs(python, place)
    print("\n".join(wrong) or f"all as the pages say, with the {versions} dependencies")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main((sys.argv[1:] or ["newest"])[0]))
