"""Mutation testing: whether the tests notice when an operator, number or argument is another."""
