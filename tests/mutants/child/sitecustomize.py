"""Python imports this first in every process that a test starts, where its folder stands in PYTHONPATH."""

import os

if "ROLLPROOF_MUTANT" in os.environ:
    from tests.mutants.altered import take_up

    take_up()
elif "ROLLPROOF_RECORDED" in os.environ:
    from tests.mutants.record import record_this_process

    record_this_process()
