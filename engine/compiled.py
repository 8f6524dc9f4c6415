"""Makes the compiled form of the engine: python compiled.py FOLDER.

FOLDER gets a copy of the sources and beside them the extension modules, so PYTHONPATH=FOLDER uses
them. Needs mypy, setuptools and a C compiler; `hatch_build.py` calls it for wheels.
"""

import os
import shutil
import sys
from pathlib import Path

RULES = "saurodrome/engine/games/draftosaurus"
MODULES = (
    "saurodrome/engine/xorshift.py",
    f"{RULES}/bits.py",
    f"{RULES}/pens.py",
    f"{RULES}/board.py",
    f"{RULES}/boards.py",
    f"{RULES}/lines.py",
    f"{RULES}/kernel.py",
    f"{RULES}/nodes.py",
    f"{RULES}/plots.py",
    f"{RULES}/position.py",
    f"{RULES}/turns.py",
    f"{RULES}/playout.py",
    f"{RULES}/knowledge.py",
    f"{RULES}/scoring.py",
    f"{RULES}/text.py",
    "saurodrome/engine/search/bandit.py",
    "saurodrome/engine/search/draftosaurus.py",
    "saurodrome/engine/search/duelosaur/search.py",
)
"""What is compiled, together: they call each other without a detour through Python."""


def compile_engine(folder: Path) -> list[Path]:
    """Copy the sources and compile the modules beside them.

    Args:
        folder: Where to; it is made if it misses.

    Returns:
        The extension modules.
    """
    from mypyc.build import mypycify
    from setuptools import setup

    source = Path(__file__).resolve().parent / "src"
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(source, folder, dirs_exist_ok=True, ignore=ignored)
    os.chdir(folder)
    options = ["--explicit-package-bases", "--namespace-packages", *MODULES]
    extensions = mypycify(options, opt_level="3", debug_level="0", group_name="saurodrome_engine")
    setup(
        name="saurodrome-engine",
        packages=[],
        ext_modules=extensions,
        script_args=["-q", "build_ext", "--inplace"],
    )
    shutil.rmtree("build")
    return sorted(path for path in folder.rglob("*") if path.suffix in (".so", ".pyd"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python compiled.py FOLDER")
    compile_engine(Path(sys.argv[1]).resolve())
