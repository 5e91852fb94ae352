"""A stand-in for Navidrome: checks that requests conform to the Subsonic API 1.16.1, and logs them.

Usage: subsonic_server.py BEHAVIOUR DIARY [PASSWORD]

Prints its port. Written from http://www.subsonic.org/pages/api.jsp and the responses of Navidrome 0.52. DIARY gets a JSON
line per request. BEHAVIOUR is a name below, or several separated by commas: one per request, the last one for all that
follow.
"""

import hashlib
import http.server
import json
import socket
import sys
import threading
import time
import urllib.parse

behaviours = sys.argv[1].split(",")
diary = open(sys.argv[2], "a", buffering=1)
password = sys.argv[3] if len(sys.argv) > 3 else "sesame"
base = "/navidrome"
scan_seconds = 1.0
lock = threading.Lock()
state = {"count": 0, "scan_ends": 0.0}


def envelope(**content):
    return {"subsonic-response": {
        "version": "1.16.1", "type": "navidrome", "serverVersion": "0.52.5 (c5560888)", "openSubsonic": True,
        **content}}


def failure(code, message):
    return envelope(status="failed", error={"code": code, "message": message})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True, strict_parsing=True)
        one = {name: values[0] for name, values in query.items()}
        with lock:
            behaviour = behaviours[min(state["count"], len(behaviours) - 1)]
            state["count"] += 1
        wrong = []
        if any(len(values) != 1 for values in query.values()):
            wrong.append("a parameter twice")
        for name in ("u", "t", "s", "v", "c", "f"):
            if not one.get(name):
                wrong.append("no " + name)
        if "p" in one:
            wrong.append("a password")
        if one.get("v") != "1.16.1" or one.get("f") != "json":
            wrong.append("version or form")
        if len(one.get("s", "")) < 6:
            wrong.append("a short salt")
        right = hashlib.md5((password + one.get("s", "")).encode()).hexdigest() == one.get("t")
        diary.write(json.dumps({
            "path": url.path, "user": one.get("u"), "client": one.get("c"), "salt": one.get("s"), "token": one.get("t"),
            "agent": self.headers.get("User-Agent"), "right": right, "wrong": wrong, "time": time.monotonic(),
            "behaviour": behaviour}) + "\n")
        if behaviour == "slow":
            time.sleep(5)
        if behaviour == "cut":
            self.close_connection = True
            return
        if behaviour == "html":
            # A single-page application responds to everything with its page.
            return self.send(200, b"<!doctype html><title>Navidrome</title>" + self.path.encode(), "text/html; charset=utf-8")
        if behaviour == "endless":
            return self.send(200, b"[" + b"1," * (4 << 20), "application/json")
        if behaviour == "gateway":
            return self.send(502, b"<html>Bad Gateway</html>", "text/html")
        if behaviour == "redirect":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.1:9/" + self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if url.path not in (base + "/rest/startScan.view", base + "/rest/getScanStatus.view"):
            return self.send(404, b"404 page not found", "text/plain")
        if wrong:
            answer = failure(10, ", ".join(wrong))
        elif not right:
            # A response that repeats what was sent, to check that it does not get into a log.
            answer = failure(40, "Wrong username or password: %s %s\n" % (one["t"], one["s"]))
        elif behaviour == "forbidden":
            answer = failure(50, "User is not authorized for the given operation")
        elif behaviour == "generic":
            answer = failure(0, "database is locked")
        else:
            now = time.monotonic()
            with lock:
                if behaviour == "busy":
                    state["scan_ends"] = now + scan_seconds
                elif url.path.endswith("startScan.view"):
                    state["scan_ends"] = now + scan_seconds
                scanning = now < state["scan_ends"]
            answer = envelope(status="ok", scanStatus={
                "scanning": scanning, "count": 1234, "folderCount": 56, "lastScan": "2026-11-21T21:00:00.123Z"})
        self.send(200, json.dumps(answer).encode(), "application/json")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
# Ends with its parent.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
