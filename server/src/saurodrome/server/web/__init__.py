"""Pages, health and metrics over HTTP, inside the arbiter's event loop."""

from saurodrome.server.web.server import Health, WebServer

__all__ = ["Health", "WebServer"]
