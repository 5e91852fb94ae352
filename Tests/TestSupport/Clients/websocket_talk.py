"""A scripted WebSocket client that prints received messages, one per line.

usage: websocket_talk.py PORT PATH HEADER STEP...

A STEP is a text to send; `hex:…`, bytes to send; `hear`, prints the next message; `hush`, waits for the close, printing
earlier messages and finally `closed CODE REASON`. Pings are answered.
"""
import struct
import sys

from websocket_client import BINARY, CLOSE, TEXT, Client

client = Client(int(sys.argv[1]), sys.argv[2], [sys.argv[3]] if sys.argv[3] else [])


def hear():
    opcode, payload = client.next_message()
    if opcode == CLOSE:
        client.send(CLOSE, payload[:2])
        code = struct.unpack(">H", payload[:2])[0] if payload else ""
        print("closed", code, payload[2:].decode(), flush=True)
        return False
    print(payload.decode() if opcode == TEXT else payload.hex(), flush=True)
    return True


for step in sys.argv[4:]:
    if step == "hear":
        if not hear():
            break
    elif step == "hush":
        while hear():
            pass
    elif step.startswith("hex:"):
        client.send(BINARY, bytes.fromhex(step[4:]))
    else:
        client.send(TEXT, step.encode())
