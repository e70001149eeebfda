"""Native stacks: read back from what a dying thread wrote."""

import signal
import subprocess
import sys

import pytest

from stetho.capture.native_stack import INTERPRETER, MADE_ON_THE_FLY, TITLE, drawn, parted

DUMP = f"""{TITLE}
/lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7ff31b05a050]
/site-packages/torch/lib/libtorch_cpu.so(_ZN2at6native5copy_ERNS_6TensorERKS1_b+0x31)[0x7ff31ac0dece]
/lib/libpython3.11.so.1.0(_PyObject_MakeTpCall+0x7d)[0x7ff31b35861d]
/lib/libpython3.11.so.1.0(+0x250a40)[0x7ff31b450a40]
/usr/bin/python3(_start+0x21)[0x55d388a10081]
Fatal Python error: Segmentation fault

Current thread 0x00007fd6dc1e8b80 (most recent call first):
  File "train.py", line 7 in forward
"""


def test_names_are_readable_and_the_interpreter_is_one_line() -> None:
    frames, _ = parted(DUMP)
    assert frames == ["0x3c050 (libc.so.6)", "at::native::copy_ (libtorch_cpu.so)", INTERPRETER]


def test_the_rest_of_the_dump_is_untouched() -> None:
    _, rest = parted(DUMP)
    assert rest.startswith("Fatal Python error: Segmentation fault\n\nCurrent thread")


def test_code_without_a_file_belongs_to_the_stack() -> None:
    frames, rest = parted(f"{TITLE}\n[0x7f62986b9061]\n/lib/libc.so.6(abort+0xd3)[0x7f]\nFatal Python error: Aborted")
    assert (frames, rest) == ([MADE_ON_THE_FLY, "abort (libc.so.6)"], "Fatal Python error: Aborted")


def test_a_dump_without_a_native_stack_stays_as_it_is() -> None:
    assert parted("Fatal Python error: Aborted") == ([], "Fatal Python error: Aborted")
    assert list(drawn([])) == []


def test_a_torn_dump_keeps_what_is_whole() -> None:
    assert parted(f"{TITLE}\n/lib/libc.so.6(abort+0xd3)[0x7f]\n/lib/libc.so.6(ab") == (
        ["abort (libc.so.6)"],
        "/lib/libc.so.6(ab",
    )


CRASH = """
import faulthandler, os, signal, sys
from stetho.capture import _stacks
faulthandler.enable()
{between}
os.kill(os.getpid(), signal.SIGSEGV)
"""


def crashed(between: str) -> str:
    pytest.importorskip("stetho.capture._stacks", reason="built where there is a compiler")
    done = subprocess.run([sys.executable, "-c", CRASH.format(between=between)], capture_output=True, text=True)
    assert done.returncode == -signal.SIGSEGV
    return done.stderr


def test_the_native_stack_comes_before_the_python_stacks() -> None:
    error = crashed("_stacks.enable(2)")
    assert error.index(TITLE) < error.index("Fatal Python error: Segmentation fault")
    assert INTERPRETER in parted(error)[0]


def test_given_back_the_signals_are_as_before() -> None:
    error = crashed("_stacks.enable(2); _stacks.disable()")
    assert TITLE not in error
    assert error.startswith("Fatal Python error: Segmentation fault")
