"""The client of AccessService: tokens and the audit log, for administrators without asyncio."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from google.protobuf.duration_pb2 import Duration

from saurodrome.client._tournaments import PAGE
from saurodrome.client._tournaments_blocking import TournamentClient
from saurodrome.tournament.v1 import access_pb2 as pb
from saurodrome.tournament.v1 import access_pb2_grpc


class AdminClient(TournamentClient):
    """What an administrator may do: everything that organisers may, and AccessService."""

    def __init__(
        self,
        *,
        server: str | None = None,
        token: str | None = None,
        token_file: str | Path | None = None,
        data_dir: str | Path = ".saurodrome",
        tls: bool = False,
        ca: str | Path | None = None,
    ) -> None:
        """Finds server and token, as `TournamentClient` does.

        Raises:
            InputError: No token was found, or an argument is wrong.
        """
        super().__init__(
            server=server, token=token, token_file=token_file, data_dir=data_dir, tls=tls, ca=ca
        )
        channel: Any = self._channel  # the stub takes both kinds, its types tell of one
        self._stub = _Stubs(self._stub, access_pb2_grpc.AccessServiceStub(channel))

    def issue_token(
        self,
        role: "pb.Role.ValueType",
        holder: str,
        *,
        valid_for: float | None = None,
        replace: bool = False,
    ) -> pb.IssueTokenResponse:
        """Issues a token, which is shown this once only.

        Args:
            role: What its holder may do, such as `ROLE_AUTHOR`.
            holder: Who holds it; with the role bot the name of a registered bot.
            valid_for: Seconds until it ends by itself; None: never.
            replace: Ends all other tokens that the holder has in this role.
        """
        request = pb.IssueTokenRequest(role=role, holder=holder, replace=replace)
        if valid_for is not None:
            request.valid_for.CopyFrom(Duration(seconds=round(valid_for)))
        answer: pb.IssueTokenResponse = self._call("IssueToken", request)
        return answer

    def tokens(self, holder: str = "") -> tuple[pb.Token, ...]:
        """Lists tokens, newest first, also those that ended; no holder: of all."""

        def page(token: str) -> tuple[Sequence[pb.Token], str]:
            request = pb.ListTokensRequest(holder=holder, page_size=PAGE, page_token=token)
            answer: pb.ListTokensResponse = self._call("ListTokens", request)
            return answer.tokens, answer.next_page_token

        return tuple(self._entries(page))

    def revoke_token(self, token_id: str) -> pb.Token:
        """Ends a token, by its public part, and every stream that was opened with it."""
        answer: pb.RevokeTokenResponse = self._call(
            "RevokeToken", pb.RevokeTokenRequest(token_id=token_id)
        )
        return answer.about

    def audit(self, limit: int) -> tuple[pb.AuditEntry, ...]:
        """The newest entries of the audit log, newest first."""

        def page(token: str) -> tuple[Sequence[pb.AuditEntry], str]:
            request = pb.ListAuditRequest(page_size=min(limit, PAGE), page_token=token)
            answer: pb.ListAuditResponse = self._call("ListAudit", request)
            return answer.entries, answer.next_page_token

        entries = zip(self._entries(page), range(limit), strict=False)
        return tuple(entry for entry, _ in entries)


class _Stubs:
    """Two services on one channel: a method is that of whichever has it."""

    def __init__(self, *stubs: Any) -> None:
        self._stubs = stubs

    def __getattr__(self, method: str) -> Any:
        return next(getattr(stub, method) for stub in self._stubs if hasattr(stub, method))
