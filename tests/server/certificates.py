"""Certificates for tests, made by openssl."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Pair(NamedTuple):
    """A certificate and its key."""

    cert: Path
    key: Path


def issue(
    folder: Path,
    name: str,
    days: int = 30,
    *,
    subject: str = "localhost",
    by: Pair | None = None,
    more: Sequence[str] = (),
) -> Pair:
    """Makes a pair for a subject, signed by itself or by an authority, that lasts for some days.

    `more` are further options of `openssl x509`, such as the times of one that has expired.
    """
    pair = Pair(folder / f"{name}.crt", folder / f"{name}.key")
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", pair.key]
    named = ["-subj", f"/CN={subject}", "-addext", f"subjectAltName=DNS:{subject}"]
    if by is None:
        _openssl("req", "-x509", *new, *named, "-days", days, "-out", pair.cert)
        return pair
    asked = folder / f"{name}.csr"
    _openssl("req", *new, *named, "-out", asked)
    _openssl(
        *("x509", "-req", "-in", asked, "-CA", by.cert, "-CAkey", by.key, "-CAcreateserial"),
        *("-copy_extensions", "copy", "-out", pair.cert),
        *(more or ("-days", days)),
    )
    return pair


def _openssl(*words: object) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
