"""A pen whose places differ says for each place what it takes next."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.games.draftosaurus.board import SPECIES_NAMES
from saurodrome.engine.games.draftosaurus.pens import (
    RULE_ALTERNATE,
    RULE_PYRAMID,
    accepts,
    pack,
    size,
    unpack,
    what_matters,
)
from tests.engine.draftosaurus.forms import FORMS, ways_of
from tests.engine.draftosaurus.reference import Zoo

PAIRS = [(one, other) for one, other in product(range(6), repeat=2) if one != other]


@pytest.mark.parametrize("form", FORMS)
def test_two_species_take_turns_in_six_places(form: str) -> None:
    with ways_of(form):
        assert accepts(RULE_ALTERNATE, 0) == 0b111111
        for one, other in PAIRS:
            row = (one, other) * 3
            assert accepts(RULE_ALTERNATE, pack(row[:1])) == 0b111111 - (1 << one)
            for length in range(2, 6):
                assert accepts(RULE_ALTERNATE, pack(row[:length])) == 1 << row[length]
            assert accepts(RULE_ALTERNATE, pack(row)) == 0


@pytest.mark.parametrize("form", FORMS)
@given(data=st.data())
def test_a_pyramid_takes_what_can_stand(form: str, data: st.DataObject) -> None:
    zoo, slots = Zoo("winter"), [-1] * 6
    for _ in range(6):
        stands = {
            (slot, one)
            for slot, one in product(range(6), range(6))
            if zoo.stands(SPECIES_NAMES[one], slot)
        }
        with ways_of(form):
            found = accepts(RULE_PYRAMID, pack(tuple(slots)))
        assert {divmod(bit, 6) for bit in range(36) if found >> bit & 1} == stands
        slot, one = data.draw(st.sampled_from(sorted(stands)))
        zoo.pyramid[slot] = SPECIES_NAMES[one]
        slots[slot] = one
    with ways_of(form):
        assert accepts(RULE_PYRAMID, pack(tuple(slots))) == 0


def test_packed_contents_come_back() -> None:
    assert unpack(pack((5, -1, 0))) == (5, -1, 0)
    assert pack((0,)) == 1
    assert pack((5, -1, 0)) == 6 + (1 << 6)
    assert size(pack((-1, 0))) == 2
    assert unpack(0) == ()


def test_a_dinosaur_of_a_pyramid_matters_as_long_as_a_slot_beside_it_is_open() -> None:
    def number(*slots: int) -> int:
        return what_matters(RULE_PYRAMID, pack(slots))

    for slot in range(6):
        other = [0, 1, 0, 2, 3, 4]
        other[slot] = 5
        assert number(*other) == number(0, 1, 0, 2, 3, 4)
    assert number(0, 1, 0, 2, -1, -1) == number(5, 1, 0, 2, -1, -1)
    assert number(0, 1, 0, 2, -1, -1) != number(0, 5, 0, 2, -1, -1)
    assert number(0, 1, 0, 2, 3, -1) != number(0, 1, 0, 2, 3, 4)
