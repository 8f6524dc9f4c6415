"""The course of a check: one arbiter, one bot, one check after the other."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from saurodrome.server.cli.check import answering, staying
from saurodrome.server.cli.check.examinee import (
    BACK_WITHIN,
    Examinee,
    Failed,
    Finding,
    Mark,
)
from saurodrome.server.cli.check.visits import Gone
from saurodrome.server.cli.text import plural


class Check(NamedTuple):
    """One check: its name, what it does, and whether it takes many seconds."""

    name: str
    does: Callable[[Examinee], Awaitable[Finding]]
    slow: bool = False


CHECKS = (
    Check("match", answering.match),
    Check("illegal", answering.illegal),
    Check("late", answering.late),
    Check("stale", answering.stale),
    Check("names", answering.names),
    Check("limits", answering.limits),
    Check("together", answering.together),
    Check("thought", answering.thought, slow=True),
    Check("void", staying.void),
    Check("reconnect", staying.reconnect),
    Check("restart", staying.drained),
    Check("idle", staying.idle, slow=True),
    Check("frozen", staying.frozen, slow=True),
    Check("replaced", staying.replaced),  # ends the bot, so it is the last
)
_RUN_IT_ALONE = (
    "run that command alone and mend it; what has choose() alone is started by"
    " `saurodrome bot run FILE`"
)
Found = Callable[[str, Finding], None]


async def examine(bot: Examinee, found: Found, *, quick: bool, wait: float) -> None:
    """Runs all checks; each finding is told at once.

    Args:
        bot: The bot; it has not come yet.
        found: Told name and finding of each check.
        quick: Leave out what takes many seconds.
        wait: Seconds in which the bot must come.
    """
    hello = await _hello(bot, wait)
    found("hello", hello)
    for check in CHECKS:
        if hello.mark is Mark.FAIL:
            found(check.name, Finding(Mark.UNTRIED, "the bot is not here"))
        elif quick and check.slow:
            found(check.name, Finding(Mark.UNTRIED, "left out by --quick"))
        else:
            found(check.name, await _tried(check, bot))


async def _tried(check: Check, bot: Examinee) -> Finding:
    if bot.left:
        return Finding(Mark.UNTRIED, "the bot said goodbye")
    try:
        if not bot.here and not await bot.comes(BACK_WITHIN):
            return Finding(Mark.UNTRIED, "the bot is not here any more")
        return await check.does(bot)
    except Failed as failed:
        return failed.finding
    except Gone as gone:
        wrong = bot.door.wrong[-1] if bot.door.wrong else None
        do = wrong.do if wrong is not None else "read what the bot itself says; it must stay here"
        return Finding(Mark.FAIL, f"its stream ended: {gone.reason}", do)


async def _hello(bot: Examinee, wait: float) -> Finding:
    """Waits for the bot, and looks at what it says of itself."""
    if not await bot.comes(wait):
        what = bot.door.nobody or f"no bot came within {wait:.0f} s"
        return Finding(Mark.FAIL, what, _why_not(bot))
    hello, board = bot.visit.hello, bot.board
    variants = hello.games.get(board.game.name, ())
    if hello.games and (
        board.game.name not in hello.games or (variants and board.variant not in variants)
    ):
        played = ", ".join(hello.games)
        what = f"it declares {played}, not {board.game.name}/{board.variant}"
        return Finding(Mark.FAIL, what, "name what it plays by --game and --variant")
    said = [f"version {hello.bot_version}" if hello.bot_version else "no version"]
    said.append(hello.sdk or "no name of its client library")
    said.append(f"{plural(hello.max_concurrent, 'match')} at once")
    what = ", ".join(said)
    said_of_it = {"bot_version": hello.bot_version, "sdk": hello.sdk}
    if missing := " and ".join(field for field, value in said_of_it.items() if not value):
        do = f"say {missing} in hello: organisers see it when something is wrong"
        return Finding(Mark.ADVICE, what, do)
    return Finding(Mark.PASS, what)


def _why_not(bot: Examinee) -> str:
    if bot.door.wrong:
        wrong = bot.door.wrong[-1]
        return f"{wrong.what} {wrong.do}"
    if "TOKEN_UNKNOWN" in bot.door.refused:
        return "send one `authorization: Bearer TOKEN` in the call's metadata; any token will do"
    if bot.door.nobody:
        return _RUN_IT_ALONE
    return "start it with this address as its server; any token will do"
