"""The reading side, which stands alone."""

import ast
import inspect

import torch

from stetho.capture.torch.bundle import rebuild
from stetho.capture.torch.bundle.rebuild import definitions, leaves

SOURCE = """
import math
WIDTH = 32
ROOT = math.sqrt(4)
model = build_everything()
def area(x):
    return WIDTH * x
class Net:
    pass
for epoch in range(10):
    raise SystemExit
"""


def test_only_definitions_of_a_file_are_run():
    module = definitions(SOURCE, "train.py", "bundled")
    assert (module.WIDTH, module.ROOT, module.area(2)) == (32, 2.0, 64)
    assert module.Net.__module__ == "bundled"
    assert not hasattr(module, "model")


def test_imports_nothing_of_stetho():
    tree = ast.parse(inspect.getsource(rebuild))
    names = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert not [name for name in names if "stetho" in name]


def test_tensors_are_found_in_their_order():
    x, y = torch.ones(1), torch.zeros(1)
    assert [each.item() for each in leaves({"a": [x, (y,)], "b": x})] == [1, 0, 1]
