"""Build hook: with SAURODROME_COMPILE=1 a wheel carries compiled modules, too.

Without the switch it is the plain wheel for every platform. With the switch, but where it cannot
be compiled, the build says why and makes the plain wheel.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledWheel(BuildHookInterface):
    """Adds what the distribution's `compiled.py` makes to a wheel that asks for it."""

    _folder: "tempfile.TemporaryDirectory[str] | None" = None

    def dependencies(self) -> list[str]:
        """Return what compiling needs beside a C compiler."""
        return ["mypy>=1.18", "setuptools"] if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and tell the builder what came out.

        Args:
            version: "standard", or "editable", which is never compiled.
            build_data: What the builder reads afterwards.
        """
        if not wanted() or version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="saurodrome-")
        folder = Path(self._folder.name)
        command = [sys.executable, str(Path(self.root) / "compiled.py"), str(folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            self.app.display_warning(f"{done.stdout}{done.stderr}\nnot compiled: a plain wheel")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for path in folder.rglob("*"):
            if path.suffix in (".so", ".pyd"):
                build_data["force_include"][str(path)] = path.relative_to(folder).as_posix()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was compiled; the wheel holds it now."""
        if self._folder is not None:
            self._folder.cleanup()


def wanted() -> bool:
    """Return whether the compiled form is asked for."""
    return os.environ.get("SAURODROME_COMPILE") == "1"
