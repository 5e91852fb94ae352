"""Simulated listeners: each plays random tracks at the pace of playing, and compares every byte with what it must be."""

import asyncio
import base64
import os
import random
import time

CLOCK_TICKS = os.sysconf('SC_CLK_TCK')
PAGE = os.sysconf('SC_PAGE_SIZE')
# A player gives up a segment after this many attempts, or this long after the first.
ATTEMPTS, GIVE_UP_SECONDS, TIMEOUT_SECONDS = 10, 20, 10
# What a player has in store at least when it requests a segment: one segment of the usual length.
STORE_SECONDS = 6


def address(number):
    """Returns an address of this machine for a client: a host limits the connections of each."""
    return (f'127.0.{1 + number // 250}.{1 + number % 250}', 0)


class Track:
    """A track's playlist, and its segments as path, seconds and expected bytes."""

    def __init__(self, playlist, segments):
        self.playlist, self.segments = playlist, segments


class Failed(Exception):
    """A request without a complete answer of status 200."""


class Connection(asyncio.Protocol):
    """A connection that is kept between requests. Content is compared as it arrives and not stored."""

    def __init__(self):
        self.transport, self.waiter, self.is_open, self.is_fresh = None, None, True, True

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.is_open = False
        self.fail('closed')

    def fail(self, reason):
        if self.waiter and not self.waiter.done():
            self.waiter.set_exception(Failed(reason))

    def request(self, head, expected):
        """Returns a future of whether the content is the expected one; None expects nothing."""
        self.waiter = asyncio.get_running_loop().create_future()
        self.head, self.expected, self.received, self.length, self.is_right = b'', expected, 0, None, True
        self.transport.write(head)
        return self.waiter

    def data_received(self, data):
        if self.waiter is None or self.waiter.done():
            return
        if self.length is None:
            self.head += data
            end = self.head.find(b'\r\n\r\n')
            if end < 0:
                return
            head, data = self.head[:end].lower(), self.head[end + 4:]
            if b' 200 ' not in head.split(b'\r\n')[0] + b' ':
                self.transport.close()
                return self.fail('status ' + head.split(b' ', 2)[1].decode())
            _, _, rest = head.partition(b'\r\ncontent-length:')
            if not rest:
                self.transport.close()
                return self.fail('no length')
            self.length = int(rest.split(b'\r\n')[0])
        if self.expected is not None:
            piece = memoryview(self.expected)[self.received:self.received + len(data)]
            self.is_right = self.is_right and piece == data
        self.received += len(data)
        if self.received >= self.length:
            is_whole = self.expected is None or self.length == len(self.expected)
            self.waiter.set_result(self.is_right and is_whole)


class Figures:
    """What all listeners have seen."""

    def __init__(self):
        self.times, self.failures = [], {}
        self.wrong = self.gaps = self.given_up = self.bytes = 0
        self.silent = set()
        self.lags = []

    def percentile(self, share, first=0.0, last=float('inf')):
        """Milliseconds within which this share of the segments that were due in a span of time arrived."""
        times = sorted(taken for at, taken in self.times if first <= at < last)
        return times[min(len(times) - 1, int(len(times) * share))] * 1000 if times else 0.0


