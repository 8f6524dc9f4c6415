"""`saurodrome token` and `saurodrome audit`: who may do what, and who did."""

import time
from collections.abc import Sequence
from pathlib import Path

import click

from saurodrome.client import InputError
from saurodrome.client.admin import AuditEntry, Role, Token
from saurodrome.server.cli.home import HOME, set_aside, write_token
from saurodrome.server.cli.options import FILE, Connection, connection_options, json_option
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import UNICODE, WIDTH, Column, Symbols, cut, table, wrapped

ROLES = {
    "admin": Role.ROLE_ADMIN,
    "organiser": Role.ROLE_ORGANISER,
    "author": Role.ROLE_AUTHOR,
    "bot": Role.ROLE_BOT,
    "spectator": Role.ROLE_SPECTATOR,
}
NAMES = {number: name for name, number in ROLES.items()}
TOKENS = (
    Column("id", right=False),
    Column("role", right=False),
    Column("holder", right=False),
    Column("issued", right=False),
    Column("by", right=False, drop=1),
    Column("state", right=False),
)
ACTS = (
    Column("no", drop=1),
    Column("when UTC", right=False),
    Column("who", right=False),
    Column("role", right=False, drop=2),
    Column("act", right=False),
    Column("about", right=False),
    Column("outcome", right=False),
)
_FIXED = 1 + len("11-30 09:47") + 12 + 4
"""Cells of a line of the audit log that are neither the act, what it is about, nor the outcome."""
_LEAST_ABOUT = 8


@click.group()
def token() -> None:
    """Issue, list and revoke tokens; only an administrator may.

    admin: everything. organiser: holds tournaments. author: registers bots of its own, renews
    their tokens, sees their faults, reads tables and records. bot: plays. spectator: reads tables
    and results.
    """


@token.command()
@click.argument("holder")
@click.option("--role", type=click.Choice(list(ROLES)), required=True, help="What it may do")
@click.option("--days", type=click.FloatRange(0, 3_650, min_open=True), help="[default: no end]")
@click.option("--replace", is_flag=True, help="End the holder's others in this role")
@click.option("--to", type=FILE, help="File  [default: HOLDER.ROLE.token in .saurodrome]")
@connection_options
@json_option
@click.pass_obj
def issue(
    terminal: Terminal,
    holder: str,
    role: str,
    days: float | None,
    replace: bool,
    to: Path | None,
    connection: Connection,
) -> None:
    """Issue a token and keep it in a file; it is never shown.

    HOLDER is a name as bots have them; with the role bot it is that of a registered bot.
    """
    place = to or HOME / f"{holder}.{role}.token"
    valid_for = None if days is None else days * 86_400
    with connection.admin() as client:
        issued = client.issue_token(ROLES[role], holder, valid_for=valid_for, replace=replace)
    set_aside(place)
    write_token(place, issued.token)
    if terminal.json:
        terminal.data({**token_json(issued.about), "token_file": str(place)})
        return
    until = f" until {stamp(issued.about.expires.seconds)} UTC" if days else ""
    terminal.print(
        wrapped(
            f"Token {issued.about.token_id} of {holder}, {role}{until}. Saved in {place},"
            " readable only by you and never shown."
        )
    )
    terminal.next(f"saurodrome token revoke {issued.about.token_id}")


@token.command("list")
@click.option("--holder", default="", help="Only of one  [default: of all]")
@click.option("--all", "ended", is_flag=True, help="Those that ended, too")
@connection_options
@json_option
@click.pass_obj
def list_tokens(terminal: Terminal, holder: str, ended: bool, connection: Connection) -> None:
    """List tokens, newest first; never the tokens themselves."""
    with connection.admin() as client:
        found = client.tokens(holder)
    shown = [one for one in found if ended or state(one, time.time()) in ("", "until")]
    if terminal.json:
        terminal.data([token_json(one) for one in shown])
    elif shown:
        terminal.print(token_lines(shown, terminal.symbols))
    else:
        terminal.print("There is no token of that kind.")


