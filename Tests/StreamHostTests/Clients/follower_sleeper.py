#!/usr/bin/env python3
"""A client of a follower that does not read until the primary has lost its WebSocket, then reads how it was closed.

    follower_sleeper.py FOLLOWER_PORT PRIMARY_PORT KEY CURSOR CODE

Prints the number of messages before the close frame.
"""

import http.client
import json
import struct
import sys
import time

from websocket_client import CLOSE, Client

follower, primary = (int(port) for port in sys.argv[1:3])
key, cursor, code = sys.argv[3:]


def clients():
    connection = http.client.HTTPConnection("127.0.0.1", primary, timeout=200)
    connection.request("GET", "/health", headers={"Authorization": f"Bearer {key}"})
    return json.loads(connection.getresponse().read())["connected_clients"]


def wait_until(condition):
    for _ in range(2_000):
        if condition():
            return
        time.sleep(0.1)
    sys.exit("waited in vain")


client = Client(follower, f"/ws/push?since={cursor}", [f"Authorization: Bearer {key}"])
wait_until(lambda: clients() == 1)
wait_until(lambda: clients() == 0)
messages = 0
while True:
    opcode, payload = client.message()
    if opcode == CLOSE:
        found, = struct.unpack(">H", payload[:2])
        assert found == int(code), (found, payload)
        break
    messages += 1
print(messages)
