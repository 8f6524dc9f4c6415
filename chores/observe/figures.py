"""Values with their units, as Grafana writes them."""

_TIMES = ((86_400.0, "d"), (3_600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
_BYTES = ((2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B"))
_NUMBERS = ((1e9, "B"), (1e6, "M"), (1e3, "K"), (1.0, ""))


def figure(value: float, unit: str, decimals: int | None = None) -> str:
    """Write a value of one of the units that the dashboards use."""
    if value in (float("inf"), float("-inf")):
        return "∞"
    if unit == "percentunit":
        return f"{value * 100:.{1 if decimals is None else decimals}f} %"
    if unit == "d":
        return f"{value:.0f} d"
    if unit in ("none", "locale"):
        return f"{value:,.{decimals or 0}f}" if unit == "locale" else _plain(value, decimals)
    steps = {"s": _TIMES, "bytes": _BYTES}.get(unit, _NUMBERS)
    size, name = next((step for step in steps if abs(value) >= step[0]), steps[-1])
    if value == 0 or (unit == "short" and abs(value) < 1):
        size, name = 1.0, "" if unit == "short" else name if value else _ZERO.get(unit, "")
    text = f"{value / size:.{decimals}f}" if decimals is not None else f"{value / size:.3g}"
    return f"{text} {name}".rstrip() if unit in ("s", "bytes") else f"{text}{name}"


_ZERO = {"s": "s", "bytes": "B"}


def _plain(value: float, decimals: int | None) -> str:
    return f"{value:g}" if decimals is None else f"{value:.{decimals}f}"
