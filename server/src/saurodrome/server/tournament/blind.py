"""A seat whose bot cannot tell who sits in the others."""

import hashlib
from collections.abc import Awaitable, Sequence

from saurodrome.server.port import MatchEnd, MatchStart, PlayerName, SeatPort


class BlindSeat:
    """Passes everything on to a seat, but for what would tell the other bots apart.

    Those are their names, their ratings, and the id of the match: in a round robin all of one
    pairing have the same opponents. So each attempt goes by an id that is drawn for it.
    """

    def __init__(self, port: SeatPort, key: bytes) -> None:
        """Stands in front of a seat; `key` keeps ids from being guessed."""
        self._port = port
        self._key = key
        self.ask = port.ask

    def join(self, start: MatchStart) -> Awaitable[bool]:
        """Announces the match with seats instead of names; see `SeatPort.join`."""
        names = tuple(
            player if seat == start.seat else PlayerName(f"seat-{seat + 1}", f"seat {seat + 1}")
            for seat, player in enumerate(start.players)
        )
        alias = self._alias(start.match_id, start.attempt)
        return self._port.join(start._replace(match_id=alias, players=names))

    def leave(self, end: MatchEnd) -> None:
        """Tells the end without the ratings of the others; see `SeatPort.leave`."""
        results = tuple(
            result if seat == end.seat else result._replace(elo_before=0.0, elo_after=0.0)
            for seat, result in enumerate(end.results)
        )
        alias = self._alias(end.match_id, end.attempt)
        self._port.leave(end._replace(match_id=alias, results=results))

    def _alias(self, match_id: str, attempt: int) -> str:
        """The id of an attempt for bots; all seats of it have the same."""
        name = f"{match_id}#{attempt}".encode()
        digest = hashlib.blake2b(name, digest_size=8, key=self._key).hexdigest()
        return f"{match_id.partition('/')[0]}/{digest}"


def blinded(ports: Sequence[SeatPort], key: bytes) -> tuple[SeatPort, ...]:
    """The seats of a table at which nobody knows the others."""
    return tuple(BlindSeat(port, key) for port in ports)
