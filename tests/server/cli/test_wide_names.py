"""Names as long as they may be, on screens of 80 columns."""

from random import Random

import pytest
from rich.cells import cell_len

from saurodrome.server.cli.export import command_for
from saurodrome.server.cli.rating_screens import Told, difference, explanation, suspicion
from saurodrome.server.cli.sprt import lines
from saurodrome.server.rating.explain import explain
from saurodrome.server.rating.fit import Difference
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.score import Sample
from saurodrome.server.rating.sprt import Hypotheses, sprt
from saurodrome.server.rating.suspicion import Concentration, Oddity
from tests.server.rating.pools import played

NAMES = tuple(letter * 32 for letter in "abcdef")
CUP = "t" * 32


def matches() -> list[RatedMatch]:
    found = played(Random(1), "abcdef", 4)
    return [RatedMatch(m.block, tuple((32 * n, p) for n, p in m.placements)) for m in found]


def explained() -> list[str]:
    before, news = matches()[:30], matches()[30:]
    named = [(f"{CUP}/100/100/{number}", match) for number, match in enumerate(news, 1)]
    said = explain(before, news, NAMES[0], mean=1500.0)
    return explanation(Told(NAMES[0], CUP, 123_456, 234_567, named, said))


def told_apart() -> list[str]:
    return difference((NAMES[0], NAMES[1]), CUP, 234_567, Difference(-1245.0, 1259.0))


def suspected() -> list[str]:
    one = Concentration(NAMES[0], NAMES[1], 0.89)
    odd = Oddity(NAMES[0], NAMES[1], 0.97, 0.11, 12_345, 1e-12)
    return suspicion(234_567, [one], [odd])


def sequential() -> list[str]:
    sample = Sample((0.0, 0.5, 1.0), (100, 2_000, 12_345), 20)
    hypotheses = Hypotheses(-1000, 1000)
    at = sprt(sample, hypotheses)
    return lines(f"{NAMES[0]} against {', '.join(NAMES[1:])}", 234_567, sample, hypotheses, at)


@pytest.mark.parametrize("screen", [explained, told_apart, suspected, sequential])
def test_screens_of_ratings_hold_the_longest_names(screen: object) -> None:
    assert callable(screen)
    assert max(map(cell_len, screen())) <= 80


def test_the_hint_to_export_fits_its_line() -> None:
    assert command_for("cup") == "saurodrome tournament export cup --to cup"
    assert command_for(CUP) == f"saurodrome tournament export {CUP} --to results"
    assert len(f"next: {command_for(CUP)}") <= 80
