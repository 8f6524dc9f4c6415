"""What must hold after any simulation, whatever the bots and the machine did."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from saurodrome.server.frames import Decision, Ended, Hello, Inbound, MatchStarted, Reply, Welcome
from saurodrome.server.port import Answer, Verdict
from saurodrome.server.session.decision import SECOND_LOOK
from saurodrome.server.session.stalls import STALL, TICK
from saurodrome.server.settings import TournamentSettings
from saurodrome.server.store.records import Result
from tests.sim import logs
from tests.sim.heard import Event
from tests.sim.ports import legal_of
from tests.sim.trace import Asked, Frame
from tests.sim.world import World

SEALED = {"cairns", "duelosaur"}
"""Games in which seats go on at their own pace for a while."""
EPSILON = 1e-6
ON_TIME = {Verdict.ACCEPTED, Verdict.IN_MARGIN}


class Closed(NamedTuple):
    """A decision that got its answer: its place in the trace, and what was heard."""

    line: int
    when: float
    bot: str
    match_id: str
    decision_id: str
    answer: Answer


class History:
    """A trace, taken apart."""

    def __init__(self, world: World) -> None:
        """Read the trace of a world."""
        self.world = world
        self.asked: dict[str, tuple[int, Asked]] = {}
        self.closed: dict[str, Closed] = {}
        self.twice: list[str] = []
        self.frames: list[tuple[int, Frame]] = []
        for number, line in enumerate(world.trace.lines):
            match line:
                case Asked():
                    self.asked[line.decision_id] = (number, line)
                case Frame():
                    self.frames.append((number, line))
                case Event(when, "decision_closed", (bot, match_id, decision_id, answer, _)):
                    if decision_id in self.closed:
                        self.twice.append(decision_id)
                    closed = Closed(number, when, bot, match_id, decision_id, answer)
                    self.closed[decision_id] = closed

    def frames_from(self, line: int) -> Iterator[tuple[int, Frame]]:
        """Yield the frames from a line of the trace on."""
        first = bisect_left(self.frames, line, key=lambda entry: entry[0])
        return islice(self.frames, first, None)

    def stalled(self, begin: float, end: float) -> float:
        """Return how long the loop stood still between two times."""
        stalls = self.world.loop.stalls
        return sum(max(0.0, min(end, at + s) - max(begin, at)) for at, s in stalls)

    def stalls(self, begin: float, end: float) -> list[float]:
        """Return how long each stall was that falls between two times."""
        return [s for at, s in self.world.loop.stalls if at < end and at + s > begin]


async def check(world: World, *tournaments: TournamentSettings) -> None:
    """Check everything about tournaments that are over.

    Raises:
        AssertionError: Something does not hold.
    """
    for settings in tournaments:
        await logs.check(world, settings)
    history = History(world)
    check_decisions(history)
    check_seats(history)
    for settings in tournaments:
        if settings.game not in SEALED:
            check_turns(history, settings.name)
    bounds = {settings.name: limits(settings) for settings in tournaments}
    check_clocks(history, lambda match_id: bounds[match_id.split("/")[0]])
    check_replies(history)
    check_streams(history)
    check_attempts(history)
    check_capacity(world)
    check_told(history)
    check_places(world)


def check_decisions(history: History) -> None:
    """Each question of an attempt that counts has one answer, which was recorded once."""
    assert history.twice == []
    assert history.closed.keys() <= history.asked.keys()
    of: defaultdict[tuple[int, str, int], list[str]] = defaultdict(list)
    for decision_id, (_, asked) in history.asked.items():
        of[asked.process, asked.match_id, asked.attempt].append(decision_id)
    for attempt in history.world.played.values():
        key = (attempt.process, attempt.plan.match_id, attempt.plan.attempt)
        played = attempt.played
        playthrough = played.playthrough
        if playthrough is None:
            assert of[key] == []
            continue
        answered = [d for d in of[key] if d in history.closed]
        # Of two, one may be thinking when the other forfeits.
        cut_short = attempt.plan.game.name in SEALED and any(s.forfeited for s in played.seats)
        assert len(of[key]) - len(answered) <= cut_short, key
        recorded = Counter(c.seat for step in playthrough.steps for c in step.choices if c.note)
        assert recorded == Counter(history.asked[d][1].seat for d in answered), key


def check_seats(history: History) -> None:
    """No seat is asked before it has answered what it was asked before."""
    last: dict[tuple[int, str, int, int], str] = {}
    for decision_id, (line, asked) in history.asked.items():
        seat = (asked.process, asked.match_id, asked.attempt, asked.seat)
        before = last.get(seat)
        assert before is None or history.closed[before].line < line
        last[seat] = decision_id


def check_turns(history: History, tournament: str) -> None:
    """Where all choose at once, nobody is asked before all of the turn before have answered."""
    turns: defaultdict[tuple[int, str, int, int], list[str]] = defaultdict(list)
    for decision_id, (_, asked) in history.asked.items():
        if asked.match_id.startswith(f"{tournament}/"):
            key = (asked.process, asked.match_id, asked.attempt, asked.number)
            turns[key].append(decision_id)
    for (process, match_id, attempt, number), ids in turns.items():
        before = turns.get((process, match_id, attempt, number - 1), [])
        begun = min(history.asked[d][0] for d in ids)
        assert all(d in history.closed and history.closed[d].line < begun for d in before)
        assert len({history.asked[d][1].seat for d in ids}) == len(ids)


def limits(settings: TournamentSettings) -> tuple[float, float]:
    """The shortest and the longest time of a decision, with its margin.

    A step of a sealed phase has what the steps before it left of the phase's budget.
    """
    time = settings.time
    sealed = settings.game in SEALED
    least = 0.0 if sealed else time.decision
    most = max(time.decision, time.sealed) if sealed else time.decision
    return least + time.margin, most + time.margin


def check_clocks(history: History, limits_of: Callable[[str], tuple[float, float]]) -> None:
    """No reply counts after limit and margin; no bot pays for the arbiter."""
    for closed in history.closed.values():
        least, total = limits_of(closed.match_id)
        since = clock_start(history, closed)
        spent = closed.when - since - history.stalled(since, closed.when)
        stalls = history.stalls(since, closed.when)
        slack = len(stalls) * (TICK + EPSILON) + STALL
        if closed.answer.verdict in ON_TIME:
            timings = 2 if max(stalls, default=0.0) > SECOND_LOOK else 1
            assert spent <= timings * total + (timings - 1) * SECOND_LOOK + EPSILON, closed
            assert closed.answer.charged <= total + EPSILON, closed
        if closed.answer.verdict is Verdict.TIMED_OUT:
            assert spent >= least - slack, closed
            assert closed.answer.charged >= least - slack, closed
        if not history.stalls(since - total, closed.when):
            assert spent <= total + EPSILON, closed


def clock_start(history: History, closed: Closed) -> float:
    """Return the time of the write, or of the opening if the bot was away then."""
    line, asked = history.asked[closed.decision_id]
    for number, frame in history.frames_from(line):
        if number > closed.line:
            break
        if isinstance(frame.frame, Welcome) and frame.bot == closed.bot:
            break  # it was away, or is on another stream than the one that it was asked on
        if isinstance(frame.frame, Decision) and frame.frame.decision_id == closed.decision_id:
            return frame.when
    return asked.when


def check_replies(history: History) -> None:
    """What was played is what the bot said first that was legal, or the default."""
    said: defaultdict[str, list[Reply]] = defaultdict(list)
    shown: dict[str, Decision] = {}
    for number, frame in history.frames:
        if isinstance(frame.frame, Decision):
            shown[frame.frame.decision_id] = frame.frame
        elif isinstance(frame.frame, Reply):
            closed = history.closed.get(frame.frame.decision_id)
            if closed and closed.bot == frame.bot and number < closed.line:
                said[closed.decision_id].append(frame.frame)
    for closed in history.closed.values():
        decision = shown.get(closed.decision_id)
        replies = said[closed.decision_id]
        if closed.answer.verdict in ON_TIME:
            assert decision is not None
            legal = [r.action for r in replies if r.action in legal_of(decision.payload)]
            assert legal == [closed.answer.action], closed
        elif decision is not None:
            assert closed.answer.action == decision.default, closed


def check_streams(history: History) -> None:
    """Streams begin with a welcome and carry only what is their bot's."""
    first: dict[int, object] = {}
    started: dict[tuple[str, str, int], set[int]] = defaultdict(set)
    for _, line in history.frames:
        frame = line.frame
        if line.direction == "in":
            assert isinstance(frame, Inbound)
            continue
        assert isinstance(first.setdefault(line.stream, frame), Welcome)
        match frame:
            case MatchStarted(start):
                assert start.players[start.seat].bot == line.bot
                started[line.bot, start.match_id, start.attempt].add(start.seat)
            case Decision():
                _, asked = history.asked[frame.decision_id]
                key = (line.bot, asked.match_id, asked.attempt)
                assert started[key] == {asked.seat}
                assert frame.remaining >= 0.0


