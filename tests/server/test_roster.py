"""The roster: bots by their tokens, which stand nowhere; and the administrator's token file."""

import asyncio
import stat
from pathlib import Path

import pytest

from saurodrome.server import tokens
from saurodrome.server.errors import Refused
from saurodrome.server.roster import Roster, admin_token
from saurodrome.server.store.access import Role
from saurodrome.server.store.memory import MemoryStore

ADMIN = tokens.new_token("admin")


class Clock:
    """A wall clock that a test moves."""

    def __init__(self) -> None:
        """Begins somewhere."""
        self.now = 1_000.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now


def roster(store: MemoryStore | None = None, clock: Clock | None = None) -> Roster:
    """Return a roster on a store."""
    return Roster(store or MemoryStore(), ADMIN.digest, clock or Clock())


def holder(bots: Roster, token: str) -> tuple[Role, str] | None:
    """Return the role and the name of who has a token."""
    caller = bots.who(token)
    return caller and (caller.role, caller.name)


def bot_of(bots: Roster, token: str) -> str | None:
    """Return the bot that has a token."""
    caller = bots.who(token)
    return caller.name if caller and caller.role is Role.BOT else None


async def test_a_token_names_its_bot() -> None:
    bots = roster()
    _, ann = await bots.register("ann", "Ann", "me", "")
    _, bob = await bots.register("bob", "", "me", "")
    assert (bot_of(bots, ann), bot_of(bots, bob)) == ("ann", "bob")
    assert (bots.display_name("ann"), bots.display_name("bob")) == ("Ann", "bob")
    assert bots.display_name("nobody") == "nobody"


async def test_other_tokens_name_nobody() -> None:
    bots = roster()
    _, ann = await bots.register("ann", "Ann", "me", "")
    flipped = ann[:-1] + ("a" if ann[-1] != "a" else "b")
    others = ["", "x", ann.upper(), flipped, ann + "a", ADMIN.token, tokens.new_token("bot").token]
    assert [bot_of(bots, token) for token in others] == [None] * len(others)


async def test_the_token_in_the_data_directory_is_an_administrators() -> None:
    bots = roster()
    await bots.register("ann", "Ann", "me", "")
    assert holder(bots, ADMIN.token) == (Role.ADMIN, "admin")
    assert holder(bots, tokens.new_token("admin").token) is None


async def test_another_token_in_the_data_directory_ends_the_one_before() -> None:
    bots, fresh = roster(), tokens.new_token("admin")
    before = bots.who(ADMIN.token)
    assert before
    assert bots.ended(before.token_id) is None
    bots.use_admin_token(fresh.digest)
    assert (holder(bots, ADMIN.token), holder(bots, fresh.token)) == (None, (Role.ADMIN, "admin"))
    refusal = bots.ended(before.token_id)
    assert refusal
    assert refusal.code == "TOKEN_REVOKED"


async def test_the_same_request_gives_the_same_bot_and_no_second_token() -> None:
    bots = roster()
    first, token = await bots.register("ann", "Ann", "me", "request 1")
    again, none = await bots.register("ann", "Ann", "me", "request 1")
    assert (again, none) == (first, "")
    assert bot_of(bots, token) == "ann"


async def test_a_name_is_taken_once() -> None:
    bots = roster()
    _, token = await bots.register("ann", "Ann", "me", "request 1")
    with pytest.raises(Refused) as refusal:
        await bots.register("ann", "Another", "you", "request 2")
    assert refusal.value.code == "NAME_TAKEN"
    assert bot_of(bots, token) == "ann"
    assert bots.display_name("ann") == "Ann"


async def test_a_new_token_makes_the_old_one_worthless() -> None:
    bots = roster()
    _, old = await bots.register("ann", "Ann", "me", "")
    new = await bots.rotate("ann")
    assert (bot_of(bots, old), bot_of(bots, new)) == (None, "ann")


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
    assert bot_of(after, new) is None
    await after.load()
    assert (bot_of(after, ann), bot_of(after, new)) == (None, "ann")
    assert new not in repr(await store.bots())


async def test_an_unknown_bot_is_refused_with_its_name() -> None:
    bots = roster()
    await bots.register("ann", "Ann", "me", "")
    assert bots.require("ann", "settings.bots").name == "ann"
    with pytest.raises(Refused) as refusal:
        bots.require("b\x1bob", "settings.bots")
    assert (refusal.value.code, refusal.value.where) == ("UNKNOWN_BOT", "settings.bots")
    assert refusal.value.what.isprintable()


# tokens of people


@pytest.mark.parametrize("role", [Role.ADMIN, Role.ORGANISER, Role.AUTHOR, Role.SPECTATOR])
async def test_a_token_says_its_role_and_works_as_one(role: Role) -> None:
    bots = roster()
    issued = await bots.issue(role, "olga", None, "admin", replace=False)
    assert issued.token.startswith(f"srd_{role}_{issued.about.token_id}_")
    assert holder(bots, issued.token) == (role, "olga")
    assert (issued.about.issuer, issued.about.expires) == ("admin", None)


async def test_a_token_ends_at_its_time() -> None:
    clock = Clock()
    bots = roster(clock=clock)
    issued = await bots.issue(Role.AUTHOR, "ada", 60.0, "admin", replace=False)
    clock.now += 59.9
    assert holder(bots, issued.token) == (Role.AUTHOR, "ada")
    assert bots.ended(issued.about.token_id) is None
    clock.now += 0.1
    assert bots.who(issued.token) is None
    refusal = bots.ended(issued.about.token_id)
    assert refusal
    assert refusal.code == "TOKEN_EXPIRED"


async def test_a_revoked_token_is_worth_nothing_also_after_a_restart() -> None:
    store = MemoryStore()
    bots = roster(store)
    one = await bots.issue(Role.AUTHOR, "ada", None, "admin", replace=False)
    two = await bots.issue(Role.AUTHOR, "ada", None, "admin", replace=False)
    assert (await bots.revoke(one.about.token_id)).revoked == 1_000.0
    after = roster(store)
    await after.load()
    for place in (bots, after):
        assert place.who(one.token) is None
        assert holder(place, two.token) == (Role.AUTHOR, "ada")


async def test_a_bot_may_have_a_second_token_while_its_program_changes() -> None:
    bots = roster()
    _, first = await bots.register("ann", "Ann", "me", "")
    second = await bots.issue(Role.BOT, "ann", None, "admin", replace=False)
    assert (bot_of(bots, first), bot_of(bots, second.token)) == ("ann", "ann")
    third = await bots.issue(Role.BOT, "ann", None, "admin", replace=True)
    assert [bot_of(bots, t) for t in (first, second.token, third.token)] == [None, None, "ann"]


async def test_a_bots_token_needs_a_bot() -> None:
    with pytest.raises(Refused) as refusal:
        await roster().issue(Role.BOT, "nobody", None, "admin", replace=False)
    assert (refusal.value.code, refusal.value.where) == ("UNKNOWN_BOT", "holder")


async def test_tokens_are_listed_newest_first_by_holder_and_in_pages() -> None:
    bots = roster()
    for name in ("ada", "bob", "ada"):
        await bots.issue(Role.AUTHOR, name, None, "admin", replace=False)
    assert [token.number for token in bots.issued("", None, 9)] == [3, 2, 1]
    assert [token.number for token in bots.issued("ada", None, 9)] == [3, 1]
    assert [token.number for token in bots.issued("", 3, 1)] == [2]


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