class Listener:
    def __init__(self, number, port, key, tracks, figures, start, local):
        self.number, self.port, self.tracks, self.figures, self.start = number, port, tracks, figures, start
        self.fields = f' HTTP/1.1\r\nHost: hosts\r\nAuthorization: Bearer {key}\r\n\r\n'
        self.local, self.random, self.connection = local, random.Random(number), None

    async def connected(self):
        if self.connection is None or not self.connection.is_open:
            _, self.connection = await asyncio.get_running_loop().create_connection(
                Connection, '127.0.0.1', self.port, local_addr=address(self.number) if self.local else None)
        return self.connection

    async def fetch(self, path, expected):
        async with asyncio.timeout(TIMEOUT_SECONDS):
            connection = await self.connected()
            try:
                return await connection.request(f'GET {path}{self.fields}'.encode(), expected)
            except Failed:
                # A server may close a kept connection at any time: every client sends the request again on a new one.
                if connection.is_fresh or connection.received or connection.head:
                    raise
                connection = await self.connected()
                return await connection.request(f'GET {path}{self.fields}'.encode(), expected)
            finally:
                connection.is_fresh = False

    async def get(self, path, expected=None):
        """Fetches like a player: repeats what fails. Returns the seconds taken; None if it gives up."""
        begin = time.monotonic()
        for attempt in range(ATTEMPTS):
            try:
                if not await self.fetch(path, expected):
                    self.figures.wrong += 1
                return time.monotonic() - begin
            except (Failed, OSError, TimeoutError) as error:
                reason = str(error) if isinstance(error, Failed) else type(error).__name__
                self.figures.failures[reason] = self.figures.failures.get(reason, 0) + 1
                if self.connection and self.connection.transport:
                    self.connection.transport.abort()
                self.connection = None
            if time.monotonic() - begin > GIVE_UP_SECONDS:
                break
            await asyncio.sleep(0.2 * (attempt + 1))
        self.figures.given_up += 1
        self.figures.silent.add(self.number)
        return None

    async def play(self):
        # Listeners have begun at any time, and are anywhere in their tracks.
        track = self.random.choice(self.tracks)
        position = self.random.randrange(len(track.segments))
        await asyncio.sleep(self.random.random() * track.segments[position][1])
        while True:
            await self.get(track.playlist)
            for path, seconds, content in track.segments[position:]:
                due = time.monotonic()
                taken = await self.get(path, content)
                if taken is not None:
                    self.figures.times.append((due - self.start, taken))
                    self.figures.bytes += len(content)
                    if taken > STORE_SECONDS:
                        self.figures.gaps += 1
                        self.figures.silent.add(self.number)
                await asyncio.sleep(max(0.0, due + seconds - time.monotonic()))
            track, position = self.random.choice(self.tracks), 0


async def watch_lag(figures):
    """Measures how late this process itself is: the figures cannot be better than that."""
    while True:
        begin = time.monotonic()
        await asyncio.sleep(0.02)
        figures.lags.append(time.monotonic() - begin - 0.02)


async def listen(port, key, tracks, count, seconds, every=None, local=False):
    """Plays for a time.

    - every: a function that is called on another thread every 10 seconds.
    - local: whether listeners have addresses of their own.
    """
    figures, start = Figures(), time.monotonic()
    listeners = [Listener(number, port, key, tracks, figures, start, local) for number in range(count)]
    tasks = [asyncio.create_task(listener.play()) for listener in listeners]
    lag = asyncio.create_task(watch_lag(figures))
    while (left := start + seconds - time.monotonic()) > 0:
        await asyncio.sleep(min(10.0, left))
        if every and time.monotonic() < start + seconds - 1:
            await asyncio.to_thread(every)
        for task in tasks:
            if task.done():
                task.result()
    for task in [lag, *tasks]:
        task.cancel()
    await asyncio.gather(lag, *tasks, return_exceptions=True)
    for listener in listeners:
        if listener.connection:
            listener.connection.transport.abort()
    return figures


async def open_sockets(port, key, count):
    """Opens WebSockets of the event channel; returns their writers once each has got its first event."""
    async def one(number):
        reader, writer = await asyncio.open_connection('127.0.0.1', port, local_addr=address(number))
        nonce = base64.b64encode(os.urandom(16)).decode()
        writer.write((f'GET /ws/push HTTP/1.1\r\nHost: hosts\r\nAuthorization: Bearer {key}\r\nConnection: Upgrade\r\n'
                      f'Upgrade: websocket\r\nSec-WebSocket-Key: {nonce}\r\nSec-WebSocket-Version: 13\r\n\r\n').encode())
        head = await reader.readuntil(b'\r\n\r\n')
        if b' 101 ' not in head:
            raise Failed(head.decode())
        await reader.readexactly(2)
        return writer

    writers = []
    for first in range(0, count, 50):
        writers += await asyncio.gather(*[one(number) for number in range(first, min(count, first + 50))])
    return writers


def threads(process):
    """Number of threads of a process."""
    return len(os.listdir(f'/proc/{process}/task'))


def cpu_seconds(process):
    """Processor time of a process so far; 0 once it has ended."""
    try:
        with open(f'/proc/{process}/stat') as file:
            fields = file.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS
    except OSError:
        return 0.0


def megabytes(process):
    """Resident memory of a process without the files that it maps; 0 once it has ended."""
    try:
        with open(f'/proc/{process}/statm') as file:
            fields = file.read().split()
        return (int(fields[1]) - int(fields[2])) * PAGE / 1e6
    except OSError:
        return 0.0
