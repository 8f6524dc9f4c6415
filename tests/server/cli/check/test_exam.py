"""Each check passes a good bot, and finds the bot that has the habit it looks for."""

import pytest

from saurodrome.engine import registry
from saurodrome.server.cli.check import answering
from saurodrome.server.cli.check.exam import CHECKS
from saurodrome.server.cli.check.examinee import TIME, Finding, Mark
from saurodrome.server.cli.check.report import Line, as_json, good, lines, summary
from saurodrome.server.cli.check.sitting import Board, Sitting
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import Decision, Goodbye, Hello, Outbound, Reply, VerdictFrame
from saurodrome.server.settings import check_display_name
from tests.server.cli.check.pupils import Pupil, School
from tests.sim.loop import simulated
from tests.sim.transport import Peer


@simulated
async def test_a_good_bot_passes_everything() -> None:
    found = await School().examine(Pupil)
    assert {name: finding.mark for name, finding in found.items()} == dict.fromkeys(
        ["hello", *(check.name for check in CHECKS)], Mark.PASS
    )


@simulated
async def test_quick_leaves_out_what_takes_long_and_says_so() -> None:
    found = await School().examine(Pupil, quick=True)
    left_out = {name for name, finding in found.items() if finding.mark is Mark.UNTRIED}
    assert left_out == {"thought", "idle", "frozen"}


class Position(Pupil):
    """Returns the position of an action instead of its id."""

    def chooses(self, decision: Decision) -> int | None:
        return 10_000 + len(self.replies)


class Empty(Pupil):
    """Forgets to set the id."""

    def chooses(self, decision: Decision) -> int | None:
        return None


class Silent(Pupil):
    """Gets ready and never answers."""

    def answer(self, decision: Decision) -> None:
        pass


class NeverReady(Pupil):
    """Does not get ready."""

    loads = 1e9

    def hears(self, frame: Outbound) -> None:
        if isinstance(frame, Decision):
            super().hears(frame)


class Stubborn(Pupil):
    """Repeats what was refused."""

    def refused(self, decision: Decision) -> None:
        self.send(self.replies[decision.decision_id])


class Sulking(Pupil):
    """Does not answer again."""

    def refused(self, decision: Decision) -> None:
        pass


class Old(Pupil):
    """Answers with the id of the decision before if that one was closed."""

    def answer(self, decision: Decision) -> None:
        if "late" in decision.match_id and decision.previous and decision.previous.timed_out:
            self.send(Reply("0123456789abcdef", decision.default))
        else:
            super().answer(decision)


class Frightened(Pupil):
    """Ends its stream when it hears a verdict that it does not expect."""

    def hears(self, frame: Outbound) -> None:
        if isinstance(frame, VerdictFrame) and not frame.match_id:
            assert self.peer
            self.peer.drop()
        else:
            super().hears(frame)


class AsciiOnly(Pupil):
    """Dies of names in other scripts."""

    def hears(self, frame: Outbound) -> None:
        text = repr(getattr(frame, "start", ""))
        if not text.isascii():
            assert self.peer
            self.peer.drop()
        else:
            super().hears(frame)


class Slow(Pupil):
    """Thinks for longer than a quarter of a second, whatever it is given."""

    thinks = 0.25


class Brisk(Pupil):
    """Thinks for a tenth of a second."""

    thinks = 0.1


class OneByOne(Pupil):
    """Declares three matches at once, and answers the newest of three questions alone."""

    def answer(self, decision: Decision) -> None:
        if not any(f"together-{number}" in decision.match_id for number in (0, 1)):
            super().answer(decision)


class Forgetful(Pupil):
    """Does not repeat its reply when a question comes again."""

    def asked(self, decision: Decision) -> None:
        if decision.decision_id not in self.replies:
            super().asked(decision)


class Gone(Pupil):
    """Does not come back from a lost connection."""

    returns_after = None


class Leisurely(Pupil):
    """Comes back after five seconds."""

    returns_after = 5.0


class NoPings(Pupil):
    """Does not notice that a connection is dead."""

    notices = None


class Fighter(Pupil):
    """Comes back after it was replaced."""

    def lost(self, peer: Peer, refusal: Refused | None) -> None:
        if peer is self.peer:
            self.come_back()


class Chatty(Pupil):
    """Says everything twice."""

    def answer(self, decision: Decision) -> None:
        super().answer(decision)
        self.send(self.replies[decision.decision_id])


class Restless(Pupil):
    """Sends something when it has nothing to do."""

    def come(self) -> None:
        super().come()
        for second in range(1, 60):
            self.later(second, self.noise)

    def noise(self) -> None:
        if self.peer and not self.peer.ended.done():
            self.send(Reply("anything", 1))


class Nameless(Pupil):
    """Says nothing of itself."""

    hello = Hello()


