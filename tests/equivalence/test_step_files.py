"""Steps on their way between processes."""

from pathlib import Path

import numpy as np

from stetho.equivalence.step_files import read_steps, write_steps


def test_steps_come_back_in_the_order_of_their_tensors(tmp_path: Path) -> None:
    steps = [{"param/z": np.zeros(2), "act/a": np.ones(3), "loss/": np.asarray(0.5)}, {"act/a": np.ones(1)}]
    write_steps(tmp_path, "rank-0", steps)
    found = read_steps(tmp_path, "rank-0")
    assert [list(step) for step in found] == [list(step) for step in steps]
    assert found[0]["loss/"] == 0.5
    assert read_steps(tmp_path, "rank-1") == []
