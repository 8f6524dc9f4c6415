"""`saurodrome check` with real bots in processes of their own: a good one, and one without SDK."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e.shell import here, saurodrome
from tests.server.certificates import issue

pytestmark = pytest.mark.wire
needs_openssl = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")

GOOD = """
from saurodrome.client import Decision, run

def choose(d: Decision) -> int:
    return next((a.id for a in d.legal_actions if a.id != d.default.id), d.default.id)

if __name__ == "__main__":
    run(choose, version="1.0", max_concurrent=2)
"""

RAW = """
# Speaks the protocol by itself: answers with positions, comes back even after it was replaced.
import asyncio, os
import grpc
from saurodrome.bot.v1 import bot_pb2, bot_pb2_grpc

async def stream(stub):
    call = stub.Play(metadata=(("authorization", "Bearer " + os.environ["SAURODROME_TOKEN"]),))
    await call.write(bot_pb2.PlayRequest(hello=bot_pb2.Hello(bot_version="0")))
    async for frame in call:
        kind = frame.WhichOneof("frame")
        if kind == "match_started":
            started = frame.match_started
            ready = bot_pb2.Ready(match_id=started.match_id, attempt=started.attempt)
            await call.write(bot_pb2.PlayRequest(ready=ready))
        elif kind == "decision":
            asked = frame.decision
            reply = bot_pb2.Reply(decision_id=asked.decision_id, action_id=0)
            await call.write(bot_pb2.PlayRequest(reply=reply))

async def main():
    async with grpc.aio.insecure_channel(os.environ["SAURODROME_SERVER"]) as channel:
        while True:
            try:
                await stream(bot_pb2_grpc.BotServiceStub(channel))
            except grpc.aio.AioRpcError as error:
                print(error.details())
            await asyncio.sleep(0.1)

asyncio.run(main())
"""


def checked(
    folder: Path, bot: str, *options: str, says: str = "", limit: float = 60.0
) -> tuple[int, dict[str, dict[str, str]]]:
    """Gives exit code and findings by check; `says` is what stands after the bot's file."""
    (folder / "my_bot.py").write_text(bot)
    run = f"{sys.executable} my_bot.py {says}"
    command = ("check", "localhost:0", "--run", run, "--json", *options)
    done = saurodrome(*command, cwd=folder, limit=limit)
    report = json.loads(done.out)
    assert report["ok"] is (done.code == 0), done.text
    return done.code, {check["check"]: check for check in report["checks"]}


def test_a_bot_of_the_python_client_passes(tmp_path: Path) -> None:
    code, found = checked(tmp_path, GOOD, "--quick")
    assert code == 0
    failed = {name: check for name, check in found.items() if check["result"] == "fail"}
    assert failed == {}
    assert found["reconnect"]["result"] == "pass"
    assert found["replaced"]["result"] == "pass"


@needs_openssl
def test_a_bot_that_speaks_tls_passes_and_comes_back_over_it(tmp_path: Path) -> None:
    """It trusts the authority that the certificate is from, and nobody else."""
    authority = issue(tmp_path, "authority", subject="authority")
    pair = issue(tmp_path, "arbiter", by=authority)
    tls = ("--quick", "--tls-cert", str(pair.cert), "--tls-key", str(pair.key))
    code, found = checked(tmp_path, GOOD, *tls, says=f"--ca {authority.cert}")
    assert code == 0
    came_back = ("match", "reconnect", "restart", "replaced")
    assert {name: found[name]["result"] for name in came_back} == dict.fromkeys(came_back, "pass")


@needs_openssl
def test_a_bot_that_trusts_another_authority_ends_before_it_came(tmp_path: Path) -> None:
    pair, other = issue(tmp_path, "arbiter"), issue(tmp_path, "other")
    tls = ("--tls-cert", str(pair.cert), "--tls-key", str(pair.key))
    code, found = checked(tmp_path, GOOD, *tls, says=f"--ca {other.cert}")
    assert code == 1
    what = found["hello"]["what"]
    assert what.startswith("its program ended with 3 before a bot came: do name the authority")


@pytest.mark.slow
def test_it_passes_what_takes_long_too_a_connection_that_is_dead_without_a_word_included(
    tmp_path: Path,
) -> None:
    code, found = checked(tmp_path, GOOD, limit=180.0)
    assert code == 0
    long = ("thought", "idle", "frozen")
    assert {name: found[name]["result"] for name in long} == dict.fromkeys(long, "pass")
    assert {check["result"] for check in found.values()} <= {"pass", "advice"}


@pytest.mark.slow
def test_a_bot_without_a_client_is_told_what_is_wrong(tmp_path: Path) -> None:
    code, found = checked(tmp_path, RAW, "--quick")
    assert code == 1
    assert found["hello"]["result"] == "advice"
    assert "answered 0, which is not one of the" in found["match"]["what"]
    assert found["replaced"]["result"] == "fail"
    said = (tmp_path / ".saurodrome" / "check.log").read_text()
    assert "Another program took this bot's place" in said


KILLED = """
import os, signal

os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.case("P11")
def test_a_bot_that_the_system_kills_is_said_to_be_killed(tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(KILLED)
    command = f"{sys.executable} my_bot.py"
    done = saurodrome("check", "localhost:0", "--wait", "2s", "--run", command, cwd=tmp_path)
    assert done.code == 1
    assert "was killed by SIGKILL (137" in done.err


def test_a_program_that_ends_before_a_bot_came_is_not_waited_for(tmp_path: Path) -> None:
    run = f"{sys.executable} nosuch.py"
    done = saurodrome("check", "localhost:0", "--run", run, cwd=tmp_path)  # would wait 2 min
    assert done.code == 1
    assert "its program ended with 2 before a bot came" in done.out
    assert "No such file or directory" in done.out
    assert "No such file or directory" in done.err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("localhost",), 2, "error[BAD_ADDRESS]"),
        (("localhost:99999",), 2, "error[BAD_ADDRESS]"),
        (("0.0.0.0:0",), 2, "error[PLAINTEXT_REFUSED]"),
        (("localhost:0", "--tls-cert", "a.pem"), 2, "is missing.\n  where  --tls-key"),
        (("localhost:0", "--tls-key", "a.pem"), 2, "is missing.\n  where  --tls-cert"),
        (("localhost:0", "--tls-cert", "a", "--tls-key", "b"), 2, "error[CERT_BAD]"),
        (("localhost:0", "--game", "chess"), 2, "error[UNKNOWN_GAME]"),
        (("localhost:0", "--game", "duelosur"), 2, "did you mean `duelosaur`?"),
        (("localhost:0", "--variant", "summr"), 2, "error[UNKNOWN_VARIANT]"),
        (("localhost:0", "--variant", "summr"), 2, "--variant\n  do     did you mean `summer`?"),
        (("localhost:0", "--players", "1"), 2, "error[BAD_PLAYERS]"),
        (("localhost:0", "--run", "/no/such/bot"), 4, "error[BOT_DID_NOT_START]"),
        (
            ("localhost:0", "--run", f"{sys.executable} -c pass"),
            1,
            "ended with 0 before a bot came",
        ),
        (("localhost:0", "--wait", "100ms"), 1, "no bot came within"),
    ],
)
def test_what_cannot_be_checked_is_said(
    arguments: tuple[str, ...],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    done = here(capsys, "check", *arguments)
    assert (done.code, words in done.text) == (code, True), done.text
