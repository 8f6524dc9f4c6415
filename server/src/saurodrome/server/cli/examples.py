"""Where the example bots lie: in the repository, or beside the installed client."""

from pathlib import Path

import saurodrome.client
from saurodrome.client import InputError


def example(name: str) -> Path:
    """Finds an example bot, such as `greedy_bot.py` or `demo/slow_bot.py`.

    Raises:
        InputError: It is nowhere.
    """
    package = Path(saurodrome.client.__file__).parent
    # Installed they are part of the client; in the repository they lie in clients/examples.
    places = [package / "examples", package.parents[3] / "examples"]
    for place in places:
        if (place / name).is_file():
            return place / name
    raise InputError(
        "NO_EXAMPLES",
        f"The example bot {name} is missing.",
        where=f"looked in {' and '.join(map(str, places))}",
        do="install saurodrome-client again",
    )
