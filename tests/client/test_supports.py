"""The games that a bot says it plays: what an author may name, and what hello declares."""

import pytest

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import InputError
from saurodrome.client._supports import game_names, supports
from saurodrome.client.games import GAMES

DINO = "draftosaurus"


def declared(*names: str) -> list[tuple[str, list[str]]]:
    return [(support.game, list(support.variants)) for support in supports(game_names(names))]


def test_without_names_it_is_all_that_the_client_knows() -> None:
    assert game_names(None) is None
    assert supports(None) == [bot_pb2.GameSupport(game=game) for game in sorted(GAMES)]


def test_a_game_is_named_with_or_without_variants() -> None:
    assert declared(DINO) == [(DINO, [])]
    assert declared(f"{DINO}/winter", f"{DINO}/summer") == [(DINO, ["summer", "winter"])]
    assert declared(f"{DINO}/summer", f"{DINO}/summer") == [(DINO, ["summer"])]


def test_a_game_without_a_variant_stands_for_all_of_its_variants() -> None:
    assert declared(f"{DINO}/summer", DINO) == [(DINO, [])]


def test_one_name_needs_no_list() -> None:
    assert game_names(DINO) == (DINO,)


@pytest.mark.parametrize(
    "named", [[], 7, [7], "", "a b", f"{DINO}/", f"{DINO}/summer/x", "/summer"]
)
def test_what_names_no_game_is_refused_with_an_example(named: object) -> None:
    with pytest.raises(InputError) as caught:
        game_names(named)

    assert caught.value.code == "BAD_ARGUMENT"
    assert "/VARIANT" in caught.value.do


def test_a_game_that_the_client_does_not_know_is_refused_with_those_it_knows() -> None:
    with pytest.raises(InputError) as caught:
        game_names(["chess"])

    assert caught.value.code == "UNKNOWN_GAME"
    assert DINO in caught.value.do
