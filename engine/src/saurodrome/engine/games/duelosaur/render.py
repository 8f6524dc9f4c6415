"""Positions as plain text for terminals of 80 columns: letters carry all meaning."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from saurodrome.engine.cells import fit, pad
from saurodrome.engine.games.duelosaur import abilities, describe, parks, visitors
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.draft import undrafted_threat
from saurodrome.engine.games.duelosaur.knowledge import Observation, Premises, Public
from saurodrome.engine.games.duelosaur.loading import SHIPPED
from saurodrome.engine.games.duelosaur.position import (
    AI,
    EMPTY_DRAFT,
    NOTHING,
    Company,
    Rival,
    Step,
    bits,
)
from saurodrome.engine.games.duelosaur.steps import step_text
from saurodrome.engine.games.duelosaur.words import ATTRACTION_TYPES

_LABEL = 8
_HALF = 36
"""Width of each of two columns after the label."""


def turn_of(observation: Observation) -> int:
    """Return the round that an observation is of, from 1; setup belongs to the first."""
    return max(1, observation.public.round)


def render(observation: Observation, *, names: Sequence[str] = ()) -> list[str]:
    """Return what an observer knows as lines of at most 80 columns, companies side by side.

    Colours of DNA are c p b (basic) and g k y (advanced), icons f m r; e, t and v are
    excitement, threat and visitors. Seats are numbered from 0; in a solo match 1 is the AI.

    Args:
        observation: What to show.
        names: Names of the seats, if any; cut to the column, controls shown as escapes.
    """
    public = observation.public
    parts = public.setting.components
    lines = list(_head(public, names))
    lines += _cards("row", parts, public.row)
    lines += _board(public)
    lines += _pr(public)
    lines += _pairs(_company_rows(observation, names))
    if observation.player is not None:
        lines += _cards("hand", parts, bits(observation.private.hands[observation.player]))
    seen = [describe.specialist(parts, one) for one in observation.private.specialists]
    lines += _wrapped("choose", ", ".join(seen))
    lines += _scripts(observation)
    if public.setting.ai:
        for line in describe.ai_lines(public.setting.ai, public.round):
            lines += _wrapped("AI card", line)
    return lines


def _line(label: str, text: str) -> str:
    return fit(f"{label:<{_LABEL}}{text}".rstrip(), 80)


def _wrapped(label: str, text: str) -> Iterator[str]:
    """Yield a text in as many lines as it needs."""
    for number, part in enumerate(wrap(text, 80 - _LABEL)):
        yield _line(label if number == 0 else "", part)


def _name(public: Public, names: Sequence[str], seat: int) -> str:
    if public.setting.ai and seat == AI:
        return public.setting.ai.name
    return names[seat] if seat < len(names) else f"seat {seat}"


def _head(public: Public, names: Sequence[str]) -> Iterator[str]:
    ruleset = public.setting.components.ruleset
    remark = ": values reconstructed" if ruleset == SHIPPED else ""
    yield fit(f"Duelosaur Island ({ruleset}{remark}), to {public.setting.threshold}", 80)
    what = public.phase.replace("_", " ")
    if public.phase == "pick":
        what = f"pick {public.picks + 1}"
    if public.phase == "over":
        what = "over"
    elif public.active == NOTHING:
        what += ", sealed: all decide in secret"
    else:
        what += f", {fit(_name(public, names, public.active), 20)} to choose"
    first = f"; first player {fit(_name(public, names, public.first), 20)}"
    last = ", the last" if public.final else ""
    yield fit(f"round {public.round}{last}: {what}{'' if public.rivals else first}", 80)


def _cards(label: str, components: Components, numbers: Sequence[int]) -> Iterator[str]:
    """Yield cards, one a line, both halves."""
    for index, number in enumerate(numbers):
        name, dinosaur, attraction = describe.card(components, number)
        shown = f"row {index}" if label == "row" else label if index == 0 else ""
        yield fit(f"{shown:<6}{name:<4}{dinosaur} | {attraction}", 80)


def _board(public: Public) -> Iterator[str]:
    """Yield deck sizes and what can be picked."""
    parts = public.setting.components
    deck = sum(pool.deck for pool in public.pools)
    piles = f"{deck} cards, {public.discards.bit_count()} discarded"
    yield _line("deck", f"{piles}; {public.staff_left.bit_count()} specialists unseen")
    yield from _columns("twists", [describe.token(parts.tokens[one]) for one in public.offered])
    faces = [f"{n}: {describe.face(parts, one)}" for n, one in enumerate(public.rolled)]
    yield from _columns("rolled", faces)
    yield from _columns("draft", list(_items(public)))


def _items(public: Public) -> Iterator[str]:
    parts = public.setting.components
    for slot in range(parts.dice_rolled):
        face = public.slots[slot] if slot < len(public.slots) else NOTHING
        twist = (
            describe.token(parts.tokens[public.tokens[slot]]) if slot < len(public.tokens) else ""
        )
        if twist or face != NOTHING:
            shown = "-" if face == NOTHING else describe.face(parts, face)
            yield f"{slot}: {shown}" + (f" on {twist}" if twist else "")
    for one in public.offer:
        discard = describe.gain(parts.specialists[one].discard)
        yield f"{describe.specialist(parts, one)} ({discard})"


def _columns(label: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield texts in two columns."""
    for index in range(0, len(texts), 2):
        pair = (fit(text, _HALF - 1) for text in texts[index : index + 2])
        shown = "".join(pad(text, _HALF) for text in pair)
        yield _line(label if index == 0 else "", shown)


