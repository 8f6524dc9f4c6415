"""Builds matches and decisions of Draftosaurus from text."""

from collections.abc import Mapping, Sequence

from google.protobuf import duration_pb2

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._decision import Decision, Match
from saurodrome.client.games.draftosaurus import DICE, PENS, PHASES, SPECIES, Pen
from saurodrome.games.draftosaurus.v1 import draftosaurus_pb2 as wire

SUMMER = ("forest", "trio", "king", "prairie", "meadow", "island", "river")
WINTER = ("wood", "lbridge", "rbridge", "pyramid", "lookout", "quarantine", "river")
_BOARDS = {"summer": SUMMER, "winter": WINTER}
_LETTERS = {name.letter: wire.Species.ValueType(number) for number, name in SPECIES.items()}
_PENS = {name.short: wire.Pen.ValueType(number) for number, name in PENS.items()}
_DICE = {str(name): wire.DieFace.ValueType(number) for number, name in DICE.items()}
_VERBS = {"discard": "discard", "move": "quarantine"}
_PHASES = {str(name): wire.Phase.ValueType(number) for number, name in PHASES.items()}


def seconds(value: float) -> duration_pb2.Duration:
    """Makes a duration of the wire."""
    duration = duration_pb2.Duration()
    duration.FromNanoseconds(round(value * 1e9))
    return duration


def match(
    match_id: str = "test/1/1/0",
    *,
    attempt: int = 1,
    variant: str = "summer",
    seat: int = 0,
    players: Sequence[str] = ("me", "you"),
    ready_seconds: float = 20.0,
    decision_seconds: float = 1.0,
    margin_seconds: float = 0.05,
    ready: bool = False,
) -> Match:
    """Builds a match of Draftosaurus."""
    return Match(
        bot_pb2.MatchStarted(
            match_id=match_id,
            attempt=attempt,
            game="draftosaurus",
            variant=variant,
            rules_version=1,
            seat=seat,
            players=[bot_pb2.Player(bot=name, display_name=name.title()) for name in players],
            time_control=bot_pb2.TimeControl(
                ready=seconds(ready_seconds),
                decision=seconds(decision_seconds),
                margin=seconds(margin_seconds),
            ),
            fault_rule=bot_pb2.FaultRule(
                strikes_in_a_row=3, strikes_in_match=5, replies_per_decision=3
            ),
            ready=ready,
        )
    )


def decision(
    legal: Sequence[str] = ("S forest", "S river"),
    *,
    of: Match | None = None,
    decision_id: str = "decision-1",
    hand: str = "",
    zoos: Sequence[Mapping[str, str]] = (),
    die: str | None = None,
    roller: int = 0,
    turn: int = 1,
    round: int = 1,
    points: Sequence[int] = (),
    discarded: str = "",
    unseen: Sequence[int] = (8, 8, 8, 8, 8, 8),
    bag: int = 36,
    default: str | None = None,
    remaining: float | None = None,
    previous: bot_pb2.PreviousDecision | None = None,
) -> Decision:
    """Builds a decision of Draftosaurus from text.

    Args:
        legal: The legal actions: ``S forest``, ``S pyramid 3``, ``discard S`` or ``move S wood``.
            Their ids are 3, 7, 11 and so on, so that a bot that returns a position is found out.
        of: The match; else one of two players on the summer board.
        decision_id: The decision's id.
        hand: The bot's hand, such as ``RSS``; else the species of the legal actions.
        zoos: By seat, pens to letters: ``{"forest": "SS", "pyramid": "S.C..."}``; in the
            Pyramid a letter's place is its slot. Pens and zoos that are left out are empty.
        die: A face, such as ``woodlands``; None binds nobody.
        roller: Who rolled it.
        turn: The turn of the whole game, from 1.
        round: The round, from 1.
        points: Points by seat; else zeros.
        discarded: What was put back into the box.
        unseen: By species, what the bot has not located.
        bag: What is left in the bag.
        default: The default action; else the last legal one.
        remaining: Seconds left; else the match's limit.
        previous: How the previous decision was counted.
    """
    of = of or match()
    board = _BOARDS[of.variant]
    actions = [action(text) for text in legal]
    phase = _VERBS.get(legal[0].split()[0], "place")
    hand = hand or "".join(sorted({_letter(text) for text in legal}, key="RSCBNP".index))
    seats = range(len(of.players))
    observation = wire.Observation(
        phase=_PHASES[phase],
        round=round,
        turn=turn,
        roller=roller,
        die=_DICE[die] if die else wire.DIE_FACE_UNSPECIFIED,
        zoos=[zoo(zoos[seat] if seat < len(zoos) else {}, board) for seat in seats],
        bag=bag,
        discarded=[_LETTERS[letter] for letter in discarded],
        points=points or [0 for _ in seats],
        seat=of.seat,
        hands=[_hand(hand, known=seat == of.seat) for seat in seats],
        unseen=unseen,
    )
    message = bot_pb2.Decision(
        match_id=of.id,
        decision_id=decision_id,
        remaining=seconds(of.time.decision if remaining is None else remaining),
        default_action_id=_id(legal.index(default) if default else len(legal) - 1),
        previous=previous,
        legal_actions=[
            bot_pb2.LegalAction(id=_id(n), draftosaurus=a) for n, a in enumerate(actions)
        ],
        draftosaurus=observation,
    )
    return Decision.received(of, message)


def _id(position: int) -> int:
    return 3 + 4 * position


def _letter(text: str) -> str:
    return text.removeprefix("discard ").removeprefix("move ")[0]


def _hand(letters: str, *, known: bool) -> wire.Hand:
    dinosaurs = [_LETTERS[letter] for letter in letters] if known else []
    return wire.Hand(size=len(letters), dinosaurs=dinosaurs)


def action(text: str) -> wire.Action:
    """Reads an action: ``S forest``, ``S pyramid 3``, ``discard S`` or ``move S wood``.

    Raises:
        KeyError: A letter or a pen is unknown.
    """
    if text.startswith("discard "):
        return wire.Action(species=_LETTERS[_letter(text)])
    letter, pen, *slot = text.removeprefix("move ").split()
    return wire.Action(
        species=_LETTERS[letter], pen=_PENS[pen], slot=int(slot[0]) if slot else None
    )


def zoo(pens: Mapping[str, str], board: Sequence[str]) -> wire.Zoo:
    """Builds a zoo: every pen of the board, empty ones too.

    Raises:
        ValueError: A pen is not on the board.
    """
    if strange := sorted(set(pens) - set(board)):
        raise ValueError(f"not on this board: {', '.join(strange)}; pens are {', '.join(board)}")
    return wire.Zoo(pens=[_pen(name, pens.get(name, "")) for name in board])


def _pen(name: str, letters: str) -> wire.PenContents:
    held = [(slot, letter) for slot, letter in enumerate(letters) if letter != "."]
    in_slots = name == Pen.PYRAMID.short
    return wire.PenContents(
        pen=_PENS[name],
        dinosaurs=[_LETTERS[letter] for _, letter in held],
        slots=[slot for slot, _ in held] if in_slots else [],
    )
