"""The command line: a bot author's, an organiser's and an operator's way in."""


def main() -> int:
    """Runs the command `saurodrome` and gives its exit code."""
    try:
        # Only now: a bot on its tether comes through this package, too, and needs none of it.
        from saurodrome.server.cli.root import main as run

        return run()
    except KeyboardInterrupt:  # pressed while Python was still loading
        return 130
