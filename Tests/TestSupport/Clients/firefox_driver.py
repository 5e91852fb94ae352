"""A WebDriver server for Firefox: classic WebDriver (W3C) for the caller, WebDriver BiDi (W3C) for the browser.

geckodriver would do the same, but not every distribution has it. It prints its port, like chromedriver. Firefox has no audio
clock without a sound device, so a null device of PulseAudio is started with it.
"""
import contextlib
import http.server
import json
import os
import re
import subprocess
import tempfile
import time

from driver_helpers import end_with_caller, start
from websocket_client import CLOSE, PING, PONG, TEXT, Client

# Maximum duration of a caller's script in seconds.
TIMEOUT = 300
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False, "browser.startup.page": 0, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    # Its audio process and PulseAudio's thread occasionally deadlock: less often if pages access PulseAudio directly.
    "media.cubeb.sandbox": False, "security.sandbox.content.level": 0,
}
# Not subject to the page's Content-Security-Policy regarding `eval`.
CALL = """args => new Promise(done => {{
    (function () {{ {script}
    }}).apply(window, [...JSON.parse(args), value => done(JSON.stringify(value ?? null))]);
}})"""


class BrowserError(Exception):
    """A command that the browser did not follow."""


class Firefox:
    def __init__(self, preferences):
        # Its folder is removed with the caller's.
        self.folder = tempfile.mkdtemp()
        with open(f"{self.folder}/user.js", "w") as file:
            for name, value in {**PREFERENCES, **preferences}.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        log = f"{self.folder}/log"
        command = ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port=0",
                   "--profile", self.folder]
        with open(log, "wb") as output:
            self.process = start(command, stdout=output, stderr=output, env={**os.environ, **self.sound()})
        port = None
        while port is None:
            if self.process.poll() is not None:
                raise BrowserError("firefox-esr did not start")
            time.sleep(0.1)
            with open(log, errors="replace") as file:
                port = re.search(r"listening on ws://[^:]+:(\d+)", file.read())
        self.client = Client(int(port[1]), "/session", host=f"127.0.0.1:{port[1]}")
        self.client.socket.settimeout(TIMEOUT)
        self.count = 0
        self.entries = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.context = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def sound(self):
        """Starts a null sound device if PulseAudio is installed."""
        socket = f"{self.folder}/sound"
        own = {"HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "XDG_CONFIG_HOME": self.folder}
        daemon = start(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
             "--load=module-null-sink", f"--load=module-native-protocol-unix socket={socket} auth-anonymous=1"],
            env={**os.environ, **own})
        while not os.path.exists(socket):
            if daemon.poll() is not None:
                raise BrowserError("pulseaudio did not start")
            time.sleep(0.05)
        return {"PULSE_SERVER": f"unix:{socket}"}

    def ask(self, method, **parameters):
        self.count += 1
        self.client.send(TEXT, json.dumps({"id": self.count, "method": method, "params": parameters}).encode())
        while True:
            kind, payload = self.client.message()
            if kind == PING:
                self.client.send(PONG, payload)
            if kind == CLOSE:
                raise BrowserError("the browser is gone")
            if kind != TEXT:
                continue
            message = json.loads(payload)
            if message.get("method") == "log.entryAdded":
                self.entries.append(message["params"])
            if message.get("id") == self.count:
                if message["type"] == "error":
                    raise BrowserError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def run(self, script, arguments):
        answer = self.ask(
            "script.callFunction", functionDeclaration=CALL.format(script=script), awaitPromise=True,
            userActivation=True, target={"context": self.context},
            arguments=[{"type": "string", "value": json.dumps(arguments)}])
        if answer["type"] == "exception":
            raise BrowserError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def taken_entries(self):
        # Events sent before a response arrive before it.
        self.ask("session.status")
        taken, self.entries = self.entries, []
        levels = {"error": "SEVERE", "warn": "WARNING"}
        return [{"level": levels.get(each["level"], "INFO"), "message": each.get("text") or ""} for each in taken]


class Session:
    """The commands of classic WebDriver by path."""

    def __init__(self):
        self.firefox = None

    def answer(self, method, path, body):
        if path == "/session":
            settings = body["capabilities"]["alwaysMatch"].get("moz:firefoxOptions", {}).get("args", [])
            self.firefox = Firefox(dict(preference(each) for each in settings))
            return {"sessionId": "1", "capabilities": {}}
        firefox = self.firefox
        command = path.removeprefix("/session/1").strip("/")
        here = {"context": firefox.context}
        if method == "DELETE":
            with contextlib.suppress(OSError, EOFError, BrowserError):
                firefox.ask("browser.close")
            firefox.process.wait()
        elif command == "url":
            firefox.ask("browsingContext.navigate", **here, url=body["url"], wait="complete")
        elif command == "refresh":
            firefox.ask("browsingContext.reload", **here, wait="complete")
        elif command == "execute/async":
            return firefox.run(body["script"], body["args"])
        elif command == "window/rect":
            viewport = {"width": body["width"], "height": body["height"]}
            firefox.ask("browsingContext.setViewport", **here, viewport=viewport)
        elif command == "screenshot":
            return firefox.ask("browsingContext.captureScreenshot", **here)["data"]
        elif command == "se/log":
            return firefox.taken_entries()
        elif command == "element":
            found = firefox.ask("browsingContext.locateNodes", **here, locator={"type": "css", "value": body["value"]})
            if not found["nodes"]:
                raise BrowserError(f"no {body['value']}")
            return {"element": found["nodes"][0]["sharedId"]}
        elif command.endswith("/click"):
            origin = {"type": "element", "element": {"sharedId": command.split("/")[1]}}
            actions = [{"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                       {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
            firefox.ask("input.performActions", **here, actions=[{"type": "pointer", "id": "hand", "actions": actions}])
        elif command != "timeouts":
            raise BrowserError(f"there is no {command}")
        return None


def preference(text):
    """Parses a preference name=value: a number, true or false, or a text."""
    name, value = text.split("=", 1)
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


class Handler(http.server.BaseHTTPRequestHandler):
    session = Session()

    def handle_command(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        try:
            status, value = 200, self.session.answer(self.command, self.path, body)
        except (BrowserError, OSError, EOFError) as error:
            status, value = 500, {"error": "unknown error", "message": str(error)}
        content = json.dumps({"value": value}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = handle_command

    def log_message(self, *_):
        pass


end_with_caller()
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(f"on port {server.server_port}.", flush=True)
server.serve_forever()
