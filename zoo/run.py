"""Runs the zoo, prints program × finding and the figures, and writes docs/calibration.md and calibration.json.

    python zoo/run.py                        everything, about half an hour on two cores
    python zoo/run.py --split train          one split; prints only
    python zoo/run.py 'learning-rate-*'      some programs; prints only

Exit status 1 when the test split misses what we ask of it: top-1 90 %, recall 95 %, false alarms 3 %.
"""

import argparse
import os
import sys
from fnmatch import fnmatchcase
from multiprocessing import get_context
from pathlib import Path

# A script has its own folder first on the path; the package of the zoo is one above.
sys.path[0] = str(Path(__file__).resolve().parents[1])

# Before anything loads torch: programs run side by side on few cores.
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = "1"
# Some virtual machines name the tiles of AMX among what they have, and die of the first instruction for them.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

from zoo.outcome import Outcome, diagnose  # noqa: E402
from zoo.programs import Program, all_programs  # noqa: E402
from zoo.report import SUMMARY_COLUMNS, line_of, summary, write  # noqa: E402
from zoo.score import score  # noqa: E402
from zoo.warm import warm_up  # noqa: E402

TOP_1, RECALL, FALSE_ALARMS = 0.90, 0.95, 0.03


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", default=["*"], help="names of programs, with * and ?")
    parser.add_argument("--split", choices=("train", "test"), help="only the programs of one split")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time")
    options = parser.parse_args()
    chosen = [
        program
        for program in all_programs()
        if options.split in (None, program.split) and any(fnmatchcase(program.name, p) for p in options.patterns)
    ]
    if not chosen:
        parser.error(f"no program is called {' or '.join(options.patterns)}; they are in tests/programs")
    outcomes = _run(chosen, options.jobs)
    print(" · ".join(SUMMARY_COLUMNS), *(" · ".join(row) for row in summary(outcomes)), sep="\n")
    if options.split is None and options.patterns == ["*"]:
        write(outcomes)
    return 0 if _is_good([each for each in outcomes if each.program.split == "test"]) else 1


def _run(programs: list[Program], jobs: int) -> list[Outcome]:
    warm_up()
    outcomes = []
    with get_context("fork").Pool(jobs) as pool:
        for outcome in pool.imap(diagnose, programs):
            print(line_of(outcome), flush=True)
            outcomes.append(outcome)
    return outcomes


def _is_good(outcomes: list[Outcome]) -> bool:
    found = score(outcomes)
    return (
        found.first.at_least(TOP_1)
        and found.recall.at_least(RECALL)
        and (found.false_alarms.value or 0) <= FALSE_ALARMS
        and not any(each.problem for each in outcomes)
    )


if __name__ == "__main__":
    sys.exit(main())
