"""Rules of the games and the contract that every game fulfils."""
