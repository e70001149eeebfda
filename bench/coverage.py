"""The coverage self-test: is every tensor of a training step in the run, with the right numbers?

    python -m bench.coverage [WORKLOAD …]

A hook that swallows an error looks very fast. So each workload is trained twice, once with plain hooks in double
precision and once watched with `every=1`, and the two are compared tensor by tensor. Exit status 1 when anything is
missing or different.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch

from bench.reference import Expected, Key, Reference
from bench.workloads import WORKLOADS

STEPS = 6
ROLES = ("act", "act_grad", "param", "grad", "update")
EXACT = ("calls", "count", "zeros", "min", "max")
NEAR = ("mean", "std", "rms")
TOLERANCE = 1e-4
"""Of the root mean square: sums of 32-bit numbers are allowed to round, nothing more."""

Row = Mapping[str, float]


@dataclass(slots=True)
class Coverage:
    """How much of one workload was recorded, and what was not."""

    workload: str
    tensors: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ROLES, 0))
    bytes: int = 0
    covered_tensors: int = 0
    covered_bytes: int = 0
    missing: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return not self.missing and not self.different

    def as_dict(self) -> dict[str, object]:
        return {
            "tensors": self.tensors,
            "bytes": self.bytes,
            "covered_tensors": self.covered_tensors,
            "covered_bytes": self.covered_bytes,
            "missing": self.missing[:20],
            "different": self.different[:20],
            "steps": STEPS,
        }


def compare(workload: str, expected: Mapping[Key, Expected], recorded: Mapping[Key, Row]) -> Coverage:
    """Holds every expected tensor against its row."""
    coverage = Coverage(workload)
    for key, numbers in expected.items():
        step, role, name = key
        coverage.tensors[role] += 1
        coverage.bytes += numbers.bytes
        row = recorded.get(key)
        subject = f"step {step} {role} `{name}`"
        if row is None:
            coverage.missing.append(subject)
            continue
        wrong = differences(numbers, row)
        if wrong:
            coverage.different.append(f"{subject}: {wrong}")
            continue
        coverage.covered_tensors += 1
        coverage.covered_bytes += numbers.bytes
    return coverage


def differences(expected: Expected, row: Row) -> str:
    """What is wrong with a row, as text; empty when nothing is."""
    wrong = [name for name in EXACT if row[name] != float(getattr(expected, name))]
    wrong += [name for name in NEAR if not abs(row[name] - getattr(expected, name)) <= TOLERANCE * expected.rms + 1e-37]
    wrong += [name for name in ("nan", "inf") if row[name] != 0]
    return ", ".join(f"{name} {row[name]!r} instead of {getattr(expected, name, 0)!r}" for name in wrong)


def watched(workload: str, steps: int, folder: Path) -> dict[Key, Row]:
    """Trains under watch; gives every row of the run's training statistics."""
    import stetho

    model, optimizer, step = WORKLOADS[workload]()
    with stetho.watch(model, optimizer, every=1, out=str(folder), quiet=True) as watching:
        for _ in range(steps):
            step()
    if watching.path is None:
        return {}
    rows = stetho.open_run(watching.path).table("stats").to_pylist()
    return {(row["step"], row["role"], row["name"]): row for row in rows if row["phase"] == "train"}


def cover(workload: str, steps: int = STEPS) -> Coverage:
    """The self-test on one workload."""
    model, optimizer, step = WORKLOADS[workload]()
    expected = Reference(model, optimizer).run(step, steps)
    with tempfile.TemporaryDirectory() as folder:
        recorded = watched(workload, steps, Path(folder))
    return compare(workload, expected, recorded)


def describe(coverage: Coverage) -> str:
    total = sum(coverage.tensors.values())
    lines = [
        f"{coverage.workload}: {coverage.covered_tensors} of {total} tensors, "
        f"{coverage.covered_bytes / 1e6:.1f} of {coverage.bytes / 1e6:.1f} MB in {STEPS} steps "
        f"({', '.join(f'{role} {count}' for role, count in coverage.tensors.items())})"
    ]
    for kind, cases in (("missing", coverage.missing), ("different", coverage.different)):
        lines += [f"  {kind}: {case}" for case in cases[:10]]
        if len(cases) > 10:
            lines.append(f"  {kind}: {len(cases) - 10} more")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", default=["cnn-half", "cnn-small", "gpt", "mlp"], metavar="WORKLOAD")
    torch.set_num_threads(1)
    results = [cover(workload) for workload in parser.parse_args().workloads]
    print("\n".join(map(describe, results)))
    return 0 if all(result.complete for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
