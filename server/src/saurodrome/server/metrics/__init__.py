"""What Prometheus reads: counts of everything that happens, and no name of a bot but at the top."""

from saurodrome.server.metrics.observed import CONTENT_TYPE, Metrics

__all__ = ["CONTENT_TYPE", "Metrics"]
