"""Tokens, the audit log and the end of match records: the same in every store."""

import pytest

from saurodrome.server.errors import Refused
from saurodrome.server.store.access import Act, NewAct, NewToken, Role, Token
from saurodrome.server.store.interface import Store
from saurodrome.server.store.records import TournamentState
from tests.server.store.samples import CUP, batch_of, furnish, new_bot, new_result, placed


def new_token(token_id: str, holder: str = "olga", role: Role = Role.ORGANISER) -> NewToken:
    """A token to keep."""
    return NewToken(token_id, b"\0digest", role, holder, 100.5, 900.25, "root")


async def test_a_bot_comes_with_its_first_token(store: Store) -> None:
    await store.add_bot(new_bot("ada"))
    (token,) = await store.tokens()
    assert token == Token(1, "id-ada", b"\0hash", Role.BOT, "ada", 100.5, None, "", None)


async def test_a_request_that_comes_again_makes_no_second_token(store: Store) -> None:
    await store.add_bot(new_bot("ada", "r1"))
    await store.add_bot(new_bot("ada", "r1"))
    assert len(await store.tokens()) == 1


async def test_a_token_comes_back_as_it_was_kept(store: Store) -> None:
    kept = await store.add_token(new_token("t1"))
    assert kept == Token(1, *new_token("t1"), None)
    assert await store.tokens() == (kept,)


async def test_a_token_that_replaces_ends_the_holders_others_in_its_role_only(
    store: Store,
) -> None:
    await store.add_token(new_token("t1"))
    await store.add_token(new_token("t2", role=Role.AUTHOR))
    await store.add_token(new_token("t3", holder="otto"))
    await store.add_token(new_token("t4")._replace(issued=200.0), replace=True)
    ended = {token.token_id: token.revoked for token in await store.tokens()}
    assert ended == {"t1": 200.0, "t2": None, "t3": None, "t4": None}
    assert [token.token_id for token in await store.tokens(after=2)] == ["t3", "t4"]


async def test_a_token_ends_once(store: Store) -> None:
    await store.add_token(new_token("t1"))
    assert (await store.revoke_token("t1", 300.0)).revoked == 300.0
    assert (await store.revoke_token("t1", 400.0)).revoked == 300.0
    assert [token.revoked for token in await store.tokens()] == [300.0]


async def test_a_token_that_was_never_issued_is_not_revoked(store: Store) -> None:
    with pytest.raises(Refused) as refused:
        await store.revoke_token("t\x1b1", 300.0)
    assert refused.value.code == "UNKNOWN_TOKEN"
    assert refused.value.what.isprintable()


async def test_the_audit_log_is_told_newest_first_and_in_pages(store: Store) -> None:
    acts = [NewAct(100.0 + i, "olga", Role.ORGANISER, "t1", "Start", f"cup-{i}") for i in range(5)]
    numbers = [await store.add_act(act) for act in acts]
    assert numbers == [1, 2, 3, 4, 5]
    await store.end_act(5, "done")
    newest = await store.acts(limit=2)
    assert newest == (Act(5, *acts[4], "done"), Act(4, *acts[3], None))
    assert [act.number for act in await store.acts(before=4)] == [3, 2, 1]


async def test_records_of_tournaments_that_ended_long_ago_are_dropped_a_few_at_a_time(
    store: Store,
) -> None:
    await furnish(store, (CUP, "league"))
    for position, tournament in ((1, CUP), (2, CUP), (3, CUP), (1, "league")):
        await store.commit(batch_of(placed(new_result(position, tournament=tournament), position)))
    await store.set_state(CUP, TournamentState.FINISHED, 1_000.0)
    assert await store.drop_records(1_000.0, 500) == ()  # it ended just then
    gone = [await store.drop_records(1_001.0, 2) for _ in range(3)]
    assert [len(some) for some in gone] == [2, 1, 0]
    assert sorted(gone[0] + gone[1]) == [(CUP, 1), (CUP, 2), (CUP, 3)]
    results = [*await store.results(CUP), *await store.results("league")]
    assert [result.has_record for result in results] == [False, False, False, True]
    assert [await store.record(r.match_id) is not None for r in results] == [False] * 3 + [True]
