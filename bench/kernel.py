"""How fast the kernel reads: bytes a second beside one plain read of them, and beside what torch offers for the same.

python -m bench.kernel [--json]
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

SIZES = {"64 KB": 1 << 16, "1 MB": 1 << 20, "16 MB": 1 << 24, "128 MB": 1 << 27}
TARGET = 1.5
"""Times one read of the bytes, where they come from memory."""
FROM_MEMORY = "128 MB"
ROUNDS = 7
ROUND_SECONDS = 0.03

WAYS = {
    "read": "one read (`sum`)",
    "full": "all statistics",
    "finite": "finite check",
    "torch": "all statistics by plain torch",
    "isfinite": "`isfinite().all()`",
    "var_mean": "`var_mean`",
}


def ways() -> dict[str, Callable[[Tensor], object]]:
    from stetho.stats import kernel, torch_kernel

    return {
        "read": torch.sum,
        "full": kernel.measure,
        "finite": lambda tensor: kernel.sum_of_squares((tensor,)),
        "torch": torch_kernel.measure,
        "isfinite": lambda tensor: torch.isfinite(tensor).all().item(),
        "var_mean": torch.var_mean,
    }


def measure() -> dict[str, Any]:
    """The name of the kernel, and the seconds that each way takes for a tensor of each size."""
    from stetho.stats import kernel

    torch.set_num_threads(1)
    sizes = {name: seconds_of(torch.randn(size // 4)) for name, size in SIZES.items()}
    return {"kernel": f"{kernel.NAME} ({kernel.REASON})", "bytes": SIZES, "seconds": sizes}


def seconds_of(tensor: Tensor) -> dict[str, float]:
    """The best time of each way; they take turns, so that a busy machine is busy for all."""
    best = dict.fromkeys(WAYS, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways().items():
            best[name] = min(best[name], timed(way, tensor))
    return best


def timed(way: Callable[[Tensor], object], tensor: Tensor) -> float:
    calls, begin = 0, time.thread_time()
    while calls == 0 or time.thread_time() - begin < ROUND_SECONDS:
        way(tensor)
        calls += 1
    return (time.thread_time() - begin) / calls


def ratio(measured: dict[str, Any]) -> float:
    """All statistics over one read, where the bytes come from memory."""
    found = measured["seconds"][FROM_MEMORY]
    return float(found["full"] / found["read"])


def rows(measured: dict[str, Any]) -> list[list[str]]:
    """Gigabytes a second, a row for each size.

    >>> rows({"bytes": {"1 MB": 1 << 20}, "seconds": {"1 MB": dict.fromkeys(WAYS, 1e-4)}})[0][:2]
    ['1 MB', '10.5']
    """
    return [
        [size, *(f"{measured['bytes'][size] / found[way] / 1e9:.1f}" for way in WAYS)]
        for size, found in measured["seconds"].items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    measured = measure()
    print(json.dumps(measured) if parser.parse_args().json else "\n".join(map(" ".join, rows(measured))))


if __name__ == "__main__":
    main()
