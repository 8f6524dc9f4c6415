#!/usr/bin/env python3
"""Runs every chore of this repository; `python3 run.py` alone lists them.

Needs nothing but Python 3.11 or newer. Packages go into .venv, from the pins in requirements/,
each checked against its hash; .venv is made anew only when the pins or Python changed.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - it is an older one that is told here
    sys.exit(
        f"error: saurodrome needs Python 3.11 or newer; this is {sys.version.split()[0]}.\n"
        "  do     python3.11 run.py ...   (or 3.12, 3.13: whichever is installed)"
    )

import argparse
import contextlib
import fcntl
import filecmp
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parent
DISTRIBUTIONS = ("proto", "engine", "server", "clients/python")
PROTOS = ROOT / "proto"
STUBS = PROTOS / "src"
STAMP = "made-by-run.py.json"
# dev.txt holds everything that run.txt holds, so either satisfies who needs "run".
SATISFIED_BY = {"run": ("run", "dev"), "dev": ("dev",), "proto": ("proto",)}


class Refused(Exception):
    """What a chore cannot go on without, in words for the person at the terminal."""


def say(text: str) -> None:
    """Write a line for people; results of chores own the standard output."""
    print(text, file=sys.stderr, flush=True)


# --- environments -------------------------------------------------------------------------------


def prepare(pins: str) -> Path:
    """Return a Python that has the packages of requirements/<pins>.txt, set up when needed."""
    home = ROOT / (".venv-proto" if pins == "proto" else ".venv")
    python = home / "bin" / "python"
    with locked(home):
        if home.exists() and not (home / STAMP).exists():
            say(f"note: {home.name} was not made by run.py: using it as it is, pins unchecked.")
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
            if pins != "proto":
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
    return hashlib.sha256(content + repr(console_scripts()).encode()).hexdigest()


def make_empty(home: Path) -> dict[str, dict[str, str]]:
    """Make an environment without packages; without pip too, for a bare Debian has no ensurepip."""
    stamp: dict[str, dict[str, str]] = {"origin": origin(), "pins": {}}
    home.mkdir()
    write_stamp(home, stamp)  # first, so that one left unfinished is known as ours
    command = [base_python(), "-m", "venv", "--without-pip", str(home)]
    subprocess.run(command, check=True)
    return stamp


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


def succeeds(command: Sequence[str]) -> bool:
    """Tell whether a command exits with 0, keeping quiet about it."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def link_sources(home: Path) -> None:
    """Make the four distributions importable and their commands runnable, from the sources.

    A .pth file and scripts do what `pip install --editable` would, but need no build backend,
    which a newcomer's demo would have to download, and leave nothing in the source folders.
    """
    (site,) = home.glob("lib/python3*/site-packages")
    lines = [str(ROOT / name / "src") for name in DISTRIBUTIONS]
    (site / "saurodrome.pth").write_text("\n".join(lines) + "\n")
    for name, target in console_scripts().items():
        module, function = target.split(":")
        script = home / "bin" / name
        script.write_text(
            # By way of sh, since a #! line breaks on long paths and on spaces.
            f"#!/bin/sh\n'''exec' \"{home / 'bin' / 'python'}\" \"$0\" \"$@\"\n' '''\n"
            f"import sys\nfrom {module} import {function}\nsys.exit({function}())\n"
        )
        script.chmod(0o755)


def console_scripts() -> dict[str, str]:
    """Return the commands that the distributions declare, by name: "module:function"."""
    scripts: dict[str, str] = {}
    for name in DISTRIBUTIONS:
        project = tomllib.loads((ROOT / name / "pyproject.toml").read_text())["project"]
        scripts |= project.get("scripts", {})
    return scripts


# --- running ------------------------------------------------------------------------------------


def become(python: Path, arguments: Sequence[str]) -> int:
    """Turn this process into a Python command, so that signals and exit codes are its own."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(python, [str(python), *arguments])


def run(*command: str | Path) -> int:
    """Run a command to its end from the repository's root and return its exit code."""
    child = subprocess.Popen([str(part) for part in command], cwd=ROOT)

    def pass_on(number: int, frame: FrameType | None) -> None:
        child.send_signal(number)

    before = signal.signal(signal.SIGTERM, pass_on)
    try:
        while True:
            # Ctrl-C reaches the child too: what it means is the child's to say.
            with contextlib.suppress(KeyboardInterrupt):
                code = child.wait()
                return code if code >= 0 else 128 - code
    finally:
        signal.signal(signal.SIGTERM, before)


def run_all(commands: Sequence[Sequence[str | Path]]) -> int:
    """Run every command, the later ones also after a failure; return the first failure's code."""
    return next(filter(None, [run(*command) for command in commands]), 0)


