"""A crowd on the remote channel: half of it slow, some clients dying silently. No other client misses an event.

usage: crowd_cases.py FOLDER_OF_PROGRAMS crowd

CROWD_CLIENTS (200), CROWD_SECONDS (20) and CROWD_DEATHS, the fraction that dies per minute (0.5), change the load;
CROWD_DIRECTORY is an alternative folder for the databases. The measurements are printed.
"""
import json
import os
import random
import re
import resource
import selectors
import shutil
import socket
import struct
import sys
import threading
import time

from host_process import Host, get, library, reset, until

CLIENTS = int(os.environ.get("CROWD_CLIENTS", 200))
SECONDS = float(os.environ.get("CROWD_SECONDS", 20))
DEATHS = float(os.environ.get("CROWD_DEATHS", 0.5))
EVENTS_A_SECOND = 2
# Bytes per second that a slow client reads: less than is sent.
SLOW_BYTES = 256
GREETING = b'{"protocol_version":1,"app_version":"crowd"}'


class Member:
    """A client of the crowd; a single thread serves all of them."""

    def __init__(self, crowd, host, is_slow):
        self.crowd, self.is_slow = crowd, is_slow
        self.buffer, self.numbers, self.late = bytearray(), [], []
        self.is_open = self.is_frozen = self.was_refused = False
        self.joined_at = None
        self.socket = socket.socket()
        # A small buffer for clients that do not read.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(100)
        self.socket.connect(("127.0.0.1", host.port))
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {host.key}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            + bytes([0x81, 0x80 | len(GREETING)]) + bytes(4) + GREETING)
        self.socket.setblocking(False)

    def read(self, limit):
        try:
            data = self.socket.recv(limit)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        self.buffer += data
        if not self.is_open:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return True
            assert b" 101 " in self.buffer[:40], self.buffer[:200]
            del self.buffer[:end + 4]
            self.is_open = True
        while self.take():
            pass
        return True

    def take(self):
        if len(self.buffer) < 2:
            return False
        length, start = self.buffer[1], 2
        if length == 126:
            if len(self.buffer) < 4:
                return False
            length, start = struct.unpack(">H", self.buffer[2:4])[0], 4
        if len(self.buffer) < start + length:
            return False
        opcode, payload = self.buffer[0] & 15, bytes(self.buffer[start:start + length])
        del self.buffer[:start + length]
        if opcode == 9:
            # If the socket cannot be set up like this, the client is not read either.
            try:
                self.socket.send(b"\x8a\x80" + bytes(4))
            except OSError:
                pass
        elif opcode == 8:
            self.was_refused = True
        elif payload.startswith(b'{"app_version"'):
            self.joined_at = self.crowd.sent
        elif match := re.search(rb"/(\d{6})\.mp3", payload):
            number = int(match[1])
            self.numbers.append(number)
            self.late.append(time.monotonic() - self.crowd.times[number])
        else:
            assert payload == b'{"db_ready":{}}', payload
        return True


