"""Questions about packed ints have one answer, by arithmetic and by builtins."""

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.games.draftosaurus import bits
from tests.engine.draftosaurus.forms import FORMS, ways_of

words = st.integers(0, 2**62 - 1)
dinosaurs = st.lists(st.integers(0, 5), max_size=12)


def packed(species: list[int]) -> int:
    """Return a packed count."""
    return sum(1 << 4 * one for one in species)


@pytest.mark.parametrize("form", FORMS)
@given(words)
def test_ones_are_counted(form: str, word: int) -> None:
    with ways_of(form):
        assert bits.ones(word) == bin(word).count("1")


@pytest.mark.parametrize("form", FORMS)
@given(words.filter(bool), st.data())
def test_the_nth_one_is_found(form: str, word: int, data: st.DataObject) -> None:
    places = [place for place in range(62) if word >> place & 1]
    index = data.draw(st.integers(0, len(places) - 1))
    with ways_of(form):
        assert bits.nth(word, index) == places[index]


@given(st.lists(st.integers(0, 15), min_size=6, max_size=6))
def test_a_packed_count_tells_its_species(counts: list[int]) -> None:
    contents = sum(count << 4 * one for one, count in enumerate(counts))
    expected = sum(1 << one for one in range(6) if counts[one])
    for form in FORMS:
        with ways_of(form):
            assert bits.species_of(contents) == expected


@given(dinosaurs)
def test_a_packed_count_tells_sizes_and_members(species: list[int]) -> None:
    counts = packed(species)
    assert bits.size_of(counts) == len(species)
    assert [bits.species_at(counts, index) for index in range(len(species))] == sorted(species)


@given(dinosaurs)
def test_packed_contents_tell_their_end_and_their_count(species: list[int]) -> None:
    contents = sum(one + 1 << 3 * index for index, one in enumerate(species))
    for form in FORMS:
        with ways_of(form):
            assert bits.end(contents) == 3 * len(species)
    found = Counter(species)
    expected = list(chain.from_iterable([one] * found[one] for one in range(6)))
    assert bits.tally_by_arithmetic(contents) == packed(expected)
