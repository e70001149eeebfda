"""Tables of what was measured, with targets and verdicts, for the terminal and for docs/performance.md.

    python -m bench.report measured.json [--write docs/performance.md]

Exit status 1 when a tensor was left out or a target is missed by more than the noise.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import kernel
from bench.variants import VARIANTS, Variant

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
TITLES = {"cnn": "CNN", "cnn-half": "CNN, half width", "gpt": "GPT", "mlp": "MLP"}
TRAINCHECK = ("traincheck", "TrainCheck trace collection", "calls of the framework, parameters as hashes")

Measured = Mapping[str, Any]
Figure = tuple[str, str, str, float]
"""Key, title, unit and target."""


def of_each(models: Mapping[str, str], key: str, title: str, unit: str, target: float) -> tuple[Figure, ...]:
    """One figure for each model.

    >>> of_each({"mlp": "MLP", "gpt": "GPT"}, "error", "time", "% off", 5)
    (('mlp_error', 'time, MLP', '% off', 5), ('gpt_error', 'the same, GPT', '% off', 5))
    """
    titles = (title, *["the same"] * (len(models) - 1))
    return tuple(
        (f"{model}_{key}", f"{said}, {name}", unit, target)
        for said, (model, name) in zip(titles, models.items(), strict=True)
    )


STORE = (
    ("write_cpu_us_per_step", "writing 300 tensors of a step, CPU time", "µs", 150),
    ("write_cpu_growth", "last tenth of 10 000 steps over the first, CPU time", "×", 1.5),
    ("series_ms", "one tensor's series out of 3 million rows, warm", "ms", 10),
    ("step_ms", "one step out of 3 million rows, warm", "ms", 30),
)
"""The figures that `bench.store` gives."""

CHECKPOINTS = (
    ("diff_over_reading", "`stetho ckpt diff` of 2 × 1 GiB over reading both and one pass of numpy", "×", 2),
    ("diff_memory_mib", "its memory; two tensors are 32 MiB", "MiB", 232),
)
"""The same of the figures that `bench.checkpoints` gives."""

CAPTURE = {"mlp": "MLP", "gpt": "GPT", "cnn-half": "CNN of half width"}
INSPECTED = {"resnet18": "ResNet-18", "gpt": "GPT"}

COMPARING = (
    *of_each(CAPTURE, "capture_own", "tensors of a pass and gradients of weights written down, over a step", "×", 3),
    *of_each(CAPTURE, "capture_double", "the same in double precision, as models are compared", "×", 3),
    ("runs_memory_mib", "memory of comparing two runs of 1.5 million rows each", "MiB", 200),
)
"""The same of the figures that `bench.comparing` gives."""

PROFILING = of_each(CAPTURE, "error", "all layers and phases of `stetho.profile` over a bare step", "% off", 5)
"""The same of the figures that `bench.profiling` gives."""

INSPECTING = (
    *of_each(INSPECTED, "summary_lead", "`stetho.summary` over torchinfo", "×", 1),
    *of_each(INSPECTED, "graph_lead", "`stetho.graph` over the faster of torchview and torchlens", "×", 1),
    ("transformer48_summary", "`stetho.summary` over one forward pass, transformer of 48 layers", "×", 3),
    ("transformer48_graph", "`stetho.graph`, the same", "×", 3),
)
"""The same of the figures that `bench.inspecting` gives."""

LOOKS = {
    "summary": "`stetho.summary`",
    "torchinfo": "torchinfo",
    "graph": "`stetho.graph`",
    "torchview": "torchview",
    "torchlens": "torchlens",
}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table that is also readable in a terminal.

    >>> print(table(["a", "b"], [["long", "1"]]))
    | a    | b |
    |------|---|
    | long | 1 |
    """
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [head, *rows]
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def ratio(found: Measured | None, *, uneven: bool = False) -> str:
    """One cell of the comparison: the median and the quartiles, or the reason why there is none."""
    if found is None:
        return "not measured"
    if found["error"]:
        return f"fails: {found['error']}"
    cpu = found["cpu"]
    middle = found["cpu_mean"] if uneven else cpu["median"]
    digits = 2 if middle < 10 else 0
    return f"{middle:.{digits}f} [{cpu['low']:.{digits}f}–{cpu['high']:.{digits}f}]"


