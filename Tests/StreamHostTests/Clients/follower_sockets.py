#!/usr/bin/env python3
"""WebSockets of clients of two hosts, one of which follows the other through a fault proxy.

    follower_sockets.py PRIMARY_PORT FOLLOWER_PORT PROXY_PORT KEY TRACK

A client of the follower waits for events of changes on the primary and reads at once from the follower; clients of both list
each other; then the primary is lost and comes back. Prints what they got as JSON.
"""

import http.client
import json
import struct
import sys
import time

from websocket_client import CLOSE, TEXT, Client

primary, follower, proxy = (int(port) for port in sys.argv[1:4])
key, track = sys.argv[4:]
fields = [f"Authorization: Bearer {key}"]
AWAY = '[{"match": ".*", "refuse": true}]'


def ask(port, method, target, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request(method, target, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status == 200, (target, answer.status, content)
    return json.loads(content) if content else None


def faults(rules):
    connection = http.client.HTTPConnection("127.0.0.1", proxy, timeout=600)
    connection.request("POST", "/__proxy/faults", rules)
    connection.getresponse().read()


def receive(client):
    """Returns the next message, or the close code."""
    opcode, payload = client.next_message()
    if opcode == CLOSE:
        client.send(CLOSE, payload[:2])
        return struct.unpack(">H", payload[:2])[0]
    return json.loads(payload)


def receive_until(client, condition):
    while not condition(message := receive(client)):
        assert not isinstance(message, int), f"closed with {message}"
    return message


def close_code(client):
    while not isinstance(message := receive(client), int):
        pass
    return message


def remote(port, name):
    client = Client(port, "/ws", fields)
    client.send(TEXT, json.dumps({"protocol_version": 1, "app_version": name}).encode())
    receive_until(client, lambda message: "protocol_version" in message)
    return client


def names(port):
    return sorted(client["app_version"] for client in ask(port, "GET", "/clients")["clients"])


def wait_until(condition):
    for _ in range(12_000):
        if condition():
            return
        time.sleep(0.05)
    sys.exit("waited in vain")


def reaches(is_reachable):
    wait_until(lambda: ask(follower, "GET", "/health")["following"]["is_primary_reachable"] == is_reachable)


result = {}
push = Client(follower, "/ws/push", fields)
welcome = receive(push)
assert welcome["type"] == "welcome", welcome
revision = ask(follower, "GET", "/api/changes")["revision"]
ours, theirs = remote(follower, "of the follower"), remote(primary, "of the primary")

# A change on the primary: when its event arrives, the follower has it.
ask(primary, "PATCH", "/edit-metadata", {"id": int(track), "title": "Renamed"})
types = []
while "library_changed" not in types:
    types.append(receive(push)["type"])
result["types"] = sorted(set(types))
result["is_changed_here"] = '"Renamed"' in json.dumps(ask(follower, "GET", f"/api/changes?since={revision}"))
ask(primary, "PATCH", f"/listening/tracks/{track}", {"is_starred": True})
receive_until(push, lambda message: message["type"] == "listening_changed")
result["is_starred_here"] = ask(follower, "GET", f"/listening/tracks/{track}")["is_starred"]
receive_until(ours, lambda message: "db_ready" in message)

# Commands reach the primary, which knows the clients of all hosts.
ours.send(TEXT, json.dumps({"play": {"track_id": int(track), "queue_ids": [int(track)]}}).encode())
state = receive_until(ours, lambda message: "playback_state" in message)["playback_state"]
result["plays"] = state["track_id"] == int(track) and state["is_playing"]
result["clients"] = [names(primary), names(follower)]

# Lost: both are closed, and served by the follower.
faults(AWAY)
result["lost"] = [close_code(push), close_code(ours)]
reaches(False)
push, ours = Client(follower, "/ws/push", fields), remote(follower, "again")
result["welcome"] = receive(push)["type"]
result["clients_away"] = names(follower)
# The other host does not know a cursor of the primary.
resumed = Client(follower, f"/ws/push?since={welcome['id']}", fields)
result["resumed"] = [receive(resumed)["type"], receive(resumed)["type"]]

# Back: closed again, and served by the primary.
faults("[]")
result["back"] = [close_code(push), close_code(ours)]
reaches(True)
ours = remote(follower, "at last")
result["clients_back"] = [names(primary), names(follower)]
print(json.dumps(result))
