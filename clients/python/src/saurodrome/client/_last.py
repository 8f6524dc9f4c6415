"""Decisions in files: the last one that failed is kept, to be asked again."""

import json
from pathlib import Path

from google.protobuf import json_format

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._decision import Decision, Match
from saurodrome.client._errors import InputError

LAST = Path(".saurodrome/last.decision")
_FORMAT = "saurodrome decision 1"


def save_decision(decision: Decision, path: str | Path = LAST) -> Path:
    """Writes a decision as JSON: its message and that of its match, in protobuf's JSON form.

    Returns:
        The path.

    Raises:
        OSError: The file cannot be written.
    """
    content = {
        "format": _FORMAT,
        "match": json_format.MessageToDict(decision.match.message),
        "decision": json_format.MessageToDict(decision.message),
    }
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    new.replace(path)
    return path


def load_decision(path: str | Path = LAST) -> Decision:
    """Reads a decision from a file; its time starts to run now.

    Raises:
        InputError: The file is missing or is no decision.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        what = f"the decision cannot be read: {error.strerror}."
        raise InputError("DECISION_MISSING", what, where=str(path), do=_HOW) from None
    except ValueError:
        raise _not_a_decision(path, "it is not JSON") from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise _not_a_decision(path, f'its format is not "{_FORMAT}"')
    try:
        match = json_format.ParseDict(content["match"], bot_pb2.MatchStarted())
        message = json_format.ParseDict(content["decision"], bot_pb2.Decision())
    except (KeyError, json_format.ParseError) as error:
        raise _not_a_decision(path, str(error)) from None
    return Decision.received(Match(match), message)


_HOW = f"name a file that a bot's fault left behind, such as {LAST}"


def _not_a_decision(path: str | Path, why: str) -> InputError:
    return InputError("DECISION_BAD", f"this is no decision: {why}.", where=str(path), do=_HOW)
