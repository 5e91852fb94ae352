#!/usr/bin/env python3
"""Requests a segment repeatedly on one connection: kept_segments.py PORT AUTHORIZATION PATH FILE TOKEN_PATH

Prints as JSON the statuses with the key, the status after the modification time of FILE has changed, and the statuses of
TOKEN_PATH without the key, which is requested until it is rejected.
"""

import http.client
import json
import os
import sys
import time

port, authorization, path, file, token_path = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=600)


def ask(path, **fields):
    connection.request("GET", path, headers=fields)
    answer = connection.getresponse()
    return answer.status, answer.read()


key = {"Authorization": authorization}
first = ask(path, **key)
again = [ask(path, **key) for _ in range(4)]
wrong = ask(path, Authorization=authorization[:-1] + ("A" if authorization[-1] != "A" else "B"))[0]
by_token = [ask(token_path)[0]]
while by_token[-1] == 200 and len(by_token) < 1200:
    time.sleep(0.05)
    by_token.append(ask(token_path)[0])
status = os.stat(file)
os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 10**9))
print(json.dumps({
    "first": first[0], "same": sum(each == first for each in again), "wrong": wrong, "byToken": by_token[0],
    "atLast": by_token[-1], "tokenCount": len(by_token), "changed": ask(path, **key)[0],
}))
