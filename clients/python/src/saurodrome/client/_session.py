"""What a bot knows about its matches: frames in, frames and jobs out, no network, no threads.

It outlives streams: after a broken connection the server sends match_started and the open
decisions again, and the session answers them from what it remembers.
"""

import time
from collections.abc import Callable

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import games
from saurodrome.client._choice import NOTE_CHARS, Answer, Choice
from saurodrome.client._decision import Decision, Match
from saurodrome.client._errors import BotFault, IllegalAction, LateReply, NotReady
from saurodrome.client._events import (
    Connected,
    Decided,
    Draining,
    Faulted,
    Judged,
    Leaving,
    MatchEnded,
    MatchStarted,
    Status,
    Termination,
    VerdictKind,
    match_ended,
    verdict_kind,
)
from saurodrome.client._host import Host
from saurodrome.client._open_match import OpenMatch


class Session:
    """A bot's presence at a server, over all of its streams.

    Attributes:
        status: The figures of the status line.
        welcomed: The present stream has been welcomed.
        ever_welcomed: Some stream has been.
        leaving: The bot was told to take no new matches.
    """

    def __init__(
        self,
        host: Host,
        hello: bot_pb2.Hello,
        *,
        server: str,
        matches: int | None = None,
        strict: bool = False,
        clock: Callable[[], float] = time.monotonic,
        rulesets: Callable[[str, str], str] | None = None,
    ) -> None:
        """Starts without a stream.

        Args:
            host: The bot that this belongs to.
            hello: What each stream begins with.
            server: The address, for events.
            matches: How many to play; None means no end.
            strict: The first fault ends the run.
            clock: Gives the time in seconds.
            rulesets: Gives rulesets, by game and hash.
        """
        self._rulesets = rulesets
        self.status = Status()
        self.welcomed = False
        self.ever_welcomed = False
        self.leaving = False
        self._host = host
        self._hello = hello
        self._server = server
        self._quota = matches
        self._strict = strict
        self._clock = clock
        self._open: dict[str, OpenMatch] = {}
        self._before: dict[str, OpenMatch] = {}  # open before this stream, not announced yet
        self._to_come = 0  # matches of before that the welcome promised
        self._said_goodbye = False
        self._note_chars = NOTE_CHARS

    @property
    def finished(self) -> bool:
        """Nothing is left to do."""
        enough = self._quota is not None and self.status.done >= self._quota
        return (enough or self.leaving) and not self._open

    def opened(self) -> None:
        """Begins a stream: says hello."""
        self._host.send(bot_pb2.PlayRequest(hello=self._hello))

    def closed(self) -> None:
        """Ends a stream; the matches stay open until the next welcome tells more."""
        self.welcomed = self.status.connected = self._said_goodbye = False
        self._open = self._before | self._open
        self._before = {}

    def receive(self, frame: bot_pb2.PlayResponse) -> None:
        """Does what a frame asks for. Frames of a newer server that it does not know: nothing."""
        match frame.WhichOneof("frame"):
            case "welcome":
                self._welcome(frame.welcome)
            case "match_started":
                self._match_started(frame.match_started)
            case "decision":
                self._decision(frame.decision)
            case "verdict":
                self._verdict(frame.verdict)
            case "match_ended":
                self._match_ended(frame.match_ended, missed=False)
            case "draining":
                seconds = frame.draining.remaining.ToNanoseconds() / 1e9
                self._host.tell(Draining(seconds, frame.draining.reason))

    def leave(self) -> None:
        """Takes no new matches."""
        if not self.leaving:
            self.leaving = True
            self._host.tell(Leaving(len(self._open)))
        self._say_goodbye()

    def _say_goodbye(self) -> None:
        if self.welcomed and not self._said_goodbye:
            self._said_goodbye = True
            self._host.send(bot_pb2.PlayRequest(goodbye=bot_pb2.Goodbye()))

    def _welcome(self, welcome: bot_pb2.Welcome) -> None:
        again, self.ever_welcomed = self.ever_welcomed, True
        self.welcomed = self.status.connected = True
        self._before, self._open = self._open, {}
        self._to_come = welcome.open_matches
        self._note_chars = welcome.limits.max_note_chars or NOTE_CHARS
        event = Connected(
            welcome.bot, self._server, welcome.server_version, welcome.open_matches, again
        )
        for ended in welcome.missed_results:
            self._match_ended(ended, missed=True)
        self._forget_before()
        self._host.tell(event)
        if self.leaving or self._quota_reached():
            self._say_goodbye()

    def _forget_before(self) -> None:
        """Drops the matches of before, once all that go on have been announced."""
        if self._to_come == 0:
            for forgotten in self._before.values():
                forgotten.drop()
            self._before = {}
        self.status.playing = len(self._open)

    def _quota_reached(self) -> bool:
        return self._quota is not None and self.status.done + len(self._open) >= self._quota

    def _match_started(self, message: bot_pb2.MatchStarted) -> None:
        known = self._before.pop(message.match_id, None)
        known = known or self._open.get(message.match_id)
        if known and known.match.attempt != message.attempt:
            known.drop()
            known = None
        current = known or OpenMatch(Match(message, self._rulesets), self._clock())
        self._open[message.match_id] = current
        self._to_come = max(0, self._to_come - 1)
        self._forget_before()
        current.server_knows = message.ready
        if known is None:
            current.preparing = self._host.prepare(current.match)
            self._host.tell(MatchStarted(current.match))
        elif known.prepared:
            self._ready(current)
        if self._quota_reached():
            self._say_goodbye()

    def _ready(self, current: OpenMatch) -> None:
        if self._announced(current) and not current.server_knows:
            ready = bot_pb2.Ready(match_id=current.match.id, attempt=current.match.attempt)
            self._host.send(bot_pb2.PlayRequest(ready=ready))

    def _announced(self, current: OpenMatch) -> bool:
        """Tells whether the server knows on this stream that we know of the match.

        Before that nothing is sent for it: what is open is asked again after match_started.
        """
        return self.welcomed and self._open.get(current.match.id) is current

    def prepared(self, match: Match, fault: BotFault | None) -> None:
        """Goes on when the bot has got ready; a fault is told, and the match played all the same.

        Decisions fall to `choose` then, which may do without; not to be ready would lose.
        """
        current = self._find(match.id)
        if current is None or current.match is not match:
            return
        current.prepared = True
        current.took = self._clock() - current.begun
        if fault is not None and not self._blame(fault):
            return
        self._ready(current)
        if current.thinking and current.asked is not None:
            current.job = self._host.think(current.asked)

    def _find(self, match_id: str) -> OpenMatch | None:
        return self._open.get(match_id) or self._before.get(match_id)

    def _decision(self, message: bot_pb2.Decision) -> None:
        current = self._open.get(message.match_id)
        if current is None:  # its match has ended: the reply would be stale
            return
        games.check(message)
        if current.asks(message.decision_id):
            if current.reply is not None:
                self._host.send(current.reply)
            return
        asked = Decision.received(current.match, message, self._clock)
        current.ask(asked, self._clock())
        if current.prepared:
            current.job = self._host.think(asked)

    def answered(self, decision: Decision, answer: Answer) -> None:
        """Sends what the bot chose, unless the decision is no longer open.

        What is not legal is sent all the same: the server's list of faults is the organiser's.
        """
        self.status.decisions += 1
        self.status.think += answer.seconds
        self.status.slowest = max(self.status.slowest, answer.seconds)
        current = self._find(decision.match_id)
        fault = answer.choice.fault
        if fault is not None and not self._blame(fault):
            return
        self._host.tell(Decided(decision.match, answer.seconds, fault is not None))
        if current is not None and current.asked is decision and current.thinking:
            current.thinking = False
            current.seconds = answer.seconds
            current.faulted = fault is not None
            self._reply(current, decision, answer.choice)

    def _reply(self, current: OpenMatch, decision: Decision, choice: Choice) -> None:
        reply = current.reply_with(decision, choice, self._note_chars, self._clock())
        if self._announced(current):
            self._host.send(reply)

    def _blame(self, fault: BotFault) -> bool:
        """Counts and tells a fault of the bot; gives whether the run goes on."""
        if isinstance(fault, LateReply):
            self.status.late += 1
        elif fault.decision is not None:
            self.status.illegal += 1
        saved = self._host.keep(fault.decision) if fault.decision is not None else None
        if fault.decision is not None and not self._strict:
            played = f"the default action {fault.decision.default} was played"
            fault.do = "; ".join(filter(None, [fault.do, played]))
        self._host.tell(Faulted(fault, saved))
        if self._strict:
            self._host.fail(fault)
        return not self._strict

    def _verdict(self, verdict: bot_pb2.Verdict) -> None:
        kind = verdict_kind(verdict)
        self._host.tell(Judged(kind, verdict.match_id, verdict.message))
        current = self._open.get(verdict.match_id)
        if current is None or current.asked is None or not current.asks(verdict.decision_id):
            return
        if kind is VerdictKind.TIMED_OUT:
            current.close_decision()
            self._blame(_late(verdict, current.asked, current.seconds))
        elif kind is VerdictKind.ILLEGAL:
            self._illegal(verdict, current, current.asked)

    def _illegal(self, verdict: bot_pb2.Verdict, current: OpenMatch, decision: Decision) -> None:
        """Answers with the default action what was refused; `choose` would say the same again."""
        tried, default = current.replied, _default(decision)
        if not current.faulted:  # else it has been told; here the list we judged by is not theirs
            where = f"match {decision.match_id}, turn {decision.state.turn}"
            what = f"the server refused {tried}: {verdict.message or 'no reason was given'}"
            fault = IllegalAction("ILLEGAL_ACTION", what, where=where, decision=decision)
            current.faulted = True
            if not self._blame(fault):
                return
        if verdict.replies_left and tried != default.action_id:
            self._reply(current, decision, default)

    def _match_ended(self, message: bot_pb2.MatchEnded, *, missed: bool) -> None:
        ended = match_ended(message, missed=missed)
        known = self._find(message.match_id)
        if known is not None and known.match.attempt <= message.attempt:
            if _came_too_late(ended):
                self._blame(_not_ready(known, self._clock() - known.begun))
            known.drop()
            self._open.pop(message.match_id, None)
            self._before.pop(message.match_id, None)
        if known is not None or not missed:  # else it was another run's, before this one
            self.status.done += ended.counts
            self.status.won += ended.won
        self.status.playing = len(self._open)
        self._host.tell(ended)


