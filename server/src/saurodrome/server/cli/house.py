"""The bots of the house: example bots that a server starts, registers and keeps alive."""

import asyncio
import re
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from saurodrome.client import InputError, SaurodromeError
from saurodrome.client.tournaments import AsyncTournamentClient
from saurodrome.server.cli.children import how_it_ended
from saurodrome.server.cli.examples import example
from saurodrome.server.cli.failures import nearest_of
from saurodrome.server.cli.home import write_token
from saurodrome.server.cli.tether import tethered

OWNER = "house"
"""Who answers for them; marks them in tables."""
KINDS = {
    "greedy": "greedy_bot.py",
    "random": "random_bot.py",
    "duelist": "duelosaur_greedy_bot.py",
    "search": "search_bot.py",
}
GREEDY = {"draftosaurus": "greedy", "duelosaur": "duelist"}
"""The kind that looks one move ahead, by game; random plays them all."""
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 30.0
HEALTHY = 60.0
"""Seconds after which a bot counts as well: its next restart is quick again."""
GRACE = 2.0


def parse(text: str, where: str = "--house") -> tuple[str, ...]:
    """Reads a list such as `greedy,random,greedy-2`; `none` is an empty one.

    Args:
        text: The list.
        where: The option that it was given by.

    Raises:
        InputError: A name is no kind of house bot, or stands there twice.
    """
    if text in ("", "none"):
        return ()
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if kind_of(name) not in KINDS:
            do = nearest_of(kind_of(name), KINDS, ", ".join(KINDS))
            raise InputError("BAD_VALUE", f"`{name}` is no house bot.", where=where, do=do)
        if names.count(name) > 1:
            what, kind = f"`{name}` is named twice.", kind_of(name)
            do = f"number them: {kind}, {kind}-2, {kind}-3"
            raise InputError("BAD_VALUE", what, where=where, do=do)
    return names


def kind_of(name: str) -> str:
    """Gives the kind of a house bot: its name without a number at the end."""
    return re.sub(r"-\d+\Z", "", name)


def pause_after(failures: int) -> float:
    """Gives the seconds before a restart: twice as long after each failure in a row."""
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * 2.0 ** min(failures, 10))


class House:
    """Keeps the bots of the house alive while a server runs."""

    def __init__(
        self,
        names: Sequence[str],
        folder: Path,
        client: Callable[[], AsyncTournamentClient],
        arguments: Sequence[str],
        tell: Callable[[str], None],
    ) -> None:
        """Starts nothing yet.

        Args:
            names: The bots.
            folder: Where their tokens and what they write lie.
            client: Makes an organiser's client of the server.
            arguments: What tells a bot where the server is.
            tell: Says a line to the operator.
        """
        self._names = names
        self._folder = folder
        self._absolute = folder.absolute()  # the bots run in there
        self._client = client
        self._arguments = arguments
        self._tell = tell
        self._tasks: list[asyncio.Task[None]] = []
        self._waiting = ThreadPoolExecutor(max(1, len(names)), "house")

    async def open(self) -> None:
        """Registers the bots and starts them; says so if one cannot be."""
        self._folder.mkdir(exist_ok=True)
        here: list[str] = []
        try:
            async with self._client() as client:
                for name in self._names:
                    token = await self._token(client, name)
                    if token is not None:
                        here.append(name)
                        self._tasks.append(asyncio.create_task(self._keep(name, token)))
            self._tell(f"house      {', '.join(here)}")
        except SaurodromeError as error:
            for line in error.format(kind="warning").split("\n"):
                self._tell(line)

    async def close(self) -> None:
        """Ends the bots."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._waiting.shutdown()

    async def _token(self, client: AsyncTournamentClient, name: str) -> Path | None:
        """Gives the file with a bot's token: kept from before, or made now."""
        kept = self._folder / f"{name}.token"
        known = {bot.name: bot for bot in await client.list_bots()}
        if name in known and known[name].owner != OWNER:
            self._tell(
                f"warning[NAME_TAKEN] {name} is a bot of {known[name].owner or 'somebody else'}:"
                " it does not play for the house here"
            )
            return None
        if name not in known:
            write_token(kept, (await client.register_bot(name, owner=OWNER)).token)
        elif not kept.exists():
            write_token(kept, await client.rotate_token(name))
        return kept

    async def _keep(self, name: str, token: Path) -> None:
        failures = 0
        while True:
            began = time.monotonic()
            code = await self._run(name, token)
            failures = 0 if time.monotonic() - began > HEALTHY else failures + 1
            pause = pause_after(failures - 1)
            self._tell(
                f"warning[HOUSE_BOT_ENDED] {name} {how_it_ended(code)}; starts again in"
                f" {pause:.1f} s. Its output: {self._log(name)}"
            )
            await asyncio.sleep(pause)

    async def _run(self, name: str, token: Path) -> int:
        """Runs a bot to its end, which comes with this task's at the latest.

        Not as a subprocess of asyncio's: uvloop forks for it, and what gRPC does in a process that
        was forked kills it now and then; Popen makes processes without that.
        """
        program = str(example(KINDS[kind_of(name)]))
        options = ["--token-file", str(self._absolute / token.name), *self._arguments]
        with self._log(name).open("wb") as output:
            process = subprocess.Popen(  # noqa: ASYNC220
                tethered(program, *options),
                cwd=self._folder,  # where it keeps a decision with a fault: an author's lies here
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            return await self._end_of(process)
        finally:
            if process.poll() is None:
                await self._stop(process)
            if process.stdin:
                process.stdin.close()

    async def _end_of(self, process: subprocess.Popen[bytes]) -> int:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._waiting, process.wait)

    async def _stop(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        try:
            await asyncio.wait_for(self._end_of(process), GRACE)
        except TimeoutError:
            process.kill()
            await self._end_of(process)

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"
