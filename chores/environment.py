"""Environments of pinned packages: made when missing, made anew when the pins or Python changed."""

import contextlib
import fcntl
import functools
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from chores.terminal import ROOT, Refused, say, succeeds

DISTRIBUTIONS = ("proto", "engine", "server", "clients/python")
STAMP = "made-by-run.py.json"
# dev.txt holds everything that run.txt holds, so either satisfies who needs "run".
SATISFIED_BY = {
    "run": ("run", "dev"),
    "dev": ("dev",),
    "rl": ("rl",),
    "proto": ("proto",),
    "observe": ("observe",),
    "mutants": ("mutants",),
    "deploy": ("deploy",),
}
HOMES = {
    "run": ".venv",
    "dev": ".venv",
    "rl": ".venv-rl",
    "proto": ".venv-proto",
    "observe": ".venv-observe",
    "mutants": ".venv-mutants",
    "deploy": ".venv-deploy",
}


@functools.cache
def prepare(pins: str) -> Path:
    """Return a Python that has the packages of requirements/<pins>.txt, set up when needed."""
    home = ROOT / HOMES[pins]
    python = home / "bin" / "python"
    with locked(home):
        if is_foreign(home):
            say(f"note: {home.name} was not made by run.py: using it as it is, pins unchecked.")
            if not python.exists():
                raise Refused(f"{python} is missing.\n  do     remove the folder {home.name}")
            return python
        stamp = read_stamp(home)
        if stamp is not None and is_stale(stamp):
            say(f"The pins, Python or the folder's place changed: making {home.name} anew.")
            remove(home)
            stamp = None
        if stamp is None:
            stamp = make_empty(home)
        if not any(name in stamp["pins"] for name in SATISFIED_BY[pins]):
            install(python, pins, first=not stamp["pins"])
            if pins not in ("proto", "deploy"):
                link_sources(home)
            stamp["pins"][pins] = digest(pins)
            write_stamp(home, stamp)
    return python


