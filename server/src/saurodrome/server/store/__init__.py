"""What outlives a process: bots, tournaments, and the log of results."""
