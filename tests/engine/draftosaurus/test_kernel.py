"""What the kernel says of hands that its callers promise not to be empty."""

import pytest

from saurodrome.engine.games.draftosaurus.kernel import first_of


def test_the_first_dinosaur_of_a_hand_is_the_one_in_the_order_of_species_the_t_rex_last() -> None:
    assert first_of(0x000010) == 1
    assert first_of(0x200300) == 2
    assert first_of(0x100001) == 5
    assert first_of(0x000003) == 0


def test_an_empty_hand_has_no_first_dinosaur() -> None:
    with pytest.raises(ValueError, match=r"^an empty hand has no first dinosaur$"):
        first_of(0)
