"""Where a loss is kept with its graph."""

from pathlib import Path

import pytest

from stetho.capture.text.kept import kept_at

LOOP = "for x, y in data:\n    loss = mse(model(x), y)\n    loss.backward()\n"
FUNCTION = "def step(x):\n    loss = model(x)\n    loss.backward()\n    return loss\nfor x in data:\n"


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (LOOP + "    history.append(loss)\n", 4),
        (LOOP + "    total += loss * len(x)\n", 4),
        (LOOP + "    total = total + loss\n", 4),
        (LOOP + "    self.losses[step] = loss\n", 4),
        (LOOP + "    logs.append({'loss': loss})\n", 4),
        (LOOP + "    history.append(loss.item())\n    total += loss\n", 5),
        (LOOP + "    history.append(loss.item())\n    total += float(loss)\n    seen += len(x)\n", None),
        (LOOP + "    history.append(loss.detach().cpu())\n", None),
        (LOOP + "    history.append(loss.data)\n", None),
        ("for x in data:\n    loss = a(x)\n    (loss / 4).backward()\n    loss += b(x)\n", None),
        (LOOP + "    history.append(loss)\n    total += loss\n", 4),
        (FUNCTION + "    history.append(step(x))\n", 6),
        (FUNCTION + "    value = step(x)\n    total += value\n", 7),
        (FUNCTION + "    total += step(x).item()\n", None),
    ],
)
def test_finds_the_line_that_keeps_the_graph(tmp_path: Path, program: str, wanted: int | None) -> None:
    file = tmp_path / "program.py"
    file.write_text(program)
    assert kept_at(f"{file}:3") == (f"{file}:{wanted}" if wanted is not None else None)
