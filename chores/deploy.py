"""The files of deploy/, each put through the strongest tool that needs no network."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from chores.environment import prepare
from chores.terminal import ROOT, Refused, run, say

DEPLOY = ROOT / "deploy"
DOCKERFILE = DEPLOY / "docker" / "Dockerfile"
COMPOSE = DEPLOY / "compose.yaml"
UNITS = DEPLOY / "systemd"
MANIFESTS = ("base", "overlays/example")
EXPOSURE = 15
"""Ten times the highest exposure that systemd may find in a service; 0 is safe, 100 is not."""
PROGRAM = "/opt/saurodrome/.venv/bin/saurodrome"
"""Where the units expect the command; systemd would miss it on a machine without it."""


def check() -> int:
    """Run every check, the later ones also after a failure; say which one failed."""
    failed = [name for name, passes in CHECKS.items() if not passes()]
    say(f"deploy: {len(CHECKS) - len(failed)} of {len(CHECKS)} passed")
    for name in failed:
        say(f"deploy: FAILED {name}")
    return 1 if failed else 0


def tool(name: str) -> Path:
    """Return a tool of the environment for these checks."""
    return prepare("deploy").with_name(name)


def dockerfile() -> bool:
    """The Dockerfile, and that what it copies is there."""
    copied = re.findall(r"(?m)^COPY (?!--from)(.+)$", DOCKERFILE.read_text())
    sources = [name for line in copied for name in line.split()[:-1]]
    return passes(tool("hadolint"), DOCKERFILE) and all_there(ROOT / name for name in sources)


def compose() -> bool:
    """The compose file, and that what it mounts is there."""
    mounts = re.findall(r"(\./[\w./-]+):/", COMPOSE.read_text())
    return passes(
        tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", COMPOSE
    ) and all_there(DEPLOY / mount for mount in mounts)


def kubernetes() -> bool:
    """The manifests as they would be applied: built, and each field known."""
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for name in MANIFESTS:
            built = Path(folder) / "built.yaml"
            made = subprocess.run(
                [tool("kubectl"), "kustomize", DEPLOY / "kubernetes" / name],
                capture_output=True,
                check=False,
            )
            built.write_bytes(made.stdout)
            if made.returncode or made.stderr:  # it warns of what will not work any more
                say(made.stderr.decode())
                good = False
            else:
                good &= passes(tool("kubernetes-validate"), "--strict", "--quiet", built)
    return good


def systemd() -> bool:
    """The units; whatever is said of one is a failure, since unknown keys are only warned of."""
    if shutil.which("systemd-analyze") is None:
        raise Refused(
            "systemd-analyze is missing.\n  do     apt install systemd      (Debian, Ubuntu)"
        )
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for unit in (*UNITS.glob("*.service"), *UNITS.glob("*.timer")):
            text = unit.read_text().replace(PROGRAM, "/bin/true")
            (Path(folder) / unit.name).write_text(text)
        for unit in sorted(Path(folder).iterdir()):
            good &= silent("verify", str(unit))
            if unit.suffix == ".service":
                good &= safe(unit)
    return good


def silent(*arguments: str) -> bool:
    """Tell whether systemd-analyze finds nothing to say."""
    done = subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode or done.stderr or done.stdout:
        say(done.stdout + done.stderr)
        return False
    return True


def safe(unit: Path) -> bool:
    """Tell whether a service is hardened enough."""
    limit = f"--threshold={EXPOSURE}"
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", limit, unit],
        capture_output=True,
        text=True,
        check=False,
    )
    say(done.stdout.strip().rpartition("\n")[2] if not done.returncode else done.stdout)
    return not done.returncode and not done.stderr


def envoy() -> bool:
    """Envoy's files, parsed by Envoy's own messages: each field known, each value of its type."""
    files = (DEPLOY / "envoy" / "envoy.yaml", DEPLOY / "envoy" / "certificate.yaml")
    return passes(prepare("deploy"), ROOT / "chores" / "envoy_config.py", *files)


def images() -> bool:
    """Images come from the public registry, with a version that is not `latest`."""
    good = True
    for file in (DOCKERFILE, COMPOSE, *DEPLOY.glob("kubernetes/**/*.yaml")):
        for image in images_of(file.read_text()):
            name, _, version = image.partition(":")
            private = "." in name.partition("/")[0] and "/" in name
            own = name == "saurodrome"
            if private or version == "latest" or (not own and not version):
                say(f"{file.relative_to(ROOT)}: {image} is private, or has no version")
                good = False
    return good


def images_of(text: str) -> Iterator[str]:
    """Give the images that a Dockerfile or a file in YAML names."""
    yield from re.findall(r"(?m)^FROM (\S+)", text)
    yield from re.findall(r"(?m)^\s*(?:- )?image: (\S+)", text)


def all_there(paths: Iterator[Path]) -> bool:
    """Tell whether all paths exist; name those that do not."""
    missing = [path.relative_to(ROOT) for path in paths if not path.exists()]
    for path in missing:
        say(f"{path} is named, but missing")
    return not missing


def passes(*command: str | Path) -> bool:
    """Tell whether a command ends well."""
    return run(*command) == 0


CHECKS: dict[str, Callable[[], bool]] = {
    check.__name__: check for check in (dockerfile, compose, kubernetes, systemd, envoy, images)
}
