"""What the pages say and how they are sent, without a socket."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import httpx
import pytest

from saurodrome.server.contracts import (
    EntrantStatus,
    Progress,
    Spectacle,
    Spectacles,
    Table,
    TableRow,
)
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.settings import Publish, TournamentSettings
from saurodrome.server.store.interface import StoreTrouble
from saurodrome.server.store.records import Tournament, TournamentState
from saurodrome.server.web import app
from saurodrome.server.web.app import make_app

HOSTILE = '<script>alert("x")</script>&\u202e'


class Fake:
    """Tournaments and metrics that count how often they are asked."""

    def __init__(self, *progresses: Progress, rows: tuple[TableRow, ...] = ()) -> None:
        self.progresses = progresses
        self.rows = rows
        self.asked: list[str] = []
        self.status = "serving"
        self.live_of: tuple[str, ...] = ()

    def latest(self, limit: int) -> tuple[Progress, ...]:
        self.asked.append("list")
        return self.progresses[:limit]

    async def get(self, name: str) -> Progress:
        for one in self.progresses:
            if one.tournament.settings.name == name:
                return one
        raise Refused(Kind.NOT_FOUND, "UNKNOWN_TOURNAMENT", "No such tournament.")

    async def standings(
        self, name: str, position: int | None = None, event: int | None = None
    ) -> Table:
        self.asked.append(f"standings {name}")
        if not self.rows:
            raise Refused(Kind.NOT_FOUND, "UNKNOWN_TOURNAMENT", "No such tournament.")
        found = next(p for p in self.progresses if p.tournament.settings.name == name)
        return Table(found, self.rows, (), "Bradley-Terry", "mean 1500")

    async def live(self, name: str, match_id: str, *, insider: bool) -> Spectacles:
        assert not insider
        if name not in self.live_of or match_id == f"{name}/9":
            raise Refused(Kind.FORBIDDEN, "NOT_PUBLISHED", "Not shown.")
        self.asked.append(f"live {match_id or name}")
        shown = Spectacle(f"{name}/1/2/1", 1, ("ada", HOSTILE), (), 3, "place")
        waits = Spectacle(f"{name}/1/2/2", 1, ("ada", "bob"), ("bob",))
        board = ("forest  S S", HOSTILE)
        return Spectacles((shown._replace(board=board),) if match_id else (shown, waits), 5)

    def parts(self) -> Iterator[bytes]:
        self.asked.append("metrics")
        yield b"# TYPE x gauge\n"
        yield b"x 1\n"

    def health(self) -> dict[str, object]:
        return {"status": self.status, "version": "1.2.3", "bots_port": 7741}


def progress(
    name: str, state: TournamentState = TournamentState.RUNNING, done: int = 1, display: str = ""
) -> Progress:
    """A tournament with so many results of ten."""
    settings = TournamentSettings(name, "draftosaurus", "summer", 2, ("a", "b"), display)
    tournament = Tournament(1, settings, state, 1, 0.0, "")
    return Progress(tournament, 10, done, 2, rate=1.5, waiting_for="bots <a>", position=done)


def client(fake: Fake) -> httpx.AsyncClient:
    """A client of the application."""
    made = make_app(fake, fake, "1.2.3", fake.health)
    return httpx.AsyncClient(transport=httpx.ASGITransport(made), base_url="http://arena")


class Parsed(HTMLParser):
    """Which tags a page has, whether they are closed in order, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in {"meta", "link"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))


async def test_the_page_shows_what_runs_and_the_newest_running_table() -> None:
    rows = (TableRow(1, "ada", "Ada", 1510.4, 1520.6, 25.2, 12, 8, 1, 3, 0.75, 20.0),)
    over = progress("old", TournamentState.FINISHED, 10)
    fake = Fake(over, progress("weekend", display="The Weekend"), rows=rows)
    async with client(fake) as http:
        answer = await http.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    parsed = Parsed(answer.text)
    assert parsed.open == []
    assert ("bdi", "The Weekend") in parsed.texts
    assert ("td", "1 of 10") in parsed.texts
    assert ("td", "running") in parsed.texts
    assert ("td", "1521 ± 25") in parsed.texts
    assert ("td", "0.750") in parsed.texts
    assert "Log position 1. Partial: 1 of 10 matches." in answer.text
    assert fake.asked == ["list", "standings weekend"]