def _pr(public: Public) -> Iterator[str]:
    spaces = public.setting.components.tracks.pr_spaces
    shown = (f"[{n}]" if n == public.marker else str(n) for n in range(len(spaces)))
    here = describe.gain(spaces[public.marker])
    yield _line("PR", f"{' '.join(shown)}   rides: {here}")
    if public.phase == "pr":
        options = [f"{n}: {describe.gain(spaces[n])}" for n in range(public.limit)]
        yield from _wrapped("bonus", "; ".join(options))


Rows = list[tuple[str, str]]
"""Labels and texts of one column."""


def _company_rows(observation: Observation, names: Sequence[str]) -> list[Rows]:
    public = observation.public
    found = [
        _premises_rows(observation, seat, company, _name(public, names, seat))
        for seat, company in enumerate(public.companies)
    ]
    found += [_rival_rows(public, ai) for ai in public.rivals]
    return found


def _premises_rows(observation: Observation, seat: int, own: Premises, name: str) -> Rows:
    public = observation.public
    parts, sheet = public.setting.components, public.sheets[seat]
    known = observation.private.hands[seat]
    hidden = own.hand - known.bit_count()
    held = [describe.specialist(parts, one) for one in own.specialists]
    rows = [
        ("", f"{seat} {name}"),
        ("points", f"{sheet.total} now, visitors {own.visitors}"),
        ("park", _park(parts, own.dinosaurs, own.attractions)),
        ("DNA", describe.units(own.dna)),
        ("tracks", f"threat {own.threat} security {own.security} excitement {own.excitement}"),
        ("coins", f"{own.coins}  lawsuits {own.lawsuits}"),
        *_hand_rows(parts, known, hidden),
    ]
    if public.slots and public.phase in ("build", "ai_tie", "pr", "discard", "over"):
        rows.append(("escapes", _escapes(public, own)))
    return rows + [("staff" if n == 0 else "", one) for n, one in enumerate(held or ["-"])]


def _hand_rows(components: Components, known: int, hidden: int) -> Rows:
    """Return the known cards of a hand and how many others it has."""
    cards = [components.cards[card].id for card in bits(known)]
    cards += [f"{hidden} hidden"] if hidden else []
    lines = wrap(" ".join(cards), _HALF - 1) or ["-"]
    return [("hand" if n == 0 else "", line) for n, line in enumerate(lines)]


def _park(components: Components, dinosaurs: int, attractions: int) -> str:
    icons = parks.icons(components, attractions)
    counted = " ".join(f"{t[0]}{n}" for t, n in zip(ATTRACTION_TYPES, icons, strict=True))
    animals, built = dinosaurs.bit_count(), attractions.bit_count()
    return f"{animals} dinos, {built} attractions: {counted}"


def _escapes(public: Public, own: Premises) -> str:
    """Return how the threat compares to the security, as a sum."""
    parts = public.setting.components
    company = Company(*own[:7], 0, 0, *own[8:])
    board = EMPTY_DRAFT._replace(slots=public.slots, offer=public.offer)
    undrafted = 0 if abilities.ignores_undrafted(parts, company) else undrafted_threat(parts, board)
    threat = own.threat + abilities.threat_change(parts, company)
    short = visitors.shortfall(parts, company, undrafted)
    lost = short * abilities.loss_factor(parts, company)
    return f"{threat} + {undrafted} undrafted - {own.security} = {short}, -{lost}v"


def _rival_rows(public: Public, own: Rival) -> Rows:
    parts = public.setting.components
    return [
        ("", f"{AI} {_name(public, (), AI)}"),
        ("points", f"{public.sheets[-1].total} now, visitors {own.visitors}"),
        ("park", _park(parts, own.dinosaurs, own.attractions)),
        ("DNA", f"basic {own.basic}, advanced {own.advanced}"),
        ("tracks", f"excitement {own.excitement}"),
        ("coins", str(own.coins)),
        *_hand_rows(parts, own.hand, 0),
    ]


def _pairs(columns: list[Rows]) -> Iterator[str]:
    """Yield two columns side by side; a label stands at the left, where the rows agree."""
    for pair in zip_longest(*columns, fillvalue=("", "")):
        label = next((name for name, _ in pair if name), "")
        shown = "".join(pad(fit(text, _HALF - 1), _HALF) for _, text in pair)
        yield _line(label, shown)


def _scripts(observation: Observation) -> Iterator[str]:
    """Yield the steps of the last Build, or the own ones of this Build, as lists."""
    parts, own = observation.public.setting.components, observation.private.work
    scripts: Sequence[Sequence[Step]] = observation.public.scripts
    if own:
        columns: list[Sequence[Step]] = [() for _ in observation.public.companies]
        columns[observation.player or 0] = own.script
        scripts = columns
    texts = [[step_text(parts, step) for step in script] for script in scripts]
    for number, pair in enumerate(zip_longest(*texts, fillvalue="")):
        shown = "".join(pad(fit(text, _HALF - 1), _HALF) for text in pair)
        yield _line(f"build {number + 1}" if number < 99 else "", shown)
