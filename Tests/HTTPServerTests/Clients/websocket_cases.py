"""Tests a server for conformance with RFC 6455.

usage: websocket_cases.py PORT CASE [tls]

Exits with 0 if the server conforms to the standard, and with a message otherwise.
"""
import os
import socket
import struct
import sys
import time

from websocket_client import BINARY, CLOSE, TIMEOUT, PING, PONG, TEXT, Client, frame


def echo(port, tls):
    client = Client(port, tls=tls)
    for size in (0, 1, 125, 126, 127, 128, 65535, 65536, 65537, 200_000):
        payload = os.urandom(size)
        client.send(BINARY, payload)
        assert client.message() == (BINARY, payload), size
    for text in ("", "Hällo", "日本語 🎵", "x" * 70_000):
        client.send(TEXT, text.encode())
        assert client.message() == (TEXT, text.encode())
    client.send(CLOSE, struct.pack(">H", 1000))
    client.expect_close(1000, answer=False)


def fragments(port, tls):
    client = Client(port, tls=tls)
    client.send(TEXT, "Hä".encode()[:2], fin=False)
    client.send(PING, b"between")
    client.send(0, "Hä".encode()[2:] + b"l", fin=False)
    client.send(0, b"", fin=False)
    client.send(0, b"lo")
    assert client.message() == (PONG, b"between")
    assert client.message() == (TEXT, "Hällo".encode())
    for byte in frame(BINARY, b"bytewise"):
        client.socket.sendall(bytes([byte]))
        time.sleep(0.002)
    assert client.message() == (BINARY, b"bytewise")
    client.socket.sendall(b"".join(frame(BINARY, bytes([i])) for i in range(200)))
    assert [client.message() for _ in range(200)] == [(BINARY, bytes([i])) for i in range(200)]


def early(port, tls):
    client = Client(port, tls=tls, early=frame(TEXT, b"early") + frame(TEXT, b"bird"))
    assert client.message() == (TEXT, b"early")
    assert client.message() == (TEXT, b"bird")


def pings(port, tls):
    client = Client(port, tls=tls)
    for payload in (b"", b"x", os.urandom(125)):
        client.send(PING, payload)
        assert client.message() == (PONG, payload)
    client.send(PONG, b"unasked")
    client.send(TEXT, b"still here")
    assert client.message() == (TEXT, b"still here")


def closes(port, tls):
    for code in (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999):
        client = Client(port, tls=tls)
        client.send(CLOSE, struct.pack(">H", code) + "Grüße".encode())
        client.expect_close(code, answer=False)
    client = Client(port, tls=tls)
    client.send(CLOSE)
    client.expect_close(None, answer=False)


def violations(port, tls):
    for name, opcode, payload, options in (
            ("no mask", TEXT, b"x", {"mask": False}), ("reserved bit 1", TEXT, b"x", {"reserved": 4}),
            ("reserved bit 3", TEXT, b"x", {"reserved": 1}), ("opcode 3", 3, b"x", {}), ("opcode 11", 11, b"", {}),
            ("continuation without a message", 0, b"x", {}), ("fragmented ping", PING, b"", {"fin": False}),
            ("close of one byte", CLOSE, b"\x03", {}), ("close with 1005", CLOSE, struct.pack(">H", 1005), {}),
            ("close with 999", CLOSE, struct.pack(">H", 999), {}),
            ("close with 1004", CLOSE, struct.pack(">H", 1004), {}),
            ("close with 5000", CLOSE, struct.pack(">H", 5000), {})):
        client = Client(port, tls=tls)
        client.send(opcode, payload, **options)
        try:
            client.expect_close(1002)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}")
    client = Client(port, tls=tls)
    client.send(TEXT, b"x", fin=False)
    client.send(TEXT, b"y")
    client.expect_close(1002)
    # A control frame of 126 bytes.
    client = Client(port, tls=tls)
    client.send(PING, b"x" * 126)
    client.expect_close(1002)


def utf8(port, tls):
    for payload in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"ok\x80"):
        client = Client(port, tls=tls)
        client.send(TEXT, payload)
        client.expect_close(1007)
    client = Client(port, tls=tls)
    client.send(CLOSE, struct.pack(">H", 1000) + b"\xff")
    client.expect_close(1007)


def large(port, tls):
    # The limit of the route is 1,000 bytes.
    client = Client(port, "/small", tls=tls)
    client.send(BINARY, b"x" * 1000)
    assert client.message() == (BINARY, b"x" * 1000)
    client.send(BINARY, b"x" * 1001)
    client.expect_close(1009)
    client = Client(port, "/small", tls=tls)
    for index in range(3):
        client.send(0 if index else BINARY, b"x" * 400, fin=False)
    client.expect_close(1009)
    # A huge length is rejected with the first byte after the frame header.
    client = Client(port, "/small", tls=tls)
    client.socket.sendall(bytes([0x82, 0xFF]) + struct.pack(">Q", 1 << 62) + b"maskx")
    client.expect_close(1009)


