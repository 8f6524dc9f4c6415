"""`saurodrome sprt` beside the verdict: what a fixed sample says, also where it says little."""

import json

import pytest
from rich.cells import cell_len

from saurodrome.server.cli.sprt import as_json, lines
from saurodrome.server.rating.score import Sample
from saurodrome.server.rating.sprt import Hypotheses, sprt

ONLY_WINS = Sample((1.0,), (10,), 2)
ONLY_LOSSES = Sample((0.0,), (10,), 2)
ALIKE = Sample((0.75,), (10,), 2)
NOTHING = Sample((), (), 2)
USUAL = Sample((0.25, 0.5, 1.0), (3, 10, 7), 2)


def screen(sample: Sample) -> list[str]:
    return lines("ann against bob", 20, sample, Hypotheses(), sprt(sample, Hypotheses()))


@pytest.mark.parametrize(
    ("sample", "says"),
    [
        (ONLY_WINS, "100.0 %, above +140 Elo, every match was won   fixed sample, 95 %"),
        (ONLY_LOSSES, "0.0 %, below -140 Elo, every match was lost   fixed sample, 95 %"),
        (ALIKE, "75.0 %, +191 Elo, with no error: all blocks scored alike"),
        (NOTHING, "no whole block yet"),
        (USUAL, "+98 ±95 Elo, normalised"),  # 0.6375 ± 1.96 * 0.2792 / 20**0.5
    ],
)
def test_no_figure_is_infinite(sample: Sample, says: str) -> None:
    text = "\n".join(screen(sample))
    assert says in text
    assert "inf" not in text
    assert max(map(cell_len, text.splitlines())) <= 80


@pytest.mark.parametrize("sample", [ONLY_WINS, ONLY_LOSSES, ALIKE, NOTHING, USUAL])
def test_its_json_is_json(sample: Sample) -> None:
    told = as_json(20, sample, Hypotheses(), sprt(sample, Hypotheses()))
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_what_cannot_be_measured_is_null() -> None:
    def fixed(sample: Sample) -> dict[str, float | None]:
        told = as_json(20, sample, Hypotheses(), sprt(sample, Hypotheses()))["fixed_sample"]
        assert isinstance(told, dict)
        return told

    won = fixed(ONLY_WINS)
    assert (won["elo"], won["elo_err95"], won["superiority"]) == (None, None, None)
    # 10 blocks in a row: 0.025 ** 0.1 is 0.6915, which is 140 Elo.
    assert won["elo_above"] == pytest.approx(140.2, abs=0.1)
    assert fixed(ONLY_LOSSES)["elo_below"] == pytest.approx(-140.2, abs=0.1)
    assert fixed(ALIKE)["elo_err95"] is None
    usual = fixed(USUAL)
    assert (usual["elo_above"], usual["elo_below"]) == (None, None)
    assert usual["superiority"] is not None
