"""A stand-in for AcoustID: checks that requests conform to https://acoustid.org/webservice, and logs them.

Usage: acoustid_server.py DIARY ANSWERS KEY

Prints its port. DIARY gets a JSON line per request. ANSWERS is a file with the status and the content of the answer to requests with
the right key: a JSON object {"status": …, "body": …}; it is read at each request.
"""

import base64
import http.server
import json
import sys
import time
import urllib.parse

diary_path, answers_path, key = sys.argv[1:4]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        parameters = dict(urllib.parse.parse_qsl(address.query, strict_parsing=True))
        wrong = []
        if address.path != "/v2/lookup":
            wrong.append("path")
        if set(parameters) != {"client", "format", "meta", "duration", "fingerprint"}:
            wrong.append("parameters")
        if not parameters.get("duration", "").isdigit():
            wrong.append("duration")
        text = parameters.get("fingerprint", "")
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        # The algorithm, then the number of words in three bytes.
        if len(raw) < 8 or raw[0] != 1 or int.from_bytes(raw[1:4], "big") == 0:
            wrong.append("fingerprint")
        with open(diary_path, "a") as out:
            out.write(json.dumps({"wrong": wrong, "duration": parameters.get("duration"), "time": time.monotonic(),
                                  "agent": self.headers.get("User-Agent"), "fingerprint": text}) + "\n")
        if parameters.get("client") != key:
            status, body = 400, json.dumps({"status": "error", "error": {"code": 4, "message": "invalid API key"}})
        else:
            answer = json.load(open(answers_path))
            status, body = answer["status"], answer["body"]
        content = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
