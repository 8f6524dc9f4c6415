"""Who may come in, and as what: the registered bots, and everybody's tokens."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from saurodrome.server import tokens
from saurodrome.server.contracts import Caller, NewlyIssued
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store.access import NewToken, Role, Token
from saurodrome.server.store.interface import Store
from saurodrome.server.store.records import Bot, NewBot

ADMIN = "admin"
"""The name of who holds the token in the data directory."""
MAX_BOTS = 200
"""Bots that one owner may register; those that nobody answers for do not count."""
_NOBODY = tokens.new_token("nobody").digest


class Roster:
    """All registered bots and all tokens, held in memory and kept in the store."""

    def __init__(self, store: Store, admin_digest: bytes, now: Callable[[], float]) -> None:
        """Starts empty; `load` fills it.

        Args:
            store: Where bots and tokens are kept.
            admin_digest: The digest of the token in the data directory.
            now: Wall clock in Unix seconds.
        """
        self._store = store
        self._admin = admin_digest
        self._now = now
        self._bots: dict[str, Bot] = {}
        self._tokens: dict[str, Token] = {}
        self._newest = 0

    async def load(self) -> None:
        """Reads all bots and tokens."""
        for bot in await self._store.bots():
            self._bots[bot.name] = bot
        await self._read_tokens()

    async def _read_tokens(self) -> None:
        """Reads the tokens that are not known yet."""
        for token in await self._store.tokens(after=self._newest):
            self._newest = token.number
            self._tokens.setdefault(token.token_id, token)

    @property
    def bots(self) -> Mapping[str, Bot]:
        """By name."""
        return self._bots

    # who calls

    def who(self, token: str) -> Caller | None:
        """Whose token this is; see `Directory.who`."""
        token_id = tokens.token_id(token) or ""
        kept = self._tokens.get(token_id)
        known = tokens.matches(token, kept.digest if kept else _NOBODY)
        if tokens.matches(token, self._admin):
            return Caller(Role.ADMIN, ADMIN, _file_id(self._admin))
        if kept and known and self.ended(token_id) is None:
            return Caller(kept.role, kept.holder, token_id)
        return None

    def ended(self, token_id: str) -> Refused | None:
        """Why a token works no more; see `Directory.ended`."""
        token = self._tokens.get(token_id)
        if token is None:
            return None if token_id == _file_id(self._admin) else _REVOKED()
        if token.revoked is not None:
            return _REVOKED()
        return _EXPIRED() if token.expires is not None and token.expires <= self._now() else None

    def use_admin_token(self, digest: bytes) -> None:
        """Takes another token of the data directory; the one before works no more."""
        self._admin = digest

    # tokens

    async def issue(
        self, role: Role, holder: str, valid_for: float | None, issuer: str, *, replace: bool
    ) -> NewlyIssued:
        """Issues a token; see `Access.issue`."""
        if role is Role.BOT:
            self.require(holder, "holder")
        fresh, now = tokens.new_token(role.value), self._now()
        about = await self._store.add_token(
            NewToken(
                fresh.token_id,
                fresh.digest,
                role,
                holder,
                now,
                None if valid_for is None else now + valid_for,
                issuer,
            ),
            replace=replace,
        )
        if replace:
            for token in tuple(self._tokens.values()):
                if (token.role, token.holder, token.revoked) == (role, holder, None):
                    self._keep(token._replace(revoked=now))
        self._keep(about)
        return NewlyIssued(about, fresh.token)

    async def revoke(self, token_id: str) -> Token:
        """Ends a token; see `Access.revoke`."""
        return self._keep(await self._store.revoke_token(token_id, self._now()))

    def issued(self, holder: str, before: int | None, limit: int) -> tuple[Token, ...]:
        """Tokens, newest first; see `Access.issued`."""
        newest = sorted(self._tokens.values(), key=lambda token: -token.number)
        wanted = (
            token
            for token in newest
            if holder in ("", token.holder) and (before is None or token.number < before)
        )
        return tuple(token for token, _ in zip(wanted, range(limit), strict=False))

    # bots

    async def register(
        self, name: str, display_name: str, owner: str, request_id: str
    ) -> tuple[Bot, str]:
        """Registers a bot.

        Returns:
            The bot and its token; no token if the same request had come before.

        Raises:
            Refused: NAME_TAKEN, TOO_MANY_BOTS.
        """
        if owner and name not in self._bots:
            self._require_room(owner)
        fresh, now = tokens.new_token("bot"), self._now()
        new = NewBot(
            name, display_name or name, owner, fresh.token_id, fresh.digest, now, request_id
        )
        bot = await self._store.add_bot(new)
        self._bots[bot.name] = bot
        if bot.token_id != fresh.token_id:
            return bot, ""
        await self._read_tokens()
        return bot, fresh.token

    def _require_room(self, owner: str) -> None:
        if sum(bot.owner == owner for bot in self._bots.values()) >= MAX_BOTS:
            raise Refused(
                Kind.EXHAUSTED,
                "TOO_MANY_BOTS",
                f"{owner[:40]!a} has {MAX_BOTS} bots already.",
                "owner",
                "let a bot that is there play with a newer version; a name is never free again",
            )

    async def rotate(self, name: str) -> str:
        """Issues a new token for a bot; all others that it has are worth nothing from now on.

        Raises:
            Refused: UNKNOWN_BOT.
        """
        return (await self.issue(Role.BOT, name, None, "", replace=True)).token

    def owner(self, bot: str) -> str:
        """Who answers for a bot; see `Directory.owner`."""
        found = self._bots.get(bot)
        return found.owner if found else ""

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

    def _keep(self, token: Token) -> Token:
        self._tokens[token.token_id] = token
        return token


def _file_id(digest: bytes) -> str:
    """What stands for the token in the data directory where others have their public part."""
    return f"file:{digest.hex()[:8]}"


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


_REVOKED = partial(
    Refused,
    Kind.UNAUTHENTICATED,
    "TOKEN_REVOKED",
    "This token was revoked, or replaced by a new one.",
    "authorization",
    "use the new token, or ask the organiser for one",
)
_EXPIRED = partial(
    Refused,
    Kind.UNAUTHENTICATED,
    "TOKEN_EXPIRED",
    "This token has expired.",
    "authorization",
    "ask the organiser for a new one",
)
