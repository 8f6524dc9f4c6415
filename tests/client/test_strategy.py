"""Asking an author's functions: what they may give, and how their mistakes are told."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from saurodrome.client import (
    BadReply,
    BotRaised,
    Decision,
    IllegalAction,
    InputError,
    LegalAction,
    Match,
    Move,
    strategy_of,
)
from saurodrome.client._choice import Choice
from saurodrome.client._strategy import bot_name
from saurodrome.client.testing import decision, match

HERE = Path(__file__).name


class NumpyLike:
    """A whole number of another library."""

    def __index__(self) -> int:
        return 7


@pytest.mark.parametrize("given", [7, NumpyLike(), decision().legal_actions[1]])
def test_an_id_or_an_action_is_an_answer(given: object) -> None:
    assert strategy_of(lambda d: given).answer(decision()) == 7


@pytest.mark.parametrize("action", [7, decision().legal_actions[1]])
def test_a_move_is_an_answer_with_a_note(action: LegalAction | int) -> None:
    strategy = strategy_of(lambda d: Move(action, note="the least bad"))

    assert strategy.ask(decision()) == Choice(7, "the least bad")
    assert strategy.answer(decision()) == 7


def test_a_move_of_nothing_is_a_bad_reply() -> None:
    with pytest.raises(BadReply) as caught:
        strategy_of(lambda d: Move(None)).answer(decision())  # type: ignore[arg-type]

    assert "Move(action=None" in caught.value.what


def test_a_note_that_is_no_text_is_shown_where_the_author_wrote_it() -> None:
    def choose(d: Decision) -> Move:
        return Move(7, note=5)  # type: ignore[arg-type]

    with pytest.raises(BotRaised) as caught:
        strategy_of(choose).answer(decision())

    assert caught.value.what == "TypeError: the note of a Move is text, not int"
    assert caught.value.where.splitlines()[0].count("in choose: return Move(7, note=5)")


@pytest.mark.parametrize(
    ("given", "sent"),
    [(99, 99), (0, 0), (2**32 - 1, 2**32 - 1), (2**32, None), (-1, None), (None, None)],
)
def test_of_a_wrong_answer_the_id_is_kept_if_it_fits_into_a_reply(
    given: object, sent: int | None
) -> None:
    choice = strategy_of(lambda d: given).ask(decision())

    assert choice.action_id == sent
    assert choice.fault is not None


def test_an_exception_is_a_choice_without_an_id() -> None:
    choice = strategy_of(lambda d: 1 // 0).ask(decision())

    assert choice.action_id is None
    assert isinstance(choice.fault, BotRaised)


def test_a_number_that_python_refuses_to_write_is_told_all_the_same() -> None:
    with pytest.raises(IllegalAction) as caught:
        strategy_of(lambda d: 1 << 40_000).answer(decision())

    assert "answered a number of 40001 bits" in caught.value.what


@pytest.mark.parametrize("given", [None, "7", 7.0, [7], True, False, object(), {7}, b"7"])
def test_what_is_no_whole_number_is_a_bad_reply(given: object) -> None:
    asked = decision()

    with pytest.raises(BadReply) as caught:
        strategy_of(lambda d: given).answer(asked)

    assert caught.value.code == "BAD_REPLY"
    assert caught.value.decision is asked


def test_none_is_explained() -> None:
    def choose(d: Decision) -> None:
        pass

    with pytest.raises(BadReply) as caught:
        strategy_of(choose).answer(decision(turn=5))

    line = choose.__code__.co_firstlineno
    assert caught.value.what == "choose() returned None; a whole number is expected."
    assert caught.value.where.endswith(f"{HERE} line {line}\nmatch test/1/1/0, turn 5")
    assert "without `return`" in caught.value.do


@pytest.mark.parametrize("given", [0, 1, -1, 2**40, 4])
def test_an_id_that_is_not_legal_is_told_with_the_legal_ones(given: int) -> None:
    with pytest.raises(IllegalAction) as caught:
        strategy_of(lambda d: given, name="my_bot").answer(decision())

    assert caught.value.what == f"my_bot answered {given}, legal are 3 7."
    assert "not its position" in caught.value.do


def test_an_action_of_an_older_decision_is_not_legal() -> None:
    old = decision(["S forest", "S trio", "S river"]).legal_actions[2]

    with pytest.raises(IllegalAction):
        strategy_of(lambda d: old).answer(decision())


def helper(numbers: list[int]) -> int:
    return numbers[0] // 0


def test_an_exception_shows_the_authors_own_lines_only() -> None:
    def choose(d: Decision) -> int:
        return helper(sorted([3, 1], key=lambda n: n))

    with pytest.raises(BotRaised) as caught:
        strategy_of(choose).answer(decision())

    error = caught.value
    assert error.what.startswith("ZeroDivisionError: ")
    assert error.where.replace(f"{Path(__file__).parent}/", "").splitlines() == [
        f"{HERE} line {choose.__code__.co_firstlineno + 1} in choose:"
        " return helper(sorted([3, 1], key=lambda n: n))",
        f"{HERE} line {helper.__code__.co_firstlineno + 1} in helper: return numbers[0] // 0",
        "match test/1/1/0, turn 1",
    ]
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert "saurodrome/client" not in error.where


def test_an_exception_inside_a_library_is_shown_where_the_author_called_it() -> None:
    def choose(d: Decision) -> int:
        return int(Path("no such file").read_text())

    with pytest.raises(BotRaised) as caught:
        strategy_of(choose).answer(decision())

    assert "pathlib" not in caught.value.where
    assert "in choose" in caught.value.where


def test_endless_recursion_is_told_in_few_lines() -> None:
    def choose(d: Decision) -> int:
        return choose(d)

    with pytest.raises(BotRaised) as caught:
        strategy_of(choose).answer(decision())

    assert caught.value.what.startswith("RecursionError")
    assert len(caught.value.where.splitlines()) < 10
    assert "more frames" in caught.value.where


@pytest.mark.parametrize("raised", [SystemExit(3), StopIteration(), AssertionError("no")])
def test_any_exception_is_a_fault_also_one_that_would_end_the_program(raised: Exception) -> None:
    def choose(d: Decision) -> int:
        raise raised

    with pytest.raises(BotRaised):
        strategy_of(choose).answer(decision())


def test_ctrl_c_is_not_the_bots_fault() -> None:
    def choose(d: Decision) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strategy_of(choose).answer(decision())


def test_an_exception_whose_text_fails_is_told_all_the_same() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise ValueError

    def choose(d: Decision) -> int:
        raise Odd

    with pytest.raises(BotRaised) as caught:
        strategy_of(choose).answer(decision())

    assert caught.value.what.startswith("Odd: ")


class Player:
    """A bot with memory."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def prepare(self, m: Match) -> None:
        self.seen.append(m.id)

    def choose(self, d: Decision) -> int:
        return d.legal_actions[len(self.seen)].id


