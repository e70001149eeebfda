"""The shape of the source, kept by a machine: imports go down the layers, files stay small, every module has a test."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"

LAYERS: tuple[tuple[str, ...], ...] = (
    ("stetho", "stetho.__main__", "stetho.testing"),
    (
        "stetho.commands",
        "stetho.watching",
        "stetho.tracing",
        "stetho.timing",
        "stetho.interacting",
        "stetho.pretty",
    ),
    ("stetho.feeding", "stetho.inspecting"),
    ("stetho.session", "stetho.judging", "stetho.postmortem"),
    ("stetho.views",),
    ("stetho.equivalence",),
    ("stetho.comparing",),
    ("stetho.profiling", "stetho.pipeline", "stetho.checkpoints"),
    ("stetho.inspect",),
    ("stetho.engine",),
    ("stetho.capture", "stetho.checks"),
    ("stetho.findings", "stetho.explaining"),
    ("stetho.store",),
    ("stetho.stats",),
    ("stetho.config",),
    ("stetho.option_values", "stetho.project_file"),
    ("stetho.records", "stetho.errors", "stetho.callbacks", "stetho.assertions", "stetho.conditions"),
)
"""From the top down. A module belongs to the longest name that fits. It imports its own kin and lower layers,
neither higher ones nor its neighbours on the same one."""

TORCH_AT_HOME = (
    "stetho.capture.torch",
    "stetho.checkpoints.torch",
    "stetho.comparing.torch",
    "stetho.equivalence.torch",
    "stetho.inspect.torch",
    "stetho.pipeline.torch",
    "stetho.profiling.torch",
    "stetho.stats.arrays",
    "stetho.stats.copies",
    "stetho.stats.histogram",
    "stetho.stats.kernel",
    "stetho.stats.native_kernel",
    "stetho.stats.sightings",
    "stetho.stats.summary",
    "stetho.stats.torch_kernel",
    "stetho.stats.update_rows",
)
"""Only these may import torch when they are loaded themselves."""

TORCH_WHEN_CALLED: dict[str, str] = {
    "stetho.assertions": "whoever calls an assertion on a tensor has loaded torch",
}
"""Modules that may import torch inside a function, with the reason."""

UPWARD_WHEN_CALLED: dict[str, str] = {}
"""Modules that may import a higher layer inside a function, with the reason."""

FAMILIES = ("data", "loop", "loss", "model", "optimisation", "signal")
WHAT_A_CHECK_IMPORTS = ("stetho.checks", "stetho.findings", "numpy")
NOT_FOR_CHECKS = (
    "stetho.checks.run.reading",
    "stetho.checks.loading",
    "stetho.checks.run.model_file",
    "stetho.checks.settings",
)
CLOCKS_FILES_AND_CHANCE = {"os", "pathlib", "time", "random", "subprocess", "sys", "warnings", "threading"}
LINES_OF_A_CHECK = 120

WITHOUT_OWN_TESTS: dict[str, str] = {
    "stetho.capture.torch.autopsy.ops": "plain data, made and read by its neighbours",
    "stetho.checks.run.facts": "plain data; its examples are run as doctests",
    "stetho.comparing.runs.fact": "plain data; its examples are run as doctests",
    "stetho.equivalence.torch.rank": "a process of its own, which the tests of its neighbour `ddp` start",
    "stetho.pipeline.facts": "plain data, made and read by its neighbours",
    "stetho.pipeline.settings": "plain data; its examples are run as doctests",
    "stetho.profiling.events": "plain data, made and read by its neighbours",
    "stetho.profiling.records": "plain data; its examples are run as doctests",
    "stetho.records": "plain data; its examples are run as doctests",
}
"""Modules without a test module of their own, with the reason."""

LINES_OF_A_MODULE = 300
LINES_OF_A_FUNCTION = 60
EMPTY_WORDS = {"utils", "util", "common", "base", "helper", "helpers", "misc", "manager"}


@dataclass(frozen=True)
class Import:
    """One import of `target` by `module`; `lazy` when it stands inside a function."""

    module: str
    target: str
    line: int
    lazy: bool

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


def module_name(file: Path) -> str:
    parts = file.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(file): file for file in sorted(SOURCE.glob("stetho/**/*.py"))}
TREES = {module: ast.parse(file.read_text(encoding="utf-8")) for module, file in FILES.items()}
PACKAGES = {module for module, file in FILES.items() if file.name == "__init__.py"}


def imports_of(module: str, tree: ast.Module) -> Iterator[Import]:
    lazy_nodes = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            origin = absolute_origin(module, node)
            # `from stetho.store import reader` imports the module stetho.store.reader, not only the package.
            targets = [
                f"{origin}.{alias.name}" if f"{origin}.{alias.name}" in FILES else origin for alias in node.names
            ]
        else:
            continue
        for target in dict.fromkeys(targets):
            yield Import(module, target, node.lineno, id(node) in lazy_nodes)


def absolute_origin(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.split(".")[: None if module in PACKAGES else -1]
    parents = package[: len(package) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


IMPORTS = [found for module, tree in TREES.items() for found in imports_of(module, tree)]


def is_inside(module: str, name: str) -> bool:
    return module == name or module.startswith(f"{name}.")


def place_of(module: str) -> tuple[int, str]:
    """The number of a module's layer, 0 at the top, and the name under which it stands there.

    `stetho` itself is the package's own file: a new module below it has to be given a layer by name.
    """
    places = {
        name: number
        for number, layer in enumerate(LAYERS)
        for name in layer
        if (module == name if name == "stetho" else is_inside(module, name))
    }
    assert places, f"{module} has no layer; give it a place in LAYERS"
    name = max(places, key=len)
    return places[name], name


def is_upward(found: Import) -> bool:
    if not is_inside(found.target, "stetho"):
        return False
    own, target = place_of(found.module), place_of(found.target)
    return target[0] <= own[0] and target[1] != own[1]


@pytest.mark.parametrize("module", FILES)
def test_every_module_has_a_layer(module: str) -> None:
    place_of(module)


def test_imports_go_down_the_layers() -> None:
    wrong = [
        str(found) for found in IMPORTS if is_upward(found) and not (found.lazy and found.module in UPWARD_WHEN_CALLED)
    ]
    assert wrong == []


def test_memory_of_the_program_is_shown_to_numpy_in_one_way() -> None:
    """`Tensor.numpy` leaves a mark on the storage: it can never be resized again."""
    watching = [module for module in TREES if is_inside(module, "stetho.stats") or is_inside(module, "stetho.capture")]
    for module in watching:
        calls = [node.func for node in ast.walk(TREES[module]) if isinstance(node, ast.Call)]
        names = {called.attr for called in calls if isinstance(called, ast.Attribute)}
        assert "numpy" not in names, f"{module}: take stetho.stats.arrays.array_of"


def test_torch_is_imported_only_where_tensors_are_measured() -> None:
    wrong = [
        str(found)
        for found in IMPORTS
        if is_inside(found.target, "torch")
        and not any(is_inside(found.module, home) for home in TORCH_AT_HOME)
        and not (found.lazy and found.module in TORCH_WHEN_CALLED)
    ]
    assert wrong == []


def is_single_check(module: str) -> bool:
    return module not in PACKAGES and any(is_inside(module, f"stetho.checks.{family}") for family in FAMILIES)


def is_for_checks(target: str) -> bool:
    top = target.partition(".")[0]
    if top in sys.stdlib_module_names:
        return top not in CLOCKS_FILES_AND_CHANCE
    is_known = any(is_inside(target, name) for name in WHAT_A_CHECK_IMPORTS)
    return is_known and not any(is_inside(target, name) for name in NOT_FOR_CHECKS)


def test_a_check_sees_a_window_and_nothing_else() -> None:
    wrong = [str(found) for found in IMPORTS if is_single_check(found.module) and not is_for_checks(found.target)]
    assert wrong == []


@pytest.mark.parametrize("module", [module for module in FILES if is_single_check(module)])
def test_a_check_is_one_small_file(module: str) -> None:
    lines = FILES[module].read_text(encoding="utf-8").count("\n")
    assert lines <= LINES_OF_A_CHECK, f"{module} has {lines} lines; move out of it what others could use"


def test_there_is_no_import_cycle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in FILES}
    for found in IMPORTS:
        if found.target in FILES and found.target != found.module and not (found.lazy and is_upward(found)):
            graph[found.module].add(found.target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("module", FILES)
def test_a_module_is_small_and_says_what_it_is(module: str) -> None:
    lines = FILES[module].read_text(encoding="utf-8").count("\n")
    assert ast.get_docstring(TREES[module]), f"{module} has no docstring"
    assert lines <= LINES_OF_A_MODULE, f"{module} has {lines} lines; split it"
    assert FILES[module].stem not in EMPTY_WORDS, f"{FILES[module].stem} says nothing about what is inside"


@pytest.mark.parametrize("module", FILES)
def test_functions_are_small(module: str) -> None:
    long = [
        f"{module}.{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > LINES_OF_A_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize("module", [module for module in FILES if module not in PACKAGES])
def test_every_module_has_a_twin_among_the_tests(module: str) -> None:
    *folders, stem = module.split(".")[1:]
    twin = ROOT.joinpath("tests", *folders, f"test_{stem.strip('_')}.py")
    is_exempted = module in WITHOUT_OWN_TESTS
    assert twin.exists() != is_exempted, f"{module} {'needs no' if is_exempted else 'has no'} {twin.relative_to(ROOT)}"


@pytest.mark.parametrize("exceptions", [TORCH_WHEN_CALLED, UPWARD_WHEN_CALLED, WITHOUT_OWN_TESTS])
def test_exceptions_name_modules_that_exist(exceptions: dict[str, str]) -> None:
    assert set(exceptions) <= set(FILES)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import torch.nn", ("torch.nn", False)),
        ("def load():\n    import torch", ("torch", True)),
        ("from stetho.store import format", ("stetho.store.format", False)),
        ("from . import format", ("stetho.store.format", False)),
        ("from ..records import Series", ("stetho.records", False)),
        ("class A:\n    from stetho import errors", ("stetho.errors", False)),
    ],
)
def test_sees_every_form_of_import(source: str, expected: tuple[str, bool]) -> None:
    (found,) = imports_of("stetho.store.reader", ast.parse(source))
    assert (found.target, found.lazy) == expected


@pytest.mark.parametrize(
    ("module", "target", "expected"),
    [
        ("stetho.store.format", "stetho.views.text", True),
        ("stetho.views.text", "stetho.store.format", False),
        ("stetho.views.text", "stetho.views.listing", False),
        ("stetho.capture.budget", "stetho.checks.window", True),
        ("stetho.views.text", "rich.table", False),
    ],
)
def test_knows_up_from_down(module: str, target: str, expected: bool) -> None:
    assert is_upward(Import(module, target, 1, lazy=False)) == expected
