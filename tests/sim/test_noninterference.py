"""What a bot is told before a reveal does not depend on what its opponent does before it."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saurodrome.engine import registry
from saurodrome.server.frames import Decision, Ended, Hello, Outbound, Ready, Reply
from tests.engine.toy import GAME as CAIRNS
from tests.sim.bots import Bot
from tests.sim.loop import simulate
from tests.sim.ports import legal_of
from tests.sim.world import GAME, World

SEED = 1
"""A deal in which both have stones to stack in the toy game."""
Heard = list[tuple[float, Outbound]]


class Listener(Bot):
    """Answers at once with its last action, and writes down all frames of its first match."""

    hello = Hello("1", "sim", {}, 1)

    def __init__(self, world: World, name: str) -> None:
        """Begin to listen."""
        self.heard: Heard = []
        self.ended = asyncio.Event()
        super().__init__(world, name)

    def hears(self, frame: Outbound) -> None:
        """Write it down."""
        if self.ended.is_set():
            return
        self.heard.append((round(self.world.loop.time(), 9), frame))
        super().hears(frame)
        if isinstance(frame, Ended):
            self.ended.set()

    def answer(self, decision: Decision) -> None:
        """Send the last action."""
        self.reply(decision, legal_of(decision.payload)[-1])


class Opponent(Bot):
    """Always comes to the same actions; how it gets there is scripted, decision by decision."""

    hello = Hello("1", "sim", {}, 1)

    def __init__(self, world: World, name: str, manners: Sequence[str]) -> None:
        """Script it; where the script ends it is plain."""
        self.manners = iter(manners)
        self.seen: set[str] = set()
        super().__init__(world, name)

    def asked(self, decision: Decision) -> None:
        """Take the next manner for a new decision; answer one that comes again."""
        if decision.decision_id in self.seen:
            self.answer(decision)
        else:
            self.seen.add(decision.decision_id)
            MANNERS[next(self.manners, "plain")](self, decision)

    def answer(self, decision: Decision) -> None:
        """Send the last action."""
        self.reply(decision, legal_of(decision.payload)[-1])

    def drop_and_return(self, decision: Decision) -> None:
        """Break the connection with the decision open."""
        self.returns_after = 0.03
        if self.peer:
            self.peer.drop(0.01)

    def answer_and_drop(self, decision: Decision) -> None:
        """Break the connection right after the answer."""
        self.answer(decision)
        self.returns_after = 0.03
        if self.peer:
            self.later(0.003, self.peer.drop)

    def babble(self, decision: Decision) -> None:
        """Send frames that nobody asked for before and after the answer."""
        noise = Reply("0123456789abcdef", 7)
        self.send(noise, Ready(decision.match_id, 1))
        self.answer(decision)
        self.answer(decision)
        self.send(noise)

    def blunder(self, decision: Decision) -> None:
        """Send two illegal replies before the legal one."""
        self.send(Reply(decision.decision_id, None), Reply(decision.decision_id, 10**6))
        self.later(0.02, self.answer, decision)


def after(share: float) -> Callable[[Opponent, Decision], None]:
    """Answer when a share of the time is over."""
    return lambda bot, decision: bot.later(decision.remaining * share, bot.answer, decision)


MANNERS: dict[str, Callable[[Opponent, Decision], None]] = {
    "plain": Opponent.answer,
    "slow": after(0.8),
    "in the margin": after(1.03),
    "drops": Opponent.drop_and_return,
    "answers and drops": Opponent.answer_and_drop,
    "babbles": Opponent.babble,
    "blunders": Opponent.blunder,
    "takes over": lambda bot, decision: bot.come(),
    # and those that come to another action: the default, or the one before the last
    "silent": lambda bot, decision: None,
    "only illegal": lambda bot, decision: bot.send(*[Reply(decision.decision_id, -1)] * 3),
    "another action": lambda bot, decision: bot.reply(decision, legal_of(decision.payload)[0]),
    "gone": lambda bot, decision: bot.stop(),
}
SAME_ACTION = list(MANNERS)[:8]
OTHERS = [manner for manner in MANNERS if manner != "plain"]


def listen(manners: Sequence[str], game: tuple[str, str] = GAME, loads: float = 0.001) -> Heard:
    """Return what one bot hears of a match in which the other behaves by a script."""

    async def main() -> Heard:
        async with World(seed=SEED) as world:
            await world.begin("ann", "bob", game=game, concurrency=1)
            ann, bob = Listener(world, "ann"), Opponent(world, "bob", manners)
            bob.loads = loads
            await ann.ended.wait()
            await world.organiser.cancel("cup")
            for bot in (ann, bob):
                bot.stop()
            return ann.heard

    return simulate(main())


def frames(heard: Heard) -> list[Outbound]:
    """Return the frames without their times."""
    return [frame for _, frame in heard]


def decisions(heard: Heard) -> int:
    """Return how often one was asked."""
    return sum(isinstance(frame, Decision) for _, frame in heard)


def before_reveal(heard: Heard, turn: int) -> Heard:
    """Return all up to what is heard when the choices of a turn, from 0, are revealed."""
    asked = [i for i, (_, frame) in enumerate(heard) if isinstance(frame, Decision)]
    return heard[: asked[turn + 1]] if turn + 1 < len(asked) else heard[:-1]


@pytest.fixture
def cairns(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A game with a sealed phase, registered."""
    monkeypatch.setattr(registry, "_GAMES", (*registry.games(), CAIRNS))
    return CAIRNS.name, CAIRNS.variants[0]


@pytest.mark.case("HI-02")
def test_how_an_opponent_comes_to_its_actions_changes_no_frame_of_a_whole_match() -> None:
    plain = frames(listen([]))
    assert sum(isinstance(frame, Decision) for frame in plain) > 5
    for manner in SAME_ACTION:
        repeated = [manner] * (3 if manner == "takes over" else 50)
        assert frames(listen(repeated)) == plain, manner


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(SAME_ACTION[:-1]), max_size=12))
def test_nor_does_any_mixture_of_manners(manners: list[str]) -> None:
    assert frames(listen(manners)) == frames(listen([]))


@pytest.mark.parametrize("turn", [0, 1, 4])
def test_until_the_reveal_not_even_a_time_tells_what_the_opponent_does(turn: int) -> None:
    heard = {m: before_reveal(listen(["plain"] * turn + [m]), turn) for m in MANNERS}
    for one, other in combinations(MANNERS, 2):
        assert heard[one] == heard[other], (one, other)
    assert decisions(heard["plain"]) == turn + 1


def test_loading_for_long_is_seen_only_by_the_wait() -> None:
    quick, slow = listen([]), listen([], loads=1.5)
    assert frames(quick) == frames(slow)
    assert quick != slow


def test_in_a_sealed_phase_not_even_a_time_tells_of_the_opponents_steps(
    cairns: tuple[str, str],
) -> None:
    """All of the phase, several steps of both, up to its reveal."""
    runs = [listen([m], cairns) for m in ("plain", "slow", "drops", "blunders", "silent")]
    sealed = [[entry for entry in run if in_first_phase(entry[1])] for run in runs]
    assert len(sealed[0]) >= 3
    assert all(steps == sealed[0] for steps in sealed)


def in_first_phase(frame: Outbound) -> bool:
    """Tell whether a frame asks for a step of the toy's first sealed phase."""
    return isinstance(frame, Decision) and frame.payload.startswith(b"(0, 0, 0,")
