"""Makes `python -m saurodrome.server` the command `saurodrome`."""

import sys

from saurodrome.server.cli import main

if __name__ == "__main__":
    sys.exit(main())
