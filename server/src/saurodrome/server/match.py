"""One attempt at a match: asks the deciders, waits for their answers, applies them, loops."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from saurodrome.engine.chance import SecureChance
from saurodrome.engine.game import Game, Observation, Outcome, State, placements
from saurodrome.engine.playthrough import Playthrough, Recorder
from saurodrome.server import ledger
from saurodrome.server.allowance import Allowance
from saurodrome.server.deals import Deal
from saurodrome.server.observer import Observer
from saurodrome.server.port import (
    Answer,
    FaultRule,
    MatchStart,
    PlayerName,
    Question,
    SeatPort,
    TimeControl,
    Verdict,
)
from saurodrome.server.standings import absence_placements
from saurodrome.server.store.records import Fault, SeatOutcome, Termination
from saurodrome.server.strikes import STRIKES, Strikes


class Codec(Protocol):
    """Makes the bytes of a game; injected, so that a match never sees the wire."""

    def public(self, observation: Observation) -> bytes:
        """Encodes what everybody knows; made once a turn and shared by the seats."""
        ...

    def payload(self, public: bytes, observation: Observation, legal: tuple[int, ...]) -> bytes:
        """Encodes one seat's decision: the public part, its private part, its legal actions."""
        ...


class MatchPlan(NamedTuple):
    """Who plays what, and under which rules."""

    tournament: str
    match_id: str
    attempt: int
    game: Game
    variant: str
    players: tuple[PlayerName, ...]
    time: TimeControl
    faults: FaultRule


class Played(NamedTuple):
    """What came of an attempt that counts; nothing is recorded of one that was not played."""

    termination: Termination
    seats: tuple[SeatOutcome, ...]
    faults: tuple[Fault, ...]
    playthrough: Playthrough | None = None


class AttemptVoid(Exception):
    """The attempt does not count, by fault of the arbiter."""


