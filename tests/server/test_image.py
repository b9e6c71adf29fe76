"""The steps of the container image, run in a clean folder: built without network, served read-only by no root."""

import json
import os
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.server.image import build, steps
from tests.server.machines import LIMIT, until
from tests.server.served import PASSPHRASE


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("image"))


@pytest.mark.slow
def test_the_image_is_built_and_runs_read_only_as_no_root(built: Path) -> None:
    started = steps("run", built, PASSPHRASE=PASSPHRASE.decode(), HOST="127.0.0.1", PORT="0")
    server = subprocess.Popen([*started, "--json"], stdout=subprocess.PIPE)
    assert server.stdout is not None
    try:
        address = json.loads(server.stdout.readline())["listening"]  # however long it takes
        assert httpx.get(f"{address}/health", timeout=LIMIT).text == "ok\n"
        assert httpx.get(f"{address}/v1/server", timeout=LIMIT).json()["keeper"].startswith("keeper+")
        port = address.rpartition(":")[2]
        until(lambda: subprocess.run(steps("health", built, PORT=port)).returncode == 0)
        assert subprocess.run(steps("health", built, PORT="1")).returncode == 1
        if os.getuid() == 0:  # else nobody may look into it
            assert "\nUid:\t8706\t8706\t8706\t8706\n" in Path(f"/proc/{server.pid}/status").read_text()
            for place in ("/", "/opt/rollproof", "/etc", "/usr"):
                with pytest.raises(OSError, match="Read-only"):
                    Path(f"/proc/{server.pid}/root{place}/written").write_text("")
            names = {path.name for path in (built / "image" / "data").iterdir()}
            assert {"ledger.db", "identities"} <= names
        assert not {path.name for path in (built / "image").iterdir()} & {"build", "wheels"}
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate()
    assert server.returncode == 0
