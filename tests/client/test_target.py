"""Which server and which token: what is given, the environment, files, the default."""

from pathlib import Path

import pytest

from saurodrome.client import InputError
from saurodrome.client._target import Target, find_server, find_token

SECRET = "srd_bot_k3f9abcd_abcdefghijklmnopqrstuvwxyz234567"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("arena:7741", "arena:7741"),
        ("arena", "arena:7741"),
        ("10.0.0.7:80", "10.0.0.7:80"),
        ("[::1]:9000", "[::1]:9000"),
        ("[::1]", "[::1]:7741"),
        (" arena:1 ", "arena:1"),
    ],
)
def test_an_address_is_host_and_port(given: str, expected: str) -> None:
    assert find_server(given).value == expected


@pytest.mark.parametrize(
    "given", ["", "http://arena:7742", "arena:0", "arena:65536", "arena:x", "a b", "::1", "u@h:1"]
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(InputError) as caught:
        find_server(given, "--server")

    assert (caught.value.code, caught.value.where) == ("BAD_SERVER", "--server")


def test_without_an_argument_the_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAURODROME_SERVER", "arena:1")

    found = find_server(None)

    assert (found.value, found.where) == ("arena:1", "SAURODROME_SERVER")


def test_without_anything_it_is_this_machine() -> None:
    assert find_server(None).value == "localhost:7741"


def test_token_argument_before_file_before_environment_before_usual_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, usual = tmp_path / "named", tmp_path / "usual"
    named.write_text("from-named\n")
    usual.write_text("from-usual\n")
    monkeypatch.setenv("SAURODROME_TOKEN", "from-environment")

    assert find_token("given", named, [usual], "").value == "given"
    assert find_token(None, named, [usual], "").value == "from-named"
    assert find_token(None, None, [usual], "").value == "from-environment"
    monkeypatch.delenv("SAURODROME_TOKEN")
    assert find_token(None, None, [tmp_path / "none", usual], "").value == "from-usual"


def test_without_a_token_the_error_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        find_token(None, None, [tmp_path / "my_bot.token"], "saurodrome bot register my_bot")

    assert caught.value.code == "TOKEN_MISSING"
    assert "SAURODROME_TOKEN" in caught.value.where
    assert "my_bot.token" in caught.value.where
    assert caught.value.do == "saurodrome bot register my_bot"


@pytest.mark.parametrize("text", ["", "  \n", "two words", "zwei\nZeilen", "tökén", "a\x00b"])
def test_what_cannot_be_a_token_is_refused_and_not_shown(text: str) -> None:
    with pytest.raises(InputError) as caught:
        find_token(text, None, [], "")

    assert caught.value.code == "TOKEN_MALFORMED"
    assert not text.strip() or text.strip() not in caught.value.format()


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_token_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bot.token"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(InputError) as caught:
        find_token(None, path, [], "")

    assert (caught.value.code, caught.value.where) == ("TOKEN_MISSING", str(path))


def test_the_token_itself_is_never_shown() -> None:
    target = Target.of(find_server(None), find_token(SECRET, None, [], ""))

    assert target.token_name == "token k3f9abcd from token="
    assert "abcdefghijklmnop" not in repr(target)


def test_a_file_of_certificates_means_tls() -> None:
    found = find_token("t", None, [], "")

    assert Target.of(find_server(None), found, ca="ca.pem").tls
    assert not Target.of(find_server(None), found).tls


@pytest.mark.parametrize(
    ("server", "host", "port"), [("[::1]:9", "::1", 9), ("arena:7741", "arena", 7741)]
)
def test_host_and_port_are_told_apart(server: str, host: str, port: int) -> None:
    target = Target.of(find_server(server), find_token("t", None, [], ""))

    assert (target.host, target.port) == (host, port)
