"""A client that does not read until the server's write timeout, then reads how it was closed.

usage: push_sleeper.py PORT PATH CODE
"""
import socket
import struct
import sys
import time

from websocket_client import CLOSE, Client

client = Client(int(sys.argv[1]), sys.argv[2])
# Longer than the server's write timeout, but shorter than that plus its close timeout.
time.sleep(15)
# Now the data sent so far arrives, followed by the close code.
messages = 0
while True:
    opcode, payload = client.message()
    if opcode == CLOSE:
        code, = struct.unpack(">H", payload[:2])
        assert code == int(sys.argv[3]), code
        break
    messages += 1
assert messages < 1000, messages
print("closed as it should be, after", messages)
