from pathlib import Path

import pytest

from stetho.capture.text.backwards import left_backwards_at

SUM = "    total = r + gamma * total\n"


def written(tmp_path: Path, text: str) -> str:
    program = tmp_path / "train.py"
    program.write_text(text)
    return str(program)


@pytest.mark.parametrize("over", ["reversed(rewards)", "rewards[::-1]", "reversed(list(rewards))"])
def test_sums_that_stay_as_they_were_appended_are_found(tmp_path: Path, over: str) -> None:
    file = written(tmp_path, f"for r in {over}:\n{SUM}    out.append(total)\n")
    assert left_backwards_at(file) == f"{file}:3"


@pytest.mark.parametrize(
    "text",
    [
        f"for r in reversed(rewards):\n{SUM}    out.insert(0, total)\n",
        f"for r in reversed(rewards):\n{SUM}    out = [total] + out\n    seen.append(total)\n",
        f"for r in reversed(rewards):\n{SUM}    out.append(total)\nout.reverse()\n",
        f"for r in reversed(rewards):\n{SUM}    out.append(total)\nreturns = tensor(out[::-1])\n",
        f"for r in reversed(rewards):\n{SUM}    out.append(total)\nreturns = tensor(out).flip(0)\n",
        f"for r in reversed(rewards):\n{SUM}    out.append(total)\nlp = list(reversed(log_probs))\n",
        f"for r in rewards:\n{SUM}    out.append(total)\n",
        "for r in reversed(rewards):\n    total = r + total\n    out.append(r)\n",
    ],
)
def test_what_is_turned_round_anywhere_is_not(tmp_path: Path, text: str) -> None:
    assert left_backwards_at(written(tmp_path, text)) is None


def test_nothing_is_known_of_a_file_that_is_gone() -> None:
    assert left_backwards_at("gone.py") is None