# --- the wire's stubs ---------------------------------------------------------------------------


def generate(out: Path) -> None:
    """Write the stubs of all .proto files, and a py.typed for each portion, into a folder."""
    python = prepare("proto")
    files = sorted(file.relative_to(PROTOS) for file in PROTOS.glob("saurodrome/**/*.proto"))
    if not files:
        raise Refused("there is no .proto file under proto/saurodrome")
    services = [file for file in files if re.search(r"(?m)^service ", (PROTOS / file).read_text())]
    plugins = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    outputs = {
        # Only what has a service gets a *_pb2_grpc; servers and clients here are asyncio's.
        ("--python_out=", "--mypy_out=quiet:"): files,
        ("--grpc_python_out=", "--mypy_grpc_out=quiet,only_async:"): services,
    }
    for flags, inputs in outputs.items():
        protoc = [str(python), "-m", "grpc_tools.protoc", "--proto_path=."]
        command = [*protoc, *(f"{flag}{out}" for flag in flags), *map(str, inputs)]
        if inputs and subprocess.run(command, cwd=PROTOS, env=plugins, check=False).returncode:
            raise Refused("the stubs could not be generated (above: why)")
    for file in files:  # beside the version folder: that of the namespace root belongs to nobody
        (out / file.parent.parent / "py.typed").touch()


def stub_files(folder: Path) -> set[Path]:
    """Return the files under a folder of stubs, relative to it."""
    found = folder.glob("saurodrome/**/*")
    return {file.relative_to(folder) for file in found if file.is_file() and file.suffix != ".pyc"}


def replace_stubs(new: Path) -> None:
    """Make proto/src hold exactly the stubs in `new`."""
    for stale in stub_files(STUBS) - stub_files(new):
        (STUBS / stale).unlink()
    for file in stub_files(new):
        (STUBS / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(new / file, STUBS / file)


def drift(new: Path) -> int:
    """Name the committed stubs that differ from those in `new`; return 1 if there are any."""
    names = sorted(stub_files(new) | stub_files(STUBS))
    _, differ, missing = filecmp.cmpfiles(new, STUBS, map(str, names), shallow=False)
    for name in [*differ, *missing]:
        say(f"proto/src/{name} is not what the .proto files give")
    if differ or missing:
        say("  do     python3 run.py proto, then commit proto/src")
        return 1
    return 0


def breaking() -> int:
    """Compare the wire with that of the commit which set the version in proto/pyproject.toml.

    Within one version nothing that bots rely on may change; what has to, needs a new version.
    """
    log = ["git", "log", "-1", "--format=%H", "-G^version = ", "--", "proto/pyproject.toml"]
    base = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old.tar"
        archive = ["git", "archive", f"--output={old}", base, "buf.yaml", "proto/saurodrome"]
        if not base or not succeeds(["git", "-C", str(ROOT), *archive[1:]]):
            say("buf breaking: no earlier wire to compare with in git")
            return 0
        say(f"buf breaking: against {base[:10]}, which set the version of saurodrome-proto")
        return run(prepare("dev").parent / "buf", "breaking", "--against", old)


# --- chores -------------------------------------------------------------------------------------


def saurodrome(arguments: list[str]) -> int:
    """Run the command line of saurodrome: `run.py saurodrome --help`."""
    return become(prepare("run"), ["-m", "saurodrome.server", *arguments])


def demo(arguments: list[str]) -> int:
    """Show a small tournament of the bots that come with this repository."""
    return saurodrome(["demo", *arguments])


def proto(arguments: list[str]) -> int:
    """Make the stubs anew from the .proto files; --check: lint, compare, find breaking changes."""
    parser = argparse.ArgumentParser(prog="run.py proto", description=proto.__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    check = parser.parse_args(arguments).check
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        if not check:
            replace_stubs(Path(folder))
            return 0
        drifted = drift(Path(folder))
    return run(prepare("dev").parent / "buf", "lint") or breaking() or drifted


CHORES: dict[str, Callable[[list[str]], int]] = {
    chore.__name__: chore for chore in (demo, saurodrome, proto)
}


def main(arguments: list[str]) -> int:
    """Run the chore that the first argument names."""
    name, *rest = arguments or ["help"]
    if name not in CHORES:
        say("usage: python3 run.py CHORE [its arguments]\n")
        for chore, function in CHORES.items():
            say(f"  {chore:<11} {(function.__doc__ or '').splitlines()[0]}")
        return 0 if name in ("help", "-h", "--help") else 2
    try:
        return CHORES[name](rest)
    except Refused as reason:
        say(f"error: {reason}")
        return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
