"""Search on top of the rules: optional, and nothing else in the engine needs it."""
