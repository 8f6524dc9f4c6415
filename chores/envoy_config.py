"""Reads configurations of Envoy by its own messages; run by the environment that has them."""

import importlib
import sys
from pathlib import Path
from typing import Any

SECRETS = "envoy.extensions.transport_sockets.tls.v3"
TYPES = (
    "envoy.extensions.filters.http.router.v3.router",
    "envoy.extensions.filters.network.http_connection_manager.v3.http_connection_manager",
    "envoy.extensions.upstreams.http.v3.http_protocol_options",
    f"{SECRETS}.secret",
    f"{SECRETS}.tls",
)
"""Where the types lie that a configuration names as text."""


def module(name: str) -> Any:
    """Import generated code."""
    return importlib.import_module(f"{name}_pb2")


def parse(file: Path) -> None:
    """Parse a bootstrap configuration, or a file of resources, strictly.

    Raises:
        google.protobuf.json_format.ParseError: A field is unknown, or a value of another type.
    """
    yaml = importlib.import_module("yaml")
    json_format = importlib.import_module("google.protobuf.json_format")
    for name in TYPES:
        module(name)
    content = yaml.safe_load(file.read_text())
    if "resources" in content:
        message = module("envoy.service.discovery.v3.discovery").DiscoveryResponse()
    else:
        message = module("envoy.config.bootstrap.v3.bootstrap").Bootstrap()
    json_format.ParseDict(content, message)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            parse(Path(argument))
        except Exception as error:
            sys.exit(f"{argument}: {error}")
        print(f"{argument}: ok")
