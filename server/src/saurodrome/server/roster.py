"""Who may come in: the registered bots and the administrator, by their tokens."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from saurodrome.server import tokens
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store.interface import Store
from saurodrome.server.store.records import Bot, NewBot

_NOBODY = tokens.new_token("nobody").digest


class Roster:
    """All registered bots, held in memory and kept in the store."""

    def __init__(self, store: Store, admin_digest: bytes, now: Callable[[], float]) -> None:
        """Starts empty; `load` fills it.

        Args:
            store: Where bots are kept.
            admin_digest: The digest of the administrator's token.
            now: Wall clock in Unix seconds.
        """
        self._store = store
        self._admin = admin_digest
        self._now = now
        self._bots: dict[str, Bot] = {}
        self._by_token: dict[str, Bot] = {}

    async def load(self) -> None:
        """Reads all bots."""
        for bot in await self._store.bots():
            self._keep(bot)

    @property
    def bots(self) -> Mapping[str, Bot]:
        """By name."""
        return self._bots

    def bot_of(self, token: str) -> str | None:
        """The bot whose token this is; takes as long for a wrong token as for a right one."""
        bot = self._by_token.get(tokens.token_id(token) or "")
        known = tokens.matches(token, bot.token_hash if bot else _NOBODY)
        return bot.name if bot and known else None

    def is_admin(self, token: str) -> bool:
        """Whether this is the administrator's token."""
        return tokens.matches(token, self._admin)

    async def register(
        self, name: str, display_name: str, owner: str, request_id: str
    ) -> tuple[Bot, str]:
        """Registers a bot.

        Returns:
            The bot and its token; no token if the same request had come before.

        Raises:
            Refused: NAME_TAKEN.
        """
        fresh = tokens.new_token("bot")
        bot = await self._store.add_bot(
            NewBot(
                name,
                display_name or name,
                owner,
                fresh.token_id,
                fresh.digest,
                self._now(),
                request_id,
            )
        )
        self._keep(bot)
        return bot, fresh.token if bot.token_id == fresh.token_id else ""

    async def rotate(self, name: str) -> str:
        """Issues a new token for a bot; the old one is worth nothing from now on.

        Raises:
            Refused: UNKNOWN_BOT.
        """
        fresh = tokens.new_token("bot")
        bot = await self._store.set_token(name, fresh.token_id, fresh.digest)
        self._by_token = {i: b for i, b in self._by_token.items() if b.name != name}
        self._keep(bot)
        return fresh.token

    def display_name(self, name: str) -> str:
        """What people read of a bot."""
        bot = self._bots.get(name)
        return bot.display_name if bot else name

    def require(self, name: str, where: str) -> Bot:
        """The bot of a name.

        Raises:
            Refused: UNKNOWN_BOT.
        """
        if bot := self._bots.get(name):
            return bot
        raise Refused(
            Kind.NOT_FOUND,
            "UNKNOWN_BOT",
            f"No bot is called {name[:40]!a}.",
            where,
            f"register it first: saurodrome bot register {name[:32]}",
        )

    def _keep(self, bot: Bot) -> None:
        self._bots[bot.name] = bot
        self._by_token[bot.token_id] = bot


async def admin_token(path: Path) -> bytes:
    """The digest of the administrator's token, which is made at the first start.

    The file is readable by its owner only, and the one place where the token stands.
    """
    return await asyncio.to_thread(_admin_token, path)


def _admin_token(path: Path) -> bytes:
    try:
        text = path.read_text("ascii", "replace").strip()
    except FileNotFoundError:
        text = tokens.new_token("admin").token
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_text(text + "\n", "ascii")
    if tokens.token_id(text) is None:
        raise Refused(
            Kind.INVALID,
            "BAD_ADMIN_TOKEN",
            "The file holds no token of this server's form.",
            str(path),
            "delete it: the next start makes a new one",
        )
    return tokens.digest(text)
