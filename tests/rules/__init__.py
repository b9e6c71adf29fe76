"""What the games say: each system, its notations, its words and its actions."""
