"""A launched program cannot tell that it was not started by python itself."""

import os
import signal
import subprocess
import sys
import textwrap
import traceback
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from stetho.capture import launch
from stetho.capture.launch import Program, ending_of
from stetho.capture.unnoticed import unnoticed_file
from stetho.errors import UsageError
from stetho.records import Ending, StepsReached

LAUNCHER = """
import os, sys
from stetho.capture.launch import Program, run_program

def tell(ending):
    exec("1")  # code from text, as every new dataclass runs it
    with open(os.environ["ENDINGS"], "a") as file:
        file.write(f"{ending.kind} {ending.code} {ending.error} {ending.where}\\n")

run_program(Program.from_words(sys.argv[1:]), tell)
"""

FACTS = """
import os, sys
main = sys.modules["__main__"]
print(sorted(globals()), __name__, __file__, __package__, __doc__, __builtins__)
print(__spec__ and (__spec__.name, __spec__.origin), main.__dict__ is globals())
print(type(__loader__), __loader__.name, __loader__.path)
print(sys.argv, sys.orig_argv[1:], sys.path[0], os.getcwd(), sys.stdin.read(), sys.flags)
"""


@dataclass(frozen=True)
class Outcome:
    """What the shell sees of a program."""

    status: int
    stdout: bytes
    stderr: bytes


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
    return folder


def outcome(words: list[str], folder: Path, kill: signal.Signals | None, environment: dict[str, str]) -> Outcome:
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    first = b""
    if kill is not None:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(kill)
    with process:
        try:
            stdout, stderr = process.communicate(None if kill else b"typed\n", timeout=60)
        finally:
            process.kill()
    return Outcome(process.returncode, first + stdout, stderr)


def launched(
    words: list[str], folder: Path, kill: signal.Signals | None = None, **environment: str
) -> tuple[Outcome, str]:
    """Run the same words bare and launched in `folder`, demand the same outcome, and give it with the endings told."""
    endings = folder.parent / "endings.txt"
    launcher = folder.parent / "launcher.py"
    launcher.write_text(LAUNCHER)
    bare = outcome(words, folder, kill, environment)
    ours = outcome([str(launcher), *words], folder, kill, {**environment, "ENDINGS": str(endings)})
    assert ours == bare
    return ours, endings.read_text() if endings.exists() else ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "work"
    inner.mkdir()
    return inner


@pytest.mark.parametrize(
    "words",
    [
        ["facts.py"],
        ["./facts.py", "a", "--every", "3", "-m", "--", "-h"],
        ["../work/facts.py"],
        ["sub/facts.py", "x"],
        ["-m", "facts", "-v"],
        ["-m", "package"],
        ["-m", "package.inner", "--out=x"],
        ["package", "a"],
        ["packed.zip", "a"],
    ],
)
def test_sees_what_it_sees_under_python(words: list[str], folder: Path) -> None:
    files = ["facts.py", "sub/facts.py", "package/__main__.py", "package/inner.py"]
    write(folder, {"package/__init__.py": "", **dict.fromkeys(files, FACTS)})
    with zipfile.ZipFile(folder / "packed.zip", "w") as archive:
        archive.writestr("__main__.py", FACTS.replace("__loader__.name, __loader__.path", ""))
    seen, endings = launched(words, folder)
    assert seen.status == 0, seen.stderr
    assert endings == "finished 0 None None\n"
    if words[0] != "-m":
        # With a safe path the current folder is not on the path, and no module of this folder is found.
        assert launched(words, folder, PYTHONSAFEPATH="1")[0].status == 0


def test_an_absolute_path_and_a_link_are_resolved_as_python_does(folder: Path) -> None:
    write(folder, {"real/facts.py": FACTS})
    (folder / "link.py").symlink_to(folder / "real" / "facts.py")
    for path in (str(folder / "real" / "facts.py"), "link.py"):
        seen, _ = launched([path], folder)
        assert seen.status == 0, seen.stderr