@pytest.mark.case("P68", "SE-06")
async def test_names_can_neither_be_tags_nor_turn_the_text_around() -> None:
    rows = (TableRow(1, "ada", HOSTILE, 1500.0),)
    fake = Fake(progress("weekend", display=HOSTILE), rows=rows)
    async with client(fake) as http:
        page = (await http.get("/")).text
    parsed = Parsed(page)
    assert "script" not in parsed.tags
    assert [tag for tag, text in parsed.texts if HOSTILE in text] == ["bdi"] * 3
    assert ("bdi", "bots <a>") in parsed.texts


async def test_what_is_played_is_listed_and_each_match_has_a_page_with_its_board() -> None:
    fake = Fake(progress("weekend"))
    fake.live_of = ("weekend",)
    async with client(fake) as http:
        page = (await http.get("/")).text
        answer = await http.get("/live/weekend/1/2/1")
        await http.get("/live/weekend/1/2/1")
        gone = await http.get("/live/weekend/9")
    parsed = Parsed(page)
    assert ("a", "weekend/1/2/1") in parsed.texts
    assert 'href="/live/weekend/1/2/1"' in page
    assert ("td", "turn 3") in parsed.texts
    assert ("p", "5 more.") in parsed.texts
    board = Parsed(answer.text)
    assert answer.status_code == 200
    assert board.open == []
    assert "script" not in board.tags
    assert ("pre", f"forest  S S\n{HOSTILE}") in board.texts
    assert (gone.status_code, "script" in Parsed(gone.text).tags) == (404, False)
    assert fake.asked.count("live weekend/1/2/1") == 1  # however many look at it


async def test_every_tournament_is_linked_to_its_own_table_and_matches() -> None:
    rows = (TableRow(1, "ada", "Ada", 1510.0),)
    fake = Fake(progress("weekend"), progress("league"), rows=rows)
    fake.live_of = ("weekend", "league")
    async with client(fake) as http:
        first = (await http.get("/")).text
        other = (await http.get("/?tournament=league")).text
        await http.get("/?tournament=league")
    for name in ("weekend", "league"):
        assert f'<a href="/?tournament={name}"><bdi>{name}</bdi></a>' in first
        assert f'<a href="/?tournament={name}"><bdi>{name}</bdi></a>' in other
    assert "/live/weekend/1/2/1" in first
    assert "/live/league/1/2/1" in other
    assert "/live/weekend/1/2/1" not in other
    assert "Standings of <bdi>league</bdi>" in other
    assert fake.asked.count("standings league") == 1  # however many look at it


@pytest.mark.parametrize("name", ["nobody", "%3Cscript%3E"])
async def test_a_tournament_that_there_is_not_has_a_page_that_says_so(name: str) -> None:
    async with client(Fake(progress("weekend"))) as http:
        answer = await http.get(f"/?tournament={name}")
    assert answer.status_code == 404
    assert "There is no such tournament." in answer.text
    assert "script" not in Parsed(answer.text).tags


async def test_one_without_a_table_says_so_on_its_page() -> None:
    async with client(Fake(progress("weekend", done=0))) as http:
        assert (
            "There is no table of <bdi>weekend</bdi>"
            in (await http.get("/?tournament=weekend")).text
        )


async def test_one_that_is_paused_has_no_pace_and_shows_the_matches_that_end() -> None:
    fake = Fake(progress("weekend", TournamentState.PAUSED))
    fake.live_of = ("weekend",)
    async with client(fake) as http:
        page = (await http.get("/")).text
    assert "1.50" not in page
    assert "/live/weekend/1/2/1" in page


async def test_a_tournament_that_shows_no_match_has_none_on_its_page() -> None:
    async with client(Fake(progress("weekend"))) as http:
        assert "Played now" not in (await http.get("/")).text
        assert (await http.get("/live/weekend/1/2/1")).status_code == 404


async def test_a_page_without_anything_says_so() -> None:
    async with client(Fake()) as http:
        page = (await http.get("/")).text
    assert "There is no tournament yet." in page
    assert Parsed(page).open == []


async def test_a_table_that_is_gone_does_not_break_the_page() -> None:
    async with client(Fake(progress("weekend"))) as http:
        answer = await http.get("/")
    assert answer.status_code == 200
    assert "The Weekend" not in answer.text


async def test_ranks_that_cannot_be_told_apart_are_a_range() -> None:
    row = TableRow(2, "ada", "Ada", 1500.0, 1490.0, 30.0, rank_low=2, rank_high=3)
    async with client(Fake(progress("weekend"), rows=(row,))) as http:
        assert ("td", "2-3") in Parsed((await http.get("/")).text).texts


