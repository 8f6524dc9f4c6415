"""The log: events with fields, one JSON line each, written where nothing can hold up the loop."""

from saurodrome.server.log.events import LogObserver
from saurodrome.server.log.setup import logging_to, set_level

__all__ = ["LogObserver", "logging_to", "set_level"]
