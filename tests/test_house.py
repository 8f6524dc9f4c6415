"""Rules of the house that no linter knows: what lies where, how long it is, what it names."""

import ast
import builtins
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
DISTRIBUTIONS = ("proto", "engine", "server", "clients/python")
HAND_WRITTEN = (".css", ".html", ".js", ".md", ".proto", ".py", ".sh", ".sql", ".toml", ".yaml")
GENERATED = re.compile(r"_pb2(_grpc)?\.pyi?$|^requirements/.*\.txt$")
MOST_LINES = 400
LISTS = sorted(file.stem for file in (ROOT / "requirements").glob("*.in"))
"""What there is to be installed, each with its pins in a file beside it."""


def kept_files() -> list[str]:
    """Return what is or may be committed, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def texts() -> Iterator[tuple[str, str]]:
    """Yield name and content of every file that is text."""
    for name in kept_files():
        content = (ROOT / name).read_bytes()
        if b"\0" not in content:
            yield name, content.decode()


def portions(distribution: str) -> list[Path]:
    """Return the folders directly under a distribution's share of the namespace."""
    namespace = ROOT / distribution / "src" / "saurodrome"
    return [folder for folder in namespace.iterdir() if folder.name != "__pycache__"]


def project(distribution: str) -> dict[str, Any]:
    """Return what a distribution says of itself."""
    text = (ROOT / distribution / "pyproject.toml").read_text()
    table: dict[str, Any] = tomllib.loads(text)["project"]
    return table


def pins(name: str) -> dict[str, str]:
    """Return the pinned versions of requirements/<name>.txt."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


def normal(requirement: str) -> str:
    """Return the name of the package that a requirement is about, as pins spell it."""
    name = re.split(r"[\[=<>~!; ]", requirement, maxsplit=1)[0]
    return name.lower().replace("_", "-")


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_nothing_lies_directly_in_the_namespace_that_four_distributions_share(
    distribution: str,
) -> None:
    assert [entry.name for entry in portions(distribution) if entry.is_file()] == []


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_every_portion_of_the_namespace_is_marked_as_typed(distribution: str) -> None:
    untyped = [folder.name for folder in portions(distribution) if not any_typed(folder)]
    assert untyped == []


def any_typed(portion: Path) -> bool:
    """Tell whether a portion is marked, itself or (a namespace of games) all that it holds."""
    below = [folder for folder in portion.iterdir() if folder.is_dir()]
    marked = [(folder / "py.typed").exists() for folder in below]
    return (portion / "py.typed").exists() or (bool(marked) and all(marked))


@pytest.mark.parametrize("distribution", ["engine", "server", "clients/python"])
def test_every_folder_below_the_namespace_is_a_package(distribution: str) -> None:
    source = ROOT / distribution / "src" / "saurodrome"
    bare = {file.parent for file in source.glob("*/**/*.py")}
    assert [str(folder) for folder in bare if not (folder / "__init__.py").exists()] == []


def test_files_are_short() -> None:
    long = {
        name: lines
        for name, text in texts()
        if name.endswith(HAND_WRITTEN) and not GENERATED.search(name)
        if (lines := text.count("\n")) > MOST_LINES
    }
    assert long == {}


def test_no_exception_is_made_before_it_is_raised() -> None:
    """One that is kept by a module keeps all frames of every time that it was raised."""
    sources = [one for one in texts() if re.match(r"(?!tests/).*\.py$", one[0])]
    trees = {name: ast.parse(text) for name, text in sources}
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    kinds = {name for name, kind in vars(builtins).items() if is_exception(kind)}
    while more := {name for name, own in bases.items() if own & kinds} - kinds:
        kinds |= more
    assert "Refused" in kinds
    assert {
        name: ast.unparse(node)[:60]
        for name, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Name) and node.value.func.id in kinds
    } == {}


def is_exception(kind: object) -> bool:
    """Whether this is a class of exceptions."""
    return isinstance(kind, type) and issubclass(kind, BaseException)


def test_no_file_names_a_machine_or_where_packages_come_from() -> None:
    place = re.compile(
        r"(?<![\w.])/(?:work|root)/"  # folders of one machine
        r"|--(?:(?:extra-)?index-url|find-links)"
        r"|://[\w.-]*(?:pypi|pythonhosted|npmjs)"
    )
    assert {name: found[0] for name, text in texts() if (found := place.search(text))} == {}


def test_pins_name_no_address() -> None:
    files = [file for file in (ROOT / "requirements").iterdir() if file.suffix in (".in", ".txt")]
    assert len(files) == 2 * len(LISTS) > 2
    address = re.compile(r"://|^\s*--(?!hash=sha256:)|\s@\s", re.MULTILINE)
    assert {
        file.name: found[0] for file in files if (found := address.search(file.read_text()))
    } == {}


def test_the_changelog_begins_with_what_is_not_released_yet() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "[Unreleased]"


@pytest.mark.parametrize("name", LISTS)
def test_every_requirement_has_its_reason(name: str) -> None:
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    wanted = [line for line in lines if line and not line.startswith(("#", "-r", "-c"))]
    assert [line for line in wanted if not re.search(r"\S\s+# \w", line)] == []


@pytest.mark.parametrize("name", LISTS)
def test_what_a_list_asks_for_is_pinned(name: str) -> None:
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    asked = {normal(line) for line in lines if line and not line.startswith(("#", "-r", "-c"))}
    assert asked - pins(name).keys() == set()


def test_the_demo_and_the_tests_run_on_the_same_packages() -> None:
    assert pins("run").items() <= pins("dev").items()


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_what_a_distribution_needs_is_pinned(distribution: str) -> None:
    needed = {normal(requirement) for requirement in project(distribution)["dependencies"]}
    outside = {name for name in needed if not name.startswith("saurodrome")}
    assert outside - pins("run").keys() == set()


def test_the_distributions_have_one_version() -> None:
    assert len({project(distribution)["version"] for distribution in DISTRIBUTIONS}) == 1


def test_every_folder_says_what_it_is_for() -> None:
    folders = {name.split("/")[0] for name in kept_files() if "/" in name}
    shown = {folder for folder in folders if not folder.startswith(".")}
    assert {folder for folder in shown if not (ROOT / folder / "README.md").exists()} == set()


def engine_trees() -> Iterator[tuple[str, ast.Module]]:
    """Yield name and syntax tree of every module of the engine."""
    source = ROOT / "engine" / "src"
    for file in source.rglob("*.py"):
        yield str(file.relative_to(source)), ast.parse(file.read_text())


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the names of the modules that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def test_the_engine_without_its_extras_needs_the_standard_library_only() -> None:
    at_hand = sys.stdlib_module_names | {"saurodrome", "mypy_extensions"}
    foreign = {
        (name, module)
        for name, tree in engine_trees()
        if not name.endswith("/wire.py") and "/engine/rl/" not in name
        for module in imported(tree)
        if module.split(".")[0] not in at_hand
    }
    assert foreign == set()


def test_the_engine_draws_no_chance_but_from_sources_it_is_handed() -> None:
    drawn = {
        (name, node.attr)
        for name, tree in engine_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr != "Random"
        if isinstance(node.value, ast.Name) and node.value.id == "random"
    }
    assert drawn == set()
    assert not [name for name, tree in engine_trees() if "from random" in ast.unparse(tree)]
