"""The whole server in a process of its own, for the arbiter's bench.

Argument: the data directory. Prints the port of the bots, and which form of the arbiter this is.
"""

import sys
from pathlib import Path

from saurodrome.server import loop
from saurodrome.server.app import Serving, serve
from saurodrome.server.config import Config
from saurodrome.server.form import FORM


def _tell(serving: Serving) -> None:
    print(serving.bots_port)
    print(FORM, flush=True)


if __name__ == "__main__":
    config = Config(Path(sys.argv[1]), bots_port=0, web_port=0)
    sys.exit(loop.run(serve(config, ready=_tell)))
