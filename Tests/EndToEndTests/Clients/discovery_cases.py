"""The host's announcement, tested with a real avahi-daemon on a separate bus and network.

usage: discovery_cases.py FOLDER_OF_PROGRAMS CASE
"""
import os
import re
import signal
import subprocess
import sys
import time

from host_process import Host, end_with_parent, library, until

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
    <allow send_type="method_call"/>
  </policy>
</busconfig>
"""
DAEMON = """[server]
host-name=testhost
use-ipv4=yes
use-ipv6=no
enable-dbus=yes
allow-interfaces=lo
ratelimit-interval-usec=0
[wide-area]
enable-wide-area=no
[publish]
publish-workstation=no
"""
# Sends a plain multicast query like any resolver, for one TXT record, and prints the bytes of the answer.
QUESTION = r"""
import socket, struct, sys
asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asker.settimeout(5)
asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
name = b"".join(bytes([len(part.encode())]) + part.encode() for part in sys.argv[1:]) + b"\0"
asker.sendto(struct.pack(">6H", 7, 0, 1, 0, 0, 0) + name + struct.pack(">2H", 16, 1), ("224.0.0.251", 5353))
print(asker.recv(9000).hex())
"""


class Network:
    """A bus, and a network without other announcements."""

    def __init__(self, folder, has_bus=True):
        self.folder = f"{folder}-network"
        os.makedirs(self.folder)
        self.socket = f"{self.folder}/bus"
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.socket}"}
        self.bus = self.daemon = None
        if has_bus:
            self.start_bus()

    def start_bus(self):
        with open(f"{self.folder}/bus.conf", "w") as file:
            file.write(BUS % self.socket)
        self.bus = subprocess.Popen(["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile"],
                                    stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
        until(lambda: os.path.exists(self.socket), "the bus is running")

    def start(self):
        with open(f"{self.folder}/avahi.conf", "w") as file:
            file.write(DAEMON)
        # In a network without routes, with private files, so that a daemon on this machine is not disturbed.
        script = (f"mount -t tmpfs none /run; mkdir /run/avahi-daemon; ip link set lo up; ip route add 224.0.0.0/4 dev lo; "
                  f"exec avahi-daemon -f {self.folder}/avahi.conf --no-drop-root --no-chroot --no-rlimits")
        self.log = open(f"{self.folder}/log", "a+")
        self.daemon = subprocess.Popen(["unshare", "--mount", "--net", "sh", "-c", script], stderr=self.log,
                                       stdout=self.log, env={**os.environ, **self.environment},
                                       preexec_fn=end_with_parent)
        until(lambda: self.browse() is not None, "the daemon is running")

    def stop(self):
        self.daemon.kill()
        self.daemon.wait()

    def end(self):
        for process in (self.daemon, self.bus):
            if process:
                process.kill()
                process.wait()

    def browse(self, kind="_kanora._tcp"):
        """Services found by an independent browser: name, host, address, port, texts. None without a daemon."""
        try:
            run = subprocess.run(["avahi-browse", "--resolve", "--parsable", "--terminate", "--no-db-lookup", kind],
                                 capture_output=True, text=True, env={**os.environ, **self.environment}, timeout=20)
        except subprocess.TimeoutExpired:
            # It hangs forever if the daemon goes away during a query.
            return None
        if run.returncode:
            assert self.daemon.poll() is None, open(self.log.name).read()
            return None
        found = []
        for line in run.stdout.splitlines():
            if line.startswith("="):
                fields = line.split(";", 9)
                name = re.sub(r"(\\\d{3})+", lambda match: bytes(
                    int(code) for code in match[0].split("\\")[1:]).decode(), fields[3])
                found.append({"name": name, "host": fields[6], "address": fields[7], "port": int(fields[8]),
                              "texts": re.findall(r'"([^"]*)"', fields[9])})
        return sorted(found, key=lambda service: service["name"])

    def names(self, kind="_kanora._tcp"):
        return [service["name"] for service in self.browse(kind) or []]

    def ask(self, *labels):
        run = subprocess.run(["nsenter", "-t", str(self.daemon.pid), "--net", "python3", "-c", QUESTION, *labels],
                             capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return bytes.fromhex(run.stdout)


def announced(music):
    """An independent browser finds the host under both types, with name, port and version; so does stream-player."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    network = Network(music.data)
    network.start()
    # Reachable only from this machine, and therefore not announced.
    private = Host(music.with_own_data("private"), "--name", "Private", environment=network.environment)
    silent = Host(music.with_own_data("silent"), "--name", "Silent", "--host", "0.0.0.0", "--no-announce",
                  environment=network.environment)
    host = Host(music, "--name", "Öl & Attic", "--host", "0.0.0.0", environment=network.environment)
    (found,) = until(network.browse, "the host is announced")
    assert found["name"] == "Öl & Attic" and found["port"] == host.port and found["host"] == "testhost.local", found
    wanted = {"txtvers=1", "proto=1", f"port={host.port}", "tls=0", "auth=key"}
    assert wanted < set(found["texts"]) and len(found["texts"]) == 6, found
    (page,) = until(lambda: network.browse("_http._tcp"), "the page is announced")
    assert page["name"] == "Öl & Attic" and page["port"] == host.port and "path=/" in page["texts"], page
    assert not any(host.key in text for service in (found, page) for text in service["texts"])
    # In the packet the version of the TXT record comes first (RFC 6763, section 6.7).
    answer = network.ask("Öl & Attic", "_kanora", "_tcp", "local")
    texts = answer.index(b"\x09txtvers=1")
    assert texts < answer.index(b"\x07proto=1") and answer[texts - 2:texts] == (len(answer) - texts).to_bytes(2, "big")
    run = music.run("find", "--seconds", "2", env={**os.environ, **network.environment})
    assert run.stdout == f"Öl & Attic  http://127.0.0.1:{host.port}  testhost.local\n", run
    line = f"found  Öl & Attic  http://127.0.0.1:{host.port} http://testhost.local:{host.port}"
    player = [os.path.join(sys.argv[1], "stream-player"), "connect", "--folder", f"{music.data}-player"]
    environment = {**os.environ, **network.environment}
    run = subprocess.run([*player, "--seconds", "10"], env=environment, capture_output=True, text=True)
    assert run.stdout == line + "\n", run
    with open(f"{music.data}-watched", "w") as watched:
        watch = subprocess.Popen([*player, "--watch"], env=environment, stdout=watched, preexec_fn=end_with_parent)
    until(lambda: open(watched.name).read() == line + "\n", "the player finds the host")
    other = Host(music.with_own_data("cellar"), "--name", "Cellar", "--host", "0.0.0.0", "--trust-lan",
                 environment=network.environment)
    until(lambda: open(watched.name).read().count("found") == 2, "the player finds another host")
    assert "found  Cellar" in open(watched.name).read()
    assert open(watched.name).read().splitlines()[1].endswith("no API key required"), open(watched.name).read()
    other.end()
    until(lambda: open(watched.name).read().splitlines()[2:] == ["lost   Cellar"], "the player loses it")
    assert 'announced in the local network as "Öl & Attic"' in host.said()
    host.end()
    until(lambda: network.names() == [], "a terminating host withdraws its announcement")
    until(lambda: open(watched.name).read().splitlines()[3:] == ["lost   Öl & Attic"], "the player notices")
    watch.kill()
    watch.wait()
    private.end()
    silent.end()
    network.end()


