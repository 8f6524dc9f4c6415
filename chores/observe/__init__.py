"""A running tournament with a real Prometheus beside it, and pictures of its dashboards."""
