#!/usr/bin/env python3
"""Replaces a host's key while it is in use: replaced_key.py PORT KEY SEGMENT_PATH TOKEN FILE_OF_SECRETS

Prints as JSON the statuses before (the key, the segment three times, the token), those with the old key afterwards (the
segment on the connection where its response was repeated, the catalogue, the token), those with the new key, and the close
codes of the two WebSockets.
"""

import base64
import http.client
import json
import os
import struct
import sys

from websocket_client import CLOSE, TEXT, Client

port, key, path, token, secrets = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=600)


def ask(target, key=None):
    connection.request("GET", target, headers={"Authorization": f"Bearer {key}"} if key else {})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def closing(client):
    while True:
        opcode, payload = client.next_message()
        if opcode == CLOSE:
            return struct.unpack(">H", payload[:2])[0] if payload else 0


before = [ask("/auth", key), ask(path, key), ask(path, key), ask(path, key), ask(f"{path}?token={token}")]
remote = Client(int(port), "/ws", [f"Authorization: Bearer {key}"])
remote.send(TEXT, b'{"protocol_version":1,"app_version":"t"}')
remote.message()
push = Client(int(port), "/ws/push", [f"Authorization: Bearer {key}"])
push.message()

# As the command line does: write a temporary file, then rename it.
fresh = base64.urlsafe_b64encode(os.urandom(32)).decode().rstrip("=")
descriptor = os.open(secrets + ".test", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
os.write(descriptor, json.dumps({"api_key": fresh}).encode())
os.close(descriptor)
os.rename(secrets + ".test", secrets)

old = [ask(path, key), ask("/api/tracks", key), ask(f"{path}?token={token}")]
new = [ask(path, fresh), ask("/auth", fresh), ask(path, fresh)]
print(json.dumps({"before": before, "old": old, "new": new, "closed": [closing(remote), closing(push)]}))
