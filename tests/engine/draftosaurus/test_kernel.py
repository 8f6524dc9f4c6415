"""Small functions under the kernel: what the first dinosaur of a hand is, what of a pen matters."""

import pytest

from saurodrome.engine.games.draftosaurus.kernel import first_of
from saurodrome.engine.games.draftosaurus.pens import (
    RULE_ALTERNATE,
    RULE_ANY,
    RULE_DIFFERENT,
    RULE_PYRAMID,
    RULE_SAME,
    pack,
    what_matters,
)


def test_the_first_dinosaur_of_a_hand_is_the_one_in_the_order_of_species_the_t_rex_last() -> None:
    assert first_of(0x000010) == 1
    assert first_of(0x200300) == 2
    assert first_of(0x100001) == 5
    assert first_of(0x000003) == 0


def test_an_empty_hand_has_no_first_dinosaur() -> None:
    with pytest.raises(ValueError, match=r"^an empty hand has no first dinosaur$"):
        first_of(0)


def test_a_species_below_is_forgotten_once_all_around_it_is_full() -> None:
    below_left, other = pack((1, 2, 3, 4, -1)), pack((5, 2, 3, 4, -1))
    assert what_matters(RULE_PYRAMID, below_left) == what_matters(RULE_PYRAMID, other)
    touches, differs = pack((1, 2, 3, 4, -1)), pack((1, 2, 5, 4, -1))
    assert what_matters(RULE_PYRAMID, touches) != what_matters(RULE_PYRAMID, differs)


def test_an_empty_slot_is_never_taken_for_a_forgotten_one() -> None:
    found = {what_matters(RULE_PYRAMID, pack(slots)) for slots in ((1,), (-1, 1), (-1, -1, 1))}
    assert len(found) == 3


def test_only_the_number_matters_where_a_mask_says_the_rest() -> None:
    for rule in (RULE_ANY, RULE_SAME, RULE_DIFFERENT):
        assert what_matters(rule, pack((1, 2, 3))) == what_matters(rule, pack((5, 4, 0))) == 3
    assert what_matters(RULE_ALTERNATE, pack((1, 2))) != what_matters(RULE_ALTERNATE, pack((2, 1)))
