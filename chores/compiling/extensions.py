"""Copies the sources of a distribution and compiles some of its modules beside them.

Needs mypy, setuptools and a C compiler.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

SOURCES = ("proto/src", "engine/src", "server/src", "clients/python/src")
"""Where types of what is imported from other distributions are looked up, from the root."""

_ROOT = Path(__file__).resolve().parents[2]
_CONFIG = """
[mypy]
explicit_package_bases = true
namespace_packages = true
ignore_missing_imports = true
follow_imports = silent
[mypy-{skipped}]
follow_imports = skip
"""
# Whether these are installed must make no difference, so their types are never looked at.
_SKIPPED = ("google.*", "grpc.*", "prometheus_client.*", "sqlalchemy.*", "structlog.*")


def compile_distribution(
    home: Path, modules: Sequence[str], group: str, folder: Path
) -> list[Path]:
    """Copy the sources of a distribution and compile modules beside them, as one group.

    Modules of a group call each other without a detour through Python.

    Args:
        home: The distribution, whose sources are in its `src`.
        modules: Files to compile, from `src`.
        group: The name of what they share.
        folder: Where to; it is made if it misses.

    Returns:
        The extension modules.
    """
    from mypyc.build import mypycify
    from setuptools import setup

    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(home / "src", folder, dirs_exist_ok=True, ignore=ignored)
    others = [_ROOT / source for source in SOURCES if _ROOT / source != home / "src"]
    os.environ["MYPYPATH"] = os.pathsep.join(str(source) for source in others if source.is_dir())
    os.chdir(folder)
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch, "mypy.ini")
        config.write_text(_CONFIG.format(skipped=",".join(_SKIPPED)))
        extensions = mypycify(
            [f"--config-file={config}", f"--cache-dir={scratch}", *modules],
            opt_level="3",
            debug_level="0",
            group_name=group,
            target_dir=str(Path(scratch, "c")),
        )
        setup(
            name=group,
            packages=[],
            ext_modules=extensions,
            script_args=["-q", "build", f"--build-base={scratch}", "build_ext", "--inplace"],
        )
    return sorted(path for path in folder.rglob("*") if path.suffix in (".so", ".pyd"))


def main(home: Path, modules: Sequence[str], group: str) -> None:
    """Compile a distribution into the folder that the command names."""
    if len(sys.argv) != 2:
        sys.exit(f"usage: python {sys.argv[0]} FOLDER")
    compile_distribution(home, modules, group, Path(sys.argv[1]).resolve())