class Crowd:
    def __init__(self, host):
        self.host = host
        # Events sent or in progress; a client that joins now receives the next one at the latest.
        self.sent = 0
        self.times = {}
        self.members, self.gone = set(), []
        self.selector = selectors.DefaultSelector()
        self.deaths = {"reset": 0, "frozen": 0}
        self.lost_slow = self.lost_fast = 0

    def add(self, is_slow):
        member = Member(self, self.host, is_slow)
        self.members.add(member)
        if not is_slow:
            self.selector.register(member.socket, selectors.EVENT_READ, member)

    def remove(self, member):
        self.members.discard(member)
        if not member.is_slow and not member.is_frozen:
            self.selector.unregister(member.socket)
        self.gone.append(member)

    def kill_one(self):
        member = random.choice([member for member in self.members if not member.is_frozen])
        if random.random() < 0.5:
            self.deaths["reset"] += 1
            self.remove(member)
            reset(member.socket)
        else:
            # A machine without network: nothing is read, answered or closed any more.
            self.deaths["frozen"] += 1
            self.remove(member)
            member.is_frozen = True
        return member

    def serve(self, seconds):
        """Reads available data: everything for fast clients, a little per second for slow ones."""
        end = time.monotonic() + seconds
        turn = time.monotonic()
        while time.monotonic() < end:
            for key, _ in self.selector.select(0.05):
                member = key.data
                if not member.read(1 << 16):
                    self.lost_fast += 1
                    self.remove(member)
            if time.monotonic() >= turn:
                turn += 0.25
                for member in [member for member in self.members if member.is_slow]:
                    if not member.read(SLOW_BYTES // 4 if member.is_open else 4096):
                        self.lost_slow += 1
                        self.remove(member)
                        member.socket.close()
                        self.add(True)


def memory(host):
    with open(f"/proc/{host.process.pid}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) / 1024


def crowd(music):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    assert limit > 2 * CLIENTS + 200, f"{limit} open files are too few for {CLIENTS} clients"
    # One event for each track whose file is gone. Long names make the slow clients fall behind.
    count = int(SECONDS * EVENTS_A_SECOND) + 1
    first = music.make("first.mp3", seconds=2)
    folder = f"{music.music}/" + "/".join(["x" * 200] * 4)
    os.makedirs(folder)
    for number in range(count):
        shutil.copyfile(first, f"{folder}/{number:06}.mp3")
    music.analyse()
    host = Host(music)
    tracks = {}
    for offset in range(0, count + 1, 500):
        for track in host.json(f"/api/tracks?limit=500&offset={offset}")["items"]:
            if match := re.search(r"/(\d{6})\.mp3", track["relative_path"]):
                tracks[int(match[1])] = track["id"]
    assert len(tracks) == count, len(tracks)
    people = Crowd(host)
    empty = memory(host)
    for index in range(CLIENTS):
        people.add(is_slow=index % 2 == 1)
        if index % 50 == 49:
            people.serve(0.01)
    until(lambda: people.serve(0.2) or all(member.joined_at is not None for member in people.members), "all have joined")
    joined = memory(host)
    ending = threading.Event()

    def tell():
        for number in range(count):
            os.remove(f"{folder}/{number:06}.mp3")
            people.times[number] = time.monotonic()
            people.sent = number + 1
            status, _, _ = get(host.port, f"/tracks/{tracks[number]}/stream.m3u8", host.key)
            assert status == 404, status
            if ending.wait(1 / EVENTS_A_SECOND):
                return

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    start = time.monotonic()
    most, dead = joined, 0
    while teller.is_alive():
        people.serve(1)
        most = max(most, memory(host))
        while dead < (time.monotonic() - start) / 60 * DEATHS * CLIENTS:
            people.add(people.kill_one().is_slow)
            dead += 1
    assert people.sent == count, "not all events were sent"
    # Replacements of clients that died at the end do not receive anything any more.
    until(lambda: people.serve(0.2) or all(member.joined_at is not None for member in people.members), "all have joined")
    fast = [member for member in people.members if not member.is_slow and member.joined_at < count]
    until(lambda: people.serve(0.2) or all(count - 1 in member.numbers for member in fast), "the last event is received")
    for member in fast:
        # No event is missing or duplicated, and they arrive in order.
        assert member.numbers == list(range(member.numbers[0], count)), (member.numbers, member.joined_at)
        assert member.numbers[0] <= member.joined_at, (member.numbers[0], member.joined_at)
    assert people.lost_fast == 0, f"{people.lost_fast} fast clients were disconnected"
    # Dead clients are detected and removed completely.
    until(lambda: people.serve(0.5) or len(host.clients()) <= len(people.members), "dead clients are removed", seconds=90)
    late = sorted(value for member in fast for value in member.late)
    figures = {
        "clients": CLIENTS, "seconds": round(time.monotonic() - start), "events": count, "deaths": people.deaths,
        "heard": len(late), "slow_cut_off": people.lost_slow,
        "late_ms": {"p50": round(late[len(late) // 2] * 1000, 1), "p99": round(late[len(late) * 99 // 100] * 1000, 1),
                    "max": round(late[-1] * 1000, 1)},
        "memory_mb": {"empty": round(empty), "joined": round(joined), "most": round(most), "end": round(memory(host))}}
    print(json.dumps(figures))
    # Apart from the cost per client, at most the send buffers of the slow ones.
    assert most - empty < 30 + CLIENTS * (0.06 + 0.064 / 2), figures
    host.end()


if __name__ == "__main__":
    with library(sys.argv[1]) as folder:
        globals()[sys.argv[2]](folder)