def _default(decision: Decision) -> Choice:
    return Choice(decision.message.default_action_id)


def _came_too_late(ended: MatchEnded) -> bool:
    """Tells whether a match was lost because the bot, though connected, did not get ready."""
    own = ended.results[ended.seat] if ended.seat < len(ended.results) else None
    unplayed = ended.termination in (Termination.ABSENT, Termination.NO_CONTEST)
    return unplayed and not ended.missed and own is not None and own.forfeited


def _not_ready(current: OpenMatch, seconds: float) -> NotReady:
    """Says how long it took to get ready; `seconds` have gone by since it began."""
    match = current.match
    seconds = max(seconds, match.time.ready)  # the clock that decides is the server's
    took = (
        f"took {current.took:.1f} s" if current.prepared else f"still works after {seconds:.1f} s"
    )
    return NotReady(
        "NOT_READY",
        f"prepare {took}; {match.time.ready:.1f} s are given.",
        where=f"getting ready for match {match.id}, which is lost",
        do="load what takes long before run() is called; organisers: tournament create --ready",
        match=match,
    )


def _late(verdict: bot_pb2.Verdict, decision: Decision, seconds: float | None) -> LateReply:
    """Says by how much an answer was late; `seconds` is what `choose` took, if it came back."""
    charged = verdict.charged.ToNanoseconds() / 1e6
    limit = decision.match.time.decision * 1000
    took = "still thinks" if seconds is None else f"took {seconds * 1000:.0f} ms"
    return LateReply(
        "LATE",
        f"{charged:.0f} ms of {limit:.0f}.",
        where=f"match {decision.match_id}, turn {decision.state.turn}; choose {took}",
        do="aim at d.remaining minus 30 ms",
        decision=decision,
    )