@contextlib.contextmanager
def locked(home: Path) -> Iterator[None]:
    """Keep a second run.py from setting up the same environment at the same time."""
    with (home.parent / f"{home.name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"Waiting for another run.py that is setting up {home.name} ...")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def is_foreign(home: Path) -> bool:
    """Tell whether an environment is there that somebody else made, which is not ours to change."""
    return home.exists() and not (home / STAMP).exists()


def read_stamp(home: Path) -> dict[str, dict[str, str]] | None:
    """Return what an environment was made from, or None if there is no environment."""
    if not home.exists():
        return None
    try:
        stamp: dict[str, dict[str, str]] = json.loads((home / STAMP).read_text())
    except ValueError:  # cut short by a full disk or a crash
        return {"origin": {}, "pins": {}}
    return stamp


def remove(home: Path) -> None:
    """Remove an environment, by another name first: one half removed would not be known as ours."""
    old = home.with_name(f"{home.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    home.rename(old)
    shutil.rmtree(old)


def write_stamp(home: Path, stamp: dict[str, dict[str, str]]) -> None:
    """Record what an environment was made from."""
    (home / STAMP).write_text(json.dumps(stamp, indent=1))


def origin() -> dict[str, str]:
    """Return what an environment cannot outlive: the Python it links to and its place."""
    return {"python": f"{sys.base_prefix} {sys.version}", "place": str(ROOT)}


def is_stale(stamp: dict[str, dict[str, str]]) -> bool:
    """Tell whether an environment was made from other pins, another Python or in another place."""
    return stamp["origin"] != origin() or any(
        digest(name) != made_from for name, made_from in stamp["pins"].items()
    )


def digest(pins: str) -> str:
    """Return a hash of all that `install` and `link_sources` put into an environment."""
    content = (ROOT / "requirements" / f"{pins}.txt").read_bytes()
    return hashlib.sha256(content + repr(projects()).encode()).hexdigest()


def clean(home: Path) -> None:
    """Remove an environment if there is one and it was made here."""
    if is_foreign(home):
        say(f"note: {home.name} was not made by run.py: left as it is.")
    elif home.exists():
        remove(home)
    home.with_name(f"{home.name}.lock").unlink(missing_ok=True)


def make_empty(home: Path) -> dict[str, dict[str, str]]:
    """Make an environment without packages; without pip too, as a bare Debian has no ensurepip."""
    stamp: dict[str, dict[str, str]] = {"origin": origin(), "pins": {}}
    home.mkdir()
    write_stamp(home, stamp)  # first, so that one left unfinished is known as ours
    make_venv(home)
    return stamp


def make_venv(home: Path) -> None:
    """Let Python's own venv fill a folder."""
    command = [base_python(), "-m", "venv", "--without-pip", str(home)]
    subprocess.run(command, check=True)


def base_python() -> str:
    """Return the Python outside any environment, also when an activated one runs this file."""
    return str(getattr(sys, "_base_executable", sys.executable))


def install(python: Path, pins: str, first: bool) -> None:
    """Install requirements/<pins>.txt, every file checked against its hash."""
    home = python.parent.parent.name
    label = f"Setting up {home} (first time only)" if first else f"Adding {pins} packages to {home}"
    options = ["--require-hashes", "--no-deps", "-r", f"requirements/{pins}.txt"]
    command = [*installer(python), *options]
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as output:
        child = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
        while child.poll() is None:
            if sys.stderr.isatty():
                passed = int(time.monotonic() - started)
                print(f"\r{label} ... {passed} s", end="", file=sys.stderr, flush=True)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=1)
        start_of_line = "\r" if sys.stderr.isatty() else ""
        say(f"{start_of_line}{label} ... {time.monotonic() - started:.0f} s")
        if child.returncode:
            output.seek(0)
            say(output.read().rstrip())
            raise Refused(
                f"the packages of requirements/{pins}.txt could not be installed (above: why).\n"
                "  do     check the network, then run the same command again: it goes on from here"
            )


def installer(python: Path) -> list[str]:
    """Return the first way to install into `python`'s environment that works on this machine."""
    quiet = ["install", "--quiet", "--disable-pip-version-check"]
    outer = [base_python(), "-m", "pip", "--python", str(python)]
    if succeeds([*outer, "--version"]):
        return [*outer, *quiet]
    inner = [str(python), "-m", "pip"]
    if succeeds([str(python), "-m", "ensurepip"]) or succeeds([*inner, "--version"]):
        return [*inner, *quiet]
    if uv := shutil.which("uv"):
        return [uv, "pip", "install", "--quiet", "--python", str(python)]
    raise Refused(
        "there is no pip to install packages with (22.3 or newer).\n"
        "  do     apt install python3-pip      (Debian, Ubuntu)\n"
        "         python3 -m ensurepip         (elsewhere)"
    )


def link_sources(home: Path) -> None:
    """Make the four distributions importable and their commands runnable, from the sources.

    A .pth file, names with versions and scripts do what `pip install --editable` would, but need no
    build backend, which a newcomer's demo would have to download, and leave the sources alone.
    """
    (site,) = home.glob("lib/python3*/site-packages")
    lines = [str(ROOT / name / "src") for name in DISTRIBUTIONS]
    (site / "saurodrome.pth").write_text("\n".join(lines) + "\n")
    for name, version, scripts in projects():
        about = site / f"{name.replace('-', '_')}-{version}.dist-info"
        about.mkdir(exist_ok=True)
        identity = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (about / "METADATA").write_text(identity)
        for script, target in scripts.items():
            write_script(home / "bin" / script, *target.split(":"))


def write_script(file: Path, module: str, function: str) -> None:
    """Write a command that calls a function, as an installer would."""
    file.write_text(
        # By way of sh, since a #! line breaks on long paths and on spaces.
        f"#!/bin/sh\n'''exec' \"{file.with_name('python')}\" \"$0\" \"$@\"\n' '''\n"
        f"import sys\nfrom {module} import {function}\nsys.exit({function}())\n"
    )
    file.chmod(0o755)


def projects() -> list[tuple[str, str, dict[str, str]]]:
    """Return name, version and commands ("module:function" by name) of the distributions."""
    tables = [
        tomllib.loads((ROOT / name / "pyproject.toml").read_text())["project"]
        for name in DISTRIBUTIONS
    ]
    return [(table["name"], table["version"], table.get("scripts", {})) for table in tables]
