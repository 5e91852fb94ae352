"""Runs the cases of the Autobahn test suite, as its package has them, against a server that echoes.

usage: autobahn_cases.py FOLDER_OF_CASES PORT PATH CATEGORY...

The suite itself needs Python 2 and libraries of that time. Its cases are classes that say what to send and what to expect, and
hold for any version once the strings, which are bytes to them, are read as Latin-1: so only the protocol below them is here.
Compression (categories 12 and 13), which is optional for servers, is skipped, and so is 9.9, which the suite skips too.
"""
import base64
import os
import re
import select
import socket
import struct
import sys
import time
from concurrent.futures import ThreadPoolExecutor

TIMEOUT = 100


class Utf8Validator:
    """The validator interface used by the cases: whether the bytes are valid so far, and whether they are complete."""

    def reset(self):
        pass

    def validate(self, text):
        octets = text.encode("latin-1")
        try:
            octets.decode("utf-8")
            return True, True
        except UnicodeDecodeError as error:
            return error.reason == "unexpected end of data", False


class WebSocketProtocol:
    """One connection, with the method names used by the cases. Strings are octets."""

    CLOSE_STATUS_CODE_NORMAL = 1000
    CLOSE_STATUS_CODE_PROTOCOL_ERROR = 1002
    CLOSE_STATUS_CODE_INVALID_PAYLOAD = 1007
    MESSAGE_TYPE_TEXT, MESSAGE_TYPE_BINARY = 1, 2
    STATE_OPEN, STATE_CLOSING, STATE_CLOSED = "open", "closing", "closed"

    class factory:
        isServer = False

    def __init__(self, port, path):
        self.state = self.STATE_OPEN
        self.connectionWasOpen = True
        self.closedByMe = self.wasClean = self.droppedByMe = self.failedByMe = False
        self.remoteCloseCode = self.localCloseReason = None
        self.autoFragmentSize = 0
        self.txFrameStats = {}
        self.timers, self.outgoing, self.incoming = [], [], bytearray()
        self.kind, self.fragments, self.opcode = None, [], 1
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            octet = self.socket.recv(1)
            assert octet, "the server closed in the handshake"
            head += octet
        assert b" 101 " in head.split(b"\r\n")[0], head
        self.socket.setblocking(False)

    # Methods called by the cases.

    def continueLater(self, delay, function, tag=None):
        self.timers.append((time.monotonic() + delay, function))

    def killAfter(self, delay):
        self.continueLater(delay, self.fail)

    def closeAfter(self, delay):
        self.continueLater(delay, lambda: self.state == self.STATE_OPEN and self.sendClose())

    def enableWirelog(self, enable):
        pass

    def sendFrame(self, opcode, payload="", fin=True, rsv=0, mask=None, payload_len=None, chopsize=None, sync=False):
        octets = payload.encode("latin-1")
        if payload_len is not None:
            octets = (octets * (payload_len // max(1, len(octets)) + 1))[:payload_len]
        self.txFrameStats[opcode] = self.txFrameStats.get(opcode, 0) + 1
        self.write(self.head(opcode, len(octets), fin, rsv) + self.mask(octets), chopsize)

    def sendMessage(self, payload, isBinary=False, fragmentSize=None, sync=False):
        size = fragmentSize or self.autoFragmentSize or max(1, len(payload))
        parts = [payload[at:at + size] for at in range(0, len(payload), size)] or [""]
        for index, part in enumerate(parts):
            self.sendFrame(0 if index else 2 if isBinary else 1, part, fin=index == len(parts) - 1)

    def beginMessage(self, opcode=1, isBinary=False):
        self.opcode = 2 if isBinary else opcode

    def beginMessageFrame(self, length):
        self.write(self.head(self.opcode, length, False, 0))
        self.opcode, self.at = 0, 0

    def sendMessageFrameData(self, payload, sync=False):
        octets = payload.encode("latin-1")
        self.write(self.mask(octets, self.at))
        self.at += len(octets)

    def endMessage(self):
        self.sendFrame(0, "")

    def sendClose(self, code=None, reason=None):
        self.sendCloseFrame(1000 if code is None else code, reason or "")

    def sendCloseFrame(self, code=None, reasonUtf8=None, isReply=False):
        if self.state != self.STATE_OPEN:
            return
        self.state, self.closedByMe = self.STATE_CLOSING, not isReply
        octets = b"" if code is None else struct.pack(">H", code) + (reasonUtf8 or "").encode("latin-1")
        self.sendFrame(8, octets.decode("latin-1"))

    # Frames.

    # The same key in all frames: random ones are only required because of proxies, which are not involved here.
    KEY = b"\x37\xfa\x21\x3d"

    @staticmethod
    def head(opcode, length, fin, reserved):
        head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
        if length <= 125:
            head += bytes([0x80 | length])
        elif length <= 0xFFFF:
            head += b"\xfe" + struct.pack(">H", length)
        else:
            head += b"\xff" + struct.pack(">Q", length)
        return head + WebSocketProtocol.KEY

    @staticmethod
    def mask(octets, at=0):
        if not octets:
            return octets
        at %= 4
        key = ((WebSocketProtocol.KEY * (len(octets) // 4 + 2))[at:at + len(octets)])
        return (int.from_bytes(octets, "big") ^ int.from_bytes(key, "big")).to_bytes(len(octets), "big")

    def write(self, octets, chop=None):
        if self.state == self.STATE_CLOSED:
            return
        # Chops are sent by separate calls.
        if chop:
            self.outgoing += [octets[at:at + chop] for at in range(0, len(octets), chop)]
        else:
            self.outgoing.append(octets)

    def fail(self):
        if self.state != self.STATE_CLOSED:
            self.droppedByMe = self.failedByMe = self.closedByMe = True
            self.drop()

    def drop(self):
        self.state = self.STATE_CLOSED
        self.socket.close()

    def run(self, case):
        """Runs a case from the open connection to its end."""
        self.case = case
        case.onOpen()
        deadline = time.monotonic() + 1200
        while self.state != self.STATE_CLOSED:
            now = time.monotonic()
            if now > deadline:
                self.fail()
                break
            due = sorted((timer for timer in self.timers if timer[0] <= now), key=lambda timer: timer[0])
            # Queued data is sent before a timer that was set later, as in the suite.
            if due and not self.outgoing:
                self.timers.remove(due[0])
                due[0][1]()
                continue
            wait = max(0, min([timer[0] - now for timer in self.timers] + [1]))
            readable, writable, _ = select.select([self.socket], [self.socket] if self.outgoing else [], [], wait)
            if writable:
                self.flush()
            if readable and self.state != self.STATE_CLOSED:
                self.receive()
        case.onConnectionLost(self.failedByMe)

    def flush(self):
        try:
            for _ in range(64):
                if not self.outgoing:
                    return
                count = self.socket.send(self.outgoing[0])
                if count < len(self.outgoing[0]):
                    self.outgoing[0] = self.outgoing[0][count:]
                    return
                self.outgoing.pop(0)
        except BlockingIOError:
            pass
        except OSError:
            # The server has closed; data sent before may still be read.
            self.outgoing = []

    def receive(self):
        try:
            data = self.socket.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.drop()
        self.incoming += data
        while self.state != self.STATE_CLOSED and self.take():
            pass

    def take(self):
        data = self.incoming
        if len(data) < 2:
            return False
        length, start = data[1] & 0x7F, 2
        if length == 126:
            start = 4
        elif length == 127:
            start = 10
        if len(data) < start:
            return False
        if start > 2:
            length = int.from_bytes(data[2:start], "big")
        if len(data) < start + length:
            return False
        first, second = data[0], data[1]
        payload = bytes(data[start:start + length]).decode("latin-1")
        del data[:start + length]
        assert not first & 0x70 and not second & 0x80, "reserved bits or a mask in a server frame"
        self.handle(first >> 7, first & 15, payload)
        return True

    def handle(self, fin, opcode, payload):
        if opcode == 8:
            octets = payload.encode("latin-1")
            self.remoteCloseCode = struct.unpack(">H", octets[:2])[0] if octets else None
            self.wasClean = True
            if self.state == self.STATE_OPEN:
                self.sendCloseFrame(self.remoteCloseCode, isReply=True)
            # The server must close the connection (section 7.1.1).
            self.continueLater(5, self.dropLate)
        elif opcode == 9:
            self.sendFrame(10, payload)
            self.case.onPing(payload)
        elif opcode == 10:
            self.case.onPong(payload)
        else:
            assert (opcode == 0) == (self.kind is not None), "unexpected or missing continuation frame"
            self.kind = self.kind or opcode
            self.fragments.append(payload)
            if fin:
                kind, message = self.kind, "".join(self.fragments)
                self.kind, self.fragments = None, []
                self.case.onMessage(message, kind == 2)

    def dropLate(self):
        if self.state != self.STATE_CLOSED:
            self.droppedByMe = True
            self.drop()


def load(folder):
    """Returns the case classes by number."""
    space = {"WebSocketProtocol": WebSocketProtocol, "Utf8Validator": Utf8Validator, "__name__": "cases",
             "hexed": lambda text: text.encode("latin-1").hex()}
    # The base class first, then by number, because they build on each other.
    names = sorted((name for name in os.listdir(folder) if re.fullmatch(r"case[\dxX_]+\.py", name)),
                   key=lambda name: [int(part) if part.isdigit() else -1 for part in re.split(r"[_.]", name[4:-3])])
    for name in ["case.py", *(name for name in names if not re.match(r"case(12|13|9_9)_", name))]:
        with open(f"{folder}/{name}", encoding="latin-1") as file:
            source = file.read()
        source = re.sub(r"(?m)^#.*coding.*$", "", source)
        source = re.sub(r"(?m)^from (case|autobahn|zope|twisted)\S* import .*$", "", source)
        source = re.sub(r"(?m)^(\s*)print\b.*$", r"\1pass", source)
        source = source.replace("xrange", "range").replace("binascii.b2a_hex", "hexed")
        source = source.replace("pickle.dumps(obj1) == pickle.dumps(obj2)", "obj1 == obj2")
        source = source.replace("len(self.payload) / self", "len(self.payload) // self")
        source = source.replace("object, Case", "Case").expandtabs(8)
        exec(compile(source, name, "exec"), space)
    cases = {}
    for value in [*space.values(), *(case for value in list(space.values()) if isinstance(value, list) for case in value)]:
        match = re.fullmatch(r"Case(\d+(?:_\d+)+)", getattr(value, "__name__", ""))
        if match and isinstance(value, type):
            cases[tuple(map(int, match[1].split("_")))] = value
    return dict(sorted(cases.items())), space["Case"]


def main():
    folder, port, path, *categories = sys.argv[1:]
    cases, base = load(folder)
    assert len(cases) == 301, len(cases)
    chosen = [number for number in cases if str(number[0]) in categories]
    assert chosen, categories

    def judge(number):
        protocol = WebSocketProtocol(int(port), path)
        case = cases[number](protocol)
        try:
            protocol.run(case)
        except AssertionError as error:
            return number, "FAILED", str(error), "", ""
        finally:
            protocol.socket.close()
        return number, case.behavior, case.result, case.behaviorClose, case.resultClose

    # Most of the time is spent waiting for data that must not arrive.
    with ThreadPoolExecutor(max_workers=8) as pool:
        verdicts = list(pool.map(judge, chosen))
    # Not strict: data sent directly before a violation need not be answered.
    sound = {base.OK, base.NON_STRICT, base.INFORMATIONAL}
    failed = [verdict for verdict in verdicts if verdict[1] not in sound or verdict[3] not in sound]
    counts = {}
    for verdict in verdicts:
        counts[verdict[1]] = counts.get(verdict[1], 0) + 1
    print(len(verdicts), "cases:", ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    for number, *verdict in failed:
        print(".".join(map(str, number)), *verdict, sep=" | ")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
