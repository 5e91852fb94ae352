"""Runs wrk with a list of paths."""

import os
import re
import subprocess
from dataclasses import dataclass


@dataclass
class Answered:
    """Results of a server under load."""

    requests: int
    requests_per_second: float
    megabytes_per_second: float
    p99_milliseconds: float


def script_for(paths, folder, name, once):
    """Writes a wrk script that requests the paths in turn.

    With `once`, a counter makes each address a new one. It is the value of `token`, a parameter that stream-host accepts for
    all paths, and ignores in requests with a key; nginx ignores all parameters.
    """
    (folder / f"{name}.txt").write_text(
        "\n".join(path + (("&" if "?" in path else "?") + "token=" if once else "") for path in paths))
    file = folder / f"{name}.lua"
    file.write_text(f"""
local paths = {{}}
for path in io.lines("{folder / name}.txt") do paths[#paths + 1] = path end
local number = 0
wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
request = function()
  number = number + 1
  return wrk.format("GET", paths[(number - 1) % #paths + 1]{" .. number" if once else ""})
end
""")
    return file


def ask(base, script, connections, seconds, key):
    """Sends requests as fast as the server answers; fails if any response is an error."""
    text = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), base],
        capture_output=True, text=True, check=True, env={**os.environ, "KEY": key}).stdout
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    assert not bad, f"{script.stem}: {bad[1]} responses were errors"
    amount, unit = re.search(r"Transfer/sec:\s+([\d.]+)(\w+)", text).groups()
    late, late_unit = re.search(r"99%\s+([\d.]+)(\w+)", text).groups()
    return Answered(
        int(re.search(r"(\d+) requests in", text)[1]),
        float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
        float(amount) * {"KB": 1 / 1024, "MB": 1, "GB": 1024}[unit] * 1.048576,
        float(late) * {"us": 0.001, "ms": 1, "s": 1000}[late_unit])
