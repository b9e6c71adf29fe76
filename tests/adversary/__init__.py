"""What attackers tried, each with the keys that it has (specs/security.md)."""
