"""What a running server says of itself: its health, and how long things take it."""

import json
import re
import ssl
import urllib.error
import urllib.request
from math import inf

ANSWERS_WITHIN = 5.0
"""Seconds that a server may take to answer."""
_LONGEST = 4_000_000
"""Bytes of a page that are read."""
_BUCKET = re.compile(r'(?m)^(\w+)_bucket\{(?:[^}]*,)?le="([^"]+)"[^}]*\} (\S+)')


def health(web: str) -> dict[str, str]:
    """What a server says of its health; that it is not well is an answer, too.

    Raises:
        OSError: It does not answer.
        ValueError: What answers is something else.
    """
    told: dict[str, str] = json.loads(page(f"{web}/healthz"))
    return told


def page(address: str) -> str:
    """Fetches a page of a server on this machine, whatever its certificate.

    Raises:
        OSError: It does not answer.
    """
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=unchecked)
    )
    try:
        with opener.open(address, timeout=ANSWERS_WITHIN) as answer:
            content: bytes = answer.read(_LONGEST)
    except urllib.error.HTTPError as error:
        content = error.read(_LONGEST)
    return content.decode("utf-8", "replace")


def quantile(metrics: str, name: str, share: float) -> float | None:
    """The least bound, in seconds, below which a share of a histogram's observations lies.

    None if there are no observations; infinity if it lies above the greatest bound.

    Args:
        metrics: A page in Prometheus' text format.
        name: The histogram, one without labels.
        share: Such as 0.99.
    """
    counted = sorted(
        (float(bound), float(count))
        for metric, bound, count in _BUCKET.findall(metrics)
        if metric == name
    )
    total = counted[-1][1] if counted else 0.0
    if not total:
        return None
    return next((bound for bound, count in counted if count >= share * total), inf)