def verdict(found: Measured, target: float, *, uneven: bool) -> str:
    """Whether a target holds; `not resolved` when it lies inside the noise.

    >>> verdict({"error": None, "cpu": {"median": 1.04, "low": 1.0, "high": 1.1}}, 1.05, uneven=False)
    'holds'
    >>> verdict({"error": None, "cpu": {"median": 1.07, "low": 1.0, "high": 1.1}}, 1.05, uneven=False)
    'not resolved'
    """
    if found["error"]:
        return "missed"
    if (found["cpu_mean"] if uneven else found["cpu"]["median"]) <= target:
        return "holds"
    return "not resolved" if found["cpu"]["low"] <= target else "missed"


def comparison(measured: Measured) -> str:
    workloads = measured["overhead"]
    head = ["watched / bare, CPU time", *(TITLES[name] for name in workloads), "what it covers"]
    known = [(variant.name, variant.title, variant.covers, variant.uneven) for variant in VARIANTS[1:]]
    rows = [
        [title, *(ratio(one["variants"].get(name), uneven=uneven) for one in workloads.values()), covers]
        for name, title, covers, uneven in [*known, (*TRAINCHECK, False)]
    ]
    return table(head, rows)


def target_rows(measured: Measured) -> Iterator[list[str]]:
    for workload, one in measured["overhead"].items():
        for variant in VARIANTS:
            target = variant.targets.get(workload.split("-")[0])
            if target is not None:
                yield target_row(variant, workload, one["variants"][variant.name], target)


def target_row(variant: Variant, workload: str, found: Measured, target: float) -> list[str]:
    inside = found.get("inside", {})
    tiers = ", ".join(f"{one['steps']} {tier} of {one['ms']:.2f} ms" for tier, one in inside.get("tiers", {}).items())
    wall = f"{found['wall']['median']:.2f}" if "wall" in found else "–"
    return [
        variant.title,
        TITLES[workload],
        f"{target:.2f}",
        ratio(found, uneven=variant.uneven),
        verdict(found, target, uneven=variant.uneven),
        wall,
        f"{inside['ratio']:.3f}" if inside else "–",
        tiers or "–",
    ]


def coverage_rows(measured: Measured) -> Iterator[list[str]]:
    for workload, one in measured["coverage"].items():
        total = sum(one["tensors"].values())
        whole = not one["missing"] and not one["different"]
        yield [
            TITLES[workload],
            f"{one['covered_tensors'] // one['steps']} of {total // one['steps']}",
            f"{one['covered_bytes'] / one['steps'] / 1e6:.1f} of {one['bytes'] / one['steps'] / 1e6:.1f} MB",
            "complete" if whole else incomplete(one),
        ]


def incomplete(one: Measured) -> str:
    """The first tensor that is not right, without all of its numbers."""
    kind, cases = ("missing", one["missing"]) if one["missing"] else ("different", one["different"])
    return f"{kind}: {cases[0].split(', ')[0]}"


def bare_rows(measured: Measured) -> Iterator[list[str]]:
    for workload, one in measured["overhead"].items():
        bare, noise = one["bare"], one["bare"]["noise"]
        yield [
            TITLES[workload],
            f"{bare['cpu_ms']:.2f} ms",
            f"{bare['wall_ms']:.2f} ms",
            f"{noise['low']:.2f}–{noise['high']:.2f}",
            str(noise["turns"] + 1),
        ]


def facts(measured: Measured) -> str:
    machine, versions = measured["machine"], measured["versions"]
    return (
        f"Measured on {machine['date']} in {measured['minutes']:.0f} minutes: {machine['cpu']}, "
        f"{machine['cores']} cores, {machine['memory_gb']} GB, {machine['system']}, "
        f"load {machine['load']} at the start. "
        + ", ".join(f"{name} {version}" for name, version in versions.items())
        + "."
    )


def figures_table(found: Measured, figures: Sequence[Figure]) -> str:
    if "error" in found:
        return f"fails: {found['error']}"
    rows = [
        [
            title,
            f"{found[key]:.{2 if unit == '×' else 1}f} {unit}",
            f"{target:g} {unit}",
            "holds" if found[key] <= target else "missed",
        ]
        for key, title, unit, target in figures
    ]
    return table(["what", "measured", "target", ""], rows)