def handshake(port, tls):
    client = Client(port, "/protocols", ["Sec-WebSocket-Protocol: a, chat.v2"], tls=tls)
    assert client.fields["sec-websocket-protocol"] == "chat.v2", client.head
    for replacement, status in ((("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8"), 426),
                                (("Upgrade: websocket", "Upgrade: h2c"), 426),
                                (("Sec-WebSocket-Key: ", "Sec-WebSocket-Key: x"), 400)):
        plain = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        request = ("GET /echo HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        plain.sendall(request.replace(*replacement).encode())
        answer = plain.recv(4096).decode()
        assert answer.split()[1] == str(status), answer


def sample(port, tls):
    """The example handshake of RFC 6455 §1.3."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
    plain.sendall(b"GET /echo HTTP/1.1\r\nHost: server.example.com\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://example.com\r\n"
                  b"Sec-WebSocket-Protocol: chat, superchat\r\nSec-WebSocket-Version: 13\r\n\r\n")
    assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in plain.recv(4096)


def sample_encrypted(port, tls):
    client = Client(port, tls=tls)
    for size in (0, 1, 126, 5000):
        payload = os.urandom(size)
        client.send(BINARY, payload)
        assert client.message() == (BINARY, payload), size


def server_closes(port, tls):
    client = Client(port, "/bye", tls=tls)
    assert client.message() == (TEXT, b"bye")
    client.expect_close(1000)
    client = Client(port, "/fails", tls=tls)
    client.expect_close(1011)
    # A client that never answers the close is disconnected; by default after 5 s.
    client = Client(port, "/bye", tls=tls)
    client.message()
    start = time.time()
    client.expect_close(1000, answer=False)
    assert time.time() - start < 5


def silent(port, tls):
    """A client that does not answer three pings is disconnected; one that answers stays connected."""
    client = Client(port, "/pings", tls=tls)
    count = 0
    try:
        while True:
            opcode, _ = client.message()
            count += opcode == PING
    except (EOFError, ConnectionResetError):
        pass
    assert count == 3, count
    client = Client(port, "/pings", tls=tls)
    for _ in range(5):
        opcode, payload = client.message()
        assert opcode == PING
        client.send(PONG, payload)
    client.send(TEXT, b"alive")
    while client.message() != (TEXT, b"alive"):
        pass


def slow(port, tls):
    """The server floods a client that reads nothing."""
    client = Client(port, "/flood", tls=tls)
    time.sleep(1)
    total, closed = 0, False
    try:
        while True:
            opcode, payload = client.message()
            if opcode == CLOSE:
                break
            total += len(payload)
    except (EOFError, ConnectionResetError):
        closed = True
    assert closed and total > 0, (closed, total)
    # If messages are dropped instead, the client stays connected and sees gaps in their numbers.
    client = Client(port, "/flood-drop", tls=tls)
    time.sleep(1)
    numbers = []
    while True:
        opcode, payload = client.message()
        if opcode == TEXT:
            break
        if opcode == PING:
            continue
        numbers.append(struct.unpack(">I", payload[:4])[0])
    assert numbers == sorted(set(numbers)) and len(numbers) < 2000, len(numbers)
    # If the sender waits, nothing is lost.
    client = Client(port, "/flood-wait", tls=tls)
    time.sleep(0.5)
    for number in range(2000):
        opcode, payload = client.message()
        while opcode == PING:
            opcode, payload = client.message()
        assert struct.unpack(">I", payload[:4])[0] == number
    while client.message()[0] != TEXT:
        pass


def backpressure(port, tls):
    """A server whose handler does not read receives only little data."""
    client = Client(port, "/deaf", tls=tls)
    client.socket.settimeout(1.5)
    sent = 0
    try:
        while sent < 64 << 20:
            client.socket.sendall(frame(BINARY, bytes(16_384)))
            sent += 16_384
    except (TimeoutError, socket.timeout):
        pass
    assert 65_536 <= sent < 32 << 20, sent


def unread_pongs(port, tls):
    """The server stops reading from a client that sends pings endlessly and reads no pongs."""
    client = Client(port, tls=tls)
    client.socket.settimeout(1.5)
    pings = b"".join(frame(PING, bytes(125)) for _ in range(500))
    sent = 0
    try:
        while sent < 64 << 20:
            client.socket.sendall(pings)
            sent += len(pings)
    except (TimeoutError, socket.timeout):
        pass
    assert len(pings) < sent < 32 << 20, sent
    # Reading them makes the server continue.
    client.socket.settimeout(TIMEOUT)
    assert client.message() == (PONG, bytes(125))


def tiny(port, tls):
    """Many empty messages at once are neither lost nor slow to process."""
    client = Client(port, tls=tls)
    start = time.time()
    for _ in range(20):
        client.socket.sendall(frame(BINARY) * 1000)
        for _ in range(1000):
            assert client.message() == (BINARY, b"")
    assert time.time() - start < 100


def many(port, tls):
    clients = [Client(port) for _ in range(500)]
    for number, client in enumerate(clients):
        client.send(TEXT, str(number).encode())
    for number, client in enumerate(clients):
        assert client.message() == (TEXT, str(number).encode())
    for client in clients:
        client.socket.close()


if __name__ == "__main__":
    globals()[sys.argv[2]](int(sys.argv[1]), "tls" in sys.argv[3:])
