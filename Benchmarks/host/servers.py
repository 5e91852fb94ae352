"""The compared servers and their resource usage."""

import os
import re
import socket
import subprocess
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A running server with all its processes."""

    def __init__(self, command, port):
        self.base = f"http://127.0.0.1:{port}"
        self.port = port
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{command[0]} did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def processes(self):
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def cpu_seconds(self):
        """Returns the user and system time of all its processes so far."""
        total = 0
        for pid in self.processes():
            fields = Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def memory_megabytes(self, name="VmRSS"):
        total = 0
        for pid in self.processes():
            total += int(re.search(rf"{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])
        return total / 1024


class StreamHost(Server):
    def __init__(self, project, folder):
        program = project / ".build/release/stream-host"
        data = folder / "data"
        super().__init__([program, "serve", "--no-watch", "--music", folder / "music", "--data", data, "--quiet",
                          "--port", str(port := free_port())], port)
        self.key = subprocess.run([program, "key", "show", "--data", data], capture_output=True, text=True,
                                  check=True).stdout.strip()


class Nginx(Server):
    def __init__(self, folder, nopush):
        port = free_port()
        place = folder / f"nginx-{nopush}"
        place.mkdir(exist_ok=True)
        (place / "nginx.conf").write_text(f"""
            daemon off; worker_processes {os.cpu_count()}; pid {place}/pid; error_log /dev/null;
            user root;
            events {{ worker_connections 4096; }}
            http {{
              access_log off; sendfile on; tcp_nopush {"on" if nopush else "off"}; tcp_nodelay on;
              keepalive_requests 1000000000; open_file_cache max=10000; open_file_cache_valid 300s;
              types {{ audio/mpeg mp3; }}
              client_body_temp_path {place}/b; proxy_temp_path {place}/p; fastcgi_temp_path {place}/f;
              uwsgi_temp_path {place}/u; scgi_temp_path {place}/s;
              server {{ listen 127.0.0.1:{port}; root {folder}/static; }}
            }}""")
        super().__init__(["nginx", "-p", place, "-c", place / "nginx.conf"], port)


class Bare(Server):
    """libmicrohttpd without stream-host."""

    def __init__(self, project, folder):
        program = folder / "bare"
        subprocess.run(["clang", "-O2", "-o", program, project / "Benchmarks/host/bare.c", "-lmicrohttpd"], check=True)
        super().__init__([program, str(port := free_port()), folder / "static", str(os.cpu_count())], port)
