"""An operator's day with a real server: tokens, backups, settings, and a restart in place."""

import json
import shutil
import signal
import ssl
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from saurodrome.client.admin import AdminClient, Role
from saurodrome.server.store.backup import inspect
from tests.e2e.processes import ServerProcess, free_port
from tests.e2e.shell import Result, here
from tests.server.certificates import issue

pytestmark = pytest.mark.wire

AGAIN_WITHIN = 5.0
"""Seconds from SIGTERM to serving again that are promised on a machine that does nothing else."""
PATIENCE = 5
"""Times that: tests share their machine."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with a configuration file."""
    folder = tmp_path_factory.mktemp("arena")
    (folder / "arena.toml").write_text("[limits]\nmax_matches = 4\n")
    options = ("--config", str(folder / "arena.toml"))
    with ServerProcess(folder / "data", free_port(), *options) as running:
        yield running


class Operator:
    """Runs commands against a server, in a folder of its own."""

    def __init__(self, server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
        self.server = server
        self._capsys = capsys
        self._before = len(self._lines())

    def __call__(self, *words: str, token: Path | None = None) -> Result:
        reach = ("--server", self.server.address)
        return here(
            self._capsys, *words, *reach, "--token-file", str(token or self.server.admin_token)
        )

    def log(self, event: str) -> dict[str, object]:
        """Waits for a line of the server's log that no earlier test has brought about."""
        until = time.monotonic() + PATIENCE * AGAIN_WITHIN
        while True:
            lines = self._lines()[self._before :]
            for line in map(json.loads, lines):
                if line["event"] == event:
                    found: dict[str, object] = line
                    return found
            assert time.monotonic() < until, lines
            time.sleep(0.05)

    def _lines(self) -> list[str]:
        """The lines of the log that are whole."""
        text = (self.server.data / "saurodrome.log").read_text()
        return text[: text.rfind("\n") + 1].splitlines()


@pytest.fixture
def operator(
    server: ServerProcess,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Operator:
    """An operator in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Operator(server, capsys)


def test_a_token_is_issued_used_revoked_and_all_of_it_is_in_the_audit_log(
    operator: Operator, tmp_path: Path
) -> None:
    done = operator("token", "issue", "ada", "--role", "author", "--days", "30")
    assert done.code == 0, done.text
    mine = tmp_path / ".saurodrome" / "ada.author.token"
    secret = mine.read_text().strip()
    assert secret not in done.text
    assert mine.stat().st_mode & 0o077 == 0
    assert operator("bot", "register", "rex", token=mine).code == 0
    assert "ada" in operator("bot", "list", token=mine).out
    refused = operator("tournament", "create", "cup", "--bots", "rex,foe", token=mine)
    assert (refused.code, "WRONG_ROLE" in refused.err) == (3, True), refused.text
    assert operator("token", "list", token=mine).code == 3
    token_id = secret.split("_")[2]
    listed = operator("token", "list").out
    assert token_id in listed
    assert secret not in listed
    assert operator("token", "revoke", secret).code == 2  # and nothing is sent
    assert operator("token", "revoke", token_id).code == 0
    assert "TOKEN_UNKNOWN" in operator("bot", "list", token=mine).err
    acts = json.loads(operator("audit", "--json").out)
    assert [(act["who"], act["act"].rpartition("/")[2], act["outcome"]) for act in acts[:3]] == [
        ("admin", "RevokeToken", "done"),
        ("ada", "RegisterBot", "done"),
        ("admin", "IssueToken", "done"),
    ]
    assert secret not in json.dumps(acts)
    assert "RegisterBot" in operator("audit").out
    assert token_id not in operator("token", "list").out
    assert "revoked" in operator("token", "list", "--all").out


@pytest.mark.case("SE-05")
def test_a_token_stands_nowhere_but_with_its_owner(operator: Operator, tmp_path: Path) -> None:
    data = operator.server.data
    with AdminClient(server=operator.server.address, token_file=data / "admin.token") as client:
        secrets = [client.register_bot(f"bot-{number}").token for number in range(50)]
        secrets.append(client.issue_token(Role.ROLE_SPECTATOR, "sue").token)
    assert len(set(secrets)) == 51
    done = here(operator._capsys, "backup", "--data", str(data), "--to", str(tmp_path / "b.db"))
    assert done.code == 0, done.text
    assert inspect(tmp_path / "b.db").bots >= 50
    files = [path for path in (*data.rglob("*"), tmp_path / "b.db") if path.is_file()]
    assert {"arena.db", "arena.db-wal", "saurodrome.log", "b.db"} <= {path.name for path in files}
    content = b"".join(path.read_bytes() for path in files)
    words = [word for secret in secrets for word in (secret, secret.split("_")[3])]
    assert [word for word in words if word.encode() in content] == []
    admin = (data / "admin.token").read_text().strip().split("_")[3].encode()
    assert admin not in (tmp_path / "b.db").read_bytes()
    # 32 letters of an alphabet of 32 are 160 bits; every letter and place is used
    assert all(secret.startswith("srd_") for secret in secrets)
    assert all(len({secret.split("_")[3][place] for secret in secrets}) > 5 for place in range(32))


def test_the_doctor_looks_at_a_server_that_runs(operator: Operator) -> None:
    data = str(operator.server.data)
    done = here(operator._capsys, "doctor", "--data", data, "--json")
    found = {one["part"]: one for one in json.loads(done.out)}
    assert (found["server"]["state"], found["store"]["state"]) == ("ok", "ok"), found
    assert f"pid {operator.server.pid}" in found["server"]["text"]
    assert "loop lag p99 at most" in found["pace"]["text"]
    assert here(operator._capsys, "restore", "x.db", "--data", data).code != 0


def test_settings_are_read_anew_on_sighup(operator: Operator) -> None:
    file = operator.server.data.parent / "arena.toml"
    file.write_text('[limits]\nmax_matches = 9\n[log]\nlevel = "debug"\n[listen]\nhost = "::1"\n')
    operator.server.signal(signal.SIGHUP)
    line = operator.log("settings reloaded")
    assert line["changed"] == {"limits.max_matches": 9, "log.level": "debug"}
    assert line["need_restart"] == ["listen.host"]
    until = time.monotonic() + PATIENCE * AGAIN_WITHIN
    while True:
        (newest, *_) = json.loads(operator("audit", "--last", "1", "--json").out)
        if (newest["who"], newest["act"]) == ("operator", "SIGHUP"):
            break
        assert time.monotonic() < until
    assert newest["subject"] == "limits.max_matches log.level"
    file.write_text("[limits]\nmax_matchs = 3\n")
    operator.server.signal(signal.SIGHUP)
    wrong = operator.log("settings not reloaded")
    assert "limits.max_matches" in str(wrong["do"])
    file.write_text("[limits]\nmax_matches = 4\n")


def test_the_admin_token_is_made_anew_when_its_file_is_deleted(operator: Operator) -> None:
    file, old = operator.server.admin_token, Path("old.token")
    shutil.move(file, old)
    operator.server.signal(signal.SIGHUP)
    until = time.monotonic() + PATIENCE * AGAIN_WITHIN
    while operator("bot", "list", token=old).code != 3:
        assert time.monotonic() < until
    assert operator("bot", "list").code == 0
    assert file.read_text() != old.read_text()


def test_a_restart_in_place_serves_again_soon(operator: Operator) -> None:
    before = operator("bot", "list").out
    began = time.monotonic()
    assert operator.server.terminate() == 0
    operator.server.start()
    took = time.monotonic() - began
    assert operator("bot", "list").out == before
    assert took < PATIENCE * AGAIN_WITHIN
    print(f"SIGTERM to serving again: {took:.1f} s")


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
def test_with_tls_commands_and_house_bots_trust_the_servers_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = issue(tmp_path, "tls")
    tls = ("--tls-cert", str(pair.cert), "--tls-key", str(pair.key), "--host", "0.0.0.0")
    with ServerProcess(tmp_path / "data", 0, *tls) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        reach = ("--server", address, "--token-file", str(server.admin_token))
        assert here(capsys, "bot", "list", *reach, "--ca", str(pair.cert)).code == 0
        assert here(capsys, "bot", "list", *reach).code == 3
        data = str(tmp_path / "data")
        assert here(capsys, "doctor", "--health", "--data", data).out.startswith("server    ok")
        trusting = ssl.create_default_context(cafile=str(pair.cert))
        page = server.web.replace("http://127.0.0.1", "https://localhost")
        with urllib.request.urlopen(f"{page}/healthz", context=trusting) as answer:
            assert json.load(answer)["status"] == "serving"
    assert "PLAINTEXT" not in (tmp_path / "data.out").read_text()


@pytest.mark.case("SE-07")
def test_plain_text_that_is_allowed_beyond_loopback_is_warned_of(tmp_path: Path) -> None:
    options = ("--host", "0.0.0.0", "--allow-plaintext")
    with ServerProcess(tmp_path / "data", 0, *options):
        until = time.monotonic() + PATIENCE * AGAIN_WITHIN
        while "warning[PLAINTEXT]" not in (tmp_path / "data.out").read_text():
            assert time.monotonic() < until
            time.sleep(0.05)
