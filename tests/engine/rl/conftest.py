"""These tests run where the extra `rl` is installed: pip install -r requirements/rl.txt."""

import importlib.util

if importlib.util.find_spec("pettingzoo") is None:
    collect_ignore_glob = ["test_*.py"]