def test_an_object_with_methods_is_a_bot() -> None:
    bot = Player()
    strategy = strategy_of(bot)

    strategy.get_ready(match())

    assert bot.seen == ["test/1/1/0"]
    assert strategy.answer(decision()) == 7


def test_a_prepare_of_its_own_goes_before_the_objects() -> None:
    bot = Player()
    seen: list[Match] = []

    strategy_of(bot, seen.append).get_ready(match())

    assert (len(seen), bot.seen) == (1, [])


def test_prepare_that_raises_is_told_with_its_match() -> None:
    def prepare(m: Match) -> None:
        raise OSError("no model")

    with pytest.raises(BotRaised) as caught:
        strategy_of(lambda d: 3, prepare).get_ready(match("cup/1/1/0"))

    assert caught.value.what == "OSError: no model"
    assert "getting ready for match cup/1/1/0" in caught.value.where


async def choose_later(d: Decision) -> int:
    return 3


def no_argument() -> int:
    return 3


def two_arguments(d: Decision, e: Decision) -> int:
    return 3


@pytest.mark.parametrize(
    "wrong", [None, 7, "choose", Player, choose_later, no_argument, two_arguments, object()]
)
def test_what_cannot_be_asked_is_refused_before_any_match(wrong: object) -> None:
    with pytest.raises(InputError) as caught:
        strategy_of(wrong)

    assert caught.value.code == "BAD_CHOOSE"
    assert caught.value.do


def test_a_prepare_that_cannot_be_called_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        strategy_of(lambda d: 3, no_argument)  # type: ignore[arg-type]

    assert caught.value.code == "BAD_PREPARE"


def test_further_arguments_with_defaults_are_fine() -> None:
    def choose(d: Decision, depth: int = 2) -> int:
        return 3

    assert strategy_of(choose).answer(decision()) == 3


def test_partial_functions_and_callable_objects_are_fine() -> None:
    import functools

    class Callee:
        def __call__(self, d: Decision) -> int:
            return 3

    def choose(best: int, d: Decision) -> int:
        return best

    strategies: list[Callable[..., Any]] = [functools.partial(choose, 3), Callee()]
    assert [strategy_of(s).answer(decision()) for s in strategies] == [3, 3]


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("my_bot", "my_bot"),
        ("My Bot", "my-bot"),
        ("ドラ", "bot"),
        ("_x", "x"),
        ("a" * 40, "a" * 32),
    ],
)
def test_a_files_stem_suggests_a_name(stem: str, name: str) -> None:
    assert bot_name(stem) == name


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), SystemExit(7), GeneratorExit(), asyncio.CancelledError("x")]
)
def test_whatever_choose_raises_in_its_thread_is_the_bots(error: BaseException) -> None:
    def choose(d: Decision) -> int:
        raise error

    def prepare(m: Match) -> None:
        raise error

    with ThreadPoolExecutor(1) as pool:
        choice = pool.submit(strategy_of(choose).ask, decision()).result()
        getting_ready = pool.submit(strategy_of(choose, prepare).get_ready, match())
        with pytest.raises(BotRaised):
            getting_ready.result()
    assert isinstance(choice.fault, BotRaised)
    assert choice.fault.what.startswith(type(error).__name__)


def test_ctrl_c_in_the_main_thread_is_not_the_bots() -> None:
    def choose(d: Decision) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        strategy_of(choose).ask(decision())
