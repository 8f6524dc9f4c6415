"""Large symmetric matrices: the same figures as numpy's own, and when conjugate gradients help."""

import numpy as np
import pytest

from saurodrome.server.rating.definite import FEW, inverse, sandwich, solution, strips
from saurodrome.server.rating.games import Floats


def definite(size: int) -> Floats:
    random = np.random.default_rng(1).normal(size=(size, size))
    return np.asarray(random @ random.T / size + np.eye(size))


@pytest.mark.parametrize("size", [1, FEW, FEW + 1, 2 * FEW + 3])
def test_an_inverse_undoes_its_matrix(size: int) -> None:
    matrix = definite(size)
    assert inverse(matrix) @ matrix == pytest.approx(np.eye(size), abs=1e-9)


def test_a_few_products_solve_what_is_well_conditioned() -> None:
    matrix = definite(FEW + 1) + 10 * np.eye(FEW + 1)
    wanted = np.arange(FEW + 1.0)
    found = solution(matrix.__matmul__, np.diag(matrix), matrix @ wanted)
    assert found == pytest.approx(wanted, abs=1e-5)


def test_a_chain_of_springs_is_left_to_others_and_so_are_few() -> None:
    size = 4 * FEW
    chain = 2.001 * np.eye(size) - np.eye(size, k=1) - np.eye(size, k=-1)
    ends = np.zeros(size)
    ends[0], ends[-1] = 1, -1
    assert solution(chain.__matmul__, np.diag(chain), ends) is None
    assert solution(np.eye(FEW).__matmul__, np.ones(FEW), np.ones(FEW)) is None


def test_what_is_not_definite_is_left_to_others_too() -> None:
    flat = np.zeros((FEW + 1, FEW + 1))
    assert solution(flat.__matmul__, np.ones(FEW + 1), np.ones(FEW + 1)) is None


def test_nothing_is_the_solution_for_nothing() -> None:
    nothing = np.zeros(FEW + 1)
    assert solution(np.eye(FEW + 1).__matmul__, nothing + 1, nothing) == pytest.approx(nothing)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_sandwich_is_two_products(size: int) -> None:
    bread, filling = definite(size), definite(size) - 2 * np.eye(size)
    assert sandwich(bread, filling) == pytest.approx(bread @ filling @ bread)


@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_strips_hold_every_row_once(size: int) -> None:
    rows = [row for some in strips(size) for row in range(size)[some]]
    assert rows == list(range(size))
