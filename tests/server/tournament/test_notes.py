"""What bots noted is read by whom the tournament says, and nothing else of a record changes."""

from typing import Any

import pytest

from saurodrome.engine import playthrough
from saurodrome.server import ledger
from saurodrome.server.deals import Deal
from saurodrome.server.errors import Refused
from saurodrome.server.frames import Decision
from saurodrome.server.match import MatchPlan, Played
from saurodrome.server.record import record_match
from saurodrome.server.settings import Publish, PublishNotes, TournamentSettings
from saurodrome.server.store.records import Result
from saurodrome.server.tournament.notes import without_notes
from tests.sim.bots import Bot
from tests.sim.cups import stop
from tests.sim.loop import simulated
from tests.sim.ports import legal_of
from tests.sim.world import GAME, TIME, World

SECRET = 'my hand is S S N: keep "it"'


class Talking(Bot):
    """Notes its plans with every reply."""

    def answer(self, decision: Decision) -> None:
        """Send the reply."""
        self.reply(decision, self.rng.choice(legal_of(decision.payload)), f"{self.name}: {SECRET}")


class Archive(World):
    """Keeps match records as a server does."""

    def _recording(self, plan: MatchPlan, deal: Deal, played: Played) -> bytes | None:
        super()._recording(plan, deal, played)
        return record_match(plan, deal, played, 0.0, "1")


async def played_out(world: World, **more: Any) -> Result:
    """Play a match of a bot of ada's against one of bob's to its end; return its result."""
    for bot, owner in (("ann", "ada"), ("bob", "bob")):
        await world.organiser.register_bot(bot, bot, owner, "")
    made = TournamentSettings("cup", *GAME, 2, ("ann", "bob"), time=TIME, matches=2, **more)
    await world.organiser.create(made, "")
    await world.organiser.start("cup")
    bots: list[Bot] = [Talking(world, name) for name in ("ann", "bob")]
    await world.over()
    stop(bots)
    return (await world.results())[0]


def remarks(record: bytes) -> dict[int, set[str]]:
    """Return what each seat noted."""
    played = playthrough.loads(record.decode())
    found: dict[int, set[str]] = {seat: set() for seat in range(played.players)}
    for step in played.steps:
        for choice in step.choices:
            entry = ledger.read(choice.note)
            assert entry is not None
            found[choice.seat].add(entry.remark)
    return found


@pytest.mark.parametrize("published", PublishNotes)
@simulated
async def test_notes_are_read_by_their_author_or_by_all(published: PublishNotes) -> None:
    async with Archive() as world:
        result = await played_out(world, publish_notes=published)
        seats = [seat.bot for seat in result.seats]
        read = {
            reader: remarks(await world.organiser.record(result.match_id, 0, reader))
            for reader in (None, "ada", "eve", "")
        }
        read["all"] = remarks(await world.organiser.record(result.match_id, 0, for_all=True))
    mine, other = seats.index("ann"), seats.index("bob")
    everything = {mine: {f"ann: {SECRET}"}, other: {f"bob: {SECRET}"}}
    assert read[None] == everything
    if published is PublishNotes.PUBLIC:
        assert read["ada"] == read["eve"] == read[""] == read["all"] == everything
    else:
        assert read["ada"] == {mine: everything[mine], other: {""}}
        assert read["eve"] == read[""] == read["all"] == {mine: {""}, other: {""}}


@simulated
async def test_a_record_without_notes_is_otherwise_the_same_and_can_be_verified() -> None:
    async with Archive() as world:
        result = await played_out(world)
        record = await world.organiser.record(result.match_id, 0)
    whole = playthrough.loads(record.decode())
    bare = playthrough.loads(without_notes(record, lambda bot: False).decode())
    assert bare._replace(steps=()) == whole._replace(steps=())
    for one, other in zip(bare.steps, whole.steps, strict=True):
        assert one.draws == other.draws
        assert [c[:2] for c in one.choices] == [c[:2] for c in other.choices]
        pairs = zip(one.choices, other.choices, strict=True)
        times = [(ledger.read(a.note), ledger.read(b.note)) for a, b in pairs]
        assert all(a and b and a == b._replace(remark="") for a, b in times)
    assert playthrough.verify(bare) is None
    assert without_notes(record, lambda bot: True) == record


@simulated
async def test_while_the_table_is_held_back_authors_read_records_of_their_own_bots_only() -> None:
    async with Archive() as world:
        for bot, owner in (("ann", "ada"), ("bob", "bob")):
            await world.organiser.register_bot(bot, bot, owner, "")
        made = TournamentSettings(
            "cup", *GAME, 2, ("ann", "bob"), time=TIME, rounds=20, publish_table=Publish.END
        )
        await world.organiser.create(made, "")
        await world.organiser.start("cup")
        bots: list[Bot] = [Talking(world, name) for name in ("ann", "bob")]
        async for now in world.organiser.watch("cup"):
            if now.done:
                break
        first = (await world.results())[0].match_id
        assert await world.organiser.record(first, 0, "ada")
        assert await world.organiser.record(first, 0)
        for reader in ("eve", ""):
            with pytest.raises(Refused) as refusal:
                await world.organiser.record(first, 0, reader)
            assert refusal.value.code == "NOT_PUBLISHED"
        await world.over()
        assert await world.organiser.record(first, 0, "eve")
        stop(bots)
