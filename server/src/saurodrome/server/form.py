"""Which form of the arbiter runs: its plain sources, or those that mypyc compiled."""

from typing import Final

FORM: Final = "plain" if __file__.endswith(".py") else "compiled"
"""`plain` or `compiled`; the arbiter's hot path is compiled with this module, or not at all."""
