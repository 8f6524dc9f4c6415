"""Tournaments that are over, in every store: pages of them, and what was noted of their logs."""

from saurodrome.server.store.interface import Store
from saurodrome.server.store.records import Batch, Counts, Kept, TournamentState
from tests.server.store.samples import (
    CUP,
    batch_of,
    furnish,
    lease,
    new_event,
    new_result,
    new_tournament,
    placed,
    void,
)

FINISHED, CANCELLED = TournamentState.FINISHED, TournamentState.CANCELLED


async def test_those_that_are_over_come_newest_first_in_pages_and_the_others_apart(
    store: Store,
) -> None:
    names = ("zoo", "ark", "den", "pen", "sty")
    for name in names:
        await store.add_tournament(new_tournament(name))
    for name, state in [("zoo", FINISHED), ("den", CANCELLED), ("sty", FINISHED)]:
        await store.set_state(name, state, 1.5)
    assert [t.settings.name for t in await store.going()] == ["ark", "pen"]

    async def over(before: int | None, limit: int) -> list[str]:
        return [kept.tournament.settings.name for kept in await store.over(before, limit)]

    assert await over(None, 9) == ["sty", "den", "zoo"]
    assert await over(None, 2) == ["sty", "den"]
    assert await over(3, 2) == ["zoo"]
    assert await over(1, 2) == []
    assert await store.tournament_names(3) == ("ark", "den", "pen")
    every = await store.tournaments()
    assert await store.tournament("den") == Kept(every[2], None)
    assert await store.tournament("no") is None


async def test_those_that_are_over_are_counted_by_state(store: Store) -> None:
    await furnish(store, (CUP, "other", "third", "fourth"))
    assert await store.over_counts() == {}
    await store.set_state(CUP, FINISHED, 1.5)
    await store.set_state("other", CANCELLED, 1.5)
    await store.set_state("third", CANCELLED, 1.5)
    assert await store.over_counts() == {FINISHED: 1, CANCELLED: 2}


async def test_what_a_log_comes_to_is_noted_until_something_happens(store: Store) -> None:
    await furnish(store)
    counts = Counts(6, 4, 1, 2, 5, 1, 3)

    async def noted() -> Counts | None:
        kept = await store.tournament(CUP)
        assert kept
        return kept.counts

    await store.set_state(CUP, FINISHED, 1.5)
    assert await noted() is None
    await store.set_counts(CUP, counts)
    assert await noted() == counts
    assert [kept.counts for kept in await store.over(None, 9)] == [counts]
    await store.add_event(new_event(request_id="r1"))
    assert await noted() is None
    await store.set_counts(CUP, counts)
    await store.add_event(new_event(request_id="r1"))  # it came before, so nothing happens
    await store.set_state(CUP, CANCELLED, 2.5)
    assert await noted() is None


async def test_void_attempts_are_counted_also_those_of_matches_that_have_a_result(
    store: Store,
) -> None:
    await furnish(store, (CUP, "other"))
    await store.commit(Batch((lease(1), lease(2), lease(1, tournament="other"))))
    await store.commit(Batch(voids=(void(1), void(2))))
    await store.commit(Batch((lease(1, 2), lease(2, 2))))
    await store.commit(batch_of(placed(new_result(1, 2), 1)))
    assert await store.void_attempts(CUP) == 2
    assert await store.void_attempts("other") == 0
    assert await store.void_open_leases("restart", 5.0) == 2
    assert await store.void_attempts(CUP) == 3
