"""The environment of the measurements: torch, stetho and the peers, apart from the one that develops stetho.

A peer that does not install is written down with the reason and shown as such; it stops nothing. torch goes first and
is the CPU build; a peer that would bring another one is taken back out.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TORCH = "2.13.0"
CPU_BUILDS = "https://download.pytorch.org/whl/cpu"

PEERS = {
    "tensorboard": "tensorboard",
    "wandb": "wandb",
    "msprobe": "mindstudio-probe",
    "underflow": "transformers",
    "traincheck": "traincheck",
}
"""Variant to the package that it needs."""
LOOKERS = ("torchinfo", "torchview", "torchlens")
"""What `bench.inspecting` needs; it fails as a whole without them."""


class NotInstalled(Exception):
    """pip could not install something."""


def prepare(venv: Path) -> Path:
    """Installs what is missing; gives the interpreter of the environment."""
    python = venv / "bin" / "python"
    wanted = {"peers": PEERS, "lookers": LOOKERS, "torch": TORCH, "project": (ROOT / "pyproject.toml").read_text()}
    stamp = venv / "bench-installed.json"
    if stamp.exists() and json.loads(stamp.read_text())["wanted"] == wanted:
        return python
    print(f"Installing torch, stetho and {len(PEERS)} peers into {venv} (once; a few minutes)", flush=True)
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    install_torch(python)
    pip(python, "-e", str(ROOT), "psutil")
    peers = PEERS | {name: name for name in LOOKERS}
    failed = {name: error for name, package in peers.items() if (error := install_peer(python, package))}
    stamp.write_text(json.dumps({"wanted": wanted, "failed": failed}, indent=1))
    return python


def failures(venv: Path) -> dict[str, str]:
    """The peers that did not install, and why."""
    stamp = venv / "bench-installed.json"
    found: dict[str, str] = json.loads(stamp.read_text())["failed"] if stamp.exists() else {}
    return found


def install_torch(python: Path) -> None:
    if torch_version(python) == f"{TORCH}+cpu":
        return
    try:
        pip(python, f"torch=={TORCH}+cpu", "numpy")
    except NotInstalled:
        pip(python, "--index-url", CPU_BUILDS, f"torch=={TORCH}+cpu", "numpy")


def install_peer(python: Path, package: str) -> str | None:
    """Installs one peer; gives the reason when that failed."""
    try:
        pip(python, package)
    except NotInstalled as error:
        return str(error)
    version = torch_version(python)
    if version == f"{TORCH}+cpu":
        return None
    subprocess.run([python, "-m", "pip", "uninstall", "-qq", "-y", package, "torch"], check=True)
    install_torch(python)
    return f"replaces torch {TORCH}+cpu by {version}"


def torch_version(python: Path) -> str | None:
    """The version that is installed, without the seconds that importing it takes."""
    ask = "from importlib.metadata import version; print(version('torch'))"
    asked = subprocess.run([python, "-c", ask], capture_output=True, text=True)
    return asked.stdout.strip() or None


def pip(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "install", "-qq", "-c", str(ROOT / "constraints.txt"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        raise NotInstalled((errors or ["pip failed"])[0].removeprefix("ERROR: "))