def check_attempts(history: History) -> None:
    """An attempt has one deal for ever: no other process gives its number to another."""
    deals: dict[tuple[str, int], bytes] = {}
    for _, line in history.frames:
        if isinstance(line.frame, MatchStarted):
            start = line.frame.start
            key = (start.match_id, start.attempt)
            assert deals.setdefault(key, start.commitment) == start.commitment, key
    begun = history.world.trace.all("match_started")
    assert len({(match_id, attempt) for _, match_id, attempt, _ in begun}) == len(begun)


def check_capacity(world: World) -> None:
    """No bot ever plays more matches at once than it declared, also across its streams."""
    declared: dict[str, int] = {}
    playing: dict[tuple[str, int], tuple[str, ...]] = {}
    for line in world.trace.lines:
        match line:
            case Frame(_, bot, _, "in", Hello() as hello):
                declared[bot] = hello.max_concurrent
            case Event(_, "match_started", (_, match_id, attempt, bots)):
                playing[match_id, attempt] = bots
                count = Counter(bot for table in playing.values() for bot in table)
                assert all(count[bot] <= declared[bot] for bot in bots), line
            case Event(_, "match_void", (_, match_id, attempt, _, _)):
                del playing[match_id, attempt]
            case Event(_, "match_finished", (Result() as result, _)):
                playing.pop((result.match_id, result.attempt), None)
            case Event(_, "restarted", ()):
                playing.clear()
    assert playing == {}


def check_told(history: History) -> None:
    """Who played is told the end of each attempt once, by a frame or in a later welcome."""
    told: Counter[tuple[str, str, int]] = Counter()
    for _, line in history.frames:
        match line.frame:
            case Ended(end):
                told[line.bot, end.match_id, end.attempt] += 1
            case Welcome():
                told.update((line.bot, end.match_id, end.attempt) for end in line.frame.missed)
    world = history.world
    for bot in world.arbiter.roster.bots:
        missed = world.lobby.session(bot)._missed
        told.update((bot, end.match_id, end.attempt) for end in missed)
    begun = Counter(
        (bot, match_id, attempt)
        for _, match_id, attempt, bots in world.trace.all("match_started")
        for bot in bots
    )
    if world.trace.all("restarted"):
        assert told <= begun  # what was still to be told died with the process
    else:
        assert told == begun


def check_places(world: World) -> None:
    """All places are free, and nothing in the arbiter went wrong."""
    for bot in world.arbiter.roster.bots:
        assert world.lobby.playing(bot) == 0, bot
    assert world.arbiter.scheduler.in_flight == 0
