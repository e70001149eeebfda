"""The native parts: kernel, guard, the trail of a trace, the stacks of a crash. All else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup

FLAGS = ["/O2", "/std:c11"] if sys.platform == "win32" else ["-O3", "-std=c11", "-fvisibility=hidden"]


def native(name: str, folder: Path) -> Extension:
    return Extension(
        name,
        sources=sorted(str(file) for file in folder.glob("*.c")),
        depends=sorted(str(file) for file in folder.glob("*.h")),
        extra_compile_args=FLAGS,
        # Without a compiler the installation goes on: plain torch measures, and a crash shows Python stacks only.
        optional=True,
    )


setup(
    ext_modules=[
        native("stetho.stats._native", Path("src/stetho/stats/native")),
        native("stetho.capture._stacks", Path("src/stetho/capture/native")),
        native("stetho.capture._guard", Path("src/stetho/capture/native/guard")),
        native("stetho.capture.torch._trail", Path("src/stetho/capture/torch/native")),
    ]
)
