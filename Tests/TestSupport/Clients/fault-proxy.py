#!/usr/bin/env python3
"""A proxy with simulated network faults, in front of a host on this machine.

    fault-proxy.py HOST_PORT

It prints its port. It is controlled by requests to the proxy itself, which are answered regardless of the simulated
faults:

    POST /__proxy/faults   a list of rules in JSON, which replaces the previous one
    GET  /__proxy/log      requests since the last call: [{"path", "range", "at", "status", "bytes"}]

A rule has "match", a regular expression for the path, and any of

    "bytes_per_second"  rate at which the response is sent, in small pieces
    "latency"           seconds until the response starts
    "status"            responds with this status itself, with an error in the host's format
    "refuse"            closes the connection without a response
    "hang"              accepts the request and never responds
    "cut_after"         closes the connection after this many bytes of the response
    "stall_after"       stops sending after this many bytes of the response, and keeps the connection open
    "times"             number of requests to apply the rule to; without it, all of them

The first matching rule applies. A change of the rules also affects responses in progress: if a rule now refuses the
request, the connection is closed.
"""

import asyncio
import contextlib
import json
import re
import sys
import time

PIECE = 4096


class Network:
    """The current rules and the request log."""

    def __init__(self):
        self.rules = []
        self.log = []

    def take(self, path):
        """Returns the rule for a new request, and decrements its count."""
        rule = self.find(path)
        if rule.get("times") is not None:
            rule["times"] -= 1
        return rule

    def find(self, path):
        """Returns the current rule for a path."""
        for rule in self.rules:
            if re.search(rule["match"], path) and rule.get("times") != 0:
                return rule
        return {}


async def read_head(reader):
    """Returns the lines of a message's head, or None if the other side is gone."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError):
        return None
    return head.decode("latin-1").split("\r\n")[:-2]


def fields_of(lines):
    return {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}


class Connection:
    """One client connection: sequential requests, each over a separate connection to the host."""

    def __init__(self, network, host_port, reader, writer):
        self.network, self.host_port, self.reader, self.writer = network, host_port, reader, writer

    async def serve(self):
        while lines := await read_head(self.reader):
            fields = fields_of(lines)
            body = await self.reader.readexactly(int(fields.get("content-length", 0)))
            method, path, _ = lines[0].split(" ", 2)
            if path.startswith("/__proxy/"):
                going_on = await self.control(path, body)
            else:
                going_on = await self.forward(method, path, lines, fields, body)
            if not going_on:
                return

    async def control(self, path, body):
        if path == "/__proxy/faults":
            self.network.rules = json.loads(body)
            answer = []
        else:
            answer, self.network.log = self.network.log, []
        return await self.answer(200, json.dumps(answer))

    async def answer(self, status, text):
        data = text.encode()
        self.writer.write(
            f"HTTP/1.1 {status} Because\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
            f"Content-Length: {len(data)}\r\n\r\n".encode() + data)
        await self.writer.drain()
        return True

    async def forward(self, method, path, lines, fields, body):
        entry = {"path": path, "method": method, "range": fields.get("range"), "at": time.time(), "status": 0, "bytes": 0}
        self.network.log.append(entry)
        rule = self.network.take(path)
        if rule.get("refuse"):
            return False
        if rule.get("hang"):
            await self.wait_while(rule)
            return False
        if rule.get("latency"):
            await asyncio.sleep(rule["latency"])
        if rule.get("status"):
            entry["status"] = rule["status"]
            return await self.answer(
                rule["status"], json.dumps({"error": {"code": "made_up", "message": f"A made-up {rule['status']}."}}))
        host_reader, host_writer = await asyncio.open_connection("127.0.0.1", self.host_port)
        try:
            if "upgrade" in fields:
                host_writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + body)
                await self.tunnel(host_reader, host_writer)
                return False
            kept = [line for line in lines[1:] if not line.lower().startswith(("connection:", "expect:"))]
            head = "\r\n".join([lines[0], *kept, "Connection: close"]) + "\r\n\r\n"
            host_writer.write(head.encode("latin-1") + body)
            return await self.pass_on(path, entry, rule, host_reader)
        finally:
            host_writer.close()

    async def pass_on(self, path, entry, rule, host_reader):
        lines = await read_head(host_reader)
        if not lines:
            return False
        entry["status"] = int(lines[0].split(" ")[1])
        has_length = "content-length" in fields_of(lines) or entry["status"] in (204, 304)
        if has_length:
            lines = [line for line in lines if not line.lower().startswith("connection:")]
        self.writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        await self.writer.drain()
        limit = rule.get("cut_after")
        while piece := await host_reader.read(PIECE):
            now = self.network.find(path)
            if now.get("refuse"):
                return False
            if limit is not None and entry["bytes"] + len(piece) > limit:
                self.writer.write(piece[: limit - entry["bytes"]])
                await self.writer.drain()
                return False
            stall = rule.get("stall_after")
            if stall is not None and entry["bytes"] + len(piece) > stall:
                await self.wait_while(rule)
                return False
            self.writer.write(piece)
            await self.writer.drain()
            entry["bytes"] += len(piece)
            is_in_force = any(each is rule for each in self.network.rules)
            rate = (rule if is_in_force else now).get("bytes_per_second")
            if rate:
                await asyncio.sleep(max(0, len(piece) / rate))
        return has_length

    async def wait_while(self, rule):
        """Keeps the connection open and silent until the rules change or the client is gone."""
        waiting = asyncio.ensure_future(self.reader.read(1))
        while any(each is rule for each in self.network.rules) and not waiting.done():
            await asyncio.wait([waiting], timeout=0.05)
        waiting.cancel()

    async def tunnel(self, host_reader, host_writer):
        async def copy(source, target):
            while data := await source.read(PIECE):
                target.write(data)
                await target.drain()

        ways = [asyncio.ensure_future(copy(self.reader, host_writer)), asyncio.ensure_future(copy(host_reader, self.writer))]
        pending = ways
        while len(pending) == 2:
            _, pending = await asyncio.wait(ways, timeout=0.1, return_when=asyncio.FIRST_COMPLETED)
            if self.network.find("/ws").get("refuse"):
                break
        for way in ways:
            way.cancel()


async def main(host_port):
    network = Network()

    async def serve(reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await Connection(network, host_port, reader, writer).serve()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    # The caller keeps the input open while it needs the proxy.
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