def figures_missed(name: str, found: Measured, figures: Sequence[Figure]) -> list[str]:
    if "error" in found:
        return [f"{name}: {found['error']}"]
    return [f"{title}: {found[key]:.1f} {unit}" for key, title, unit, target in figures if found[key] > target]


def looks_table(found: Measured) -> str:
    """Every tool over one forward pass, then the targets."""
    if "error" in found:
        return f"fails: {found['error']}"
    models = {"resnet18": "ResNet-18", "gpt": "GPT", "transformer48": "transformer of 48 layers"}
    rows = [
        [title, f"{found[f'{model}_forward_ms']:.0f} ms", *(f"{found[f'{model}_{tool}']:.2f} ×" for tool in LOOKS)]
        for model, title in models.items()
    ]
    head = ["CPU time over one forward pass", "forward", *LOOKS.values()]
    return f"{table(head, rows)}\n\n{figures_table(found, INSPECTING)}"


def kernel_table(measured: Any) -> str:
    verdict = "holds" if kernel.ratio(measured) <= kernel.TARGET else "missed"
    return (
        f"{measured['kernel']}, one thread, gigabytes a second. All statistics of {kernel.FROM_MEMORY} take "
        f"{kernel.ratio(measured):.2f} times one read of them; target {kernel.TARGET}: {verdict}.\n\n"
    ) + table(["tensor", *kernel.WAYS.values()], kernel.rows(measured))


def render(measured: Measured) -> tuple[str, list[str]]:
    """The page between the markers, and what did not hold."""
    targets, coverage = list(target_rows(measured)), list(coverage_rows(measured))
    missed = [f"{row[0]} on {row[1]}: {row[3]}, target {row[2]}" for row in targets if row[4] == "missed"]
    ratio_of_kernel = kernel.ratio(measured["kernel"])
    if ratio_of_kernel > kernel.TARGET:
        missed.append(f"kernel: {ratio_of_kernel:.2f} times one read of {kernel.FROM_MEMORY}, target {kernel.TARGET}")
    missed += figures_missed("store", measured["store"], STORE)
    missed += figures_missed("checkpoints", measured["checkpoints"], CHECKPOINTS)
    missed += figures_missed("comparing", measured["comparing"], COMPARING)
    missed += figures_missed("profiling", measured["profiling"], PROFILING)
    missed += figures_missed("inspecting", measured["inspecting"], INSPECTING)
    missed += [f"coverage of {row[0]}: {row[3]}" for row in coverage if row[3] != "complete"]
    head = ["setting", "workload", "target", "CPU ratio", "", "wall ratio", "inside our hooks", "our time in a step"]
    parts = [
        facts(measured),
        "## Next to others\n\n" + comparison(measured),
        "## Targets\n\n" + table(head, targets),
        "## The bare programs\n\n"
        + table(
            ["workload", "CPU per step", "wall per step", "bare turn over the one before", "turns"],
            list(bare_rows(measured)),
        ),
        "## Coverage\n\n" + table(["workload", "tensors in a step", "bytes in a step", ""], coverage),
        "## Kernel\n\n" + kernel_table(measured["kernel"]),
        "## Store\n\n" + figures_table(measured["store"], STORE),
        "## Checkpoints\n\n" + figures_table(measured["checkpoints"], CHECKPOINTS),
        "## Comparing\n\n" + figures_table(measured["comparing"], COMPARING),
        "## Profiling\n\n" + figures_table(measured["profiling"], PROFILING),
        "## Looking at a model\n\n" + looks_table(measured["inspecting"]),
    ]
    return "\n\n".join(parts), missed


def write(page: Path, text: str) -> None:
    """Puts the text between the markers of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measured", type=Path)
    parser.add_argument("--write", type=Path, metavar="FILE")
    options = parser.parse_args()
    text, missed = render(json.loads(options.measured.read_text()))
    print(text)
    if options.write:
        write(options.write, text)
    print("\n".join(["", *(f"missed: {one}" for one in missed)] if missed else ["", "every target holds"]))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
