"""The lies of a lying server, each a short script: the false statement, and the client's duty.

Most stand upon the same ground: the client sits, joins and opens for one honest roll; then it is lied to, and alice
asks for dice upon what it was shown. Who checks opens for nothing of it. Some lies hurt nobody who reads with care: a
client goes on there.
"""

from ledger.dev.answer_lies import ANSWER_LIES
from ledger.dev.lie import Lie
from ledger.dev.log_lies import LOG_LIES
from ledger.dev.table_lies import TABLE_LIES

__all__ = ["LIES"]

LIES: dict[str, Lie] = {lie.name: lie for lie in (*TABLE_LIES, *LOG_LIES, *ANSWER_LIES)}
"""by name"""
