"""What users of other systems hit in scheduling, each by the number of its report."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest

from saurodrome.server.schedule import Enter, Form, Match, Role, Withdraw
from tests.server.schedule.playing import Play, by_chance, entries, names


def spreads(matches: Sequence[Match], bots: Sequence[str]) -> list[int]:
    """Most minus fewest matches of a bot, after every match."""
    played = Counter(dict.fromkeys(bots, 0))
    found = []
    for match in matches:
        played.update(match.seats)
        found.append(max(played.values()) - min(played.values()))
    return found


def seats(matches: Sequence[Match]) -> Counter[tuple[str, int]]:
    return Counter((bot, seat) for match in matches for seat, bot in enumerate(match.seats))


def neighbours(matches: Sequence[Match]) -> Counter[tuple[str, str]]:
    return Counter(pair for m in matches for pair in pairwise([*m.seats, m.seats[0]]))


@pytest.mark.case("P35")
@pytest.mark.parametrize("bots", [5, 6, 9])
def test_p35_in_a_round_robin_bots_keep_level_at_every_prefix(bots: int) -> None:
    play = Play(Form("round-robin", 2, rounds=2), names(bots)).to_the_end()
    assert max(spreads(play.played, names(bots))) <= 2  # a round: one pairing from both seats


@pytest.mark.case("P35")
@pytest.mark.parametrize(("bots", "players", "block"), [(7, 3, 6), (8, 4, 12), (7, 5, 20)])
def test_p35_at_larger_tables_bots_keep_level_at_every_prefix_to_the_end(
    bots: int, players: int, block: int
) -> None:
    play = Play(Form("round-robin", players), names(bots)).to_the_end()
    assert max(spreads(play.played, names(bots))) <= block  # one table from all its seatings
    assert spreads(play.played, names(bots))[-1] == 0


@pytest.mark.case("P35")
@pytest.mark.parametrize("bots", [6, 16])
def test_p35_in_a_swiss_bots_keep_level_at_every_prefix(bots: int) -> None:
    play = Play(Form("swiss", 2), names(bots)).to_the_end(by_chance(1))
    assert max(spreads(play.played, names(bots))) <= 2


@pytest.mark.case("P35")
def test_p35_on_a_ladder_the_best_bot_does_not_wait_for_hours() -> None:
    ratings = [1000.0, 1010.0, 1020.0, 1030.0, 1040.0, 2600.0]
    bots = [Enter(bot, rating=ratings[at]) for at, bot in enumerate(names(6))]
    play = Play(Form("ladder", 2, seating="rotations", matches=600), bots).to_the_end(by_chance(1))
    assert max(spreads(play.played, names(6))) <= 4 * 2


@pytest.mark.case("P37")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["round-robin", "gauntlet"])
def test_p37_every_bot_has_each_seat_equally_often(kind: str, players: int) -> None:
    play = Play(
        Form("gauntlet" if kind == "gauntlet" else "round-robin", players),
        [Enter("new", role="candidate"), *entries(6)],
    ).to_the_end()
    for bot in ["new", *names(6)]:
        assert len({seats(play.played)[bot, seat] for seat in range(players)}) == 1


@pytest.mark.case("P37")
def test_p37_in_a_swiss_both_bots_of_a_pairing_have_both_seats() -> None:
    play = Play(Form("swiss", 2), names(8)).to_the_end(by_chance(1))
    for bot in names(8):
        assert seats(play.played)[bot, 0] == seats(play.played)[bot, 1]


@pytest.mark.case("P38")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_p38_at_every_table_each_follows_each_other_equally_often(players: int) -> None:
    play = Play(Form("round-robin", players), names(6)).to_the_end()
    assert len(neighbours(play.played)) == 6 * 5
    assert len(set(neighbours(play.played).values())) == 1


@pytest.mark.case("P39")
@pytest.mark.parametrize(("bots", "players"), [(6, 2), (6, 4), (7, 3)])
def test_p39_all_bots_have_as_many_matches_at_tables_of_one_size(bots: int, players: int) -> None:
    play = Play(Form("round-robin", players), names(bots)).to_the_end()
    assert {len(match.seats) for match in play.played} == {players}
    assert len(set(play.counts().values())) == 1


@pytest.mark.case("P41")
def test_p41_of_five_bots_at_tables_of_four_each_sits_out_equally_often() -> None:
    play = Play(Form("round-robin", 4), names(5)).to_the_end()
    assert set(play.counts().values()) == {4 * 12}


@pytest.mark.case("P41")
def test_p41_a_filler_is_called_only_where_a_table_would_stay_empty() -> None:
    def ladder(role: Role) -> Counter[str]:
        bots = [*entries(4), Enter("house", role=role)]
        form = Form("ladder", 4, seating="rotations", matches=200)
        return Play(form, bots).to_the_end(by_chance(1)).counts()

    assert ladder("filler")["house"] == 0
    assert ladder("entrant")["house"] > 100


@pytest.mark.case("P42")
def test_p42_a_bot_that_never_comes_costs_others_no_match() -> None:
    """Quarantine withdraws it; what the others waited for is void and played with another bot."""
    play = Play(Form("round-robin", 4), names(8))
    missed = [match for match in play.due.values() if "b05" in match.seats][:20]
    for match in missed:
        seat = match.seats.index("b05")
        play.result(match, [2 if at == seat else 1 for at in range(4)], [seat])
    others = Counter(bot for match in missed for bot in match.seats)
    change = play.tell(Withdraw("b05"))
    replaced = Counter(bot for match in change.due for bot in match.seats)
    assert change.void == {match.id for match in missed}
    assert all(replaced[bot] >= others[bot] for bot in names(8) if bot != "b05")
    assert replaced["b05"] == 0
    assert (
        play.planner.total == 12 * 35 + 20
    )  # all tables of the seven that are left, and the 20 replacements


@pytest.mark.case("P44")
def test_p44_a_match_that_nobody_came_to_counts_for_nobody() -> None:
    play = Play(Form("swiss", 2, rounds=1), names(2))
    for match in list(play.due.values()):
        play.result(match, (), (0, 1))
    assert play.planner.ranking() == (tuple(play.planner.ranking()[0]),)
    assert play.planner.over
