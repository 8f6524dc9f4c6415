"""The wire's stubs: made from the .proto files, compared with them, kept from breaking bots."""

import filecmp
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from chores.environment import prepare
from chores.terminal import ROOT, Refused, run, say, succeeds

PROTOS = ROOT / "proto"
STUBS = PROTOS / "src"


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


def replace(new: Path) -> None:
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
    base = version_commit()
    with tempfile.TemporaryDirectory() as folder:
        old = Path(folder) / "old.tar"
        archive = ["git", "archive", f"--output={old}", base, "buf.yaml", "proto/saurodrome"]
        if not base or not succeeds(archive):
            say("buf breaking: no earlier wire of this version to compare with")
            return 0
        say(f"buf breaking: against {base[:10]}, which set the version of saurodrome-proto")
        code = run(prepare("dev").parent / "buf", "breaking", "--against", old)
    if code:
        say("  do     keep what was there, or set a new version in the four pyproject.toml")
    return code


def version_commit() -> str:
    """Return the commit that set the version of saurodrome-proto; "" if it is not committed yet."""
    line = ["-G^version = ", "--", "proto/pyproject.toml"]
    if not succeeds(["git", "diff", "--quiet", "HEAD", *line]):
        return ""
    log = ["git", "log", "-1", "--format=%H", *line]
    return subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
