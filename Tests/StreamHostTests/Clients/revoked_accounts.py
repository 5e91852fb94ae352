#!/usr/bin/env python3
"""Opens WebSockets of three accounts, then ends two of them: revoked_accounts.py PORT KEY ANNA EDDY EDDYS_ID TRACK PATH CURSOR

ANNA and EDDY are app passwords. First each account stars a track, as often as its number: the owner once, anna twice, eddy
three times; then lyrics change, of which all are told. Prints as JSON what each is told on /ws/push up to the lyrics; then
anna signs out and eddy's account is deleted: the close codes of their four WebSockets, and what the owner's is told next.
"""

import http.client
import json
import struct
import sys

from websocket_client import CLOSE, TEXT, Client

port, key, anna, eddy, eddys_id, track, path, cursor = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=600)


def ask(method, target, key, body=None):
    headers = {"Authorization": f"Bearer {key}"}
    if body:
        headers["Content-Type"] = "application/json"
    connection.request(method, target, body, headers)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def star(key, is_starred):
    body = json.dumps({"is_starred": is_starred})
    assert ask("PATCH", f"/listening/tracks/{track}", key, body) == 200


def remote(key):
    client = Client(int(port), "/ws", [f"Authorization: Bearer {key}"])
    client.send(TEXT, b'{"protocol_version":1,"app_version":"t"}')
    client.message()
    return client


def push(key):
    return Client(int(port), f"/ws/push?since={cursor}", [f"Authorization: Bearer {key}"])


def told(client):
    """Reads events up to changed tracks; returns the types of those before."""
    types = []
    while True:
        kind = json.loads(client.next_message()[1])["type"]
        if kind == "tracks_changed":
            return types
        types.append(kind)


def closing(client):
    while True:
        opcode, payload = client.next_message()
        if opcode == CLOSE:
            return struct.unpack(">H", payload[:2])[0] if payload else 0


for count, account in enumerate([key, anna, eddy], start=1):
    for number in range(count):
        star(account, number % 2 == 0)
assert ask("PUT", f"/lyrics?relative_path={path}", key, json.dumps({"lrc": "[00:00.10]la"})) in (200, 201)
sockets = [(push(account), remote(account)) for account in [key, anna, eddy]]
events = [told(client) for client, _ in sockets]
assert ask("DELETE", "/auth/sign-in", anna) == 204
assert ask("DELETE", f"/accounts/{eddys_id}", key) == 204
closed = [closing(client) for pair in sockets[1:] for client in pair]
star(key, False)
last = "library_changed"
while last == "library_changed":
    # Of the lyrics, as late as it comes.
    last = json.loads(sockets[0][0].next_message()[1])["type"]
refused = [ask("GET", "/auth", account) for account in [anna, eddy]]
print(json.dumps({"events": events, "closed": closed, "last": last, "refused": refused}))
