"""A course is a fold over its log: whatever happens, folding it anew comes to the same."""

from random import Random
from typing import Any

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.contracts import EntrantStatus
from saurodrome.server.schedule import Match, ScheduleError
from saurodrome.server.settings import Deals, Format, TournamentSettings
from saurodrome.server.store.records import (
    Event,
    EventKind,
    NewEvent,
    RatedSeat,
    Result,
    Termination,
)
from saurodrome.server.tournament.course import Course, block_of, deal_of
from saurodrome.server.tournament.fold import fold, trial

OWNERS = {"b1": "ada", "b2": "ada"}
MOST_STEPS = 60
few = hypothesis.settings(max_examples=12)


def owner_of(bot: str) -> str:
    """Return who answers for a bot."""
    return OWNERS.get(bot, "")


def settings(form: Format, bots: int, **more: Any) -> TournamentSettings:
    """Return settings of a small tournament."""
    names = tuple(f"b{number}" for number in range(1, bots + 1))
    special: dict[Format, dict[str, Any]] = {
        Format.SWISS: {"rounds": 3},
        Format.GAUNTLET: {"candidates": names[:1]},
        Format.LADDER: {"rounds": 0, "matches": 20},
        Format.KNOCKOUT: {"rounds": 0},
        Format.ROUND_ROBIN: {},
    }
    options = {"players": 2} | special[form] | more
    return TournamentSettings("cup-r", "g", "v", bots=names, format=form, **options)


class Player:
    """Lets things happen to a course, and keeps the log as a store would."""

    def __init__(self, made: TournamentSettings, seed: int) -> None:
        """Start a tournament."""
        self.rng = Random(seed)
        self.course = Course(made, owner_of)
        self.act(EventKind.STARTED)

    def act(self, kind: EventKind, bot: str = "", match_id: str = "") -> None:
        """Take an event if it can be."""
        new = NewEvent(
            "cup-r", len(self.course.results), kind, bot, match_id, "", "so", "olga", 0.0, ""
        )
        try:
            self.course.take(new)
        except ScheduleError:
            return
        self.course.noted(Event(len(self.course.events) + 1, *new))

    def play(self, match: Match) -> None:
        """Give a match a result."""
        termination = self.rng.choice(
            [Termination.FINISHED] * 6
            + [Termination.ABSENT, Termination.NO_CONTEST, Termination.ABANDONED]
        )
        players = len(match.seats)
        places = [self.rng.randint(1, players) for _ in match.seats]
        absent = [False] * players
        if termination is Termination.ABSENT:
            places, absent[-1] = [1] * (players - 1) + [players], True
        seats = tuple(
            RatedSeat(bot, place, 0, 0, 0, False, away, True, 1500.0, self.rng.uniform(1400, 1600))
            for bot, place, away in zip(match.seats, places, absent, strict=True)
        )
        self.course.result(
            Result(
                len(self.course.results) + 1,
                "cup-r",
                self.course.match_id(match),
                1,
                termination,
                seats,
                0.0,
                True,
            )
        )

    def anything(self) -> None:
        """Let something happen."""
        course, rng = self.course, self.rng
        due = list(course.due.values())
        if due and rng.random() < 0.75:
            self.play(rng.choice(due))
            return
        bot = rng.choice(list(course.entrants))
        status = course.entrants[bot].status
        standing = [r for r in course.results if not course.void_reason(r)]
        match rng.randrange(5):
            case 0 if status is EntrantStatus.PLAYING:
                self.act(EventKind.WITHDRAWN, bot)
            case 1 if status is EntrantStatus.WITHDRAWN:
                self.act(EventKind.READMITTED, bot)
            case 2 if rng.random() < 0.2 and status is not EntrantStatus.DISQUALIFIED:
                self.act(EventKind.DISQUALIFIED, bot)
            case 3 if standing:
                match_id = rng.choice(standing).match_id
                if course.result_of(match_id) and course.duplicate:
                    match_id = f"cup-r/{block_of(course.planned_id(match_id))}"
                if course.duplicate or course.result_of(match_id):
                    self.act(EventKind.VOIDED, match_id=match_id)
            case 4 if len(course.entrants) < 8:
                self.act(EventKind.JOINED, f"b{len(course.entrants) + 1}")


