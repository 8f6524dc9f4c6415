"""Checks of what a bot answers: whole matches, faults that it is told of, names, limits."""

import asyncio
from statistics import median

from saurodrome.server.cli.check.examinee import TIME, Asked, Examinee, Failed, Finding, Mark
from saurodrome.server.cli.check.sitting import Sitting
from saurodrome.server.cli.text import plural, span
from saurodrome.server.frames import Previous, VerdictFrame, VerdictKind
from saurodrome.server.port import TimeControl

NAMES = (
    "<b>\"'&amp;{}%s\\n</b>",
    "恐竜🦖" * 16,
    "Ádá 'x' OR 1=1; --",
    "الديناصور",
)
"""Display names that the server takes and that break programs which paste text together."""
USUAL, TIGHT = 0.2, 0.05
"""Limits in seconds: the one that dry runs have, and one where the way to the bot counts."""
THOUGHT = 10.0
_ASK = "reply to every decision with the id of one of its legal_actions"


def legal(sitting: Sitting, asked: Asked) -> int:
    """Gives the action of a reply.

    Raises:
        Failed: There is none, or it is not legal.
    """
    if asked.reply is None:
        raise Failed(f"no reply to a decision within {span(asked.took)}", _ASK)
    action = asked.reply.action
    if action is None:
        raise Failed("a reply without an action_id", f"{_ASK}; 0 is one, too: set the field")
    if action not in sitting.legal:
        some = " ".join(map(str, sitting.legal[:8])) + (" ..." if len(sitting.legal) > 8 else "")
        raise Failed(
            f"answered {action}, which is not one of the {len(sitting.legal)} legal ids ({some})",
            "return the id of an entry of legal_actions, not its position; ids belong to their"
            " decision",
        )
    return action


async def match(bot: Examinee) -> Finding:
    """A whole match with a second for each decision."""
    sitting = bot.sitting("match")
    ready = await bot.sits(sitting)
    times: list[float] = []
    previous = None
    while sitting.goes_on():
        asked = await bot.asks(sitting, TIME.decision, previous)
        sitting.play(legal(sitting, asked))
        times.append(asked.took)
        previous = Previous(asked.took, asked.took > TIME.decision, timed_out=False, illegal=0)
    await bot.ends(sitting)
    what = (
        f"{plural(len(times), 'decision')}, all legal; ready after {span(ready)}, median"
        f" {span(median(times))}, slowest {span(max(times))}"
    )
    if bot.twice or bot.strange:
        what += f"; {bot.twice + bot.strange} replies that nobody had asked for"
        do = "send one reply a decision: surplus ones end the stream when there are too many"
        return Finding(Mark.ADVICE, what, do)
    return Finding(Mark.PASS, what)


async def illegal(bot: Examinee) -> Finding:
    """A reply is refused as illegal, with replies and time left."""
    sitting = bot.sitting("illegal")
    await bot.sits(sitting)
    for _ in range(12):
        if not sitting.goes_on():
            break
        asked = await bot.asks(sitting, TIME.decision)
        first = legal(sitting, asked)
        if first != sitting.default:  # whoever played the default has nothing else to say
            since = asyncio.get_running_loop().time()
            message = "a check: take it as refused, and answer again"
            await bot.judges(VerdictKind.ILLEGAL, sitting, message, 0.9, 2)
            again = await bot.answers(sitting, since, 0.9)
            await bot.ends(sitting, void=True)
            return _answered_again(sitting, first, again)
        sitting.play(first)
    await bot.ends(sitting, void=True)
    return Finding(Mark.UNTRIED, "it played nothing but the default action")


def _answered_again(sitting: Sitting, first: int, again: Asked) -> Finding:
    if again.reply is None:
        return Finding(
            Mark.ADVICE,
            "told that its reply was illegal, it does not answer again: a strike for sure",
            "at KIND_ILLEGAL with replies_left, reply again, at the least with default_action_id",
        )
    second = legal(sitting, again)
    if second == first:
        do = "take another id, such as default_action_id: the same one is refused again"
        return Finding(Mark.ADVICE, "told that its reply was illegal, it repeats it", do)
    return Finding(Mark.PASS, f"asked again, it took another action after {span(again.took)}")


async def late(bot: Examinee) -> Finding:
    """A decision is closed while the bot thinks; the next one must be answered for itself."""
    sitting = bot.sitting("late")
    await bot.sits(sitting)
    for _ in range(2):
        sitting.goes_on()
        await bot.visit.send(sitting.question(0.001))
        message = "1 ms of 1: the default action was played, a strike"
        await bot.judges(VerdictKind.TIMED_OUT, sitting, message)
        bot.gives_up(sitting)
        sitting.play(sitting.default)
        sitting.goes_on()
        previous = Previous(0.001, in_margin=False, timed_out=True, illegal=0)
        sitting.play(legal(sitting, await bot.asks(sitting, TIME.decision, previous)))
    await bot.ends(sitting, void=True)
    return Finding(Mark.PASS, "too late twice, it answered the decision that came next each time")


