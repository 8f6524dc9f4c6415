"""What operators type: config, backup, restore, migrate and doctor, on data without a server."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from saurodrome.server.cli import doctor, vitals
from saurodrome.server.cli.home import RunningServer
from saurodrome.server.store.sql import SqlStore
from saurodrome.server.store.sqlite import FILE, SqliteDatabase
from tests.e2e.shell import Result, here
from tests.server.store.samples import furnish


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data directory of a server that is stopped."""
    data = tmp_path_factory.mktemp("server") / "data"

    async def make() -> None:
        store = SqlStore(SqliteDatabase(data))
        await store.open()
        await furnish(store)
        await store.close()

    asyncio.run(make())
    return data


@pytest.fixture
def data(stopped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it; its folder is the current one."""
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(stopped, tmp_path / ".saurodrome"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> "Run":
    """Runs commands."""
    return Run(capsys)


class Run:
    """Runs a command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Result:
        return here(self._capsys, *arguments)

    def json(self, *arguments: str) -> object:
        done = self(*arguments, "--json")
        return json.loads(done.out)


def test_a_backup_goes_into_the_data_directory_and_comes_back(data: Path, run: Run) -> None:
    done = run("backup")
    assert done.code == 0, done.text
    assert "3 bots, 1 tournament, 0 results, 0 match records" in done.out
    (file,) = (data / "backups").iterdir()
    refused = run("restore", str(file))
    assert (refused.code, "STORE_EXISTS" in refused.err) == (2, True)
    assert "--replace" in refused.err
    again = run("restore", str(file), "--replace")
    assert again.code == 0, again.text
    assert "what was there is now" in again.out
    assert "saurodrome serve" in again.err.partition("next: ")[2]
    assert len(list(data.glob(f"{FILE}.before-*"))) == 1


def test_a_backup_goes_where_it_is_told_to_and_old_ones_go(
    data: Path, tmp_path: Path, run: Run
) -> None:
    assert run("backup", "--to", "one.db").code == 0
    for name in ("arena-20200101T000000Z.db", "arena-20200102T000000Z.db"):
        (tmp_path / name).touch()
    told = run.json("backup", "--to", ".", "--keep", "2")
    assert isinstance(told, dict)
    assert told["deleted"] == ["arena-20200101T000000Z.db"]
    assert sorted(f.name for f in tmp_path.glob("*.db")) == [
        "arena-20200102T000000Z.db",
        Path(told["file"]).name,
        "one.db",
    ]


def test_migrations_that_are_not_needed_are_told_so(data: Path, run: Run) -> None:
    assert run("migrate", "--dry-run").out.startswith("up to date schema ")
    assert run("migrate").out.startswith("up to date schema ")
    told = run.json("migrate", "--dry-run")
    assert isinstance(told, dict)
    assert (told["steps"], told["from"]) == ([], told["to"])


def parts(run: Run, *arguments: str) -> tuple[dict[str, str], int]:
    """What the doctor says of each part, and the exit code."""
    done = run("doctor", *arguments, "--json")
    return {f["part"]: f["state"] for f in json.loads(done.out)}, done.code


def test_the_doctor_finds_nothing_wrong_with_what_is_well(data: Path, run: Run) -> None:
    run("backup")
    (data.parent / "c.toml").write_text("[listen]\nbots_port = 0\nweb_port = 0\n")
    found, code = parts(run, "--config", "c.toml")
    assert code == 0
    assert found["store"] == found["backup"] == found["ports"] == "ok"
    assert (found["server"], found["tls"]) == ("off", "off")


def test_the_doctor_says_what_is_wrong_and_what_to_do(
    data: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(data / FILE)) as database:
        database.execute("DELETE FROM tournaments")
        database.execute("INSERT INTO seats SELECT 'x', 1, 1, 'gone', 1,1,1,1,1,1,1,1.0,1.0")
        database.commit()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    found, code = parts(run)
    assert code == 1
    assert (found["store"], found["disk"], found["backup"]) == ("FAIL", "FAIL", "warn")
    done = run("doctor")
    assert "do     stop the server and restore a backup" in done.out
    assert "matches wait meanwhile, nothing is lost" in " ".join(done.out.split())


def test_the_doctor_says_of_an_empty_place_that_it_is_one(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found, _ = parts(run)
    assert found["store"] == "off"
    assert list(tmp_path.iterdir()) == []


def test_settings_are_checked_before_they_are_served(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("config", "check").out.startswith("ok ")
    wrong = {
        '[listen]\nhost = "0.0.0.0"\n': "PLAINTEXT_REFUSED",
        '[tls]\ncert = "x"\n': "CERT_BAD",
        "[listen]\nbots_port = 7742\n": "PORT_TWICE",
        '[house]\nbots = ["mcts"]\n': "BAD_VALUE",
        "[listen]\nhots = 1\n": "UNKNOWN_SETTING",
    }
    for text, code in wrong.items():
        (tmp_path / "c.toml").write_text(text)
        done = run("config", "check", "--file", "c.toml")
        assert (done.code, f"[{code}]" in done.out) == (2, True), done.out
        told = run.json("config", "check", "--file", "c.toml")
        assert isinstance(told, dict)
        assert [error["code"] for error in told["refused"]] == [code]


def test_plaintext_that_is_allowed_is_warned_of(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAURODROME_SERVE_ALLOW_PLAINTEXT", "true")
    monkeypatch.setenv("SAURODROME_SERVE_HOST", "0.0.0.0")
    done = run("config", "check")
    assert done.code == 0
    assert "warning  listen.allow_plaintext" in done.out
    assert "2 from the environment" in done.out


def test_wrong_settings_are_not_shown_but_refused(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAURODROME_SERVE_LOG_LEVEL", "loud")
    done = run("config", "show")
    assert (done.code, "BAD_SETTING" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("counts", "state", "said"),
    [
        ((100, 100, 100), "ok", "10 ms"),
        ((5, 100, 100), "warn", "500 ms"),
        ((5, 6, 100), "warn", "off the scale"),
    ],
)
def test_the_doctor_tells_a_loop_that_lags(
    monkeypatch: pytest.MonkeyPatch, counts: tuple[int, int, int], state: str, said: str
) -> None:
    bounds = ("0.01", "0.5", "+Inf")
    page = "\n".join(
        f'saurodrome_loop_lag_seconds_bucket{{le="{bound}"}} {count}'
        for bound, count in zip(bounds, counts, strict=True)
    )
    monkeypatch.setattr(vitals, "page", lambda address: page)
    finding = doctor._pace(RunningServer(1, "127.0.0.1", 1, 2, 0.0))
    assert finding
    assert (finding.state, said in finding.text) == (state, True), finding
