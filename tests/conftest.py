"""What every test stands on: one thread for each process, and none of the caller's own settings."""

import os

import pytest

# Before anything loads torch or numpy: the tests run side by side on few cores.
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
# Some virtual machines name the tiles of AMX among what they have, and die of the first instruction for them.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

SETTINGS_OF_THE_CALLER = ("STETHO", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "RANK", "LOCAL_RANK", "WORLD_SIZE")


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller's environment must not decide what a test sees."""
    for variable in SETTINGS_OF_THE_CALLER:
        monkeypatch.delenv(variable, raising=False)
