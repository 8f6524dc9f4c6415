"""What every store keeps to, whichever database it stands on."""

import asyncio

import pytest

from saurodrome.server.errors import Kind, Refused
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.interface import BadBatch, Store
from saurodrome.server.store.records import (
    Attempts,
    Batch,
    Bot,
    NewTournament,
    Termination,
    Tournament,
    TournamentState,
)
from tests.server.store.samples import (
    BOTS,
    CUP,
    batch_of,
    fault,
    furnish,
    lease,
    match_id,
    new_bot,
    new_result,
    new_tournament,
    placed,
    void,
)


async def test_a_bot_comes_back_as_it_was_registered(store: Store) -> None:
    given = await store.add_bot(new_bot("ada", "r1"))
    expected = Bot(1, "ada", "The ada", "owner", "id-ada", b"\0hash", 100.5, "r1")
    assert given == expected
    assert await store.bots() == (expected,)


async def test_bots_are_listed_by_name_and_numbered_as_they_came(store: Store) -> None:
    for name in ("cyd", "ada", "bob"):
        await store.add_bot(new_bot(name))
    assert [(bot.name, bot.number) for bot in await store.bots()] == [
        ("ada", 2),
        ("bob", 3),
        ("cyd", 1),
    ]


async def test_a_name_is_taken_once(store: Store) -> None:
    await store.add_bot(new_bot("ada"))
    with pytest.raises(Refused) as refused:
        await store.add_bot(new_bot("ada"))
    assert (refused.value.kind, refused.value.code) == (Kind.EXISTS, "NAME_TAKEN")
    assert len(await store.bots()) == 1


async def test_a_request_that_comes_again_gives_the_same_bot(store: Store) -> None:
    first = await store.add_bot(new_bot("ada", "r1"))
    assert await store.add_bot(new_bot("ada", "r1")) == first
    assert await store.bots() == (first,)


async def test_requests_without_an_id_have_nothing_in_common(store: Store) -> None:
    await furnish(store)
    assert len(await store.bots()) == len(BOTS)


async def test_a_tournament_comes_back_as_it_was_created(store: Store) -> None:
    new = new_tournament(request_id="r1")
    given = await store.add_tournament(new)
    expected = Tournament(1, new.settings, TournamentState.PLANNED, 3, 200.25, "r1")
    assert given == expected
    assert await store.tournaments() == (expected,)


async def test_tournaments_are_listed_oldest_first(store: Store) -> None:
    for name in ("zoo", "ark"):
        await store.add_tournament(new_tournament(name))
    assert [t.settings.name for t in await store.tournaments()] == ["zoo", "ark"]


async def test_a_tournament_name_is_taken_once_and_a_request_is_one(store: Store) -> None:
    first = await store.add_tournament(new_tournament(request_id="r1"))
    assert await store.add_tournament(new_tournament(request_id="r1")) == first
    with pytest.raises(Refused) as refused:
        await store.add_tournament(new_tournament(request_id="r2"))
    assert refused.value.code == "NAME_TAKEN"


async def test_settings_of_any_value_come_back(store: Store) -> None:
    settings = TournamentSettings(
        "n", "g", "v", 5, ("é", "b"), display_name="Pokál 🦖 \"'", rounds=7, seed=2**63 - 1
    )
    await store.add_tournament(NewTournament(settings, 1, 0.1, ""))
    assert (await store.tournaments())[0].settings == settings


async def test_states_stamp_the_first_start_and_the_end(store: Store) -> None:
    await store.add_tournament(new_tournament())
    for state, when in [
        (TournamentState.RUNNING, 1.5),
        (TournamentState.PAUSED, 2.5),
        (TournamentState.RUNNING, 3.5),
    ]:
        moved = await store.set_state(CUP, state, when)
        assert (moved.state, moved.started, moved.ended) == (state, 1.5, None)
    ended = await store.set_state(CUP, TournamentState.FINISHED, 4.5)
    assert (ended.started, ended.ended) == (1.5, 4.5)
    assert await store.tournaments() == (ended,)


async def test_a_tournament_nobody_knows_has_no_state(store: Store) -> None:
    with pytest.raises(Refused) as refused:
        await store.set_state("no", TournamentState.RUNNING, 1.0)
    assert refused.value.code == "UNKNOWN_TOURNAMENT"


async def test_results_come_back_in_the_order_of_the_log(store: Store) -> None:
    await furnish(store)
    pairs = [placed(new_result(n), p) for p, n in enumerate((9, 4, 7), 1)]
    await store.commit(batch_of(*pairs[:2]))
    await store.commit(batch_of(*pairs[2:]))
    results = tuple(result for result, _ in pairs)
    assert await store.results(CUP) == results
    assert await store.results(CUP, after=1) == results[1:]
    assert await store.results(CUP, after=1, limit=1) == results[1:2]
    assert await store.results(CUP, after=3) == ()
    assert await store.last_position(CUP) == 3


