"""Rulesets from a server, over a real socket, asked for from a thread as authors' code is."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from saurodrome.client import RequestError, Unreachable
from saurodrome.client._rulesets import Rulesets
from saurodrome.client._target import Found, Target
from saurodrome.client.testing import ScriptedArbiter

pytestmark = pytest.mark.wire

DOCUMENT = '{"ruleset": "duelosaur-recon-1", "note": "größer"}'


@pytest.fixture
async def arbiter() -> AsyncIterator[ScriptedArbiter]:
    async with ScriptedArbiter() as arbiter:
        arbiter.rulesets["duelosaur"] = DOCUMENT
        yield arbiter


def rulesets(address: str) -> Rulesets:
    return Rulesets(Target.of(Found(address, "a test"), Found("token", "a test")))


async def test_parts_are_put_together_and_kept_by_their_hash(arbiter: ScriptedArbiter) -> None:
    source = rulesets(arbiter.address)
    assert await asyncio.to_thread(source, "duelosaur", "aa") == DOCUMENT
    arbiter.rulesets["duelosaur"] = "other"
    assert await asyncio.to_thread(source, "duelosaur", "aa") == DOCUMENT
    assert await asyncio.to_thread(source, "duelosaur", "bb") == "other"


async def test_many_threads_ask_once(arbiter: ScriptedArbiter) -> None:
    source = rulesets(arbiter.address)
    asked = [asyncio.to_thread(source, "duelosaur", "aa") for _ in range(8)]
    assert set(await asyncio.gather(*asked)) == {DOCUMENT}


async def test_a_game_without_one_is_refused_in_words(arbiter: ScriptedArbiter) -> None:
    with pytest.raises(RequestError, match="draftosaurus has no ruleset"):
        await asyncio.to_thread(rulesets(arbiter.address), "draftosaurus", "")


async def test_a_server_that_is_gone_is_told_as_such(arbiter: ScriptedArbiter) -> None:
    source = rulesets(arbiter.address)
    await arbiter.stop()
    with pytest.raises(Unreachable):
        await asyncio.to_thread(source, "duelosaur", "aa")
