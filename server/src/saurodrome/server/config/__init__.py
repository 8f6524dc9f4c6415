"""What a server process is told at its start, by whom, and what of it may change later.

Each setting is asked for in this order, the first answer counts: a flag of `serve`, the
environment, the configuration file, the default.
"""

from saurodrome.server.config.config import Config
from saurodrome.server.config.load import Loaded, load
from saurodrome.server.config.settings import ENVIRONMENT, SETTINGS, Setting

__all__ = ["ENVIRONMENT", "SETTINGS", "Config", "Loaded", "Setting", "load"]