@pytest.mark.parametrize("path", ["/", "/style.css", "/healthz", "/metrics", "/absent"])
async def test_every_answer_forbids_scripts_and_frames(path: str) -> None:
    async with client(Fake(progress("weekend"))) as http:
        headers = (await http.get(path)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


async def test_the_page_needs_nothing_that_its_policy_forbids() -> None:
    async with client(Fake(progress("weekend"))) as http:
        page = (await http.get("/")).text
        assert "style=" not in page
        assert "<style" not in page
        assert "http:" not in page
        assert 'href="/style.css"' in page
        style = await http.get("/style.css")
    assert style.headers["content-type"].startswith("text/css")


async def test_health_tells_status_port_and_version() -> None:
    fake = Fake()
    async with client(fake) as http:
        answer = await http.get("/healthz")
        assert (answer.status_code, answer.json()) == (
            200,
            {"status": "serving", "version": "1.2.3", "bots_port": 7741},
        )
        fake.status = "draining"
        answer = await http.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (503, "draining")


async def test_metrics_have_the_type_that_prometheus_wants() -> None:
    async with client(Fake()) as http:
        answer = await http.get("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.content == b"# TYPE x gauge\nx 1\n"


async def test_however_many_ask_pages_are_made_once_in_a_while() -> None:
    fake = Fake(progress("weekend"))
    async with client(fake) as http:
        for _ in range(50):
            await http.get("/metrics")
            await http.get("/")
    assert fake.asked.count("metrics") <= 3
    assert fake.asked.count("list") <= 2


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
async def test_nothing_can_be_changed_over_http(method: str) -> None:
    async with client(Fake()) as http:
        assert (await http.request(method, "/", content=b"x" * 100)).status_code == 405


async def test_who_left_a_tournament_is_marked_with_the_reason() -> None:
    left = TableRow(2, "rexy", "Rexy", 1400.0)._replace(
        status=EntrantStatus.WITHDRAWN, status_reason="20 <forfeits>"
    )
    async with client(Fake(progress("weekend"), rows=(left,))) as http:
        page = (await http.get("/")).text
    assert "(withdrawn: <bdi>20 &lt;forfeits&gt;</bdi>)" in page


@pytest.mark.parametrize("state", [TournamentState.RUNNING, TournamentState.FINISHED])
async def test_a_table_that_is_not_published_yet_is_not_shown(state: TournamentState) -> None:
    shown = progress("weekend", state, 10)
    record = shown.tournament
    hidden = replace(record.settings, publish_table=Publish.END)
    ended = 9.0 if state is TournamentState.FINISHED else None
    fake = Fake(
        shown._replace(tournament=record._replace(settings=hidden, ended=ended)),
        rows=(TableRow(1, "ada", "Ada", 1510.0),),
    )
    async with client(fake) as http:
        await http.get("/")
    assert ("standings weekend" in fake.asked) is (ended is not None)


async def test_a_long_metrics_page_lets_others_have_their_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns: list[int] = []

    async def count() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    class Long(Fake):
        def parts(self) -> Iterator[bytes]:
            yield from [b"x 1\n"] * 100

    fake = Long()
    during: dict[float, int] = {}
    for allowed in (-1.0, 3600.0):  # seconds at a time: none, and as many as it likes
        monkeypatch.setattr(app, "SLICE", allowed)
        async with client(fake) as browser:
            counting = asyncio.create_task(count())
            turns.clear()
            assert (await browser.get("/metrics")).content == b"x 1\n" * 100
            counting.cancel()
        during[allowed] = len(turns)
    assert during[-1.0] >= during[3600.0] + 100


async def test_what_cannot_be_read_from_the_store_now_is_said_and_the_rest_is_shown() -> None:
    over = progress("old", TournamentState.FINISHED, 10)
    fake = Fake(over)

    async def trouble(*asked: object) -> Table:
        raise StoreTrouble("STORE_GONE", "the file is gone")

    fake.standings = trouble  # type: ignore[method-assign, assignment]
    async with client(fake) as http:
        shown = await http.get("/")
        fake.get = trouble  # type: ignore[method-assign, assignment]
        unread = await http.get("/?tournament=older")
    assert shown.status_code == 200
    assert "There is no table of" in shown.text
    assert unread.status_code == 503
    assert "STORE_GONE" in unread.text
