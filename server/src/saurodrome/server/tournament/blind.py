"""A seat whose bot is not told who sits in the others."""

from collections.abc import Awaitable, Sequence

from saurodrome.server.port import MatchStart, PlayerName, SeatPort


class BlindSeat:
    """Passes everything on to a seat, the names of the others excepted."""

    def __init__(self, port: SeatPort) -> None:
        """Stands in front of a seat."""
        self._port = port
        self.ask = port.ask
        self.leave = port.leave

    def join(self, start: MatchStart) -> Awaitable[bool]:
        """Announces the match with seats instead of names; see `SeatPort.join`."""
        names = tuple(
            player if seat == start.seat else PlayerName(f"seat-{seat + 1}", f"seat {seat + 1}")
            for seat, player in enumerate(start.players)
        )
        return self._port.join(start._replace(players=names))


def blinded(ports: Sequence[SeatPort]) -> tuple[SeatPort, ...]:
    """The seats of a table at which nobody knows the others."""
    return tuple(BlindSeat(port) for port in ports)
