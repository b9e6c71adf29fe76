"""The package for developers, packed and installed as its users do (ledger/sdk)."""
