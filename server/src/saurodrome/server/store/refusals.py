"""What a store refuses, in words: the same for every database."""

from saurodrome.server.errors import Kind, Refused


def name_taken(what: str, name: str) -> Refused:
    """A bot or tournament of that name exists; `what` says which of the two."""
    return Refused(
        Kind.EXISTS, "NAME_TAKEN", f"There is a {what} {name!r} already.", "name", "choose another"
    )


def unknown_bot(name: str) -> Refused:
    """No bot of that name is registered."""
    return Refused(
        Kind.NOT_FOUND, "UNKNOWN_BOT", f"No bot is called {name!a}.", "name", "register it"
    )


def unknown_token(token_id: str) -> Refused:
    """No token of that id was issued."""
    return Refused(
        Kind.NOT_FOUND,
        "UNKNOWN_TOKEN",
        f"No token has the id {token_id[:40]!a}.",
        "token_id",
        "its id is the third word of a token; `saurodrome token list` shows them",
    )


def unknown_tournament(name: str) -> Refused:
    """There is no tournament of that name."""
    return Refused(
        Kind.NOT_FOUND,
        "UNKNOWN_TOURNAMENT",
        f"No tournament is called {name!a}.",
        "name",
        "look it up in the list of tournaments",
    )
