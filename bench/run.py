"""Installs the peers, measures everything, prints the tables, and writes them into docs/performance.md.

    python bench/run.py            all three workloads, about 15 minutes
    python bench/run.py --quick    about 2 minutes, half the width for the CNN; prints only

Exit status 1 when a tensor was left out or a target is missed by more than the noise.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# A script has its own folder first on the path; `coverage` in it would stand in for the package of that name.
sys.path[0] = str(ROOT)

from bench import install  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a shorter, noisier measurement")
    parser.add_argument("--write", type=Path, metavar="FILE", help="default: docs/performance.md, nothing with --quick")
    parser.add_argument("--venv", type=Path, default=ROOT / ".venv-bench", help="environment of the measurements")
    options = parser.parse_args()
    python = install.prepare(options.venv.resolve())
    measured = options.venv.resolve() / "measured.json"
    quick = ["--quick"] if options.quick else []
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    subprocess.run([python, "-m", "bench.suite", measured, *quick], cwd=ROOT, env=environment, check=True)
    page = options.write or (None if options.quick else ROOT / "docs" / "performance.md")
    write = ["--write", page] if page else []
    return subprocess.run([python, "-m", "bench.report", measured, *write], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
