"""Build hook: with SAURODROME_COMPILE=1 the wheel carries modules compiled by mypyc, too."""

import sys
from pathlib import Path

# `chores` is at the root; a source distribution has a copy of its own.
sys.path.extend(map(str, Path(__file__).resolve().parents[:2]))

from chores.compiling.wheel import CompiledWheel

__all__ = ["CompiledWheel"]
