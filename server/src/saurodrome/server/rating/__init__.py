"""How strong bots are: live Elo after each match, and the published table fitted to all.

Import from its modules: those that fit need numpy, which a command that rates nothing does without.
"""
