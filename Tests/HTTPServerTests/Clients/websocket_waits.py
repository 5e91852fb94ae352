"""Waits on a WebSocket until the server closes it; prints the code. usage: websocket_waits.py PORT"""
import struct
import sys

from websocket_client import CLOSE, Client

client = Client(int(sys.argv[1]), "/")
opcode, payload = client.message()
assert opcode == CLOSE
client.send(CLOSE, payload[:2])
print(struct.unpack(">H", payload[:2])[0])
client.expect_end()
