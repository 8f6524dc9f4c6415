"""The compiled forms of engine and server: the same sources, some of them through mypyc."""
