"""The changes of a source that mutmut can think of, and a form of it that takes each when asked."""

import contextlib
from difflib import unified_diff
from pathlib import Path

from mutmut.mutation.file_mutation import MutatedFile, mutate_file_contents
from mutmut.utils.format_utils import parse_mutant_key

from chores.mutants.mutant import Mutant


def mutate(home: Path, module: Path) -> list[Mutant]:
    """Put the form with all changes in a source's place, and return the changes.

    Args:
        home: The copy of the repository.
        module: The source, relative to it.
    """
    file = home / module
    with contextlib.chdir(home):  # where mutmut looks for its settings
        mutated = mutate_file_contents(str(module), file.read_text())
    file.write_text(mutated.code)
    lines = mutated.code.splitlines()
    return [_mutant(module, mutated, lines, name) for name in mutated.mutant_names]


def _mutant(module: Path, mutated: MutatedFile, lines: list[str], name: str) -> Mutant:
    common = name.rpartition("__mutmut_")[0]
    before, after = (
        _body(mutated, lines, f"{common}__mutmut_orig"),
        _body(mutated, lines, name),
    )
    diff = [*unified_diff(before, after, lineterm="", n=0)][2:]
    was, now = (tuple(line[1:] for line in diff if line.startswith(sign)) for sign in "-+")
    function, kind = parse_mutant_key(common)
    where = ".".join(filter(None, [module.stem, kind, function]))
    dotted = module.with_suffix("").as_posix().partition("src/")[2].replace("/", ".")
    return Mutant(module, f"{dotted}.{name}", where, was, now)


def _body(mutated: MutatedFile, lines: list[str], name: str) -> list[str]:
    """Return the lines of a function, without their indentation and its generated name."""
    span = mutated.line_span_by_function_name[name]
    found = [
        line.strip().replace(f"def {name}(", "def (") for line in lines[span.start - 1 : span.end]
    ]
    return [line for line in found if line]
