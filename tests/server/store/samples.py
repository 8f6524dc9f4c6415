"""Bots, tournaments and batches in small, for tests of stores and of the recorder."""

import math
from collections.abc import Iterable, Mapping, Sequence

from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.interface import Store
from saurodrome.server.store.records import (
    Batch,
    EventKind,
    Fault,
    Lease,
    NewBot,
    NewEvent,
    NewResult,
    NewTournament,
    RatedSeat,
    Result,
    SeatOutcome,
    Termination,
    Void,
)

BOTS = ("ada", "bob", "cyd")
CUP = "cup"


def new_bot(name: str, request_id: str = "") -> NewBot:
    """A bot to register."""
    return NewBot(name, f"The {name}", "owner", f"id-{name}", b"\0hash", 100.5, request_id)


def new_tournament(name: str = CUP, request_id: str = "") -> NewTournament:
    """A tournament of the three bots."""
    settings = TournamentSettings(name, "toy", "plain", 2, BOTS)
    return NewTournament(settings, 3, 200.25, request_id)


async def furnish(store: Store, tournaments: Iterable[str] = (CUP,)) -> None:
    """Registers the bots and creates tournaments."""
    for bot in BOTS:
        await store.add_bot(new_bot(bot))
    for name in tournaments:
        await store.add_tournament(new_tournament(name))


def match_id(number: int, tournament: str = CUP) -> str:
    """The id of a tournament's match."""
    return f"{tournament}/1/{number}/1"


def new_event(
    kind: EventKind = EventKind.WITHDRAWN,
    bot: str = "ada",
    *,
    match: str = "",
    position: int = 0,
    tournament: str = CUP,
    request_id: str = "",
) -> NewEvent:
    """An event of a tournament."""
    what = (kind, bot, match, "", "a reason: é", "olga", 250.5)
    return NewEvent(tournament, position, *what, request_id)


def lease(number: int, attempt: int = 1, tournament: str = CUP) -> Lease:
    """An attempt that begins."""
    return Lease(tournament, match_id(number, tournament), attempt, 300.0 + number)


def fault(number: int, bot: str = "ada", attempt: int = 1, tournament: str = CUP) -> Fault:
    """A fault of a bot."""
    where = (tournament, match_id(number, tournament), attempt)
    return Fault(*where, 7, bot, "timed_out", 1.0, 1.25, bot or "arbiter", "strike", 301.5)


def void(number: int, attempt: int = 1, faults: tuple[Fault, ...] = ()) -> Void:
    """An attempt that ends without counting."""
    return Void(CUP, match_id(number), attempt, "stalled", 302.0, faults)


def new_result(
    number: int,
    attempt: int = 1,
    *,
    tournament: str = CUP,
    placements: dict[str, int] | None = None,
    termination: Termination = Termination.FINISHED,
    rated: bool = True,
    record: bytes | None = b"record",
    faults: tuple[Fault, ...] = (),
) -> NewResult:
    """A result; ada beats bob unless other placements are given."""
    seats = tuple(
        SeatOutcome(bot, placement, 30 - placement, placement, seat, rated=rated)
        for seat, (bot, placement) in enumerate((placements or {"ada": 1, "bob": 2}).items())
    )
    key = (tournament, match_id(number, tournament), attempt)
    return NewResult(*key, termination, seats, 400.125 + number, record, faults)


def placed(new: NewResult, position: int, gain: float = 16.0) -> tuple[Result, NewResult]:
    """A result at its position; the first seat gains, the last loses."""
    last = len(new.seats) - 1
    seats = tuple(
        RatedSeat(*outcome, 1500.0, 1500.0 + gain * ((seat == 0) - (seat == last)))
        for seat, outcome in enumerate(new.seats)
    )
    result = Result(
        position,
        new.tournament,
        new.match_id,
        new.attempt,
        new.termination,
        seats,
        new.when,
        new.record is not None,
    )
    return result, new


def batch_of(*results: tuple[Result, NewResult]) -> Batch:
    """A batch of results alone."""
    return Batch(results=results)


def check_log(results: Sequence[Result], ratings: Mapping[str, float]) -> None:
    """Checks a log of matches of two: no gap, no match twice, and Elo its own fold."""
    assert [result.position for result in results] == list(range(1, len(results) + 1))
    assert len({result.match_id for result in results}) == len(results)
    elo: dict[str, float] = {}
    for result in results:
        winner, loser = sorted(result.seats, key=lambda seat: seat.placement)
        before = [elo.get(seat.bot, 1500.0) for seat in (winner, loser)]
        gain = 32 * (1 - 1 / (1 + 10 ** ((before[1] - before[0]) / 400)))
        assert [winner.elo_before, loser.elo_before] == before
        assert math.isclose(winner.elo_after, before[0] + gain)
        assert math.isclose(loser.elo_after, before[1] - gain)
        elo |= {seat.bot: seat.elo_after for seat in result.seats}
    assert ratings == elo