@token.command()
@click.argument("token_id")
@connection_options
@json_option
@click.pass_obj
def revoke(terminal: Terminal, token_id: str, connection: Connection) -> None:
    """End a token, and every stream that was opened with it.

    TOKEN_ID is its public part, as `token list` shows it.
    """
    if token_id.startswith("srd_"):
        raise InputError(
            "WHOLE_TOKEN",
            "This looks like a whole token: it may be in your shell's history now.",
            where="TOKEN_ID",
            do="give its third word alone",
        )
    with connection.admin() as client:
        ended = client.revoke_token(token_id)
    if terminal.json:
        terminal.data(token_json(ended))
    else:
        terminal.print(
            f"Token {ended.token_id} of {ended.holder} ended {stamp(ended.revoked.seconds)} UTC."
        )


@click.command()
@click.option("--last", type=click.IntRange(1, 100_000), default=50, show_default=True)
@connection_options
@json_option
@click.pass_obj
def audit(terminal: Terminal, last: int, connection: Connection) -> None:
    """Show who asked the server to change something, newest first.

    Every call that changes something is noted before it is done, with its outcome afterwards.
    """
    with connection.admin() as client:
        entries = client.audit(last)
    if terminal.json:
        terminal.data([act_json(entry) for entry in entries])
    elif entries:
        terminal.print(act_lines(entries, terminal.symbols))
    else:
        terminal.print("Nobody has changed anything yet.")


def stamp(seconds: int) -> str:
    """Writes a time in UTC."""
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))


def state(one: Token, now: float) -> str:
    """Says how a token is: revoked, expired, `until` where it will, or nothing."""
    if one.HasField("revoked"):
        return "revoked"
    if one.HasField("expires"):
        return "expired" if one.expires.seconds <= now else "until"
    return ""


def token_lines(tokens: Sequence[Token], symbols: Symbols = UNICODE) -> list[str]:
    """Gives tokens as a table."""
    rows = []
    for one in tokens:
        how = state(one, time.time())
        end = one.revoked if how == "revoked" else one.expires
        rows.append(
            [
                one.token_id,
                NAMES.get(one.role, "?"),
                cut(one.holder, 20, symbols),
                stamp(one.issued.seconds)[:10],
                cut(one.issuer, 12, symbols) or "-",
                f"{how} {stamp(end.seconds)[:10]}" if how else "works",
            ]
        )
    return table(TOKENS, rows)


def act_lines(entries: Sequence[AuditEntry], symbols: Symbols = UNICODE) -> list[str]:
    """Gives entries of the audit log as a table."""
    acts = [one.act.rpartition("/")[2] for one in entries]
    outcomes = [one.outcome or "not known" for one in entries]
    taken = _FIXED + max(map(len, acts)) + max(map(len, outcomes))
    about = max(_LEAST_ABOUT, min(20, WIDTH - taken))
    return table(
        ACTS,
        [
            [
                str(one.number),
                stamp(one.when.seconds)[5:16],
                cut(one.who, 12, symbols),
                NAMES.get(one.role, "?"),
                act,
                cut(one.subject, about, symbols),
                outcome,
            ]
            for one, act, outcome in zip(entries, acts, outcomes, strict=True)
        ],
    )


def token_json(one: Token) -> dict[str, object]:
    """Gives a token as JSON."""
    return {
        "token_id": one.token_id,
        "role": NAMES.get(one.role, "unknown"),
        "holder": one.holder,
        "issued": one.issued.ToJsonString(),
        "expires": one.expires.ToJsonString() if one.HasField("expires") else None,
        "revoked": one.revoked.ToJsonString() if one.HasField("revoked") else None,
        "issuer": one.issuer,
    }


def act_json(one: AuditEntry) -> dict[str, object]:
    """Gives an entry of the audit log as JSON."""
    return {
        "number": one.number,
        "when": one.when.ToJsonString(),
        "who": one.who,
        "role": NAMES.get(one.role, "unknown"),
        "token_id": one.token_id,
        "act": one.act,
        "subject": one.subject,
        "outcome": one.outcome,
    }
