"""The papers for authors say what is so: their examples run, their tables are complete."""

import re
from pathlib import Path
from typing import Any

import pytest

from saurodrome.client import Status, load, strategy_of
from saurodrome.client.testing import decision, match
from saurodrome.client.testing import play as ask

ROOT = Path(__file__).parents[2]
README = (ROOT / "clients" / "README.md").read_text()
WIRE = (ROOT / "proto" / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def names_of(block: str) -> dict[str, Any]:
    """Runs a block as a module that is imported, and gives its names."""
    names: dict[str, Any] = {"__name__": "block"}
    exec(compile(block, "README.md", "exec", dont_inherit=True), names)
    return names


def test_the_first_bot_is_the_example() -> None:
    assert BLOCKS[0] == (ROOT / "clients" / "examples" / "first_bot.py").read_text()


def test_the_first_bot_is_that_of_the_front_page() -> None:
    assert BLOCKS[0] in (ROOT / "README.md").read_text()


@pytest.mark.parametrize(
    "number", [n for n, block in enumerate(BLOCKS) if "duelosaur" not in block]
)
def test_every_bot_of_the_papers_plays_and_every_test_passes(number: int) -> None:
    names = names_of(BLOCKS[number])

    asked = decision(["S forest", "S river"])
    if "choose" in names:
        assert ask(names["choose"], [asked])[0] in {"S forest", "S river"}
    if "Learner" in names:
        learner = strategy_of(names["Learner"]())
        learner.get_ready(match())
        assert learner.answer(asked) == asked.legal_actions[0].id
    for name, value in names.items():
        if name.startswith("test_"):
            value()


def test_the_table_of_a_decision_names_what_there_is() -> None:
    described = set(re.findall(r"`d\.(\w+)`", README))

    assert [name for name in described if not hasattr(decision(), name)] == []
    table = README.partition("of Draftosaurus' `d.state`")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    of_state = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert len(of_state) >= 15
    assert [name for name in of_state if not hasattr(decision().state, name)] == []


def test_every_reason_for_which_a_stream_ends_is_in_the_table() -> None:
    sources = [
        path.read_text()
        for folder in ("rpc", "session")
        for path in (ROOT / "server/src/saurodrome/server" / folder).glob("*.py")
    ]
    reasons = {r for text in sources for r in re.findall(r'Kind\.\w+,\s*"([A-Z_]+)"', text)}
    of_start = {"CERT_BAD", "PLAINTEXT_REFUSED"}  # told to operators

    assert "SUPERSEDED" in reasons
    assert [reason for reason in sorted(reasons - of_start) if reason not in WIRE] == []


def test_options_in_the_papers_are_those_of_the_client() -> None:
    from saurodrome.client._channel import OPTIONS

    table = dict(re.findall(r"\| `(grpc\.[\w.]+)` \| (\d+) \|", WIRE))

    assert len(table) == 5
    assert {name: str(value) for name, value in OPTIONS if name in table} == table


def test_examples_load(tmp_path: Path) -> None:
    for path in sorted((ROOT / "clients" / "examples").glob("*_bot.py")):
        assert load(path).name == path.stem
    assert str(Status()).startswith("playing 0")
