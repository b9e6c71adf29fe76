"""Ask the server of this container whether it is well. Exit code: 0 if it answers with 200, else 1."""

import http.client
import os
import sys

try:
    connection = http.client.HTTPConnection("127.0.0.1", int(os.environ["ROLLPROOF_PORT"]), timeout=5)
    connection.request("GET", "/health")
    sys.exit(connection.getresponse().status != 200)
except OSError:
    sys.exit(1)
