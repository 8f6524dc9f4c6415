"""What a server says it plays, over a real socket: games, and rulesets in chunks."""

import json

import grpc
import pytest

from saurodrome.bot.v1 import games_pb2
from saurodrome.engine import registry
from saurodrome.server.rpc import games
from tests.server.rpc.arena import BOT_TOKEN, Arena, bearer, refusal

pytestmark = pytest.mark.wire


async def test_list_games_tells_what_is_played_here(arena: Arena) -> None:
    data = await arena.unary("bot.v1.BotService/ListGames", token=BOT_TOKEN)
    plain, duel = games_pb2.ListGamesResponse.FromString(data).games
    assert (plain.game, plain.min_players, plain.max_players) == ("draftosaurus", 2, 5)
    assert tuple(plain.variants) == registry.get("draftosaurus").variants
    assert (plain.ruleset, plain.ruleset_hash, plain.note) == ("", "", "")
    assert [list(one.players) for one in plain.variant_players] == [[2, 3, 4, 5]] * 2
    assert (duel.game, duel.ruleset) == ("duelosaur", "duelosaur-recon-1")
    assert len(duel.ruleset_hash) == 64
    players = {one.variant: list(one.players) for one in duel.variant_players}
    assert list(players) == list(duel.variants)
    assert (players["medium"], players["solo-dino-mike"]) == ([2], [1])


async def test_list_games_says_that_component_values_are_reconstructed(arena: Arena) -> None:
    data = await arena.unary("bot.v1.BotService/ListGames", token=BOT_TOKEN)
    assert "reconstructed" in games_pb2.ListGamesResponse.FromString(data).games[1].note


async def ruleset(arena: Arena, game: str) -> list[games_pb2.GetRulesetResponse]:
    """The parts of a ruleset."""
    request = games_pb2.GetRulesetRequest(game=game).SerializeToString()
    path = "/saurodrome.bot.v1.BotService/GetRuleset"
    call = arena.raw("unary_stream", path)(request, metadata=bearer(BOT_TOKEN))
    return [games_pb2.GetRulesetResponse.FromString(data) async for data in call]


async def test_a_ruleset_comes_in_chunks_that_make_one_document(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "CHUNK", 5_000)  # the shipped set is smaller than a whole chunk
    parts = await ruleset(arena, "duelosaur")
    whole = b"".join(part.chunk for part in parts)
    assert len(parts) > 3
    assert {len(part.chunk) for part in parts[:-1]} == {5_000}
    assert {part.size for part in parts} == {len(whole)}
    said = json.loads(whole)
    assert said["ruleset"] == parts[0].ruleset == "duelosaur-recon-1"
    assert said["hash"] == parts[-1].hash
    assert len(said["cards"]) == 50
    assert "reconstructed" in said["note"]


async def test_a_chunk_is_smaller_than_a_frame(arena: Arena) -> None:
    assert games.CHUNK == 32 * 1024
    parts = await ruleset(arena, "duelosaur")
    assert max(len(part.chunk) for part in parts) <= 32 * 1024


@pytest.mark.parametrize(
    ("game", "code", "reason"),
    [
        ("draftosaurus", grpc.StatusCode.NOT_FOUND, "NO_RULESET"),
        ("chess", grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_GAME"),
    ],
)
async def test_where_there_is_no_ruleset_that_is_said(
    arena: Arena, game: str, code: grpc.StatusCode, reason: str
) -> None:
    answer = await refusal(ruleset(arena, game))
    assert (answer.code, answer.reason) == (code, reason)
