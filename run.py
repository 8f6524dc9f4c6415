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
if sys.platform == "win32":
    sys.exit("error: run.py needs Linux or macOS.\n  do     run it in WSL")

import argparse
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from chores import debian, environment, stubs
from chores import deploy as deployment
from chores.environment import prepare
from chores.terminal import ROOT, Refused, become, run, run_all, say

# Most tests wait for processes and sockets; more than four of them at once would wait for cores.
WORKERS = ("-n=auto", "--maxprocesses=4", "--dist=worksteal")
CACHES = (".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache", ".hypothesis")


def demo(arguments: list[str]) -> int:
    """Play a small tournament between the bots of the house."""
    return saurodrome(["demo", *arguments])


def saurodrome(arguments: list[str]) -> int:
    """Run the command line of saurodrome: run.py saurodrome --help."""
    python = prepare("run")
    script = python.with_name("saurodrome")
    start = [str(script)] if script.exists() else ["-m", "saurodrome.server"]
    return become(python, [*start, *arguments])


def test(arguments: list[str]) -> int:
    """Run the tests but the slow ones; --all: every one. Further arguments go to pytest."""
    parser = argparse.ArgumentParser("run.py test", description=test.__doc__, allow_abbrev=False)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="the slow tests too, many minutes")
    which.add_argument("--slice", metavar="KEY", help="and one in eight slow tests, chosen by KEY")
    chosen, for_pytest = parser.parse_known_args(arguments)
    slow = ["-m", "not slow"]
    if chosen.slice:
        slow = [f"--slow-slice={chosen.slice}"]
    elif chosen.all:
        slow = []
    return run(prepare("dev"), "-m", "pytest", *WORKERS, *slow, *for_pytest)


def lint(arguments: list[str]) -> int:
    """Check style, format and spelling; --fix: put right what can be."""
    tools = prepare("dev").parent
    if "--fix" in arguments:
        return run_all([[tools / "ruff", "check", "--fix"], [tools / "ruff", "format"]])
    return run_all(
        [[tools / "ruff", "check"], [tools / "ruff", "format", "--check"], [tools / "codespell"]]
    )


def types(arguments: list[str]) -> int:
    """Check the types of sources and tests with mypy, strictly."""
    return run(prepare("dev").parent / "mypy", *arguments)


def contracts(arguments: list[str]) -> int:
    """Check who imports whom."""
    return run(prepare("dev").parent / "lint-imports", "--no-logo", *arguments)


def proto(arguments: list[str]) -> int:
    """Make the stubs anew from the .proto files; --check: lint, compare, find breaking changes."""
    parser = argparse.ArgumentParser(prog="run.py proto", description=proto.__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    check = parser.parse_args(arguments).check
    with tempfile.TemporaryDirectory() as folder:
        stubs.generate(Path(folder))
        if not check:
            stubs.replace(Path(folder))
            return 0
        drifted = stubs.drift(Path(folder))
    return run(prepare("dev").parent / "buf", "lint") or stubs.breaking() or drifted


def golden(arguments: list[str]) -> int:
    """Play the golden matches anew; the difference in git is what a change of rules did."""
    return run(
        prepare("dev"), "-m", "pytest", "-q", "tests/engine", "-k", "golden", "--golden", *arguments
    )


def rl(arguments: list[str]) -> int:
    """Run the tests of the learners' environments, which need numpy and PettingZoo."""
    return run(prepare("rl"), "-m", "pytest", "-q", "tests/engine/rl", *arguments)


def dashboards(arguments: list[str]) -> int:
    """Make the dashboards and the table of metrics anew; --check: fail on a difference."""
    return run(prepare("dev"), "-m", "chores.dashboards", *arguments)


def observe(arguments: list[str]) -> int:
    """Run a tournament with a real Prometheus beside it, and draw its dashboards."""
    prometheus = debian.program("prometheus")
    return run(prepare("observe"), "-m", "chores.observe", str(prometheus), *arguments)


def mutants(arguments: list[str]) -> int:
    """Change scoring and legality one place at a time; fail for what no test notices."""
    return run(prepare("mutants"), "-m", "chores.mutants", *arguments)


def deploy(arguments: list[str]) -> int:
    """Check the files of deploy/: image, compose, manifests, units, proxy."""
    return deployment.check()


def check(arguments: list[str]) -> int:
    """Run all that CI does but the slow tests: lint, types, contracts, drift, test."""
    drift = proto(["--check"]) or dashboards(["--check"])
    codes = [lint([]), types([]), contracts([]), drift, test(arguments)]
    return next(filter(None, codes), 0)


def clean(arguments: list[str]) -> int:
    """Remove the environments and caches; data and records stay."""
    for home in sorted(set(environment.HOMES.values())):
        environment.clean(ROOT / home)
    for folder in (*CACHES, ".mutants", debian.HOME.name):
        shutil.rmtree(ROOT / folder, ignore_errors=True)
    return 0


CHORES: dict[str, Callable[[list[str]], int]] = {
    chore.__name__: chore
    for chore in (
        *(demo, saurodrome, test, lint, types, contracts, proto, golden, rl),
        *(dashboards, observe, mutants, deploy, check, clean),
    )
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