async def test_a_seat_keeps_all_that_is_known_of_it(store: Store) -> None:
    await furnish(store)
    new = new_result(1, termination=Termination.FORFEIT, rated=False, record=None)
    odd = new.seats[0]._replace(forfeited=True, points=-3)
    pair = placed(new._replace(seats=(odd, new.seats[1]._replace(absent=True))), 1, gain=0.1)
    await store.commit(batch_of(pair))
    assert await store.results(CUP) == (pair[0],)


async def test_each_tournament_has_a_log_of_its_own(store: Store) -> None:
    await furnish(store, ("cup", "ark"))
    cup = placed(new_result(1), 1)
    ark = placed(new_result(1, tournament="ark"), 1)
    await store.commit(batch_of(cup, ark))
    assert await store.results("ark") == (ark[0],)
    assert await store.last_position("cup") == 1
    assert await store.results("no") == ()
    assert await store.last_position("no") == 0


async def test_a_batch_may_be_committed_again(store: Store) -> None:
    await furnish(store)
    results = (placed(new_result(1, faults=(fault(1),)), 1), placed(new_result(2), 2))
    batch = Batch((lease(1), lease(2), lease(3)), results, (void(3, faults=(fault(3),)),))
    assert set(await store.commit(batch)) == set()
    assert set(await store.commit(batch)) == {match_id(1), match_id(2)}
    assert await store.results(CUP) == tuple(result for result, _ in results)
    assert len(await store.faults(CUP)) == 2
    assert await store.attempts(CUP) == {match_id(3): Attempts(1, 1)}


async def test_a_match_takes_no_second_result(store: Store) -> None:
    await furnish(store)
    first = placed(new_result(1), 1)
    await store.commit(batch_of(first))
    later = placed(new_result(1, attempt=2, record=b"other", faults=(fault(1),)), 2)
    assert set(await store.commit(batch_of(later))) == {match_id(1)}
    assert await store.results(CUP) == (first[0],)
    assert await store.record(match_id(1)) == b"record"
    assert await store.record(match_id(1), 2) is None
    assert await store.faults(CUP) == ()


async def test_of_two_results_in_a_batch_the_first_counts(store: Store) -> None:
    await furnish(store)
    first, second = placed(new_result(1), 1), placed(new_result(1, attempt=2), 2)
    assert set(await store.commit(batch_of(first, second))) == set()
    assert await store.results(CUP) == (first[0],)


@pytest.mark.parametrize("position", [0, 1, 3, -1])
async def test_positions_leave_no_gap(store: Store, position: int) -> None:
    await furnish(store)
    await store.commit(batch_of(placed(new_result(1), 1)))
    with pytest.raises(BadBatch):
        await store.commit(batch_of(placed(new_result(2), position)))
    assert await store.last_position(CUP) == 1


async def test_the_first_position_is_one(store: Store) -> None:
    await furnish(store)
    with pytest.raises(BadBatch):
        await store.commit(batch_of(placed(new_result(1), 2)))


async def test_a_batch_is_committed_whole_or_not_at_all(store: Store) -> None:
    await furnish(store)
    good, bad = placed(new_result(1, faults=(fault(1),)), 1), placed(new_result(2), 9)
    with pytest.raises(BadBatch):
        await store.commit(Batch((lease(3),), (good, bad), (void(4),)))
    assert await store.results(CUP) == ()
    assert await store.faults(CUP) == ()
    assert await store.attempts(CUP) == {}
    assert await store.record(match_id(1)) is None


async def test_what_nobody_knows_takes_part_in_no_batch(store: Store) -> None:
    await furnish(store)
    stranger = new_result(1, placements={"ada": 1, "eve": 2})
    for batch in (
        batch_of(placed(stranger, 1)),
        batch_of(placed(new_result(1, tournament="no"), 1)),
        Batch(leases=(lease(1, tournament="no"),)),
        Batch(voids=(void(1, faults=(fault(1, bot="eve"),)),)),
    ):
        with pytest.raises(BadBatch):
            await store.commit(batch)


async def test_a_void_attempt_takes_no_result(store: Store) -> None:
    await furnish(store)
    await store.commit(Batch(leases=(lease(1),), voids=(void(1),)))
    with pytest.raises(BadBatch):
        await store.commit(batch_of(placed(new_result(1), 1)))
    await store.commit(batch_of(placed(new_result(1, attempt=2), 1)))
    assert [r.attempt for r in await store.results(CUP)] == [2]


