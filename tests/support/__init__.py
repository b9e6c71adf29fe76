"""What tests share: tables to play at, the command line, players of random games, faults."""
