"""Order by a keyed hash: the same on every machine and in every Python."""

from hashlib import shake_128

_BYTES = 8


def keyed_numbers(seed: int, label: str, count: int) -> list[int]:
    """Return ``count`` numbers of 64 bits that depend on the seed and the label alone."""
    digest = shake_128(f"saurodrome schedule {seed} {label}".encode()).digest(_BYTES * count)
    return [int.from_bytes(digest[i : i + _BYTES]) for i in range(0, len(digest), _BYTES)]


def keyed_order(seed: int, label: str, count: int) -> list[int]:
    """Return 0 to ``count - 1`` in an order that depends on the seed and the label alone."""
    numbers = keyed_numbers(seed, label, count)
    return sorted(range(count), key=lambda index: (numbers[index], index))
