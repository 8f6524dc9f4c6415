"""What bots noted with their replies, in match records: theirs, and not for everybody."""

from collections.abc import Callable

from saurodrome.engine import playthrough
from saurodrome.engine.playthrough import Step
from saurodrome.server import ledger


def without_notes(record: bytes, keeps: Callable[[str], bool]) -> bytes:
    """Gives a record without the remarks of bots; what the server says of its own stays.

    Args:
        record: Its text, UTF-8.
        keeps: Tells of a bot whether its remarks stay.
    """
    played = playthrough.loads(record.decode())
    tags = dict(played.tags)
    kept = {s for s in range(played.players) if keeps(tags.get(f"seat{s}", ""))}
    steps = tuple(_bare(step, kept) for step in played.steps)
    return playthrough.dumps(played._replace(steps=steps)).encode()


def _bare(step: Step, kept: set[int]) -> Step:
    choices = (
        choice if choice.seat in kept else choice._replace(note=ledger.bare(choice.note))
        for choice in step.choices
    )
    return step._replace(choices=tuple(choices))
