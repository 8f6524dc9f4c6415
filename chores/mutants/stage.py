"""A copy of the repository for changed sources, and which tests look at which of them."""

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from chores.terminal import ROOT, Refused

HOME = ROOT / ".mutants"
SOURCES = ("proto/src", "engine/src", "server/src", "clients", "tests")
COPIED = (*SOURCES, "chores")
GAME = "engine/src/saurodrome/engine/games/draftosaurus"
NAMES = ("scoring", "lines", "pens", "board", "bits", "kernel", "turns", "positions", "reasons")
SCORING_AND_LEGALITY = tuple(f"{GAME}/{name}.py" for name in NAMES)
"""What is looked at when nothing is named."""

UNSHRUNK = """
hypothesis.settings.register_profile(
    "mutants", hypothesis.settings(), deadline=None, database=None, derandomize=True,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)
"""
"""The same examples in each run, and no time for finding the smallest one that fails."""

MUTMUT = '\n[tool.mutmut]\nsource_paths = ["engine/src"]\n'


def modules(named: Sequence[str], since: str | None) -> list[Path]:
    """Return the sources to look at, relative to the root.

    Args:
        named: Files and folders; none means those that score and judge Draftosaurus.
        since: A revision: only sources that have changed since then.

    Raises:
        Refused: There is no such source or revision.
    """
    found: dict[Path, None] = {}
    for name in named or SCORING_AND_LEGALITY:
        path = (ROOT / name).resolve()
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        if not all(file.is_file() and _is_source(file) for file in files) or not files:
            raise Refused(
                f"{name} is no source of saurodrome.\n"
                f"  do     name files or folders below .../src/saurodrome, as {GAME}/scoring.py"
            )
        found |= dict.fromkeys(file.relative_to(ROOT) for file in files)
    changed = found if since is None else _changed(since)
    return [file for file in found if file in changed]


def _is_source(file: Path) -> bool:
    return file.is_relative_to(ROOT) and "src/saurodrome/" in file.as_posix()


def _changed(since: str) -> dict[Path, None]:
    command = ["git", "diff", "--name-only", since, "--"]
    diff = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if diff.returncode:
        raise Refused(diff.stderr.strip())
    return dict.fromkeys(Path(line) for line in diff.stdout.splitlines())


def looking_at(module: Path) -> list[Path]:
    """Return the files of tests that look at a source, its own first, relative to the root.

    They are those of the folder that mirrors the source's: all of them, since tables that are
    kept hide which function was asked by whom. Of a folder that mirrors a whole distribution
    it is only the file of the same name.

    Raises:
        Refused: There are none.
    """
    parts = module.as_posix().partition("src/saurodrome/")[2].split("/")
    folders = [part for part in parts[:-1] if part != "games"]
    home = ROOT.joinpath("tests", *folders)
    own = sorted(home.glob(f"test_{module.stem}*.py"))
    others = sorted(home.glob("test_*.py")) if len(folders) > 1 else []
    found = dict.fromkeys([*own, *others])
    if not found:
        raise Refused(f"no tests in {home.relative_to(ROOT)} look at {module}.")
    return [file.relative_to(ROOT) for file in found]


def stage(home: Path) -> None:
    """Copy what tests need into a folder, anew."""
    leave = shutil.ignore_patterns("__pycache__", "*.so", ".*", "node_modules")
    for part in COPIED:
        if (home / part).exists():  # a run that was killed may still write there: out of the way
            (home / part).rename(tempfile.mkdtemp(dir=home, prefix="old-"))
        shutil.copytree(ROOT / part, home / part, ignore=leave)
    for old in home.glob("old-*"):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copy(ROOT / "run.py", home)
    (home / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text() + MUTMUT)
    with (home / "tests" / "conftest.py").open("a") as conftest:
        conftest.write(UNSHRUNK)


def digest(home: Path) -> str:
    """Return a hash of all that a verdict depends on."""
    content = hashlib.sha256()
    for file in _files(home):
        content.update(file.as_posix().encode() + file.read_bytes())
    return content.hexdigest()


def _files(home: Path) -> Iterator[Path]:
    yield home / "pyproject.toml"
    for part in SOURCES:
        for file in sorted((home / part).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file
