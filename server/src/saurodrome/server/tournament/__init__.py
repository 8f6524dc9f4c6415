"""Tournaments: which matches are left, how far they are, and what their tables say."""
