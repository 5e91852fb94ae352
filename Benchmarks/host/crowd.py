"""Opens a thousand idle WebSockets, and a thousand listeners that fetch at playback speed."""

import asyncio
import base64
import os
import socket
import statistics
import time

COUNT = 1000
SECONDS = 20
# The rate of a 192 kbit/s stream.
BYTES_A_SECOND = 24_000


def address(number):
    """Returns one of 200 addresses of this machine: the host limits the connections of each address."""
    return (f"127.0.1.{number % 200 + 1}", 0)


async def web_socket(host, number):
    reader, writer = await asyncio.open_connection("127.0.0.1", host.port, local_addr=address(number))
    key = base64.b64encode(os.urandom(16)).decode()
    writer.write((f"GET /ws HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {host.key}\r\nConnection: Upgrade\r\n"
                  f"Upgrade: websocket\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 101 " in head.split(b"\r\n")[0] + b" ", head
    greeting = b'{"protocol_version":1,"app_version":"crowd"}'
    writer.write(bytes([0x81, 0x80 | len(greeting)]) + bytes(4) + greeting)
    await reader.readexactly(2)
    answer = asyncio.create_task(keep_alive(reader, writer))
    return writer, answer


async def keep_alive(reader, writer):
    """Answers pings and ignores everything else."""
    try:
        buffered = b""
        while data := await reader.read(4096):
            buffered += data
            while (at := buffered.find(b"\x89\x00")) >= 0:
                buffered = buffered[at + 2:]
                writer.write(b"\x8a\x80\0\0\0\0")
            buffered = buffered[-1:]
    except (ConnectionError, asyncio.CancelledError):
        pass


async def listener(host, paths, first, until, gaps):
    """Reads one segment after the other at playback speed; records the time to the first byte of each."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
    connection.setblocking(False)
    connection.bind(address(first))
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connection, ("127.0.0.1", host.port))
    total, step = 0, BYTES_A_SECOND // 4
    number = first
    while time.monotonic() < until:
        path = paths[number % len(paths)]
        number += 1
        request = (f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {host.key}\r\n\r\n").encode()
        start = time.monotonic()
        await loop.sock_sendall(connection, request)
        head = b""
        while b"\r\n\r\n" not in head:
            part = await loop.sock_recv(connection, 1024)
            assert part, f"the connection was closed after {head!r}"
            head += part
        gaps.append(time.monotonic() - start)
        head, body = head.split(b"\r\n\r\n", 1)
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length"))
        assert head.split()[1] == b"200", head
        got = len(body)
        while got < length and time.monotonic() < until:
            part = await loop.sock_recv(connection, min(step, length - got))
            assert part, f"the connection was closed within {path}"
            got += len(part)
            await asyncio.sleep(0.25)
        total += got
        if got < length:
            break
    connection.close()
    return total


async def measure(host, paths):
    before = host.memory_megabytes()
    sockets = [await web_socket(host, number) for number in range(COUNT)]
    await asyncio.sleep(2)
    with_sockets = host.memory_megabytes()
    cpu = host.cpu_seconds()
    gaps, start = [], time.monotonic()
    listeners = [asyncio.create_task(listener(host, paths, n, start + SECONDS, gaps)) for n in range(COUNT)]
    await asyncio.sleep(SECONDS - 2)
    with_listeners = host.memory_megabytes()
    received = sum(await asyncio.gather(*listeners))
    cpu = (host.cpu_seconds() - cpu) / (time.monotonic() - start)
    open_sockets = sum(not task.done() for _, task in sockets)
    for writer, task in sockets:
        task.cancel()
        writer.close()
    late = statistics.quantiles(gaps, n=100)[98] * 1000
    return before, with_sockets, with_listeners, received, cpu, open_sockets, late


def report(host, paths):
    before, sockets, listeners, received, cpu, still_open, late = asyncio.run(measure(host, paths))
    return (f"Resident memory: {before:.0f} MB before; {sockets:.0f} MB with {COUNT} idle WebSockets; {listeners:.0f} MB with "
            f"{COUNT} additional listeners at playback speed, which received {received / 1e6:.0f} MB in {SECONDS} s at "
            f"{cpu * 100:.0f} % of a core; {still_open} WebSockets were open at the end. The first byte of a segment "
            f"arrived within {late:.0f} ms in 99 % of cases (the listeners run on the same machine, in one Python process).")
