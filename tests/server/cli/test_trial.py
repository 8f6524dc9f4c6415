"""A dry run's figures: wins over each kind of opponent, and where the bot stands in a match."""

from saurodrome.client import Decided, Event, Match, MatchEnded, MatchStarted, SeatResult, Status
from saurodrome.client import Termination as End
from saurodrome.server.cli.trial import Trial, as_json, lines, opponents


class Message:
    """As much of match_started as a trial reads."""

    def __init__(self, match_id: str, bots: tuple[str, ...]) -> None:
        self.match_id = match_id
        self.players = [Named(bot) for bot in bots]


class Named:
    def __init__(self, bot: str) -> None:
        self.bot = self.display_name = bot


def started(match_id: str, *bots: str) -> MatchStarted:
    return MatchStarted(Match(Message(match_id, bots)))  # type: ignore[arg-type]


def ended(match_id: str, seat: int, *results: tuple[int, int]) -> MatchEnded:
    seats = tuple(SeatResult(place, points, False, 0.0, 0.0, True) for place, points in results)
    return MatchEnded(match_id, 1, End.FINISHED, seat, seats, "", missed=False)


def trial(*events: Event) -> Trial:
    heard = Trial()
    for event in events:
        heard.hear(event)
    return heard


def test_wins_ties_and_losses_count_against_each_opponent() -> None:
    heard = trial(
        started("a", "me", "greedy"),
        ended("a", 0, (2, 20), (1, 30)),
        started("b", "random", "me"),
        ended("b", 1, (2, 10), (1, 25)),
        started("c", "me", "random"),
        ended("c", 0, (1, 15), (1, 15)),
    )
    assert heard.ended == ["a", "b", "c"]
    greedy, random = heard.versus["greedy"], heard.versus["random"]
    assert (greedy.won, greedy.shared, greedy.lost) == (0, 0, 1)
    assert (random.won, random.shared, random.lost) == (1, 1, 0)
    assert (random.points, random.theirs) == (40, 25)


def test_several_bots_of_one_kind_count_together() -> None:
    heard = trial(
        started("a", "me", "greedy", "random", "greedy-2"),
        ended("a", 0, (2, 20), (1, 30), (4, 9), (3, 15)),
    )
    assert (heard.versus["greedy"].won, heard.versus["greedy"].lost) == (1, 1)


def test_a_void_try_is_no_match() -> None:
    void = MatchEnded("a", 1, End.VOID, 0, (), "the server stopped", missed=False)
    assert trial(started("a", "me", "greedy"), void).ended == []


def test_the_step_is_that_of_the_next_decision() -> None:
    begin = started("a", "me", "greedy")
    heard = trial(begin, Decided(begin.match, 0.01, False), Decided(begin.match, 0.01, False))
    assert heard.step["a"] == 3


def test_the_table_has_a_row_an_opponent_and_the_times_below() -> None:
    heard = trial(
        started("a", "me", "greedy"),
        ended("a", 0, (2, 20), (1, 30)),
    )
    status = Status(decisions=24, think=0.072, slowest=0.041)
    shown = lines(heard, status, 0.2)
    assert shown[1].split() == ["vs", "greedy", "0", "0", "1", "20.0", ":", "30.0"]
    assert shown[-1] == " decisions 24   late 0   think 3 ms   slowest 41 ms of 200 ms"
    assert as_json(heard, status, 0.2, 80)["versus"]["greedy"]["lost"] == 1


def test_tables_are_filled_with_both_kinds_in_turn() -> None:
    assert opponents("draftosaurus", 2) == (("greedy",), ("random",))
    assert opponents("draftosaurus", 3) == (("greedy", "random"),)
    assert opponents("draftosaurus", 5) == (("greedy", "random", "greedy-2", "random-2"),)
    assert opponents("duelosaur", 2) == (("duelist",), ("random",))
    assert opponents("duelosaur", 1) == ((),)
    assert opponents("duelosaur", 2, ("search",)) == (("search",),)
    assert opponents("draftosaurus", 4, ("search", "greedy")) == (("search", "greedy", "search-2"),)
    assert opponents("cairns", 3) == (("random", "random-2"),)


def test_who_plays_alone_is_shown_against_the_game_itself() -> None:
    heard = trial(
        started("a", "me"), ended("a", 0, (1, 40)), started("b", "me"), ended("b", 0, (2, 30))
    )
    shown = lines(heard, Status(), 0.2)
    assert shown[1].split() == ["vs", "the", "game", "1", "0", "1", "35.0"]
    told = as_json(heard, Status(), 0.2, 2)["versus"]["the game"]
    assert (told["won"], told["lost"], told["points"]) == (1, 1, 35.0)
    assert told["their_points"] is None