def state(course: Course) -> tuple[object, ...]:
    """Return what a course comes to."""
    return (
        {course.match_id(match): match.seats for match in course.due.values()},
        course.counted(),
        course.total,
        course.done,
        course.over,
        dict(+course.streaks),
    )


@pytest.mark.parametrize("form", Format)
@few
@given(st.integers(3, 6), st.integers(0, 2**32))
def test_whatever_happens_a_log_that_is_folded_anew_comes_to_the_same(
    form: Format, bots: int, seed: int
) -> None:
    player = Player(settings(form, bots, seed=seed), seed)
    course = player.course
    for step in range(MOST_STEPS):
        player.anything()
        results = [result.match_id for result in course.results]
        assert len(set(results)) == len(results)
        assert not {course.match_id(m) for m in course.due.values()} & set(results)
        if step % 20 == 19:
            made = fold(course.settings, owner_of, course.results, course.events, started=True)
            assert state(made) == state(course)
    for _ in range(500):
        if not course.due:
            break
        player.play(next(iter(course.due.values())))
    if len(course.playing) >= 2:
        assert course.over


@pytest.mark.parametrize(
    ("form", "players"),
    [(Format.ROUND_ROBIN, 2), (Format.ROUND_ROBIN, 3), (Format.GAUNTLET, 3), (Format.SWISS, 2)],
)
@few
@given(st.integers(3, 5), st.integers(0, 2**32))
def test_what_counts_of_a_block_with_a_shared_deal_is_of_one_try(
    form: Format, players: int, bots: int, seed: int
) -> None:
    shared: dict[str, Any] = {"deals": Deals.DUPLICATE, "trusted": True, "players": players}
    made = settings(form, bots, seed=seed, **shared)
    player = Player(made, seed)
    for _ in range(MOST_STEPS):
        player.anything()
        tries: dict[str, set[str]] = {}
        course = player.course
        counted = [r.match_id for r in course.results if not course.void_reason(r)]
        ids = [*counted, *(course.match_id(m) for m in course.due.values())]
        for match_id in ids:
            tries.setdefault(match_id.rpartition("/")[0], set()).add(deal_of(match_id))
        assert all(len(deals) == 1 for deals in tries.values())


def test_an_older_log_without_a_start_is_folded_as_one_that_started() -> None:
    made = settings(Format.ROUND_ROBIN, 3)
    assert fold(made, owner_of, (), (), started=True).total == 6
    assert not fold(made, owner_of, (), (), started=False).started
    assert trial(made, owner_of, ()) == 6


def test_a_log_of_other_tables_than_the_schedule_s_is_not_followed() -> None:
    """As of a server that put tables together in another order."""
    player = Player(settings(Format.ROUND_ROBIN, 4), 1)
    player.play(next(iter(player.course.due.values())))
    (result,) = player.course.results
    events = player.course.events
    fold(player.course.settings, owner_of, [result], events, started=True)
    turned = result._replace(seats=result.seats[::-1])
    with pytest.raises(ScheduleError) as refused:
        fold(player.course.settings, owner_of, [turned], events, started=True)
    assert refused.value.code == "OTHER_TABLE"


def test_ids_of_the_log_lead_back_to_the_schedule() -> None:
    course = Course(settings(Format.ROUND_ROBIN, 3), owner_of)
    for match_id, planned, deal in (
        ("cup-r/1/2/3", "1/2/3", "cup-r/1/2"),
        ("cup-r/1/2/3r1", "1/2/3", "cup-r/1/2r1"),
        ("cup-r/10/20/30r12", "10/20/30", "cup-r/10/20r12"),
    ):
        assert course.planned_id(match_id) == planned
        assert deal_of(match_id) == deal
