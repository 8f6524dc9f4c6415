"""What a run found, as a table and the changes that nobody noticed."""

from collections import Counter

from chores.mutants import known
from chores.mutants.mutant import KILLED, SURVIVED, TIMEOUT, Mutant
from chores.terminal import say


def report(found: dict[Mutant, str]) -> int:
    """Print what was found, and return the exit code."""
    written = known.load()
    reasons = {m: known.reason(m, written) for m, verdict in found.items() if verdict == SURVIVED}
    print(f"{'source':<16}{'changes':>8}{'killed':>8}{'timeout':>8}{'same':>8}{'survived':>9}")
    for source in dict.fromkeys(mutant.module for mutant in found):
        of = Counter(verdict for mutant, verdict in found.items() if mutant.module == source)
        same = sum(1 for mutant, why in reasons.items() if mutant.module == source and why)
        numbers = (of.total(), of[KILLED], of[TIMEOUT], same, of[SURVIVED] - same)
        print(f"{source.name:<16}{{:>8}}{{:>8}}{{:>8}}{{:>8}}{{:>9}}".format(*numbers))
    left = [mutant for mutant, why in reasons.items() if not why]
    for mutant in left:
        print(f"\n{mutant.module}: {mutant.function}")
        for sign, lines in (("-", mutant.was), ("+", mutant.now)):
            print("\n".join(f"  {sign} {line}" for line in lines))
    for line in known.stale(written, list(found)):
        say(f"note: {known.FILE.name} knows what is no change any more: {line}")
    return 1 if left else 0
