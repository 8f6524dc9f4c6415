"""A bot's brain: `choose` and `prepare`, asked and judged."""

import inspect
import operator
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from saurodrome.client._choice import Choice, Move
from saurodrome.client._decision import Decision, Match
from saurodrome.client._errors import BadReply, BotRaised, IllegalAction, InputError
from saurodrome.client._source import message_of, own_frames, place_of
from saurodrome.client.games import LegalAction

_MAIN = threading.main_thread()
_RETURN_AN_ID = "return the id of an entry of d.legal_actions"
_SHOWN_IDS = 24
_GREATEST_ID = 2**32 - 1  # an id is a uint32 on the wire


@dataclass(frozen=True, slots=True)
class Strategy:
    """What an author wrote, ready to be asked.

    Attributes:
        choose: Takes a `Decision`, gives one of its legal actions, its id, or a `Move`.
        prepare: Takes a `Match` before the bot says that it is ready; may be None.
        name: The bot's name: the file's stem unless told otherwise.
        version: The author's version of the bot; may be empty.
        path: The file; None if the functions were given directly.
        games: What it plays, ``game`` or ``game/variant`` each; None means all games that this
            client knows.
    """

    choose: Callable[[Decision], Any]
    prepare: Callable[[Match], object] | None = None
    name: str = "bot"
    version: str = ""
    path: Path | None = None
    games: tuple[str, ...] | None = None

    def answer(self, decision: Decision) -> int:
        """Asks `choose` and insists on a legal action.

        Returns:
            The id of a legal action.

        Raises:
            BotRaised: `choose` raised; the exception is the cause.
            BadReply: It gave neither an id nor a legal action.
            IllegalAction: The id is not among the legal ones.
        """
        choice = self.ask(decision)
        if choice.fault is not None:
            raise choice.fault
        if choice.action_id is None:
            raise AssertionError("what is no fault has an id")
        return choice.action_id

    def ask(self, decision: Decision) -> Choice:
        """Asks `choose` and judges what it gives: a fault is part of the choice."""
        try:
            given = self.choose(decision)
        except BaseException as error:
            _raise_if_not_the_bots(error)
            where = self._where(own_frames(error) or place_of(self.choose), decision)
            fault = BotRaised("BOT_RAISED", message_of(error), where=where, decision=decision)
            fault.__cause__ = error
            return Choice(None, fault=fault)
        note = given.note if isinstance(given, Move) else ""
        action_id = _id_of(given.action if isinstance(given, Move) else given)
        if action_id is None:
            return Choice(None, note, self._bad_reply(given, decision))
        if not any(a.id == action_id for a in decision.message.legal_actions):
            fits = 0 <= action_id <= _GREATEST_ID
            return Choice(action_id if fits else None, note, self._illegal(action_id, decision))
        return Choice(action_id, note)

    def _bad_reply(self, given: object, decision: Decision) -> BadReply:
        if given is None:
            what, do = "None", f"probably a path without `return`; {_RETURN_AN_ID}"
        else:
            what, do = _shortened(given), _RETURN_AN_ID
        return BadReply(
            "BAD_REPLY",
            f"choose() returned {what}; a whole number is expected.",
            where=self._where(place_of(self.choose), decision),
            do=do,
            decision=decision,
        )

    def _illegal(self, action_id: int, decision: Decision) -> IllegalAction:
        ids = [a.id for a in decision.message.legal_actions]
        more = " ..." if len(ids) > _SHOWN_IDS else ""
        legal = " ".join(map(str, ids[:_SHOWN_IDS])) + more
        return IllegalAction(
            "ILLEGAL_ACTION",
            f"{self.name} answered {_number(action_id)}, legal are {legal}.",
            where=self._where(place_of(self.choose), decision),
            do=f"{_RETURN_AN_ID}, not its position",
            decision=decision,
        )

    def _where(self, source: str, decision: Decision) -> str:
        place = f"match {decision.match_id}, turn {decision.state.turn}"
        return f"{source}\n{place}" if source else place

    def get_ready(self, match: Match) -> None:
        """Calls `prepare`, if there is one.

        Raises:
            BotRaised: It raised; the exception is the cause.
        """
        if self.prepare is None:
            return
        try:
            self.prepare(match)
        except BaseException as error:
            _raise_if_not_the_bots(error)
            source = own_frames(error) or place_of(self.prepare)
            where = "\n".join(filter(None, [source, f"getting ready for match {match.id}"]))
            raise BotRaised("BOT_RAISED", message_of(error), where=where, match=match) from error


def _raise_if_not_the_bots(error: BaseException) -> None:
    """Raises a Ctrl-C again: Python raises it in the main thread alone, where bots are tried."""
    if isinstance(error, KeyboardInterrupt) and threading.current_thread() is _MAIN:
        raise error


def _id_of(given: object) -> int | None:
    """Reads an id off what `choose` gave; True and False are none."""
    if isinstance(given, LegalAction):
        return given.id
    if isinstance(given, bool):
        return None
    try:
        return operator.index(given)  # type: ignore[arg-type]  # it judges any object
    except TypeError:
        return None


def _number(number: int) -> str:
    """Writes a number; Python refuses to write those of thousands of digits."""
    return str(number) if number.bit_length() <= 64 else f"a number of {number.bit_length()} bits"


def _shortened(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        text = "something without a repr"
    kind = type(value).__name__
    return f"the {kind} {text if len(text) <= 60 else text[:57] + '...'}"


def bot_name(stem: str) -> str:
    """Gives the name that a file's stem suggests, in the letters that names take."""
    return re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("._-")[:32] or "bot"


def strategy_of(
    choose: object, prepare: Callable[[Match], object] | None = None, *, name: str = "bot"
) -> Strategy:
    """Makes a strategy of a function, or of an object with `choose` and maybe `prepare`.

    Args:
        choose: The function or the object; a strategy is given back, `prepare` filled in.
        prepare: What to call before a match; else the object's own.
        name: The bot's name.

    Raises:
        InputError: It is neither.
    """
    if isinstance(choose, Strategy):
        return replace(choose, prepare=prepare) if prepare is not None else choose
    function: Any = choose if inspect.isfunction(choose) else getattr(choose, "choose", choose)
    _check_function(function, "choose", "Decision", isinstance(choose, type))
    if prepare is None and function is not choose:
        prepare = getattr(choose, "prepare", None)
    if prepare is not None:
        _check_function(prepare, "prepare", "Match", False)
    return Strategy(function, prepare, name)


def _check_function(function: Any, name: str, given: str, is_class: bool) -> None:
    """Refuses what could not be called with one argument.

    Raises:
        InputError: BAD_CHOOSE or BAD_PREPARE.
    """
    what, do = "", f"write: def {name}(...) with one argument, the {given}"
    if is_class:
        what, do = f"{name} is a class.", "give an instance of it: run(MyBot())"
    elif not callable(function):
        what = f"{name} is {_shortened(function)}, no function."
    elif inspect.iscoroutinefunction(function):
        what, do = f"{name} is async.", f"write def {name}; it runs in a thread of its own"
    elif not _takes_one(function):
        what = f"{name} cannot be called with one argument."
    if what:
        place = place_of(function) if callable(function) else ""
        raise InputError(f"BAD_{name.upper()}", what, where=place, do=do)


def _takes_one(function: Callable[..., object]) -> bool:
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # a builtin that does not tell
        return True
    return True
