"""The table of limits: each number on the page is the one in the program."""

import re
from pathlib import Path

import pytest

from saurodrome.server import roster
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.frames import MAX_FRAME_BYTES, MAX_NOTE_CHARS
from saurodrome.server.log import setup, volume, writer
from saurodrome.server.rpc import budgets, guard, inbound, oversight, pages, play, server, settings
from saurodrome.server.session import gate, session, stream
from saurodrome.server.store.memory import MemoryStore
from saurodrome.server.web import connections, page

PAGE = Path(__file__).parents[2] / "server" / "README.md"
NUMBERS: dict[str, float] = {
    "bytes of a frame, both ways": MAX_FRAME_BYTES,
    "bytes of a call's metadata": server.MAX_METADATA_BYTES,
    "characters of a note": MAX_NOTE_CHARS,
    "seconds for the hello": gate.HELLO_TIME,
    "surplus frames of a bot in a minute": session.MAX_SURPLUS,
    "takeovers of a bot in a minute": session.MAX_TAKEOVERS,
    "matches of a bot at once": session.MAX_CONCURRENT,
    "streams of a bot at once": play.MAX_STREAMS,
    "calls of a bot in a minute": budgets.MAX_BOT_CALLS,
    "frames that wait for a bot": stream.OUTBOX_FRAMES,
    "seconds that a frame waits to be read": stream.WRITE_LIMIT,
    "things that an author changes in a minute": oversight.MAX_AUTHORS_ACTS,
    "calls of a token at once": budgets.MAX_CALLS_AT_ONCE,
    "calls without a token at once": guard.MAX_PUBLIC_CALLS,
    "failed logins of an address in a minute": budgets.MAX_FAILED_LOGINS,
    "streams of a connection at once": dict(server._OPTIONS)["grpc.max_concurrent_streams"],
    "calls at once, of everybody": server.MAX_STREAMS,
    "connections to the pages at once": connections.MAX_CONNECTIONS,
    "bots of an owner": roster.MAX_BOTS,
    "bots of a tournament": settings.MAX_BOTS,
    "matches of a tournament": settings.MAX_MATCHES,
    "items of a list's page": pages.MAX_PAGE_SIZE,
    "bytes of a list's page": pages.MAX_PAGE_BYTES,
    "rows of a web page": page.MAX_ROWS,
    "log lines of a kind about one thing in a minute": volume.REPEATS,
    "log lines that wait for the disk": writer.MAX_LINES,
    "bytes of the log file before a new one is begun": setup.MAX_BYTES,
}


def told() -> dict[str, float]:
    """The numbers of the table, by what they bound."""
    text = PAGE.read_text().partition("### Limits")[2].partition("\n##")[0]
    rows = re.findall(r"^\| (.+?) \| ([\d,]+) \|", text, re.MULTILINE)
    return {what: float(number.replace(",", "")) for what, number in rows}


def test_every_number_of_the_table_is_the_programs() -> None:
    assert told() == NUMBERS


def test_the_session_and_the_wire_agree_on_matches_at_once() -> None:
    assert inbound.MAX_CONCURRENT == session.MAX_CONCURRENT


@pytest.mark.case("HI-07")
async def test_an_owner_registers_two_hundred_bots_and_no_more() -> None:
    known = roster.Roster(MemoryStore(), b"", lambda: 1.0)
    for number in range(roster.MAX_BOTS):
        await known.register(f"p{number}", "", "petra", "")
    with pytest.raises(Refused, match="TOO_MANY_BOTS") as caught:
        await known.register("p200", "", "petra", "")
    assert caught.value.kind is Kind.EXHAUSTED
    await known.register("q1", "", "quentin", "")
    await known.register("h1", "", "", "")


async def test_a_repeated_request_of_a_full_owner_is_answered() -> None:
    known = roster.Roster(MemoryStore(), b"", lambda: 1.0)
    for number in range(roster.MAX_BOTS):
        await known.register(f"p{number}", "", "petra", f"r{number}")
    bot, token = await known.register("p199", "", "petra", "r199")
    assert (bot.name, token) == ("p199", "")
