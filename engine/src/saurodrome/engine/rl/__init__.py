"""Environments for learners: needs the extra `rl` (numpy, pettingzoo, gymnasium)."""
