"""Pieces of bytes in a pipe: each behind its length, eight bytes, big-endian."""

from typing import IO

__all__ = ["read_frame", "write_frame"]


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the next piece; None at the end of the stream, or where it ends within one."""
    head = stream.read(8)
    if len(head) < 8:
        return None
    length = int.from_bytes(head, "big")
    data = stream.read(length)
    return data if len(data) == length else None


def write_frame(stream: IO[bytes], data: bytes) -> None:
    """Write a piece, and flush. Raises OSError."""
    stream.write(len(data).to_bytes(8, "big") + data)
    stream.flush()
