"""What games share: competition ranking, checked parameters, the registry."""

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import BadPlayerCount, BadStart, UnknownGame, UnknownVariant
from saurodrome.engine.game import placements
from tests.engine.toy import GAME, Cairns


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([(3,), (1,), (2,)], (1, 3, 2)),
        ([(5,), (5,), (1,)], (1, 1, 3)),
        ([(1,), (5,), (5,)], (3, 1, 1)),
        ([(2,), (2,)], (1, 1)),
        ([(2, -1), (2, -3), (2, -1), (4, -9)], (2, 4, 2, 1)),
    ],
)
def test_placements_skip_after_shared_places(
    keys: list[tuple[int, ...]], expected: tuple[int, ...]
) -> None:
    assert placements(keys) == expected


def test_an_unknown_variant_says_what_exists() -> None:
    with pytest.raises(UnknownVariant) as caught:
        GAME.initial_state("autumn", 2, FastChance(1))
    assert (caught.value.game, caught.value.name) == ("cairns", "autumn")
    assert caught.value.known == ("plain",)


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_a_bad_player_count_says_what_is_allowed(players: int) -> None:
    with pytest.raises(BadPlayerCount) as caught:
        GAME.initial_state("plain", players, FastChance(1))
    assert (caught.value.players, caught.value.known) == (players, (2, 3, 4))


def test_a_variant_may_narrow_the_player_counts() -> None:
    class Duel(Cairns):
        def player_counts(self, variant: str) -> tuple[int, ...]:
            return (2,) if variant == "duel" else super().player_counts(variant)

    game = Duel("cairns", ("plain", "duel"), 2, 4, 1)
    game.initial_state("plain", 3, FastChance(1))
    with pytest.raises(BadPlayerCount) as caught:
        game.initial_state("duel", 3, FastChance(1))
    assert caught.value.known == (2,)


@pytest.mark.parametrize("start", [-1, 3])
def test_the_start_seat_must_exist(start: int) -> None:
    with pytest.raises(BadStart) as caught:
        GAME.initial_state("plain", 3, FastChance(1), start)
    assert (caught.value.start, caught.value.players) == (start, 3)


def test_the_registry_knows_its_games() -> None:
    assert "draftosaurus" in [game.name for game in registry.games()]
    for game in registry.games():
        assert registry.get(game.name) is game


def test_an_unknown_game_says_what_exists() -> None:
    with pytest.raises(UnknownGame) as caught:
        registry.get("chess")
    assert caught.value.name == "chess"
    assert caught.value.known == tuple(game.name for game in registry.games())
