"""A whole tournament in one file: what it says, what would be played, and what it would tell."""
