"""The version of this client, as the server is told it."""

from importlib import metadata

try:
    VERSION = metadata.version("saurodrome-client")
except metadata.PackageNotFoundError:  # run from the sources
    VERSION = "0.1.0.dev0"

SDK = f"saurodrome-client-python {VERSION}"
