"""The nearest pyproject.toml and its table `[tool.stetho]`."""

import re
import tomllib
from pathlib import Path

from stetho.errors import UsageError

PROJECT_FILE = "pyproject.toml"


def nearest_project_file(start: Path) -> Path | None:
    """The pyproject.toml in `start` or in the closest folder above it."""
    folder = start.absolute()
    return next((file for each in (folder, *folder.parents) if (file := each / PROJECT_FILE).is_file()), None)


def read_project_file(file: Path) -> dict[str, object]:
    """The table `[tool.stetho]` of a pyproject.toml."""
    try:
        tool = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        place = f"{file}:{line[1]}" if line else f"{file}"
        raise UsageError(f"not valid TOML ({error}); mend the file: {place}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read ({error}); stetho looks for [tool.stetho] in it: {file}") from None
    settings = tool.get("stetho", {}) if isinstance(tool, dict) else {}
    if not isinstance(settings, dict):
        raise UsageError(f"`tool.stetho` (={settings!r}) is not a table; write [tool.stetho] above its keys: {file}")
    return settings
