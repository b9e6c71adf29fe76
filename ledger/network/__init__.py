"""The parts that a server and its clients share: answers, messages, logs at addresses (specs/network.md)."""
