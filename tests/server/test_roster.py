"""The roster: bots by their tokens, which stand nowhere; and the administrator's token file."""

import asyncio
import stat
from pathlib import Path

import pytest

from saurodrome.server import tokens
from saurodrome.server.errors import Refused
from saurodrome.server.roster import Roster, admin_token
from saurodrome.server.store.memory import MemoryStore

ADMIN = tokens.new_token("admin")


def roster(store: MemoryStore | None = None) -> Roster:
    """Return a roster on a store."""
    return Roster(store or MemoryStore(), ADMIN.digest, lambda: 1_000.0)


async def test_a_token_names_its_bot() -> None:
    bots = roster()
    _, ann = await bots.register("ann", "Ann", "me", "")
    _, bob = await bots.register("bob", "", "me", "")
    assert (bots.bot_of(ann), bots.bot_of(bob)) == ("ann", "bob")
    assert (bots.display_name("ann"), bots.display_name("bob")) == ("Ann", "bob")
    assert bots.display_name("nobody") == "nobody"


async def test_other_tokens_name_nobody() -> None:
    bots = roster()
    _, ann = await bots.register("ann", "Ann", "me", "")
    flipped = ann[:-1] + ("a" if ann[-1] != "a" else "b")
    others = ["", "x", ann.upper(), flipped, ann + "a", ADMIN.token, tokens.new_token("bot").token]
    assert [bots.bot_of(token) for token in others] == [None] * len(others)


async def test_only_the_administrators_token_is_the_administrators() -> None:
    bots = roster()
    _, ann = await bots.register("ann", "Ann", "me", "")
    assert bots.is_admin(ADMIN.token)
    assert not any(bots.is_admin(t) for t in ("", ann, tokens.new_token("admin").token))


async def test_the_same_request_gives_the_same_bot_and_no_second_token() -> None:
    bots = roster()
    first, token = await bots.register("ann", "Ann", "me", "request 1")
    again, none = await bots.register("ann", "Ann", "me", "request 1")
    assert (again, none) == (first, "")
    assert bots.bot_of(token) == "ann"


async def test_a_name_is_taken_once() -> None:
    bots = roster()
    _, token = await bots.register("ann", "Ann", "me", "request 1")
    with pytest.raises(Refused) as refusal:
        await bots.register("ann", "Another", "you", "request 2")
    assert refusal.value.code == "NAME_TAKEN"
    assert bots.bot_of(token) == "ann"
    assert bots.display_name("ann") == "Ann"


async def test_a_new_token_makes_the_old_one_worthless() -> None:
    bots = roster()
    _, old = await bots.register("ann", "Ann", "me", "")
    new = await bots.rotate("ann")
    assert (bots.bot_of(old), bots.bot_of(new)) == (None, "ann")


async def test_nobody_gets_a_token_for_an_unknown_bot() -> None:
    with pytest.raises(Refused) as refusal:
        await roster().rotate("nobody")
    assert refusal.value.code == "UNKNOWN_BOT"


async def test_bots_are_there_again_after_a_restart_and_tokens_were_never_kept() -> None:
    store = MemoryStore()
    before = roster(store)
    _, ann = await before.register("ann", "Ann", "me", "")
    new = await before.rotate("ann")
    after = roster(store)
    assert after.bot_of(new) is None
    await after.load()
    assert (after.bot_of(ann), after.bot_of(new)) == (None, "ann")
    assert new not in repr(await store.bots())


async def test_an_unknown_bot_is_refused_with_its_name() -> None:
    bots = roster()
    await bots.register("ann", "Ann", "me", "")
    assert bots.require("ann", "settings.bots").name == "ann"
    with pytest.raises(Refused) as refusal:
        bots.require("b\x1bob", "settings.bots")
    assert (refusal.value.code, refusal.value.where) == ("UNKNOWN_BOT", "settings.bots")
    assert refusal.value.what.isprintable()


# the administrator's token file


async def test_the_first_start_makes_a_token_that_its_owner_alone_can_read(tmp_path: Path) -> None:
    path = tmp_path / "admin.token"
    digest = await admin_token(path)
    token = path.read_text().strip()
    assert tokens.digest(token) == digest
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_later_starts_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "admin.token"
    assert await admin_token(path) == await admin_token(path)


@pytest.mark.parametrize("content", ["", "\n", "secret", "srd_admin_x", "é"])
async def test_a_file_that_holds_no_token_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "admin.token"
    await asyncio.to_thread(path.write_text, content)
    with pytest.raises(Refused) as refusal:
        await admin_token(path)
    assert (refusal.value.code, refusal.value.where) == ("BAD_ADMIN_TOKEN", str(path))
