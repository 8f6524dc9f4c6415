"""Certificates: their end, and renewed ones that are taken up only if they work."""

import shutil
import ssl
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from saurodrome.server.certificates import Certificates, certificates
from saurodrome.server.config import Config
from saurodrome.server.errors import Refused
from tests.server.certificates import Pair, issue

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """Certificates that last for 20 and 5,000 days."""
    folder = tmp_path_factory.mktemp("pairs")
    return {"old": issue(folder, "old", 20), "new": issue(folder, "new", 5_000)}


def test_the_end_of_a_certificate_is_read(pairs: dict[str, Pair]) -> None:
    for name, days in (("old", 20), ("new", 5_000)):
        ends = Certificates(*pairs[name]).ends
        assert abs(ends - (time.time() + days * 86_400)) < 600
        told = [
            subprocess.run(
                ["openssl", "x509", "-noout", "-checkend", str(int(ends - time.time()) + more)],
                input=pairs[name][0].read_bytes(), capture_output=True, check=False,
            ).returncode
            for more in (-60, 60)
        ]  # fmt: skip
        assert told == [0, 1]


def test_of_a_chain_the_first_end_counts(pairs: dict[str, Pair], tmp_path: Path) -> None:
    chain = tmp_path / "chain.crt"
    chain.write_bytes(pairs["new"][0].read_bytes() + pairs["old"][0].read_bytes())
    both = Certificates(chain, pairs["new"][1])
    assert both.ends == Certificates(*pairs["old"]).ends


def test_a_renewed_pair_is_taken_up_and_a_broken_one_is_not(
    pairs: dict[str, Pair], tmp_path: Path
) -> None:
    cert, key = tmp_path / "tls.crt", tmp_path / "tls.key"
    for path, source in zip((cert, key), pairs["old"], strict=True):
        shutil.copy(source, path)
    served = Certificates(cert, key)
    old = served.current
    assert not served.look()
    shutil.copy(pairs["new"][0], cert)  # its key is still the old one's
    with pytest.raises(Refused) as refused:
        served.look()
    assert (refused.value.code, served.current) == ("CERT_BAD", old)
    assert not served.look()  # said once
    shutil.copy(pairs["new"][1], key)
    assert served.look()
    assert served.current.chain == pairs["new"][0].read_bytes()


def test_a_link_that_points_elsewhere_is_a_renewal(pairs: dict[str, Pair], tmp_path: Path) -> None:
    """As certbot and Kubernetes renew."""
    links = [tmp_path / "tls.crt", tmp_path / "tls.key"]
    for link, target in zip(links, pairs["old"], strict=True):
        link.symlink_to(target)
    served = Certificates(*links)
    for link, target in zip(links, pairs["new"], strict=True):
        link.unlink()
        link.symlink_to(target)
    assert served.look()


def test_without_a_certificate_there_is_none(tmp_path: Path) -> None:
    assert certificates(Config(data=tmp_path)) is None
    nothing = Config(data=tmp_path)
    for half in ("tls_cert", "tls_key", "tls_client_ca"):
        given: dict[str, Any] = {half: Path("x")}
        with pytest.raises(Refused) as refused:
            certificates(replace(nothing, **given))
        assert refused.value.code == "CERT_BAD"


def trusts(context: ssl.SSLContext, cert: Path) -> bool:
    """Whether a client that trusts a certificate shakes hands with a server, both in memory."""
    client = ssl.create_default_context(cafile=str(cert))
    one, two = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (
        client.wrap_bio(one, two, server_hostname="localhost"),
        context.wrap_bio(two, one, server_side=True),
    )
    done: set[int] = set()
    for _ in range(4):
        for number, end in enumerate(ends):
            try:
                end.do_handshake()
                done.add(number)
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError:
                return False
    return done == {0, 1}


def test_servers_that_take_a_context_serve_a_renewed_pair_as_well(
    pairs: dict[str, Pair], tmp_path: Path
) -> None:
    files = Pair(tmp_path / "tls.crt", tmp_path / "tls.key")
    for path, source in zip(files, pairs["old"], strict=True):
        shutil.copy(source, path)
    served = Certificates(*files)
    assert [trusts(served.context, pairs[name].cert) for name in ("old", "new")] == [True, False]
    for path, source in zip(files, pairs["new"], strict=True):
        shutil.copy(source, path)
    assert served.look()
    assert [trusts(served.context, pairs[name].cert) for name in ("old", "new")] == [False, True]
