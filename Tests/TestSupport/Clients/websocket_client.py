"""An RFC 6455 client, written from the standard alone."""
import base64
import hashlib
import os
import socket
import ssl
import struct

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
# Timeout in seconds for operations that normally take no time: exceeded only by a hang.
TIMEOUT = 100


class Client:
    def __init__(self, port, path="/echo", headers=(), early=b"", tls=False, expect=101, host="test"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        if tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            self.socket = context.wrap_socket(self.socket)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Connection: keep-alive, Upgrade", "Upgrade: websocket",
                 f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *headers]
        self.socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + early)
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.head = head.decode()
        status = int(self.head.split()[1])
        assert status == expect, self.head
        if status == 101:
            digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
            self.fields = {n.lower(): v.strip() for n, v in
                           (line.split(":", 1) for line in self.head.split("\r\n")[1:])}
            assert self.fields["sec-websocket-accept"] == base64.b64encode(digest).decode(), self.head
            assert self.fields["upgrade"].lower() == "websocket"
            assert "upgrade" in self.fields["connection"].lower()

    def fill(self):
        data = self.socket.recv(65536)
        if not data:
            raise EOFError
        self.buffer += data

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def receive(self):
        first, second = self.take(2)
        assert first & 0x70 == 0, "reserved bits are set"
        assert second & 0x80 == 0, "a server must not mask"
        length = second & 0x7F
        if length == 126:
            length, = struct.unpack(">H", self.take(2))
            assert length > 125
        elif length == 127:
            length, = struct.unpack(">Q", self.take(8))
            assert length > 0xFFFF
        return first >> 7, first & 15, self.take(length)

    def message(self):
        """Returns the next complete message, without answering pings."""
        content, kind = b"", None
        while True:
            fin, opcode, payload = self.receive()
            if opcode >= 8:
                assert fin
                return opcode, payload
            kind = kind or opcode
            content += payload
            if fin:
                return kind, content

    def next_message(self):
        """Returns the next complete message that is no ping; pings are answered."""
        while True:
            opcode, payload = self.message()
            if opcode != PING:
                return opcode, payload
            self.send(PONG, payload)

    def send(self, opcode, payload=b"", fin=True, mask=True, reserved=0):
        self.socket.sendall(frame(opcode, payload, fin, mask, reserved))

    def expect_close(self, code, answer=True):
        while True:
            opcode, payload = self.message()
            if opcode == CLOSE:
                break
        got = struct.unpack(">H", payload[:2])[0] if payload else None
        assert got == code, f"closed with {got} instead of {code}"
        if answer:
            try:
                self.send(CLOSE, payload)
            except OSError:
                pass
        self.expect_end()

    def expect_end(self):
        self.socket.settimeout(TIMEOUT)
        try:
            while self.socket.recv(65536):
                pass
        except (ConnectionResetError, EOFError, ssl.SSLError):
            return


def frame(opcode, payload=b"", fin=True, mask=True, reserved=0):
    head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
    bit = 0x80 if mask else 0
    if len(payload) <= 125:
        head += bytes([bit | len(payload)])
    elif len(payload) <= 0xFFFF:
        head += bytes([bit | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
    if not mask:
        return head + payload
    key = os.urandom(4)
    stream = (key * (len(payload) // 4 + 1))[:len(payload)]
    mixed = (int.from_bytes(payload, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(payload), "big")
    return head + key + mixed
