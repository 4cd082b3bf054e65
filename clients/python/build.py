"""Builds the wheel of the client in `dist/`, and prints its path.

Needs no network: setuptools and wheel are those of the Python that runs this, such as Debian's
python3-setuptools and python3-wheel. `make client-python` generates first what the wheel contains.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

CLIENT = Path(__file__).parent
CONTENT = ["pyproject.toml", "README.md", "CHANGELOG.md", "src"]


def missing_packages() -> list[str]:
    """What this Python lacks. Setuptools builds wheels by itself from 70.1 on."""
    if find_spec("setuptools") is None:
        return ["setuptools", "wheel"]
    return [] if find_spec("wheel") or find_spec("setuptools.command.bdist_wheel") else ["wheel"]


def main() -> None:
    if missing := missing_packages():
        debian = " ".join(f"python3-{name}" for name in missing)
        sys.exit(
            f"{sys.executable} lacks {' and '.join(missing)}: install it (Debian: apt-get install {debian}), "
            "or name another Python: make client-python PYTHON=/path/of/python3"
        )
    from setuptools import build_meta

    if not (CLIENT / "src/saring/gen/__init__.py").exists():
        sys.exit("src/saring/gen is missing: run make client-python.")
    dist = CLIENT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir()
    # setuptools leaves files of its own beside the sources.
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        for name in CONTENT:
            copy = shutil.copytree if (CLIENT / name).is_dir() else shutil.copy
            copy(CLIENT / name, Path(folder) / name)
        os.chdir(folder)
        wheel = build_meta.build_wheel(str(dist))
        os.chdir(CLIENT)
    print(dist / wheel)


main()