@pytest.mark.parametrize(
    ("line", "status", "ending"),
    [
        ("pass", 0, "finished 0 None None"),
        ("sys.exit()", 0, "exit 0 None None"),
        ("sys.exit(3)", 3, "exit 3 None None"),
        ("sys.exit(-1)", 255, "exit 255 None None"),
        ("sys.exit('text')", 1, "exit 1 text None"),
        ("raise SystemExit([1])", 1, "exit 1 [1] None"),
        ("1 / 0", 1, "exception 1 ZeroDivisionError: division by zero program.py:3"),
        ("os._exit(5)", 5, ""),
        ("raise KeyboardInterrupt", -2, "interrupted 130 KeyboardInterrupt program.py:3"),
        ("raise type('Own', (BaseException,), {})", 1, "exception 1 Own program.py:3"),
        (
            "import stetho.errors as ours; raise ours.UsageError('x')",
            1,
            "exception 1 stetho.errors.UsageError: x program.py:3",
        ),
        ("raise BrokenPipeError", 1, "exception 1 BrokenPipeError program.py:3"),
    ],
)
@pytest.mark.parametrize("words", [["program.py"], ["-m", "program"]])
def test_ends_as_under_python(words: list[str], line: str, status: int, ending: str, folder: Path) -> None:
    write(folder, {"program.py": f"import atexit, os, sys\natexit.register(print, 'at exit')\n{line}\n"})
    seen, endings = launched(words, folder)
    assert seen.status == status
    expected = ending.replace("program.py", str(folder / "program.py"))
    assert endings == (f"{expected}\n" if ending else "")


def test_a_traceback_is_the_programs_own_to_the_letter(folder: Path) -> None:
    write(
        folder,
        {
            "program.py": """
            from library import fail
            def outer():
                try:
                    {}["key"]
                except KeyError as error:
                    raise RuntimeError("again") from error
                finally:
                    fail()
            outer()
            """,
            "library.py": "def fail():\n    raise ValueError('two\\nlines')\n",
        },
    )
    seen, endings = launched(["program.py"], folder)
    assert b"Traceback" in seen.stderr
    assert str(folder / "library.py") + ":2" in endings
    launched(["-m", "program"], folder)


@pytest.mark.parametrize("text", ["x ===\n", "x = 1\n  y = 2\n", "import nowhere\n"])
def test_a_program_that_cannot_be_read_fails_as_under_python(text: str, folder: Path) -> None:
    write(folder, {"program.py": text})
    seen, endings = launched(["program.py"], folder)
    assert seen.status == 1
    assert endings.startswith("exception 1 ")


def test_the_script_that_began_a_program_outlives_its_error(folder: Path) -> None:
    # Python takes `__file__` from its variables once the error is printed, and does not hold them for that.
    start = """
        import sys, weakref
        from stetho.capture.launch import Program, run_program
        began = weakref.ref(sys.modules["__main__"])
        sys.excepthook = lambda *error: print(began() is not None)
        run_program(Program("program.py"))
        """
    write(folder, {"program.py": "x ===\n", "start.py": start})
    seen = outcome(["start.py"], folder, None, {})
    assert (seen.status, seen.stdout) == (1, b"True\n")


def test_other_encodings_are_read(folder: Path) -> None:
    (folder / "program.py").write_bytes("# coding: latin-1\nprint(ascii('é'))\n".encode("latin-1"))
    assert launched(["program.py"], folder)[0].stdout == b"'\\xe9'\n"


def test_the_programs_own_excepthook_gets_its_error(folder: Path) -> None:
    write(
        folder,
        {
            "program.py": """
            import sys, traceback
            def hook(kind, error, trace):
                print(kind, error, traceback.extract_tb(trace), trace is sys.last_traceback, sys.excepthook is hook)
            sys.excepthook = hook
            1 / 0
            """
        },
    )
    assert launched(["program.py"], folder)[0].stdout.startswith(b"<class 'ZeroDivisionError'>")


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard by what the tests start, also where they run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("kill", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [["program.py"], ["-m", "program"]])
def test_dies_of_a_signal_as_under_python(words: list[str], kill: signal.Signals, folder: Path) -> None:
    write(
        folder,
        {
            "program.py": f"""
            import atexit, signal
            atexit.register(print, "at exit")
            try:
                print("left in the buffer")
                signal.raise_signal({int(kill)})
            finally:
                print("finally")
            """
        },
    )
    seen, endings = launched(words, folder)
    assert seen.status == -kill
    assert endings.startswith("interrupted 130" if kill == signal.SIGINT else "terminated 143")
    assert endings.count("\n") == 1


def test_a_signal_handler_of_the_program_is_left_alone(folder: Path) -> None:
    write(
        folder,
        {
            "program.py": """
            import signal, sys, time
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
            print("ready", flush=True)
            time.sleep(60)
            """
        },
    )
    seen, endings = launched(["program.py"], folder, signal.SIGTERM)
    assert seen.status == 7
    assert endings == "exit 7 None None\n"


