"""Drives headless Chromium with chromedriver, using only Python's standard library."""

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request


class Browser:
    """A browser with its own profile, closed at the end of its `with` block."""

    def __init__(self, width=1280, height=800, options=()):
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": self.folder})
        try:
            self._open(width, height, options)
        except BaseException:
            self._end()
            raise

    def _open(self, width, height, options):
        port = None
        while port is None:
            line = self.driver.stdout.readline()
            if not line:
                raise RuntimeError("chromedriver did not start")
            port = re.search(rb"on port (\d+)\.", line)
        self.base = f"http://127.0.0.1:{port[1].decode()}"
        arguments = [
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio",
            "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={self.folder}/profile", *options]
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": arguments}, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = f"/session/{made['sessionId']}"
        self._ask("POST", f"{self.session}/timeouts", {"script": 600_000})
        self.size(width, height)

    def _ask(self, method, path, body=None):
        request = urllib.request.Request(
            self.base + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def devtools(self, command, **parameters):
        """Sends a command of the DevTools protocol."""
        return self._ask("POST", f"{self.session}/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, density=1, mobile=False):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=density,
                      mobile=mobile)

    def go(self, url):
        self._ask("POST", f"{self.session}/url", {"url": url})

    def run(self, body, *arguments):
        """Returns the value of an async function body; `args` contains the arguments."""
        source = """const done = arguments[arguments.length - 1], args = Array.from(arguments).slice(0, -1);
            (async () => { %s })().then(value => done({value}), error => done({error: String(error && error.stack || error)}));"""
        answer = self._ask("POST", f"{self.session}/execute/async", {"script": source.replace("%s", body), "args": arguments})
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer.get("value")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.devtools("Page.captureScreenshot", format="png")["data"]))

    def console(self):
        """Returns the page's console warnings and errors."""
        return self._ask("POST", f"{self.session}/se/log", {"type": "browser"})

    def enter(self, url, key, path="#/"):
        """Opens a view of the player with the key."""
        self.go(f"{url}/health")
        self.run("localStorage.setItem('host.key', args[0]); localStorage.setItem('host.name', 'host')", key)
        self.go(f"{url}/{path}")

    def work(self):
        """Returns the CPU milliseconds of the page's main thread so far, by kind, excluding other processes."""
        metrics = {each["name"]: each["value"] for each in self.devtools("Performance.getMetrics")["metrics"]}
        return {kind: 1000 * metrics[name] for kind, name in [
            ("scripting", "ScriptDuration"), ("style", "RecalcStyleDuration"), ("layout", "LayoutDuration"),
            ("all", "TaskDuration")]}

    def processes(self):
        """Returns kind, CPU seconds so far and memory in MB of each of the browser's processes."""
        told, family = [], {self.driver.pid}
        for number in sorted(int(name) for name in os.listdir("/proc") if name.isdigit()):
            try:
                with open(f"/proc/{number}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                if int(fields[1]) not in family:
                    continue
                family.add(number)
                with open(f"/proc/{number}/cmdline") as file:
                    kind = re.search(r"--type=([a-z-]+)", file.read())
                with open(f"/proc/{number}/status") as file:
                    memory = re.search(r"VmRSS:\s+(\d+)", file.read())
            except OSError:
                continue
            ticks = os.sysconf("SC_CLK_TCK")
            told.append((kind[1] if kind else "browser", (int(fields[11]) + int(fields[12])) / ticks, int(memory[1]) / 1024 if memory else 0))
        return told

    def cpu(self):
        """Returns the CPU seconds of all the browser's processes so far."""
        return sum(seconds for _, seconds, _ in self.processes())

    def _end(self):
        self.driver.kill()
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._ask("DELETE", self.session)
        except (OSError, RuntimeError):
            pass
        self._end()
