"""What must hold of a log of results after any simulation, in every format."""

from collections import defaultdict

from saurodrome.server.contracts import Listed
from saurodrome.server.frames import Ended, MatchStarted
from saurodrome.server.recorder import START
from saurodrome.server.schedule import round_robin
from saurodrome.server.settings import Deals, Format, TournamentSettings
from saurodrome.server.store.records import Result, Termination
from saurodrome.server.tournament.course import deal_of
from tests.sim.world import World

EPSILON = 1e-6
GIVEN_UP = "the arbiter gave up"
"""How the reason begins for which nothing of a block counts."""


async def check(world: World, settings: TournamentSettings) -> None:
    """Check the log of a tournament that is over.

    Raises:
        AssertionError: Something does not hold.
    """
    results = await world.results(settings.name)
    listed = await world.organiser.matches(settings.name, 0, len(results) + 1)
    assert tuple(entry.result for entry in listed) == results
    check_log(world, settings.name, results)
    check_counted(settings, listed)
    check_void_deals(world, settings, listed)


def check_log(world: World, tournament: str, results: tuple[Result, ...]) -> None:
    """A log without gaps, whose results are those that were played, rated and told."""
    assert [r.position for r in results] == list(range(1, len(results) + 1))
    assert len({r.match_id for r in results}) == len(results)
    check_ratings(results)
    check_against_what_was_played(world, results)
    check_nothing_told_is_lost(world, tournament, results)


def check_counted(settings: TournamentSettings, listed: tuple[Listed, ...]) -> None:
    """Every match has one result that counts; a match that is played anew ends in r1, r2 ...

    A block of one deal that was given up has one that does not, and counts in no part.
    """
    settled = [entry for entry in listed if not entry.void or entry.void.startswith(GIVEN_UP)]
    counted = {}
    for result in (entry.result for entry in settled):
        planned = result.match_id.removeprefix(f"{settings.name}/").partition("r")[0]
        assert planned not in counted, planned
        counted[planned] = tuple(seat.bot for seat in result.seats)
    if settings.deals is Deals.DUPLICATE:
        blocks: defaultdict[str, set[tuple[str, bool]]] = defaultdict(set)
        for entry in settled:
            block = entry.result.match_id.rpartition("/")[0]
            blocks[block].add((deal_of(entry.result.match_id), bool(entry.void)))
        assert all(len(tries) == 1 for tries in blocks.values())
    if settings.format is Format.ROUND_ROBIN:
        schedule = round_robin(
            settings.bots,
            settings.players,
            seed=settings.seed,
            seating=settings.seating.value,
            rounds=settings.rounds,
            matches=settings.matches or None,
        )
        assert counted == {match.id: match.seats for match in schedule.matches()}
    if settings.deals is Deals.FRESH:
        assert not any(entry.void for entry in listed)


def check_void_deals(
    world: World, settings: TournamentSettings, listed: tuple[Listed, ...]
) -> None:
    """A deal of which bots saw a part in an attempt that is void is not one that counts.

    The last attempt at a match that is given up is void for good, and voids nothing else.
    """
    log = {(entry.result.match_id, entry.result.attempt): entry.void for entry in listed}
    given_up = {
        (entry.result.match_id, entry.result.attempt - 1)
        for entry in listed
        if entry.result.termination is Termination.ABANDONED
    }
    counts: set[bytes] = set()
    void: set[bytes] = set()
    for line in world.trace.frames():
        if isinstance(line.frame, MatchStarted):
            start = line.frame.start
            key = (start.match_id, start.attempt)
            if start.match_id.startswith(f"{settings.name}/") and key not in given_up:
                is_void = log.get(key, "cut off")
                (void if is_void else counts).add(start.commitment)
    assert not void & counts


def check_ratings(results: tuple[Result, ...]) -> None:
    """Live Elo is a fold over the log, and its sum is constant."""
    elo: defaultdict[str, float] = defaultdict(lambda: START)
    for result in results:
        assert [s.elo_before for s in result.seats] == [elo[s.bot] for s in result.seats]
        assert abs(sum(s.elo_after - s.elo_before for s in result.seats)) < EPSILON
        for seat in result.seats:
            assert seat.rated or seat.elo_after == seat.elo_before
            elo[seat.bot] = seat.elo_after
    assert abs(sum(elo.values()) - START * len(elo)) < EPSILON * max(1, len(results))


def check_against_what_was_played(world: World, results: tuple[Result, ...]) -> None:
    """A result is that of the attempt that it names."""
    for result in results:
        attempt = world.played.get((result.match_id, result.attempt))
        if attempt is None:
            assert not any(seat.rated for seat in result.seats), result
            continue
        played = attempt.played
        assert result.termination is played.termination
        assert [s.placement for s in result.seats] == [s.placement for s in played.seats]
        assert result.has_record is (played.playthrough is not None)


def check_nothing_told_is_lost(world: World, tournament: str, results: tuple[Result, ...]) -> None:
    """What anybody was told of a result, in whichever process, is in the log, to the last digit."""
    log = {result.match_id: result for result in results}
    for result, _ in world.trace.all("match_finished"):
        assert result.tournament != tournament or log[result.match_id] == result
    for line in world.trace.frames():
        if isinstance(line.frame, Ended) and line.frame.end.termination != "void":
            end = line.frame.end
            if end.match_id in log:
                stored = log[end.match_id]
                assert (end.attempt, end.termination) == (stored.attempt, stored.termination)
                elos = [(seat.elo_before, seat.elo_after) for seat in stored.seats]
                assert [(seat.elo_before, seat.elo_after) for seat in end.results] == elos
            else:
                assert not end.match_id.startswith(f"{tournament}/"), end