class Match:
    """Owns the state of one attempt and plays it to its end."""

    def __init__(
        self,
        plan: MatchPlan,
        deal: Deal,
        ports: Sequence[SeatPort],
        codec: Codec,
        observer: Observer,
        now: Callable[[], float],
    ) -> None:
        """Prepares an attempt.

        Args:
            plan: Who plays what.
            deal: The hidden chance of this attempt.
            ports: The seats, in order.
            codec: Makes the payloads.
            observer: Hears of forfeits.
            now: Wall clock in Unix seconds, for faults' time stamps only.
        """
        self._plan = plan
        self._deal = deal
        self._ports = ports
        self._codec = codec
        self._observer = observer
        self._now = now
        self._strikes = [Strikes(plan.faults) for _ in ports]
        self._allowances = [Allowance(plan.time) for _ in ports]
        self._forfeits: dict[int, int] = {}
        self._ids = [deal.decision_ids(seat) for seat in range(len(ports))]
        self._faults: list[Fault] = []
        self._step_count = 0
        self._joins: Sequence[Awaitable[bool]] = ()
        self._recorder: Recorder | None = None

    async def play(self) -> Played:
        """Plays the attempt.

        Raises:
            AttemptVoid: The arbiter stood still too long inside a decision.
        """
        absent = await self._join()
        if absent:
            return self._unplayed(absent)
        plan, players = self._plan, len(self._ports)
        recorder = Recorder(plan.game, plan.variant, players, SecureChance(self._deal.secret))
        self._recorder = recorder
        while recorder.state.deciders() and not self._is_lost:
            await (self._apart if recorder.state.sealed else self._together)(recorder)
        return self._played(recorder.playthrough())

    @property
    def plan(self) -> MatchPlan:
        """Who plays what."""
        return self._plan

    @property
    def state(self) -> State | None:
        """The position, None before all are ready: what is shown is `observation(None)` of it."""
        return self._recorder.state if self._recorder else None

    @property
    def getting_ready(self) -> list[int]:
        """The seats that the beginning waits for."""
        return [
            seat
            for seat, join in enumerate(self._joins)
            if isinstance(join, asyncio.Future) and not join.done()
        ]

    @property
    def _is_lost(self) -> bool:
        """Of two players, or of one, one has forfeited: nothing is left to play for."""
        return bool(self._forfeits) and len(self._ports) <= 2

    async def _join(self) -> list[int]:
        plan = self._plan
        joins = [
            port.join(
                MatchStart(
                    plan.match_id,
                    plan.attempt,
                    plan.game.name,
                    plan.variant,
                    plan.game.rules_version,
                    seat,
                    plan.players,
                    plan.time,
                    plan.faults,
                    self._deal.commitment,
                    plan.game.ruleset,
                    plan.game.ruleset_hash,
                )
            )
            for seat, port in enumerate(self._ports)
        ]
        self._joins = joins
        return [seat for seat, join in enumerate(joins) if not await join]

    async def _together(self, recorder: Recorder) -> None:
        """One choice of every decider: all answers are in before anything is done with one."""
        state = recorder.state
        deciders = state.deciders()
        phase = state.phase
        limits = {s: self._allowances[s].limit(phase) for s in deciders if s not in self._forfeits}
        asked = self._ask(state, limits)
        answers = {seat: await answer for seat, answer in asked.items()}
        self._apply(recorder, deciders, answers, limits)
        if self._plan.time.bank:  # else there is nothing to take it from
            for seat, answered in answers.items():
                self._allowances[seat].spend(answered.charged)

    async def _apart(self, recorder: Recorder) -> None:
        """A sealed phase: each seat at its own pace, so that nobody can time another's steps.

        A seat has one budget of time for the whole phase. Once that is used up, or a step was
        a strike, its further steps are defaults without a question.
        """
        phase = recorder.state.phase
        seats = recorder.state.deciders()
        left = {seat: self._allowances[seat].limit(phase, sealed=True) for seat in seats}
        took = dict.fromkeys(seats, 0.0)
        waiting: dict[asyncio.Future[Answer], int] = {}
        try:
            while _goes_on(recorder.state, phase, left) and not self._is_lost:
                idle = [seat for seat in left if seat not in waiting.values()]
                if spent := [s for s in idle if left[s] <= 0 or s in self._forfeits]:
                    self._apply(recorder, spent, {}, {})
                else:
                    asked = self._ask(recorder.state, {seat: left[seat] for seat in idle})
                    for seat, answer in asked.items():
                        waiting[asyncio.ensure_future(answer)] = seat
                    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                    answers = {waiting.pop(answer): answer.result() for answer in done}
                    self._apply(recorder, sorted(answers), answers, left)
                    for seat, answered in answers.items():
                        struck = answered.verdict in STRIKES
                        took[seat] += answered.charged
                        left[seat] = 0.0 if struck else left[seat] - answered.charged
                left = {s: left[s] for s in left if s in recorder.state.deciders()}
            for seat, seconds in took.items():
                self._allowances[seat].spend(seconds)
        finally:
            for answer in waiting:
                answer.cancel()

    def _ask(self, state: State, limits: Mapping[int, float]) -> dict[int, Awaitable[Answer]]:
        public = b""
        asked = {}
        time, replies = self._plan.time, self._plan.faults.replies_per_decision
        for seat, limit in limits.items():
            observation = state.observation(seat)
            public = public or self._codec.public(observation)
            legal = state.legal_actions(seat)
            question = Question(
                next(self._ids[seat]),
                self._codec.payload(public, observation, legal),
                legal,
                state.default_action(seat),
                time if limit == time.decision else time._replace(decision=limit),
                replies,
            )
            asked[seat] = self._ports[seat].ask(question)
        return asked

    def _apply(
        self,
        recorder: Recorder,
        seats: Sequence[int],
        answers: Mapping[int, Answer],
        limits: Mapping[int, float],
    ) -> None:
        """Applies answers, and the defaults of seats that were not asked."""
        actions: dict[int, int] = {}
        notes: dict[int, str] = {}
        for seat in seats:
            answer = answers.get(seat)
            if answer is None:
                actions[seat] = recorder.state.default_action(seat)
            elif answer.verdict is Verdict.VOID:
                raise AttemptVoid(
                    f"the arbiter stood still for {answer.stalled:.1f} s inside a decision of"
                    f" {self._plan.players[seat].bot}"
                )
            else:
                actions[seat], notes[seat] = answer.action, ledger.note(answer)
        recorder.step(actions, notes)
        self._step_count += 1
        for seat in seats:
            if seat in answers:
                self._count(seat, answers[seat], limits[seat])

    def _count(self, seat: int, answer: Answer, limit: float) -> None:
        strikes = self._strikes[seat]
        forfeits = strikes.count(answer)
        if answer.verdict in STRIKES:
            counted = f"default action, strike {strikes.total(answer.verdict)}"
            counted += " and forfeit" if forfeits else ""
            self._misplayed(seat, answer.verdict.upper(), limit, answer, counted)
        elif answer.illegal:
            self._misplayed(seat, "ILLEGAL", limit, answer, "asked again, answered in time")
        if forfeits and seat not in self._forfeits:
            self._forfeits[seat] = self._step_count
            bot = self._plan.players[seat].bot
            self._observer.forfeited(bot, self._plan.match_id, answer.verdict)

    def _misplayed(self, seat: int, kind: str, limit: float, answer: Answer, counted: str) -> None:
        split = ledger.split(answer)
        counted = f"{counted}; {split}" if split else counted
        self._fault(seat, kind, limit, answer.charged, counted)

    def _fault(self, seat: int, kind: str, limit: float, took: float, counted: str) -> None:
        self._faults.append(
            Fault(
                self._plan.tournament,
                self._plan.match_id,
                self._plan.attempt,
                self._step_count,
                self._plan.players[seat].bot,
                kind,
                limit,
                took,
                "bot",
                counted,
                self._now(),
            )
        )

    def _unplayed(self, absent: Sequence[int]) -> Played:
        for seat in absent:
            ready = self._plan.time.ready
            self._fault(seat, "NOT_READY", ready, ready, "forfeit, unrated")
        bots = [player.bot for player in self._plan.players]
        return Played(*walkover(bots, absent), tuple(self._faults))

    def _played(self, playthrough: Playthrough) -> Played:
        outcome: Outcome | None = playthrough.outcome
        seats = range(len(self._ports))
        points = outcome.points if outcome else (0,) * len(self._ports)
        places = outcome.placements if outcome else (1,) * len(self._ports)
        # Forfeits come last, later ones above earlier ones.
        ranked = placements(
            [(0, self._forfeits[s]) if s in self._forfeits else (1, -places[s]) for s in seats]
        )
        if len(places) == 1:  # the opponent is the game itself
            ranked = (2,) if self._forfeits else places
        outcomes = tuple(
            SeatOutcome(
                self._plan.players[seat].bot,
                ranked[seat],
                points[seat],
                self._strikes[seat].timeouts,
                self._strikes[seat].illegal_replies,
                forfeited=seat in self._forfeits,
            )
            for seat in seats
        )
        termination = Termination.FORFEIT if self._forfeits else Termination.FINISHED
        return Played(termination, outcomes, tuple(self._faults), playthrough)


def _goes_on(state: State, phase: str, left: Mapping[int, float]) -> bool:
    """Whether a sealed phase goes on: who has ended it does not decide in it again."""
    return state.sealed and state.phase == phase and left.keys() >= set(state.deciders())


def walkover(
    bots: Sequence[str], absent: Sequence[int]
) -> tuple[Termination, tuple[SeatOutcome, ...]]:
    """The result of a match that was not played: who came shares the first place, unrated.

    Args:
        bots: Names by seat.
        absent: The seats that did not come.
    """
    away = [seat in absent for seat in range(len(bots))]
    seats = tuple(
        SeatOutcome(bot, place, points=0, absent=is_away, rated=False)
        for bot, place, is_away in zip(bots, absence_placements(away), away, strict=True)
    )
    return (Termination.NO_CONTEST if all(away) else Termination.ABSENT), seats