@pytest.mark.parametrize(
    ("kind", "check", "mark", "words"),
    [
        (Position, "match", Mark.FAIL, "answered 10000, which is not one of the"),
        (Empty, "match", Mark.FAIL, "without an action_id"),
        (Silent, "match", Mark.FAIL, "no reply to a decision within 1.0 s"),
        (NeverReady, "match", Mark.FAIL, "no ready for a match within 10 s"),
        (Stubborn, "illegal", Mark.ADVICE, "it repeats it"),
        (Sulking, "illegal", Mark.ADVICE, "does not answer again"),
        (Old, "late", Mark.FAIL, "no reply to a decision"),
        (Frightened, "stale", Mark.FAIL, "its stream ended"),
        (AsciiOnly, "names", Mark.FAIL, "its stream ended"),
        (Slow, "limits", Mark.FAIL, "20 of 20 decisions took longer than 200 ms"),
        (Brisk, "limits", Mark.ADVICE, "20 of 20 at 50 ms"),
        (OneByOne, "together", Mark.FAIL, "2 of 3 decisions"),
        (Nameless, "together", Mark.UNTRIED, "one match at a time"),
        (Forgetful, "reconnect", Mark.FAIL, "came again after a reply that was lost"),
        (Gone, "reconnect", Mark.FAIL, "was not back 10 s after"),
        (Gone, "restart", Mark.UNTRIED, "not here any more"),
        (Leisurely, "reconnect", Mark.ADVICE, "back after 5.0 s"),
        (Leisurely, "restart", Mark.ADVICE, "back 5"),
        (NoPings, "frozen", Mark.ADVICE, "was not noticed within 20 s"),
        (Fighter, "replaced", Mark.FAIL, "came back after a newer program"),
        (Chatty, "match", Mark.ADVICE, "replies that nobody had asked for"),
        (Restless, "idle", Mark.ADVICE, "with nothing to do it sent reply"),
        (Nameless, "hello", Mark.ADVICE, "no version, no name"),
    ],
)
@simulated
async def test_a_habit_is_found(kind: type[Pupil], check: str, mark: Mark, words: str) -> None:
    found = (await School().examine(kind))[check]
    assert (found.mark, words in found.what) == (mark, True), found
    assert found.do or mark in (Mark.PASS, Mark.UNTRIED)


class Elsewhere(Pupil):
    """Plays another game."""

    hello = Hello("1", "sim", {"chess": ()}, 1)


class NoHello(Pupil):
    """Begins with a reply."""

    def greet(self) -> None:
        self.send(Reply("first", 1))

    returns_after = None


class Ended(Pupil):
    """Is a program that has ended."""

    def come(self) -> None:
        self.school.door.expects_nobody("its program ended with 2")


class Launched(Pupil):
    """Is started by a program that ends once the bot is here."""

    def come(self) -> None:
        super().come()
        self.later(0.5, self.school.door.expects_nobody, "its program ended with 0")


class Garbling(Pupil):
    """Sends bytes that are no frame."""

    def answer(self, decision: Decision) -> None:
        what = "7 bytes are not the message that belongs here."
        self.send(Refused(Kind.INVALID, "MALFORMED", what, "Play", "send protobuf"))


class Leaving(Pupil):
    """Says goodbye after its first reply."""

    def answer(self, decision: Decision) -> None:
        super().answer(decision)
        self.send(Goodbye())


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Elsewhere, "it declares chess"),
        (NoHello, "no bot came within 5 s"),
        (Ended, "its program ended with 2"),
    ],
)
@simulated
async def test_a_bot_that_is_not_let_in_fails_once_and_the_rest_is_not_tried(
    kind: type[Pupil], words: str
) -> None:
    found = await School().examine(kind)
    assert found["hello"].mark is Mark.FAIL
    assert words in found["hello"].what
    assert {finding.mark for name, finding in found.items() if name != "hello"} == {Mark.UNTRIED}


@simulated
async def test_a_bot_that_cannot_come_any_more_is_not_waited_for() -> None:
    school = School()
    began = school.loop.time()
    await school.examine(Ended)
    assert school.loop.time() - began < 1.0


@simulated
async def test_a_bot_that_is_here_is_waited_for_whatever_became_of_its_starter() -> None:
    found = await School().examine(Launched)
    assert {finding.mark for finding in found.values()} == {Mark.PASS}


@simulated
async def test_a_first_frame_that_is_no_hello_is_explained() -> None:
    found = await School().examine(NoHello)
    assert "The first frame was reply" in found["hello"].do


@simulated
async def test_bytes_that_are_no_frame_fail_with_their_reason() -> None:
    found = await School().examine(Garbling)
    assert "[MALFORMED] 7 bytes" in found["match"].what
    assert found["match"].do == "send protobuf"


@simulated
async def test_after_goodbye_the_rest_is_not_tried() -> None:
    found = await School().examine(Leaving)
    assert found["illegal"].what == "the bot said goodbye"


def test_the_server_takes_the_names_that_bots_are_shown() -> None:
    for name in answering.NAMES:
        assert check_display_name(name, "display_name") == name


@pytest.mark.parametrize(
    ("game", "variant", "players"),
    [("draftosaurus", "winter", 4), ("duelosaur", None, 2), ("duelosaur", "solo-dino-mike", 1)],
)
def test_any_game_can_be_sat_at_to_its_end(game: str, variant: str | None, players: int) -> None:
    known = registry.get(game)
    sitting = Sitting(Board(known, variant or known.variants[0], players), "any", TIME, 1)
    asked = set()
    while sitting.goes_on():
        assert sitting.default in sitting.legal
        assert sitting.question(1.0).payload
        asked.add(sitting.decision_id)
        sitting.play(sitting.legal[0])
    assert len(asked) > 5


def test_the_report_is_80_cells_wide_and_counts() -> None:
    finding = Finding(Mark.FAIL, "x " * 60 + "y" * 90, "z " * 50)
    found = [Line("match", finding), Line("late", Finding(Mark.PASS, "fine"))]
    assert max(map(len, lines(found[0]))) <= 80
    assert summary(found) == "1 passed, 1 failed"
    assert not good(found)
    assert good(found[1:])
    assert not good([])
    told = as_json(found, ("draftosaurus", "summer", 2))
    assert told["ok"] is False
    assert [check["result"] for check in told["checks"]] == ["fail", "pass"]
