"""A client that does not read until the server has lost its patience, then reads how it was closed.

usage: push_sleeper.py PORT PATH CODE
"""
import socket
import struct
import sys
import time

from websocket_client import CLOSE, Client

client = Client(int(sys.argv[1]), sys.argv[2])
# Longer than the server's patience, shorter than that with the time that it gives to a close.
time.sleep(15)
# Then what had been sent comes, and at its end the reason.
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
