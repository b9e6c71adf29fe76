"""What holds between honest parties: format, seats, store, openings, checkpoints, rosters, comparing."""
