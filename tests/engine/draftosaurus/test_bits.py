"""Questions about packed ints have one answer, by arithmetic and by builtins."""

from collections import Counter
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.games.draftosaurus import bits

words = st.integers(0, 2**60 - 1)
dinosaurs = st.lists(st.integers(0, 5), max_size=12)


def packed(species: list[int]) -> int:
    """Return a packed count."""
    return sum(1 << 4 * one for one in species)


@given(words)
def test_ones_are_counted(word: int) -> None:
    assert bits.ones(word) == bits.ones_by_arithmetic(word) == bin(word).count("1")


@given(words.filter(bool), st.data())
def test_the_nth_one_is_found(word: int, data: st.DataObject) -> None:
    places = [place for place in range(60) if word >> place & 1]
    index = data.draw(st.integers(0, len(places) - 1))
    assert bits.nth(word, index) == places[index]


@given(dinosaurs)
def test_a_packed_count_tells_species_sizes_and_members(species: list[int]) -> None:
    counts = packed(species)
    assert bits.species_of(counts) == sum(1 << one for one in set(species))
    assert bits.size_of(counts) == len(species)
    assert [bits.species_at(counts, index) for index in range(len(species))] == sorted(species)


@given(dinosaurs)
def test_packed_contents_tell_their_end_and_their_count(species: list[int]) -> None:
    contents = sum(one + 1 << 3 * index for index, one in enumerate(species))
    assert bits.end(contents) == 3 * len(species)
    found = Counter(species)
    expected = list(chain.from_iterable([one] * found[one] for one in range(6)))
    assert bits.tally_by_arithmetic(contents) == packed(expected)