async def stale(bot: Examinee) -> Finding:
    """Verdicts on replies that do not count, and on decisions that it never saw."""
    sitting = bot.sitting("stale")
    await bot.sits(sitting)
    for kind in (VerdictKind.STALE, VerdictKind.DUPLICATE):
        sitting.goes_on()
        action = legal(sitting, await bot.asks(sitting, TIME.decision))
        for decision_id in (sitting.decision_id, "0123456789abcdef", ""):
            await bot.visit.send(VerdictFrame(kind, "", decision_id, "a check: ignore it"))
        sitting.play(action)
    sitting.goes_on()
    legal(sitting, await bot.asks(sitting, TIME.decision))
    await bot.ends(sitting, void=True)
    return Finding(Mark.PASS, "verdicts on closed and unknown decisions disturb nothing")


async def names(bot: Examinee) -> Finding:
    """Opponents whose display names have markup, quotes, pictures and other scripts."""
    if bot.board.players == 1:
        return Finding(Mark.UNTRIED, "it plays alone")
    tables = [NAMES[at : at + bot.board.players - 1] for at in range(len(NAMES))]
    for number, others in enumerate(tables):
        sitting = bot.sitting(f"names-{number}", others=others)
        await bot.sits(sitting)
        sitting.goes_on()
        legal(sitting, await bot.asks(sitting, TIME.decision))
        await bot.ends(sitting)
    return Finding(Mark.PASS, f"played against {len(NAMES)} names with markup and other scripts")


async def limits(bot: Examinee) -> Finding:
    """Twenty decisions with 200 ms each, then twenty with 50 ms, without a margin."""
    late_by: dict[float, int] = {}
    slowest: dict[float, float] = {}
    for limit in (USUAL, TIGHT):
        sitting = bot.sitting(f"limit-{limit}", TimeControl(TIME.ready, limit, 0.0))
        late_by[limit], slowest[limit] = await _in_a_hurry(bot, sitting, limit)
    if late_by[USUAL]:
        raise Failed(
            f"{late_by[USUAL]} of 20 decisions took longer than 200 ms",
            "stop thinking 30 ms before the end of decision.remaining; load models before ready",
        )
    if late_by[TIGHT]:
        what = f"never late at 200 ms, {late_by[TIGHT]} of 20 at 50 ms"
        return Finding(Mark.ADVICE, what, "ask organisers for 100 ms or more")
    what = f"never late at 200 ms (slowest {span(slowest[USUAL])}) and at 50 ms"
    return Finding(Mark.PASS, f"{what} ({span(slowest[TIGHT])})")


async def _in_a_hurry(bot: Examinee, sitting: Sitting, limit: float) -> tuple[int, float]:
    """Asks twenty decisions; gives how many were late, and the longest that was taken."""
    await bot.sits(sitting)
    late_ones, slowest = 0, 0.0
    previous = None
    for _ in range(20):
        if not sitting.goes_on():
            await bot.ends(sitting)
            sitting = bot.sitting(
                f"{sitting.start.match_id.split('/')[1]}-more", sitting.start.time
            )
            await bot.sits(sitting)
            sitting.goes_on()
        asked = await bot.asks(sitting, limit, previous)
        action = sitting.default if asked.reply is None else legal(sitting, asked)
        if asked.reply is None:
            late_ones += 1
            message = f"{limit * 1000:.0f} ms are over: the default action was played"
            await bot.judges(VerdictKind.TIMED_OUT, sitting, message)
        previous = Previous(asked.took, False, asked.reply is None, 0)
        slowest = max(slowest, asked.took)
        sitting.play(action)
    await bot.ends(sitting, void=True)
    return late_ones, slowest


async def together(bot: Examinee) -> Finding:
    """As many matches at once as it declared, four at most: all are asked at the same time."""
    declared = max(1, bot.visit.hello.max_concurrent)
    count = min(declared, 4)
    if count == 1:
        return Finding(Mark.UNTRIED, "it declares one match at a time")
    sittings = [bot.sitting(f"together-{number}") for number in range(count)]
    for sitting in sittings:
        await bot.sits(sitting)
    since = asyncio.get_running_loop().time()
    for sitting in sittings:
        sitting.goes_on()
        await bot.visit.send(sitting.question(2.0))
    waiting = {sitting.decision_id: sitting for sitting in sittings}
    for _ in range(count):
        asked = await bot.any_answer(waiting, since + 2.0)
        if asked.reply is None:
            what = f"{len(waiting)} of {count} decisions that were open at once got no reply"
            raise Failed(what, "keep what belongs to a match under its match_id")
        legal(waiting.pop(asked.reply.decision_id), asked)
    for sitting in sittings:
        await bot.ends(sitting)
    return Finding(Mark.PASS, f"{count} of {declared} matches at once, each answered for itself")


async def thought(bot: Examinee) -> Finding:
    """Ten seconds for a decision, in which nothing is heard from the server."""
    sitting = bot.sitting("thought", TIME._replace(decision=THOUGHT))
    await bot.sits(sitting)
    sitting.goes_on()
    asked = await bot.asks(sitting, THOUGHT)
    legal(sitting, asked)
    await bot.ends(sitting, void=True)
    what = f"with {span(THOUGHT)} it answered after {span(asked.took)}"
    if asked.took > THOUGHT - 0.03:
        return Finding(Mark.ADVICE, what, "leave 30 ms for the way: the margin is no time to think")
    return Finding(Mark.PASS, f"{what}; its stream stayed")
