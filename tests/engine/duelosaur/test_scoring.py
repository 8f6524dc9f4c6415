"""Final scoring."""

import pytest

from saurodrome.engine.games.duelosaur import scoring
from saurodrome.engine.games.duelosaur.position import OVER
from saurodrome.engine.games.duelosaur.scoring import Sheet
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import CARDS, PARTS, SOLO, cards, company, rival, setting


def test_every_part_of_a_sheet() -> None:
    own = company(
        visitors=20,
        dinosaurs=cards("P01", "P34", "S02"),  # 2, 6 and 2
        attractions=cards("P10", "P17", "P26", "P01"),  # food 2 + 1, merch 2, ride 2; 1 each
        specialists=samples.specialists("X04", "X16"),
        lawsuits=2,
        seen=cards("P35"),
        coins=50,
        dna=(9,) * 6,
    )
    sheet = scoring.company_sheet(PARTS, own)
    assert sheet == Sheet(
        visitors=20,
        dinosaurs=10,
        attractions=3,
        sets=8,
        specialists=3,
        extra=0,
        lawsuits=10,
        herd=3,
    )
    assert sheet.total == 20 + 10 + 3 + 8 + 3 - 10


@pytest.mark.parametrize(
    ("ai", "points"),
    [
        ("A1", 10 + 8 + 0 + 0 + 11 // 4),  # dinosaurs; 1 per 4 coins
        ("A2", 10 + 8 + 2 + 0 + (3 + 2 * 5) // 5),  # and attractions; 1 per 5 of DNA value
        ("A3", 10 + 8 + 2 + 0),
        ("A4", 10 + 8 + 2 + 4 + (3 + 2 * 5) // 3),  # and sets
        ("A5", 10 + 8 + 2 + 4 + 11 // 2),
        ("A6", 10 + 8 + 2 + 4),
    ],
)
def test_what_an_ai_scores(ai: str, points: int) -> None:
    own = rival(
        visitors=10,
        dinosaurs=cards("P01", "P34"),  # 2 and 6
        attractions=cards("P10", "P02", "P26"),  # food, merchandise, ride; 1 + 0 + 1 visitors
        coins=11,
        basic=3,
        advanced=5,
        hand=cards("P35"),
    )
    card = setting(SOLO[ai]).ai
    assert card is not None
    assert scoring.rival_sheet(PARTS, card, own).total == points


def test_a_solo_match_has_the_ais_sheet_last() -> None:
    state = samples.start(SOLO["A1"])
    assert [sheet.total for sheet in state.sheets()] == [5, 5]


@pytest.mark.parametrize(
    ("visitors", "herd", "place"),
    [(9, (), 1), (8, (), 2), (8, ("P44",), 1), (7, ("P44",), 2)],
    ids=["more points", "a draw", "more dinosaurs", "fewer points"],
)
def test_who_plays_alone_is_first_only_if_it_beat_the_ai(
    visitors: int, herd: tuple[str, ...], place: int
) -> None:
    worth = sum(PARTS.cards[CARDS[one]].dinosaur.visitors for one in herd)
    own = samples.company(visitors=visitors - worth, dinosaurs=cards(*herd))
    ai = samples.rival(visitors=8)
    outcome = samples.position(SOLO["A1"], stage=OVER, companies=(own,), rivals=(ai,)).outcome()
    assert outcome is not None
    assert (outcome.points, outcome.placements) == ((visitors,), (place,))


@pytest.mark.parametrize(
    ("own", "other", "winner"),
    [((30, 1), (29, 9), 0), ((30, 1), (30, 2), 1), ((30, 2), (30, 2), None)],
)
def test_who_beats_whom(own: tuple[int, int], other: tuple[int, int], winner: int | None) -> None:
    sheets = tuple(Sheet(total, 0, 0, 0, 0, 0, 0, herd) for total, herd in (own, other))
    assert scoring.winner(sheets) == winner
