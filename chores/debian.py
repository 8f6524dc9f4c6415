"""Programs of Debian's packages, unpacked into a folder of the repository and never installed."""

import contextlib
import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from chores.terminal import ROOT, Refused, say, succeeds

HOME = ROOT / ".tools"
PACKAGES = {
    "prometheus": "prometheus",
    "promtool": "prometheus",
    "amtool": "prometheus-alertmanager",
}
"""In which package a program is."""


def program(name: str) -> Path:
    """Return where a program is: on the PATH, unpacked before, or fetched now.

    Raises:
        Refused: It is not here and cannot be fetched.
    """
    if found := shutil.which(name):
        return Path(found)
    unpacked = HOME / "usr" / "bin" / name
    if not unpacked.exists():
        with _locked():
            if not unpacked.exists():
                _fetch(PACKAGES[name])
    return unpacked


def _fetch(package: str) -> None:
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise _refused(package, "this machine has no apt-get and dpkg-deb")
    say(f"Fetching Debian's {package} into {HOME.name} (first time only) ...")
    with tempfile.TemporaryDirectory(dir=HOME) as folder:
        file = _download(package, Path(folder))
        # Under another name first: one half unpacked must not pass for a whole one.
        unpacked = Path(folder) / "unpacked"
        if not succeeds(["dpkg-deb", "--extract", str(file), str(unpacked)]):
            raise _refused(package, "dpkg-deb could not unpack it")
        shutil.copytree(unpacked / "usr" / "bin", Path(folder) / "bin", symlinks=True)
        (HOME / "usr" / "bin").mkdir(parents=True, exist_ok=True)
        for binary in (Path(folder) / "bin").iterdir():
            binary.replace(HOME / "usr" / "bin" / binary.name)


def _download(package: str, folder: Path) -> Path:
    """Download a package by what apt knows, else by a fresh list of its own."""
    own = HOME / "apt"
    options = [f"Dir::State::Lists={own}/lists", f"Dir::Cache={own}/cache"]
    for part in ("lists/partial", "cache/archives/partial"):
        (own / part).mkdir(parents=True, exist_ok=True)
    said = _apt((), folder, "download", package)
    if said is not None:
        said = _apt(options, folder, "update")
        said = said if said is not None else _apt(options, folder, "download", package)
    if said is not None:
        raise _refused(package, f"apt-get could not download it ({said})")
    (file,) = folder.glob("*.deb")
    return file


def _apt(options: Sequence[str], folder: Path, *words: str) -> str | None:
    """Run apt-get; return the last thing that it said if it failed."""
    flags = [part for option in ("APT::Sandbox::User=", *options) for part in ("-o", option)]
    command = ["apt-get", "-qq", *flags, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if not done.returncode:
        return None
    return (done.stderr or done.stdout).strip().rpartition("\n")[2]


def _refused(package: str, why: str) -> Refused:
    programs = ", ".join(name for name, holder in PACKAGES.items() if holder == package)
    return Refused(
        f"there is no {package} to work with: {why}.\n"
        f"  do     install it in any way you like; what is looked for on the PATH is: {programs}"
    )


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    """Keep a second process from fetching the same."""
    HOME.mkdir(exist_ok=True)
    with (HOME / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
