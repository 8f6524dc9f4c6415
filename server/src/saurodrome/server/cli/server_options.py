"""Options that are settings of a server: flags, environment and file put together."""

import os
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from saurodrome.server.cli.options import FILE
from saurodrome.server.config import ENVIRONMENT, SETTINGS, Setting, load

R = TypeVar("R")
CONFIG_VARIABLE = f"{ENVIRONMENT}CONFIG"
"""Where the configuration file is named in the environment."""

config_option = click.option(
    "--config",
    "--file",
    "config_file",
    type=FILE,
    envvar=CONFIG_VARIABLE,
    help=f"Configuration file, TOML  [default: {CONFIG_VARIABLE}, or none]",
)


def server_options(function: Callable[..., R]) -> Callable[..., R]:
    """Adds --config and a flag for every setting, and passes a way to load them as `loading`.

    Loading again reads the file and the environment anew, with the same flags.
    """

    @wraps(function)
    def command(*args: Any, config_file: Path | None, **kwargs: Any) -> R:
        context = click.get_current_context()
        flags = {
            setting.field: value
            for setting in SETTINGS
            if (value := kwargs.pop(setting.field, None)) is not None
            and context.get_parameter_source(setting.field) is ParameterSource.COMMANDLINE
        }
        return function(*args, loading=partial(load, config_file, os.environ, flags), **kwargs)

    made: Callable[..., R] = command
    for setting in reversed(SETTINGS):
        made = _option(setting)(made)
    return config_option(made)


def data_option(function: Callable[..., R]) -> Callable[..., R]:
    """Adds --data and --config, and passes the data directory that a server would have."""

    @click.option("--data", type=FILE, help="Data directory  [default: .saurodrome]")
    @config_option
    @wraps(function)
    def command(*args: Any, data: Path | None, config_file: Path | None, **kwargs: Any) -> R:
        loaded = load(config_file, os.environ, {} if data is None else {"data": data})
        return function(*args, data=loaded.config().data, **kwargs)

    return command


def _option(setting: Setting) -> Callable[[Callable[..., R]], Callable[..., R]]:
    if setting.default is True:
        return click.option(
            f"{setting.flag}/--no{setting.flag[1:]}",
            default=None,
            help=_help(setting),
            allow_from_autoenv=False,
        )
    if setting.default is False:
        return click.option(
            setting.flag, is_flag=True, help=_help(setting), allow_from_autoenv=False
        )
    return click.option(
        setting.flag,
        metavar=setting.kind.name.upper().replace(" ", "_"),
        help=_help(setting),
        allow_from_autoenv=False,
    )


def _help(setting: Setting) -> str:
    sentence = setting.about.partition(". ")[0].rstrip(".")
    if setting.default is False:
        return sentence
    if setting.default is None:
        return f"{sentence}  [default: none]"
    if setting.default is True:
        return f"{sentence}  [default: yes]"
    return f"{sentence}  [default: {setting.default}]"
