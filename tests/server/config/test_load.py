"""Settings from flags, environment and file: which counts, and what is said of wrong ones."""

from pathlib import Path

import pytest

from saurodrome.server.config import SETTINGS, Config, load
from saurodrome.server.config.show import documented, masked
from saurodrome.server.errors import Refused

TOKEN = f"srd_admin_abcdefgh_{'k' * 32}"
SHIPPED = Path(__file__).parents[3] / "deploy" / "saurodrome.toml"


def written(folder: Path, text: str) -> Path:
    """A configuration file."""
    file = folder / "arena.toml"
    file.write_text(text)
    return file


def problems(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """What is wrong with a file: code, line and advice."""
    found = load(written(folder, text), {}).problems
    return [(p.code, p.where.rpartition(", ")[2], p.do) for p in found]


def test_nothing_said_is_the_defaults() -> None:
    assert load(None, {}).config() == Config(data=Path(".saurodrome"))


def test_a_flag_counts_more_than_the_environment_and_that_more_than_the_file(
    tmp_path: Path,
) -> None:
    file = written(tmp_path, "[listen]\nbots_port = 1\nweb_port = 2\n[limits]\nmax_matches = 3\n")
    environment = {"SAURODROME_SERVE_WEB_PORT": "12", "SAURODROME_SERVE_MAX_MATCHES": "13"}
    loaded = load(file, environment, {"max_matches": "23"})
    config = loaded.config()
    assert (config.bots_port, config.web_port, config.max_matches) == (1, 12, 23)
    origins = [loaded.origins[f] for f in ("bots_port", "web_port", "max_matches", "drain")]
    assert origins == ["file", "environment", "flag", "default"]
    assert [loaded.count(o) for o in ("file", "environment", "flag")] == [1, 1, 1]


def test_every_setting_can_stand_in_the_file(tmp_path: Path) -> None:
    text = """
    data = "d"
    [listen]
    host = "0.0.0.0"
    bots_port = 1
    web_host = "::1"
    web_port = 2
    allow_plaintext = true
    [tls]
    cert = "a.crt"
    key = "/etc/a.key"
    client_ca = ""
    web = false
    [limits]
    max_matches = 3
    drain = 1.5
    [retention]
    records_days = 30
    [house]
    bots = []
    [log]
    level = "DEBUG"
    console = true
    """
    assert load(written(tmp_path, text), {}).config() == Config(
        data=tmp_path / "d",  # what the file names counts from its folder
        host="0.0.0.0",
        bots_port=1,
        web_port=2,
        web_host="::1",
        tls_web=False,
        tls_cert=tmp_path / "a.crt",
        tls_key=Path("/etc/a.key"),
        allow_plaintext=True,
        max_matches=3,
        drain=1.5,
        records_days=30,
        house="none",
        log_level="debug",
        log_console=True,
    )


def test_a_path_in_the_environment_is_as_it_is() -> None:
    assert load(None, {"SAURODROME_SERVE_DATA": "here"}).config().data == Path("here")


@pytest.mark.parametrize(
    ("text", "line", "meant"),
    [
        ("[listen]\nhost = 'x'\nbots_prot = 1\n", "line 3", "listen.bots_port"),
        ("max_matches = 1\n", "line 1", "limits.max_matches"),
        ("[log]\n[tsl]\ncert = 'x'\n", "line 3", "tls.cert"),
        ("listen.webport = 1\n", "line 1", "listen.web_port"),
    ],
)
def test_an_unknown_key_is_refused_with_its_line_and_the_nearest_name(
    tmp_path: Path, text: str, line: str, meant: str
) -> None:
    ((code, where, do),) = problems(tmp_path, text)
    assert (code, where) == ("UNKNOWN_SETTING", line)
    assert f"did you mean `{meant}`?" in do


def test_an_unknown_variable_is_refused_with_the_nearest_name() -> None:
    (problem,) = load(None, {"SAURODROME_SERVE_WEB_PROT": "1", "SAURODROME_SERVER": "x"}).problems
    assert problem.code == "UNKNOWN_SETTING"
    assert "did you mean `SAURODROME_SERVE_WEB_PORT`?" in problem.do


WRONG = [
    "listen.bots_port = 65536",
    "listen.bots_port = true",
    "listen.bots_port = 1.5",
    "listen.bots_port = 'many'",
    "listen.host = ''",
    "listen.host = 7",
    "listen.allow_plaintext = 'maybe'",
    "limits.max_matches = 0",
    "limits.drain = -1",
    "limits.drain = nan",
    "limits.drain = true",
    "log.level = 'loud'",
    "house.bots = [1]",
    "data = ['x']",
]


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_value_is_refused_with_its_line_and_what_it_may_be(
    tmp_path: Path, line: str
) -> None:
    ((code, where, do),) = problems(tmp_path, f"# a comment\n{line}\n")
    assert (code, where) == ("BAD_SETTING", "line 2")
    assert do.startswith("write ")


def test_all_that_is_wrong_is_told_at_once_and_nothing_is_served(tmp_path: Path) -> None:
    loaded = load(written(tmp_path, "a = 1\nb = 2\n[log]\nlevel = 'x'\n"), {})
    assert [p.code for p in loaded.problems] == ["UNKNOWN_SETTING"] * 2 + ["BAD_SETTING"]
    with pytest.raises(Refused):
        loaded.config()


def test_a_file_that_is_no_toml_is_refused_with_its_line(tmp_path: Path) -> None:
    assert problems(tmp_path, "[log]\nlevel = info\n")[0][:2] == ("BAD_TOML", "line 2")


@pytest.mark.parametrize("make", [lambda p: None, Path.mkdir, lambda p: p.write_bytes(b"\xff")])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, make: object) -> None:
    path = tmp_path / "x.toml"
    assert callable(make)
    make(path)
    (problem,) = load(path, {}).problems
    assert (problem.code, problem.where) == ("NO_CONFIG", str(path))


# the documented file


def test_what_is_shown_can_be_read_again(tmp_path: Path) -> None:
    file = written(tmp_path, "data = '/d'\n[house]\nbots = ['greedy']\n[log]\nlevel = 'error'\n")
    loaded = load(file, {"SAURODROME_SERVE_TLS_CERT": "/c", "SAURODROME_SERVE_DRAIN": "0.5"})
    again = load(written(tmp_path, documented(loaded)), {})
    assert again.config() == loaded.config()
    assert 'level = "error"  # from file' in documented(loaded)


def test_the_defaults_name_every_setting_with_flag_and_variable_and_set_none(
    tmp_path: Path,
) -> None:
    text = documented()
    assert load(written(tmp_path, text), {}).count("file") == 0
    for setting in SETTINGS:
        assert f"# {setting.flag}" in text
        assert setting.variable in text
    uncommented = "\n".join(
        line.removeprefix("# ")
        for line in text.splitlines()
        if line.startswith(("# ", "["))
        if " = " in line or line.startswith("[")
    )
    assert load(written(tmp_path, uncommented), {}).config() == Config(
        data=tmp_path / ".saurodrome"
    )


def test_the_file_that_is_shipped_is_this_one() -> None:
    """If not: saurodrome config show --defaults > deploy/saurodrome.toml."""
    assert SHIPPED.read_text() == documented()


def test_tokens_are_masked_wherever_they_stand(tmp_path: Path) -> None:
    shown = documented(load(None, {"SAURODROME_SERVE_TLS_KEY": TOKEN}))
    assert TOKEN not in shown
    assert "srd_admin_abcdefgh_***" in shown
    assert masked(f"x {TOKEN} y {TOKEN}").count("***") == 2
