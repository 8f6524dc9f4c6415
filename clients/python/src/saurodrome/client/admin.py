"""A typed client for administrators: tokens with roles, and the audit log.

with AdminClient() as client:
    issued = client.issue_token(Role.ROLE_AUTHOR, "ada", valid_for=90 * 86_400)
    print(issued.token)
"""

from saurodrome.client._admin import AdminClient
from saurodrome.tournament.v1.access_pb2 import AuditEntry, Role, Token

__all__ = ["AdminClient", "AuditEntry", "Role", "Token"]
