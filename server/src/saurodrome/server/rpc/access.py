"""AccessService: tokens and the audit log, for administrators."""

from typing import Any

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from saurodrome.server.contracts import Access, Audit
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.rpc import checks
from saurodrome.server.rpc.auth import asking
from saurodrome.server.rpc.durations import seconds, timestamp
from saurodrome.server.rpc.pages import number, page, page_size
from saurodrome.server.settings import check_name
from saurodrome.server.store.access import Act, Role, Token
from saurodrome.tournament.v1 import access_pb2 as pb
from saurodrome.tournament.v1 import access_pb2_grpc as stubs

SERVICE: str = pb.DESCRIPTOR.services_by_name["AccessService"].full_name
"""The full name of the service."""
LONGEST = 10 * 366 * 86_400.0
"""Seconds that a token may be valid for."""
_NUMBERS = {
    Role.ADMIN: pb.ROLE_ADMIN,
    Role.ORGANISER: pb.ROLE_ORGANISER,
    Role.AUTHOR: pb.ROLE_AUTHOR,
    Role.BOT: pb.ROLE_BOT,
    Role.SPECTATOR: pb.ROLE_SPECTATOR,
}
ROLES = {number: role for role, number in _NUMBERS.items()}
"""By their numbers in messages."""
_ID_CHARS = 64

Context = grpc.aio.ServicerContext[Any, Any]


class AccessService(stubs.AccessServiceServicer):
    """Translates between messages and what the server behind it understands.

    Raises everywhere: `Refused`, which the guard turns into a status.
    """

    def __init__(self, access: Access, audit: Audit) -> None:
        """Takes who issues tokens, and where acts are noted."""
        self._access = access
        self._audit = audit

    async def IssueToken(
        self, request: pb.IssueTokenRequest, context: Context
    ) -> pb.IssueTokenResponse:
        """Issues a token."""
        role = ROLES.get(request.role)
        if role is None:
            roles = ", ".join(Role)
            raise Refused(Kind.INVALID, "BAD_ROLE", "No role is given.", "role", f"one of: {roles}")
        caller = asking()
        issued = await self._access.issue(
            role,
            check_name(request.holder, "holder"),
            _valid_for(request),
            caller.name if caller else "",
            replace=request.replace,
        )
        return pb.IssueTokenResponse(about=_token(issued.about), token=issued.token)

    async def ListTokens(
        self, request: pb.ListTokensRequest, context: Context
    ) -> pb.ListTokensResponse:
        """Lists tokens, newest first."""
        size = page_size(request.page_size)
        before = number(request.page_token, "tokens")
        holder = check_name(request.holder, "holder") if request.holder else ""
        found = self._access.issued(holder, before, size + 1)
        tokens, more = page(found, size, _token, lambda token: token.number, "tokens")
        return pb.ListTokensResponse(tokens=tokens, next_page_token=more)

    async def RevokeToken(
        self, request: pb.RevokeTokenRequest, context: Context
    ) -> pb.RevokeTokenResponse:
        """Ends a token."""
        token_id = checks.text(request.token_id, _ID_CHARS, "token_id")
        return pb.RevokeTokenResponse(about=_token(await self._access.revoke(token_id)))

    async def ListAudit(
        self, request: pb.ListAuditRequest, context: Context
    ) -> pb.ListAuditResponse:
        """Lists the audit log, newest first."""
        size = page_size(request.page_size)
        before = number(request.page_token, "audit")
        found = await self._audit.acts(before, size + 1)
        entries, more = page(found, size, _entry, lambda act: act.number, "audit")
        return pb.ListAuditResponse(entries=entries, next_page_token=more)


def _valid_for(request: pb.IssueTokenRequest) -> float | None:
    if not request.HasField("valid_for"):
        return None
    valid_for = seconds(request.valid_for)
    if 0 < valid_for <= LONGEST:
        return valid_for
    raise Refused(
        Kind.INVALID,
        "BAD_DURATION",
        f"A token cannot be valid for {valid_for:.0f} s.",
        "valid_for",
        "more than nothing and at most ten years; leave it out for no end",
    )


def _token(token: Token) -> pb.Token:
    return pb.Token(
        token_id=token.token_id,
        role=_NUMBERS[token.role],
        holder=token.holder,
        issued=timestamp(token.issued),
        expires=_time(token.expires),
        revoked=_time(token.revoked),
        issuer=token.issuer,
    )


def _time(when: float | None) -> Timestamp | None:
    return None if when is None else timestamp(when)


def _entry(act: Act) -> pb.AuditEntry:
    return pb.AuditEntry(
        number=act.number,
        when=timestamp(act.when),
        who=act.who,
        role=_NUMBERS[act.role],
        token_id=act.token_id,
        act=act.act.rpartition(".")[2],
        subject=act.subject,
        outcome=act.outcome or "",
    )
