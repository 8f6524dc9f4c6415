"""Checks of how a bot stays: broken, frozen and ended streams, void attempts, a newer program."""

import asyncio
from functools import partial

from saurodrome.server.cli.check.answering import legal
from saurodrome.server.cli.check.examinee import (
    BACK_WITHIN,
    TIME,
    Examinee,
    Failed,
    Finding,
    Mark,
)
from saurodrome.server.cli.check.sitting import Sitting
from saurodrome.server.cli.text import span
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Draining, MatchStarted, Previous
from saurodrome.server.port import MatchEnd

PROMPT = 2.0
"""Seconds in which a bot should be back."""
IDLE = 12.0
"""Seconds of silence: a ping falls into them."""
CLOSED = 2.0
"""Seconds for which nobody is let in while the server restarts."""
NOTICED_WITHIN = 20.0
"""Seconds in which a bot must notice that its connection is dead; keepalive needs 16."""
AWAY = 3.0
"""Seconds for which a bot that was replaced is watched."""
_RETRY = "connect again at once, then after 0.2 s, doubling up to 2 s, for ever"


async def back(bot: Examinee, since: float, open_matches: int = 0) -> float:
    """Waits until the bot is back; gives the seconds it took.

    Raises:
        Failed: It did not come.
    """
    if await bot.comes(BACK_WITHIN, open_matches):
        return asyncio.get_running_loop().time() - since
    raise Failed(f"it was not back {BACK_WITHIN:.0f} s after its stream had ended", _RETRY)


async def reconnect(bot: Examinee) -> Finding:
    """The connection breaks while it thinks, after its reply, and while it gets ready."""
    now = asyncio.get_running_loop().time
    took: list[float] = []
    sitting = bot.sitting("reconnect")
    await bot.sits(sitting)
    sitting.goes_on()

    written = now()
    await bot.visit.send(sitting.question(5.0))
    bot.road.cut()  # its reply, if it is that quick, is lost
    took.append(await back(bot, now(), 1))
    sitting.play(await _open_again(bot, sitting, written, "with a decision open"))

    sitting.goes_on()
    written = now()
    asked = await bot.asks(sitting, 5.0)
    legal(sitting, asked)
    bot.road.cut()  # the reply counts as lost, too
    took.append(await back(bot, now(), 1))
    await _open_again(bot, sitting, written, "after a reply that was lost")
    await bot.ends(sitting, void=True)

    sitting = bot.sitting("reconnect-ready")
    await bot.sits(sitting)
    bot.road.cut()
    took.append(await back(bot, now(), 1))
    await bot.sits(sitting, again=True)
    sitting.goes_on()
    legal(sitting, await bot.asks(sitting, TIME.decision))
    await bot.ends(sitting, void=True)
    what = f"three broken connections cost nothing; back after {span(max(took))} at most"
    if max(took) > PROMPT:
        return Finding(Mark.ADVICE, what, f"{_RETRY}: the decision's clock runs")
    return Finding(Mark.PASS, what)


async def _open_again(bot: Examinee, sitting: Sitting, written: float, when: str) -> int:
    """Announces a match and its open decision on a new stream; gives the reply's action."""
    loop = asyncio.get_running_loop()
    await bot.visit.send(MatchStarted(sitting.start, ready=True))
    left = written + 5.0 - loop.time()
    asked = await bot.asks(sitting, max(left, 1.0))
    if asked.reply is None:
        raise Failed(
            f"no reply to the decision that came again {when}",
            "if a decision comes again that you have answered, send the same reply again",
        )
    return legal(sitting, asked)


async def void(bot: Examinee) -> Finding:
    """An attempt is void with a decision open; the next attempt has a deal of its own."""
    sitting = bot.sitting("void")
    await bot.sits(sitting)
    sitting.goes_on()
    await bot.visit.send(sitting.question(TIME.decision))
    await bot.ends(sitting, void=True, reason="a check")
    again = bot.sitting("void", attempt=2)
    await bot.sits(again)
    again.goes_on()
    legal(again, await bot.asks(again, TIME.decision))
    await bot.ends(again)
    return Finding(Mark.PASS, "a void attempt is dropped, and the next one played")


