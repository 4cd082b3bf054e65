"""Builds the wheel of the client in `dist/`, and prints its path.

Needs no network: setuptools and wheel are those of the Python that runs this, such as Debian's
python3-setuptools and python3-wheel. `make client-python` generates first what the wheel contains.
"""

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from setuptools import build_meta

CLIENT = Path(__file__).parent
CONTENT = ["pyproject.toml", "README.md", "CHANGELOG.md", "src"]


def main() -> None:
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
