"""The report of the measurements: failures are shown, targets are judged, the page keeps what people wrote."""

import doctest
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bench import report  # noqa: E402

sys.path.remove(str(ROOT))


def ratio(median: float, *, mean: float | None = None) -> dict[str, Any]:
    around = {"median": median, "low": median - 0.01, "high": median + 0.01, "turns": 9}
    return {"error": None, "cpu": around, "wall": around, "cpu_mean": mean or median}


def measured() -> dict[str, Any]:
    ours = ("off", "default", "cheap", "finite", "full", "full-torch", "trace")
    variants = {name: ratio(1.01) for name in (*ours, "tensorboard")}
    variants["wandb"] = {"error": "not installed: no such package"}
    bare = {"cpu_ms": 1.0, "wall_ms": 1.0, "noise": {"low": 0.9, "high": 1.1, "turns": 3}}
    tensors = {"tensors": {"act": 6}, "covered_tensors": 6, "bytes": 9, "covered_bytes": 9, "steps": 3}
    return {
        "machine": {"date": "today", "cpu": "one", "cores": 2, "memory_gb": 8, "system": "this", "load": 0.0},
        "versions": {"torch": "2.13.0"},
        "minutes": 1.0,
        "overhead": {"mlp": {"bare": bare, "variants": variants}},
        "coverage": {"mlp": tensors | {"missing": [], "different": []}},
        "store": {"write_cpu_us_per_step": 100.0, "write_cpu_growth": 1.0, "series_ms": 1.0, "step_ms": 1.0},
        "kernel": {
            "kernel": "native",
            "bytes": {"128 MB": 1 << 27},
            "seconds": {"128 MB": dict.fromkeys(("read", "full", "finite", "torch", "isfinite", "var_mean"), 0.01)},
        },
        "checkpoints": {"diff_over_reading": 1.2, "diff_memory_mib": 10.0},
        "comparing": {key: target - 1 for key, _, _, target in report.COMPARING},
        "profiling": {"mlp_error": 3.0, "gpt_error": 1.0, "cnn-half_error": 0.4},
        "inspecting": looks(),
    }


def looks() -> dict[str, float]:
    tools = ("forward_ms", *report.LOOKS, "summary_lead", "graph_lead")
    return {f"{model}_{tool}": 0.9 for model in ("resnet18", "gpt", "transformer48") for tool in tools}


def test_a_peer_that_failed_is_shown_with_the_reason() -> None:
    text, missed = report.render(measured())
    assert "fails: not installed: no such package" in text
    assert missed == []


def test_a_target_beyond_the_noise_is_missed() -> None:
    given = measured()
    given["overhead"]["mlp"]["variants"]["cheap"] = ratio(1.3)
    _, missed = report.render(given)
    assert missed == ["stetho, cheap tier every step on MLP: 1.30 [1.29–1.31], target 1.25"]


def test_a_look_that_takes_longer_than_others_is_missed() -> None:
    given = measured()
    given["inspecting"]["gpt_summary_lead"] = 1.2
    text, missed = report.render(given)
    assert missed == ["the same, GPT: 1.2 ×"]
    assert "| ResNet-18 " in text


def test_a_kernel_that_is_far_from_one_read_is_missed() -> None:
    given = measured()
    given["kernel"]["seconds"]["128 MB"]["full"] = 0.02
    text, missed = report.render(given)
    assert "take 2.00 times one read" in text
    assert missed == ["kernel: 2.00 times one read of 128 MB, target 1.5"]


def test_rare_dear_steps_count_for_the_default_budget() -> None:
    given = measured()
    given["overhead"]["mlp"]["variants"]["default"] = ratio(1.01, mean=1.2)
    text, _ = report.render(given)
    assert "not resolved" in text


def test_a_tensor_that_was_left_out_is_a_miss() -> None:
    given = measured()
    given["coverage"]["mlp"]["missing"] = ["step 1 act `0`"]
    _, missed = report.render(given)
    assert missed == ["coverage of MLP: missing: step 1 act `0`"]


def test_figures_beyond_their_targets_and_failures_are_misses() -> None:
    given = measured()
    given["checkpoints"]["diff_memory_mib"] = 300.0
    given["store"] = {"error": "no space"}
    _, missed = report.render(given)
    assert missed == ["store: no space", "its memory; two tensors are 32 MiB: 300.0 MiB"]


def test_only_what_is_between_the_markers_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"above\n{report.BEGIN}\nold\n{report.END}\nbelow\n", encoding="utf-8")
    report.write(page, "new")
    assert page.read_text(encoding="utf-8") == f"above\n{report.BEGIN}\n\nnew\n\n{report.END}\nbelow\n"


@pytest.mark.parametrize("name", ["inside", "overhead", "reference", "report"])
def test_examples_hold(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(f"bench.{name}"))
    assert outcome.attempted
    assert not outcome.failed
