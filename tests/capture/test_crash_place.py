"""The stacks of a dead process lead to the user's line and to the layer."""

import json
from pathlib import Path

from stetho.capture.crash_place import crash_place, failing_thread, tidied

STACKS = """Fatal Python error: Segmentation fault

Thread 0x00007f9e7ff146c0 (most recent call first):
  File "/x/src/stetho/capture/background.py", line 45 in _loop
  File "/usr/lib/python3.11/threading.py", line 1002 in _bootstrap

Current thread 0x00007f9e9fa00b80 (most recent call first):
  File "/v/site-packages/torch/nn/modules/linear.py", line 134 in forward
  File "/v/site-packages/torch/nn/modules/module.py", line 1832 in inner
  File "/v/site-packages/torch/nn/modules/container.py", line 253 in forward
  File "{folder}/net.py", line 6 in forward
  File "{folder}/net.py", line 9 in <module>
  File "/x/src/stetho/capture/launch.py", line 193 in _execute
  File "<frozen runpy>", line 198 in _run_module_as_main

Extension modules: numpy (total: 1)"""


def run_folder(folder: Path, *layers: tuple[str, str, str]) -> Path:
    entries = [{"name": name, "class": kind, "called": called} for name, kind, called in layers]
    (folder / "model.json").write_text(json.dumps({"models": [{"layers": entries}]}))
    return folder


def test_names_the_layer_of_a_chain_by_its_class(tmp_path: Path) -> None:
    called = f"{tmp_path}/net.py:6"
    run = run_folder(
        tmp_path, ("net.0", "Linear", called), ("net.1", "ReLU", called), ("", "Net", f"{tmp_path}/net.py:9")
    )
    assert crash_place(STACKS.format(folder=tmp_path), run) == (called, ["net.0"])


def test_names_a_layer_of_the_users_own_class(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text("\n\n\nclass Bad:\n    def forward(self):\n        boom()\n\n\nnet()\n")
    called = f"{tmp_path}/net.py:9"
    run = run_folder(tmp_path, ("0", "Linear", called), ("1", "Bad", called))
    stacks = STACKS.format(folder=tmp_path).replace("modules/linear.py", "functional.py")
    assert crash_place(stacks, run) == (f"{tmp_path}/net.py:6", ["1"])


def test_without_a_model_there_is_the_line(tmp_path: Path) -> None:
    assert crash_place(STACKS.format(folder=tmp_path), None) == (f"{tmp_path}/net.py:6", [])
    assert crash_place("nothing", tmp_path) == (None, [])


RECURSIVE = """
class Tree(Module):
    def forward(self, x):
        def deeper(x):
            return deeper(x)
        return deeper(self.fc(x))
"""


def overflowing(folder: Path) -> str:
    (folder / "tree.py").write_text(RECURSIVE)
    module = '  File "/v/site-packages/torch/nn/modules/module.py", line {} in _call_impl\n'
    top = [f'  File "/v/site-packages/torch/{name}.py", line 1 in f\n' for name in ("a", "b", "c", "d", "e")]
    top += [f'  File "{folder}/tree.py", line 6 in forward\n', module.format(1)]
    deeper = f'  File "{folder}/tree.py", line 5 in deeper\n'
    return "Current thread 0x0 (most recent call first):\n" + "".join([*top, *[deeper, module.format(2)] * 45])


def test_a_stack_that_ran_over_is_placed_where_it_goes_round(tmp_path: Path) -> None:
    run = run_folder(tmp_path, ("net.tree", "Tree", "train.py:9"), ("net.tree.fc", "Linear", f"{tmp_path}/tree.py:6"))
    assert crash_place(overflowing(tmp_path), run) == (f"{tmp_path}/tree.py:5", ["net.tree"])


def test_of_many_layers_of_a_class_none_is_named(tmp_path: Path) -> None:
    run = run_folder(tmp_path, *((f"{number}", "Tree", "train.py:9") for number in range(9)))
    assert crash_place(overflowing(tmp_path), run) == (f"{tmp_path}/tree.py:5", [])


def test_before_the_model_is_known_its_class_is_named(tmp_path: Path) -> None:
    assert crash_place(overflowing(tmp_path), None) == (f"{tmp_path}/tree.py:5", ["Tree"])


def test_leaves_out_what_is_ours() -> None:
    imports = '  File "<frozen importlib._bootstrap>", line 241 in _call_with_frames_removed\n'
    text = tidied(STACKS.replace("  File", imports + "  File", 1))
    assert "importlib" not in text
    assert "stetho" not in text
    assert "Extension modules" not in text
    assert failing_thread(text).startswith("Current thread")
