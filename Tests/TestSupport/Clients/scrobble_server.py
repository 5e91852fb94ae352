"""A stand-in for ListenBrainz and Last.fm that checks every request.

    scrobble_server.py DIARY BEHAVIOUR

Prints its port. Appends an entry for each request to DIARY, as a line of JSON. The file BEHAVIOUR holds one word, which is read
for each request: ok, down (500), limit (429 with X-RateLimit-Reset-In: 1), refuse (401 or error 9), lost (takes the plays and
closes the connection without an answer), unallowed (the user has not allowed the access yet), daily (takes one play a request).
Plays with the title "Bad" are not valid; with the title "Filtered" they are ignored.
"""

import hashlib
import json
import sys
import time
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "user-token"
KEY, SECRET, SESSION = "app-key", "shared-secret", "session-key"
diary, behaviour_file = sys.argv[1:3]
known = {"listenbrainz": set(), "lastfm": set()}


def number(value):
    return isinstance(value, int) and not isinstance(value, bool)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, content, fields=()):
        body = json.dumps(content).encode()
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def note(self, **entry):
        with open(diary, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry | {"time": time.time()}) + "\n")

    def take(self, service, plays):
        """Stores plays; returns how many of them are known already."""
        repeated = sum(play in known[service] for play in plays)
        known[service].update(plays)
        return repeated

    def behaviour(self):
        with open(behaviour_file, encoding="utf-8") as file:
            return file.read().strip()

    def do_GET(self):
        valid = self.headers["Authorization"] == "Token " + TOKEN
        self.note(service="listenbrainz", method="validate-token", wrong=[], count=0, repeated=0, titles=[])
        if self.path != "/1/validate-token":
            return self.reply(404, {"code": 404, "error": "not found"})
        if not valid:
            return self.reply(200, {"code": 200, "message": "Token invalid.", "valid": False})
        return self.reply(200, {"code": 200, "message": "Token valid.", "valid": True, "user_name": "listener"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        behaviour = self.behaviour()
        if behaviour == "down":
            self.note(service="any", method="down", wrong=[], count=0, repeated=0, titles=[])
            return self.reply(500, {"code": 500, "error": "out of order"})
        if behaviour == "limit":
            self.note(service="any", method="limit", wrong=[], count=0, repeated=0, titles=[])
            return self.reply(429, {"code": 429, "error": "slow down"}, [("X-RateLimit-Reset-In", "1"), ("X-RateLimit-Remaining", "0")])
        if self.path == "/1/submit-listens":
            return self.listens(json.loads(body), behaviour)
        if self.path == "/2.0/":
            return self.lastfm(dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True, keep_blank_values=True)), behaviour)
        return self.reply(404, {})

    def listens(self, content, behaviour):
        wrong = []

        def check(holds, text):
            if not holds:
                wrong.append(text)

        kind, payload = content.get("listen_type"), content.get("payload")
        check(self.headers["Content-Type"] == "application/json", "content type")
        check(set(content) == {"listen_type", "payload"}, "fields")
        check(kind in ("single", "import", "playing_now"), "listen_type")
        check(1 <= len(payload) <= 100, "number of listens")
        check(kind == "import" or len(payload) == 1, "several listens")
        titles = []
        for listen in payload:
            data = listen["track_metadata"]
            check(("listened_at" in listen) == (kind != "playing_now"), "listened_at")
            check(number(listen.get("listened_at", 1)), "type of listened_at")
            check(all(isinstance(data.get(name), str) and data[name] for name in ("artist_name", "track_name")), "names")
            info = data["additional_info"]
            check(all(isinstance(info.get(name), str) for name in ("submission_client", "submission_client_version")), "client")
            check(all(number(info[name]) for name in ("duration_ms", "tracknumber") if name in info), "numbers")
            for name in ("recording_mbid", "release_mbid"):
                if name in info:
                    check(str(uuid.UUID(info[name])) == info[name].lower(), name)
            check(None not in info.values() and None not in data.values(), "null")
            titles.append(data["track_name"])
        entry = dict(service="listenbrainz", method=kind, wrong=wrong, count=len(payload), titles=titles, content=content)
        if behaviour == "refuse" or self.headers["Authorization"] != "Token " + TOKEN:
            self.note(**entry, repeated=0)
            return self.reply(401, {"code": 401, "error": "Invalid authorization token."})
        if "Bad" in titles:
            self.note(**entry, repeated=0)
            return self.reply(400, {"code": 400, "error": "a listen is not valid"})
        plays = [] if kind == "playing_now" else [(each["listened_at"], each["track_metadata"]["track_name"]) for each in payload]
        self.note(**entry, repeated=self.take("listenbrainz", plays))
        if behaviour == "lost":
            return self.connection.close()
        return self.reply(200, {"status": "ok"}, [("X-RateLimit-Remaining", "29"), ("X-RateLimit-Reset-In", "10")])

    def lastfm(self, form, behaviour):
        signed = {name: value for name, value in form.items() if name not in ("format", "callback", "api_sig")}
        text = "".join(name + signed[name] for name in sorted(signed)) + SECRET
        wrong = []
        if form.get("api_key") != KEY:
            wrong.append("api_key")
        if form.get("format") != "json":
            wrong.append("format")
        method = form.get("method", "")
        count = sum(name.startswith("artist[") for name in form)
        titles = [form[f"track[{index}]"] for index in range(count)] if method == "track.scrobble" else [form[name] for name in ("track",) if name in form]
        entry = dict(service="lastfm", method=method, wrong=wrong, count=count, titles=titles, content=form)
        if form.get("api_sig") != hashlib.md5(text.encode()).hexdigest():
            self.note(**entry, repeated=0)
            return self.reply(403, {"error": 13, "message": "Invalid method signature supplied"})
        if method == "auth.getToken":
            self.note(**entry, repeated=0)
            return self.reply(200, {"token": "request-token"})
        if method == "auth.getSession":
            self.note(**entry, repeated=0)
            if behaviour == "unallowed":
                return self.reply(403, {"error": 14, "message": "Unauthorized Token - This token has not been authorized"})
            if form.get("token") != "request-token":
                return self.reply(403, {"error": 4, "message": "Invalid authentication token supplied"})
            return self.reply(200, {"session": {"subscriber": 0, "name": "listener", "key": SESSION}})
        if behaviour == "refuse" or form.get("sk") != SESSION:
            self.note(**entry, repeated=0)
            return self.reply(403, {"error": 9, "message": "Invalid session key - Please re-authenticate"})
        if method == "track.updateNowPlaying":
            self.note(**entry, repeated=0)
            return self.reply(200, {"nowplaying": {"ignoredMessage": {"code": "0", "#text": ""}}})
        if not 1 <= count <= 50:
            wrong.append("number of plays")
        if "Bad" in titles:
            self.note(**entry, repeated=0)
            return self.reply(400, {"error": 6, "message": "Invalid parameters"})
        codes = ["1" if title == "Filtered" else "5" if behaviour == "daily" and index else "0" for index, title in enumerate(titles)]
        plays = [(form[f"timestamp[{index}]"], titles[index]) for index in range(count) if codes[index] == "0"]
        self.note(**entry, repeated=self.take("lastfm", plays))
        if behaviour == "lost":
            return self.connection.close()
        answers = [{"ignoredMessage": {"code": code, "#text": ""}} for code in codes]
        return self.reply(200, {"scrobbles": {"scrobble": answers[0] if count == 1 else answers, "@attr": {"accepted": len(plays), "ignored": count - len(plays)}}})


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