async def test_stored_finds_results_by_match(store: Store) -> None:
    await furnish(store)
    pairs = [placed(new_result(n, record=None if n == 2 else b"r"), n) for n in (1, 2, 3)]
    await store.commit(batch_of(*pairs))
    assert await store.stored([match_id(2), match_id(3), match_id(4)]) == {
        match_id(2): pairs[1][0],
        match_id(3): pairs[2][0],
    }
    assert await store.stored([]) == {}


async def test_records_are_kept_by_attempt(store: Store) -> None:
    await furnish(store)
    await store.commit(
        batch_of(
            placed(new_result(1, attempt=2, record=b"\x00\xffrec"), 1),
            placed(new_result(2, record=None), 2),
        )
    )
    assert await store.record(match_id(1)) == b"\x00\xffrec"
    assert await store.record(match_id(1), 2) == b"\x00\xffrec"
    assert await store.record(match_id(1), 1) is None
    assert await store.record(match_id(2)) is None
    assert await store.record("no") is None


async def test_faults_come_newest_first_and_page_by_page(store: Store) -> None:
    await furnish(store, ("cup", "ark"))
    mine = (fault(1), fault(1, bot="bob"), fault(1, bot=""))
    await store.commit(batch_of(placed(new_result(1, faults=mine), 1)))
    elsewhere = new_result(1, tournament="ark", faults=(fault(1, tournament="ark"),))
    await store.commit(batch_of(placed(elsewhere, 1)))
    await store.commit(Batch(voids=(void(2, faults=(fault(2),)),)))

    found = await store.faults(CUP)
    assert [f for _, f in found] == [fault(2), *reversed(mine)]
    ids = [number for number, _ in found]
    assert ids == sorted(set(ids), reverse=True)
    assert await store.faults(CUP, limit=2) == found[:2]
    assert await store.faults(CUP, before=ids[1]) == found[2:]
    assert await store.faults(CUP, bot="ada") == (found[0], found[3])


async def test_attempts_tell_of_matches_without_result(store: Store) -> None:
    await furnish(store)
    await store.commit(Batch(leases=(lease(1), lease(2), lease(3))))
    await store.commit(Batch((lease(1, 2),), (placed(new_result(3), 1),), (void(1), void(2))))
    assert await store.attempts(CUP) == {
        match_id(1): Attempts(2, 1),
        match_id(2): Attempts(1, 1),
    }


async def test_an_attempt_that_is_over_stays_as_it_is(store: Store) -> None:
    await furnish(store)
    await store.commit(Batch((lease(1), lease(2)), (placed(new_result(1), 1),), (void(2),)))
    late = Batch((lease(2),), (), (void(1, faults=(fault(1),)), void(2, faults=(fault(2),))))
    await store.commit(late)
    assert await store.faults(CUP) == ()
    assert await store.attempts(CUP) == {match_id(2): Attempts(1, 1)}
    assert await store.last_position(CUP) == 1


async def test_what_was_in_flight_becomes_void(store: Store) -> None:
    await furnish(store)
    leases = (lease(1), lease(2), lease(3))
    await store.commit(Batch(leases, (placed(new_result(1), 1),), (void(2),)))
    assert await store.void_open_leases("restart", 9.0) == 1
    assert await store.void_open_leases("restart", 9.0) == 0
    assert await store.attempts(CUP) == {
        match_id(2): Attempts(1, 1),
        match_id(3): Attempts(1, 1),
    }


async def test_ratings_are_those_after_the_last_rated_match(store: Store) -> None:
    await furnish(store, ("cup", "ark"))
    await store.commit(
        batch_of(
            placed(new_result(1), 1, gain=16.0),
            placed(new_result(2, placements={"cyd": 1, "ada": 2}), 2, gain=10.5),
            placed(new_result(3, rated=False), 3, gain=99.0),
            placed(new_result(1, tournament="ark"), 1, gain=1.0),
        )
    )
    assert await store.ratings(CUP) == {"ada": 1489.5, "bob": 1484.0, "cyd": 1510.5}
    assert await store.ratings("ark") == {"ada": 1501.0, "bob": 1499.0}
    assert await store.ratings("no") == {}


async def test_callers_at_once_lose_nothing(store: Store) -> None:
    names = [f"bot{n}" for n in range(40)]
    bots = await asyncio.gather(*(store.add_bot(new_bot(name)) for name in names))
    assert sorted(bot.number for bot in bots) == list(range(1, 41))
    same = await asyncio.gather(*(store.add_bot(new_bot("one", "r")) for _ in range(10)))
    assert {bot.number for bot in same} == {41}
    assert len(await store.bots()) == 41


async def test_a_store_closes_twice_and_opens_again(store: Store) -> None:
    await furnish(store)
    await store.commit(batch_of(placed(new_result(1), 1)))
    before = (await store.bots(), await store.tournaments(), await store.results(CUP))
    await store.close()
    await store.close()
    await store.open()
    assert (await store.bots(), await store.tournaments(), await store.results(CUP)) == before
