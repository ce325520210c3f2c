"""`make attack N=50000 SEED=1`: the kernel is given false statements with evidence; nothing false may be accepted."""

import argparse
import sys
from pathlib import Path

from attack import generate
from attack.campaign import campaign, printed
from dp_checks.runtime.parallel import Workers


def main() -> int:
    parser = argparse.ArgumentParser(prog="attack", description=__doc__)
    parser.add_argument("--number", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--certificates", type=Path, default=Path("build/certify/certificates"))
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--scheduler", help="address of a Dask scheduler whose workers can import this, as host:8786")
    chosen = parser.parse_args()
    folder = chosen.certificates.absolute()
    print(f"{len(generate.certificates(folder))} certificates in {folder}")
    report = campaign(chosen.number, chosen.seed, folder, Workers(chosen.jobs, chosen.scheduler))
    print(printed(report))
    return 1 if report.false else 0


if __name__ == "__main__":
    sys.exit(main())