def collisions(music):
    """Hosts with the same name get numbers; a released name is reused."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    network = Network(music.data)
    network.start()
    hosts = [Host(music.with_own_data(number), "--name", "Attic", "--host", "0.0.0.0", environment=network.environment)
             for number in range(3)]
    until(lambda: network.names() == ["Attic", "Attic #2", "Attic #3"], "each has a unique name")
    # Both service types have the same name.
    until(lambda: network.names("_http._tcp") == ["Attic", "Attic #2", "Attic #3"], "so do their web pages")
    # A killed host cannot withdraw its announcement; the daemon does.
    hosts[0].kill()
    until(lambda: network.names() == ["Attic #2", "Attic #3"], "the killed host is gone")
    long = Host(music, "--name", "ö" * 100, "--host", "0.0.0.0", environment=network.environment)
    until(lambda: "ö" * 31 in network.names(), "a long name is cut to 63 bytes at a character boundary")
    for host in (*hosts[1:], long):
        host.end()
    network.end()


def restarts(music):
    """Without bus or daemon the host runs, reports it once, and is announced when they appear, each time."""
    music.make("Song.mp3", seconds=5)
    music.analyse()
    network = Network(music.data, has_bus=False)
    host = Host(music, "--name", "Attic", "--host", "0.0.0.0", environment=network.environment)
    until(lambda: "not announced in the local network" in host.complaints(), "the problem is logged")
    assert "avahi-daemon" in host.complaints() and host.get("/auth")[0] == 200
    none = music.run("find", "--seconds", "0.5", env={**os.environ, **network.environment})
    assert none.returncode == 1 and "is avahi-daemon running" in none.stderr, none
    network.start_bus()
    network.start()
    until(lambda: network.names() == ["Attic"], "it is announced once there is a daemon")
    for _ in range(2):
        network.stop()
        assert host.get("/auth")[0] == 200
        time.sleep(1)
        network.start()
        until(lambda: network.names() == ["Attic"], "it is announced again")
    # The bus itself is restarted.
    network.end()
    os.remove(network.socket)
    until(lambda: host.complaints().count("not announced") >= 4, "the problem is logged")
    network.start_bus()
    network.start()
    until(lambda: network.names() == ["Attic"], "it is announced on the new bus")
    # Logged once each time, regardless of the number of attempts.
    assert host.complaints().count("not announced") == 4, host.complaints()
    assert host.get("/auth")[0] == 200
    # None of those connections is left open.
    count = len(os.listdir(f"/proc/{host.process.pid}/fd"))
    for _ in range(3):
        network.stop()
        network.start()
        until(lambda: network.names() == ["Attic"], "it is announced again")
    assert abs(len(os.listdir(f"/proc/{host.process.pid}/fd")) - count) <= 2
    start = time.monotonic()
    host.end()
    assert time.monotonic() - start < 30
    network.end()


if __name__ == "__main__":
    with library(sys.argv[1]) as folder:
        globals()[sys.argv[2]](folder)
