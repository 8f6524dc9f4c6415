"""What is played where the command line leaves it open."""

import pytest

from saurodrome.server.cli.usual import players_of, variant_of


@pytest.mark.parametrize(
    ("game", "variant", "players", "expected"),
    [
        ("draftosaurus", None, None, ("summer", 2)),
        ("draftosaurus", "winter", 5, ("winter", 5)),
        ("duelosaur", None, None, ("medium", 2)),
        ("duelosaur", "solo-dino-mike", None, ("solo-dino-mike", 1)),
        # What is wrong or unknown goes to the server, which says so.
        ("duelosaur", "tiny", None, ("tiny", 2)),
        ("duelosaur", "short", 5, ("short", 5)),
        ("chess", None, None, ("", 2)),
    ],
)
def test_the_usual_variant_and_the_fewest_players(
    game: str, variant: str | None, players: int | None, expected: tuple[str, int]
) -> None:
    chosen = variant_of(game, variant)
    assert (chosen, players_of(game, chosen, players)) == expected
