"""The log: events with fields, one JSON line each, written where nothing can hold up the loop."""

from saurodrome.server.log.events import LogObserver
from saurodrome.server.log.setup import LOG_FILE, logging_to, set_level

__all__ = ["LOG_FILE", "LogObserver", "logging_to", "set_level"]