async def drained(bot: Examinee) -> Finding:
    """The server says that it stops, ends the stream, and is away for two seconds."""
    loop = asyncio.get_running_loop()
    await bot.visit.send(Draining(1.0, "a check: the server restarts"))
    await asyncio.sleep(0.2)
    bot.visit.close(_DRAINING())
    await bot.road.close()
    await asyncio.sleep(CLOSED)
    await bot.road.open_again()
    opened = loop.time()
    missed = MatchEnd("check/never-heard-of/1/1", 1, "finished", 0)
    if not await bot.comes(BACK_WITHIN, missed=(missed,)):
        what = f"it was not back {BACK_WITHIN:.0f} s after the server had restarted"
        raise Failed(what, _RETRY)
    took = loop.time() - opened
    sitting = bot.sitting("drained")
    await bot.sits(sitting)
    sitting.goes_on()
    previous = Previous(0.01, in_margin=False, timed_out=False, illegal=0)
    legal(sitting, await bot.asks(sitting, TIME.decision, previous))
    await bot.ends(sitting)
    what = f"back {span(took)} after a restart of the server, and plays"
    if took > PROMPT + 1.0:
        return Finding(Mark.ADVICE, what, "wait 2 s at most between two tries")
    return Finding(Mark.PASS, what)


async def idle(bot: Examinee) -> Finding:
    """Twelve seconds in which there is nothing to do."""
    heard = await bot.visit.frame(asyncio.get_running_loop().time() + IDLE)
    sitting = bot.sitting("idle")
    await bot.sits(sitting)
    sitting.goes_on()
    legal(sitting, await bot.asks(sitting, TIME.decision))
    await bot.ends(sitting)
    if heard is not None:
        kind = type(heard.frame).__name__.lower()
        what = f"with nothing to do it sent {kind}"
        return Finding(Mark.ADVICE, what, "say nothing unasked; pings keep the connection")
    return Finding(Mark.PASS, f"{span(IDLE)} of silence, then it played")


async def frozen(bot: Examinee) -> Finding:
    """The network swallows everything without a word: only pings tell."""
    loop = asyncio.get_running_loop()
    since = loop.time()
    bot.road.freeze()
    if not await bot.comes(NOTICED_WITHIN):
        bot.road.cut()
        if not await bot.comes(BACK_WITHIN):
            raise Failed("it did not come back from a dead connection", _RETRY)
        return Finding(
            Mark.ADVICE,
            f"a dead connection was not noticed within {span(NOTICED_WITHIN)}",
            "set keepalive to 10 s and its time-out to 5 s (gRPC: grpc.keepalive_time_ms,"
            " grpc.keepalive_timeout_ms and grpc.http2.ping_timeout_ms), also without calls",
        )
    return Finding(Mark.PASS, f"a dead connection was left after {span(loop.time() - since)}")


async def replaced(bot: Examinee) -> Finding:
    """A newer program with the same token takes its place: it must stay away."""
    bot.visit.close(_SUPERSEDED())
    if await bot.comes(AWAY):
        raise Failed(
            "it came back after a newer program had taken its place",
            "end at ABORTED: two programs with one token only throw each other out",
        )
    return Finding(Mark.PASS, "it stays away when a newer program takes its place")


_DRAINING = partial(
    Refused, Kind.UNAVAILABLE, "DRAINING", "The server is about to stop.", "Play", "connect again"
)
_SUPERSEDED = partial(
    Refused,
    Kind.SUPERSEDED,
    "SUPERSEDED",
    "Another program took this bot's place.",
    "Play",
    "this one stops, it would only fight; use one token a program",
)
