"""The arbiter: asks bots for decisions, applies the rules, records and rates."""
