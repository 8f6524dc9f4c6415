"""Ports: what is bound, and why one cannot be had."""

import errno
import os
import socket

import pytest

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.listening import bind, is_loopback

pytestmark = pytest.mark.wire


def test_port_0_takes_a_free_one_that_others_do_not_get() -> None:
    with bind("127.0.0.1", 0, "web_port") as bound:
        bound.listen()
        port = bound.getsockname()[1]
        with pytest.raises(Refused) as caught:
            bind("127.0.0.1", port, "web_port")
    assert (caught.value.kind, caught.value.code) == (Kind.UNAVAILABLE, "PORT_IN_USE")
    assert caught.value.where == "web_port"
    assert str(port) in caught.value.what
    bind("127.0.0.1", port, "web_port").close()


@pytest.mark.parametrize("host", ["192.0.2.1", "x" * 300, ""])
def test_what_is_no_address_here_is_refused(host: str) -> None:
    with pytest.raises(Refused) as caught:
        bind(host, 0, "web_port")
    assert (caught.value.kind, caught.value.code) == (Kind.INVALID, "BAD_ADDRESS")
    assert caught.value.where == "host"


def test_a_port_that_this_user_may_not_open_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(self: socket.socket, address: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(socket.socket, "bind", forbidden)
    with pytest.raises(Refused) as caught:
        bind("127.0.0.1", 80, "web_port")
    assert caught.value.code == "PORT_FORBIDDEN"


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.1", False),
        ("localhost.example", False),
        ("", False),
    ],
)
def test_loopback_is_what_other_machines_cannot_reach(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