def test_a_forked_child_has_the_default_signal_and_tells_no_ending(folder: Path) -> None:
    write(
        folder,
        {
            "program.py": """
            import os, signal, sys
            for leave in (lambda: os.kill(os.getpid(), signal.SIGTERM), lambda: sys.exit(4), lambda: 1 / 0):
                child = os.fork()
                if not child:
                    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
                    leave()
                print(os.waitpid(child, 0)[1], flush=True)
            if not os.fork():
                print("child ends", flush=True)
            else:
                os.wait()
                print("parent ends")
            """
        },
    )
    seen, endings = launched(["program.py"], folder)
    assert b"child ends" in seen.stdout
    assert endings == "finished 0 None None\n"


@pytest.mark.parametrize("words", [["program.py"], ["-m", "program"], ["-m", "package.inner"]])
def test_pickles_and_spawns_its_own_classes(words: list[str], folder: Path) -> None:
    text = """
    import multiprocessing, pickle
    class Thing:
        value = 3
    def work(thing):
        return thing.value, __name__
    if __name__ == "__main__":
        assert type(pickle.loads(pickle.dumps(Thing()))) is Thing
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            print(pool.map(work, [Thing()]))
    """
    write(folder, {"program.py": text, "package/inner.py": text, "package/__init__.py": ""})
    assert launched(words, folder)[0].stdout == b"[(3, '__mp_main__')]\n"


def test_threads_go_on_after_the_main_code(folder: Path) -> None:
    write(
        folder,
        {
            "program.py": """
            import atexit, sys, threading
            atexit.register(print, "at exit")
            main = threading.main_thread()
            threading.Thread(target=lambda: (main.join(), print("thread ends"))).start()
            sys.exit(2)
            """
        },
    )
    assert launched(["program.py"], folder)[0].stdout == b"thread ends\nat exit\n"


def test_stdout_bytes_stay_as_they_are(folder: Path) -> None:
    write(folder, {"program.py": "import sys; sys.stdout.buffer.write(bytes(range(256))); print('\\r50%', end='')"})
    assert launched(["program.py"], folder)[0].stdout == bytes(range(256)) + b"\r50%"


def test_an_ending_is_told_after_the_traceback_and_before_exit_handlers(folder: Path) -> None:
    write(folder, {"program.py": "import atexit, sys\natexit.register(print, 'at exit', file=sys.stderr)\n1 / 0\n"})
    launcher = folder / "launcher.py"
    launcher.write_text(LAUNCHER.replace('open(os.environ["ENDINGS"], "a")', "open(2, 'w', closefd=False)"))
    seen = outcome([str(launcher), "program.py"], folder, None, {})
    order = [seen.stderr.index(part) for part in (b"ZeroDivisionError", b"exception 1", b"at exit")]
    assert order == sorted(order)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no program given"),
        (["-m"], "no program given"),
        (["nowhere.py"], "no such program; .*: nowhere.py"),
        (["empty"], "a folder is run through its __main__.py, and there is none in: empty"),
        (["-m", "nowhere.at.all"], "no module named `nowhere` .*: nowhere.at.all"),
    ],
)
def test_a_program_that_is_not_there_is_one_error(
    words: list[str], message: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "empty").mkdir()
    monkeypatch.chdir(folder)
    with pytest.raises(UsageError, match=message):
        Program.from_words(words).check()


def is_found(module: str) -> bool:
    try:
        Program(module, is_module=True).check()
    except UsageError:
        return False
    return True


def test_modules_of_every_kind_are_found() -> None:
    modules = ("json.tool", "sys", "zipimport", "nowhere.at.all", "pytest")
    assert list(filter(is_found, modules)) == ["json.tool", "sys", "zipimport", "pytest"]


def test_a_script_is_named_after_its_file_and_a_folder_after_itself(tmp_path: Path) -> None:
    assert Program(str(tmp_path / "train.v2.py")).name == "train.v2"
    assert Program(str(tmp_path)).name == tmp_path.name


def test_the_wanted_number_of_steps_is_a_clean_end() -> None:
    assert ending_of(StepsReached(0)) == Ending("steps reached", 0)


@pytest.mark.parametrize("file", [launch.__file__, unnoticed_file(launch.__file__)])
def test_frames_of_ours_are_no_part_of_a_traceback(file: str) -> None:
    ours: dict[str, Any] = {}
    exec(compile("def followed(function):\n    return function()", file, "exec"), ours)

    def theirs() -> None:
        ours["followed"](lambda: int("x"))

    with pytest.raises(ValueError, match="invalid literal") as caught:
        ours["followed"](theirs)
    trace = launch.without_ours(caught.value.__traceback__)
    names = [frame.f_code.co_name for frame, _ in traceback.walk_tb(trace)]
    assert names == ["test_frames_of_ours_are_no_part_of_a_traceback", "theirs", "<lambda>"]
