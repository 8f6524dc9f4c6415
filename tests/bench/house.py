"""A server in a process of its own with registered bots and a long tournament, for benches."""

import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from saurodrome.client.tournaments import Fault, TournamentClient, TournamentSettings
from tests.e2e.processes import ServerProcess


class House:
    """A server, and files with the tokens of its bots."""

    def __init__(self, server: ServerProcess, folder: Path) -> None:
        """Has nobody registered."""
        self.server = server
        self._folder = folder

    def client(self) -> TournamentClient:
        """An organiser's client."""
        return TournamentClient(server=self.server.address, token_file=self.server.admin_token)

    def register(self, kind: str, count: int) -> Path:
        """Registers bots; gives the file of their tokens."""
        path = self._folder / f"{kind}.tokens"
        with self.client() as client:
            tokens = [client.register_bot(f"{kind}-{n:04}").token for n in range(count)]
        path.write_text("\n".join(tokens))
        return path

    def begin(self, kind: str, count: int, limit: float = 1.0, margin: float = 0.05) -> None:
        """Starts a tournament of a kind's bots that outlasts any bench, all tables at once."""
        settings = TournamentSettings(
            name=f"{kind}-cup",
            game="draftosaurus",
            variant="summer",
            players=2,
            bots=[f"{kind}-{number:04}" for number in range(count)],
            rounds=50,
            concurrency=count,
        )
        settings.decision_time.FromNanoseconds(round(limit * 1e9))
        settings.margin.FromNanoseconds(round(margin * 1e9))
        with self.client() as client:
            client.create(settings)
            client.start(settings.name)

    def done(self, kind: str) -> int:
        """Matches of a kind's tournament that are done."""
        with self.client() as client:
            return client.get(f"{kind}-cup").matches_done

    def faults(self, kind: str) -> list[Fault]:
        """The faults of a kind's tournament."""
        with self.client() as client:
            return list(client.faults(f"{kind}-cup"))


@contextmanager
def house() -> Iterator[House]:
    """Runs a server for a while."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder) / "data") as server,
    ):
        yield House(server, Path(folder))


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of all stays, by nearest rank; nan of nothing."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan
