"""Draftosaurus: rules, boards and text forms."""
