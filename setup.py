"""The native kernel. Everything else about the package is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import Extension, setup

FOLDER = Path("src/stetho/stats/native")
FLAGS = ["/O2", "/std:c11"] if sys.platform == "win32" else ["-O3", "-std=c11", "-fvisibility=hidden"]

setup(
    ext_modules=[
        Extension(
            "stetho.stats._native",
            sources=sorted(str(file) for file in FOLDER.glob("*.c")),
            depends=sorted(str(file) for file in FOLDER.glob("*.h")),
            extra_compile_args=FLAGS,
            # Without a compiler the installation goes on, and plain torch measures.
            optional=True,
        )
    ]
)
