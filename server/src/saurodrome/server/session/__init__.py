"""A bot's presence: its stream, its seats, the decisions that are open, and their clocks."""
