"""Which version of the program this is."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Gives the version of the installed program; sources that are not installed have none."""
    try:
        return version("saurodrome-server")
    except PackageNotFoundError:
        return "0+source"
