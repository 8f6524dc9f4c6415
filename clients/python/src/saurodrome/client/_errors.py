"""The errors of the client: one small tree, each with what, where and what to do.

SaurodromeError
  InputError          an argument, a file or a token of yours      exit code 2
    BotFileError      the bot's file cannot be loaded
  ServerError         a call to the server did not work
    Unreachable       nothing answers, or it went away             exit code 3
    Refused           the server does not let you in               exit code 3
    RequestError      the server found the request wrong           exit code 2
    ServerTrouble     the server's own trouble                     exit code 4
  BotFault            the bot answered wrongly; has the decision   exit code 1
    BotRaised         choose or prepare raised an exception
    BadReply          choose returned something that is no id
    IllegalAction     choose returned an id that is not legal
    LateReply         the answer came after the limit
    NotReady          prepare took longer than there is to get ready
"""

from typing import TYPE_CHECKING, ClassVar

from saurodrome.client._text import WIDTH, shown, wrap

if TYPE_CHECKING:
    from saurodrome.client._decision import Decision, Match


class SaurodromeError(Exception):
    """The root of all errors that this client raises on purpose.

    Attributes:
        code: The machine-readable reason, such as ``TOKEN_UNKNOWN``.
        what: What happened, one sentence.
        where: In which file, match, turn or at which server; may be empty.
        do: What helps; may be empty.
    """

    exit_code: ClassVar[int] = 4

    def __init__(self, code: str, what: str, *, where: str = "", do: str = "") -> None:
        """Keeps the four parts."""
        super().__init__(f"[{code}] {what}")
        self.code = code
        self.what = what
        self.where = where
        self.do = do

    def format(self, *, width: int = WIDTH, kind: str = "error") -> str:
        """Gives the lines that people read, wrapped at `width` cells.

        Marks that a terminal would obey are written out. Line breaks in `what` are, too: it may
        be the text of any exception, and must not look like one of the other parts.

        Args:
            width: The most cells of a line.
            kind: The first word, ``error`` or ``warning``.
        """
        lines = list(wrap(shown(f"{kind}[{self.code}] {self.what}"), width, "", "  "))
        for label, text in (("where", self.where), ("do", self.do)):
            if text:
                lines += wrap(text, width, f"  {label:<7}", " " * 9)
        return "\n".join(lines)

    def as_dict(self) -> dict[str, str]:
        """Gives the four parts for machines, as ``--json`` prints them."""
        return {"code": self.code, "what": self.what, "where": self.where, "do": self.do}


class InputError(SaurodromeError):
    """An argument, a file or a token of the user is missing or wrong."""

    exit_code: ClassVar[int] = 2


class BotFileError(InputError):
    """The file of a bot cannot be loaded or offers no ``choose``."""


class ServerError(SaurodromeError):
    """A call to the server did not work.

    Attributes:
        status: The name of the gRPC status, such as ``UNAVAILABLE``.
        retry: Trying again later can help.
    """

    exit_code: ClassVar[int] = 3

    def __init__(
        self,
        code: str,
        what: str,
        *,
        where: str = "",
        do: str = "",
        status: str = "",
        retry: bool = False,
    ) -> None:
        """Keeps the parts."""
        super().__init__(code, what, where=where, do=do)
        self.status = status
        self.retry = retry


class Unreachable(ServerError):
    """Nothing answers at the address, or the connection broke."""


class Refused(ServerError):
    """The server does not let this bot or user in."""


class RequestError(ServerError):
    """The server found a request wrong."""

    exit_code: ClassVar[int] = 2


class ServerTrouble(ServerError):
    """The server has trouble of its own."""

    exit_code: ClassVar[int] = 4


class BotFault(SaurodromeError):
    """The bot answered wrongly.

    Attributes:
        decision: The decision that it was about; None if it was about getting ready.
        match: The match.
    """

    exit_code: ClassVar[int] = 1

    def __init__(
        self,
        code: str,
        what: str,
        *,
        where: str = "",
        do: str = "",
        match: "Match | None" = None,
        decision: "Decision | None" = None,
    ) -> None:
        """Keeps the parts."""
        super().__init__(code, what, where=where, do=do)
        self.decision = decision
        self.match = decision.match if decision is not None else match


class BotRaised(BotFault):
    """``choose`` or ``prepare`` raised; the author's exception is ``__cause__``."""


class BadReply(BotFault):
    """``choose`` returned something that is neither an id nor a legal action."""


class IllegalAction(BotFault):
    """``choose`` returned an id that is not among the legal ones."""


class LateReply(BotFault):
    """The answer came after the limit; the default action was played."""


class NotReady(BotFault):
    """``prepare`` took longer than there is to get ready; the match was lost by it."""
