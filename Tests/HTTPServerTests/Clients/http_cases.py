"""What well-behaved HTTP libraries do not let one send. usage: http_cases.py PORT CASE"""
import socket
import sys
import time

# Seconds that a busy machine may take for what takes none: only a hang lasts longer.
PATIENCE = 100


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def all_of(connection):
    answer = b""
    try:
        while chunk := connection.recv(65536):
            answer += chunk
    except ConnectionResetError:
        pass
    return answer


def status(answer):
    return int(answer.split()[1]) if answer else None


def one(connection):
    """One response of known length."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        chunk = connection.recv(1)
        assert chunk, answer
        answer += chunk
    length = [int(line.split(b":")[1]) for line in answer.split(b"\r\n") if line.lower().startswith(b"content-length")]
    body = b""
    while length and len(body) < length[0]:
        chunk = connection.recv(length[0] - len(body))
        assert chunk, answer + body
        body += chunk
    return status(answer), body


def alive(port):
    connection = connect(port)
    connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    assert one(connection) == (200, b"hello")


def malformed(port):
    for request in (b"\r\n\r\n\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", bytes(range(256)) * 4 + b"\r\n\r\n",
                    b"GET /hello HTTP/9.9\r\nHost: x\r\n\r\n", b"GET /hello HTTP/1.1\r\nno colon\r\n\r\n",
                    b"GET /hello HTTP/1.1\r\n\r\n", b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
                    b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                    b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999\r\n\r\n",
                    b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
        connection = connect(port)
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        got = status(all_of(connection))
        assert got is None or 400 <= got < 506, (request, got)
        alive(port)


def smuggling(port):
    """Two lengths that disagree must not leave a second request in the connection."""
    for fields in (b"Content-Length: 5\r\nTransfer-Encoding: chunked", b"Content-Length: 5\r\nContent-Length: 40",
                   b"Transfer-Encoding: xchunked\r\nContent-Length: 5"):
        connection = connect(port)
        connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\n" + fields
                           + b"\r\n\r\n0\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        connection.settimeout(3)
        try:
            answer = all_of(connection)
        except socket.timeout:
            answer = b""
        assert b"hello" not in answer, (fields, answer)


def pipelining(port):
    connection = connect(port)
    paths = [b"/hello", b"/slow", b"/inline", b"/waits-inline", b"/nothing", b"/hello"] * 3
    connection.sendall(b"".join(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path for path in paths))
    answers = [one(connection) for _ in paths]
    assert [a[0] for a in answers] == [200, 200, 200, 200, 404, 200] * 3, answers
    assert [a[1] for a in answers[:4]] == [b"hello", b"slow", b"inline", b"waited"]
    # A body is followed by the next request.
    connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde"
                       b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                       b"3\r\nabc\r\n4;ext=1\r\ndefg\r\n0\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    assert [one(connection) for _ in range(3)] == [(200, b"5"), (200, b"7"), (200, b"hello")]


def half_closed(port):
    for path, expected in ((b"/hello", b"hello"), (b"/slow", b"slow"), (b"/inline", b"inline")):
        connection = connect(port)
        connection.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path)
        connection.shutdown(socket.SHUT_WR)
        assert all_of(connection).endswith(expected)


def slow_header(port):
    """The limit for a header is a second; it does not matter that something arrives all the time."""
    connection = connect(port)
    start = time.time()
    cut = False
    try:
        for byte in b"GET /hello HTTP/1.1\r\nHost: x\r\nX-Slow: " + b"x" * 1000:
            connection.sendall(bytes([byte]))
            time.sleep(0.05)
            if time.time() - start > 30:
                break
    except OSError:
        cut = True
    assert cut and time.time() - start < 15, time.time() - start
    silent = connect(port)
    start = time.time()
    assert all_of(silent) == b""
    assert time.time() - start < 15
    alive(port)


def large_header(port):
    connection = connect(port)
    connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\nX-Large: " + b"x" * 20_000 + b"\r\n\r\n")
    assert status(all_of(connection)) in (431, 413, None)
    connection = connect(port)
    connection.sendall(b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status(all_of(connection)) in (414, 431, 413, None)
    alive(port)


def uploads(port):
    connection = connect(port)
    for size in (1, 1000, 65_536, 5_000_000):
        connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size + b"x" * size)
        assert one(connection) == (200, b"%d" % size)
    connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in range(1000):
        connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
    connection.sendall(b"0\r\n\r\n")
    assert one(connection) == (200, b"%d" % (4096 * 1000))
    connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                       + b"1\r\nx\r\n" * 100_000 + b"0\r\n\r\n")
    assert one(connection) == (200, b"100000")


def refused_upload(port):
    for path, expected in ((b"/refuse", 401), (b"/collect", 413)):
        connection = connect(port)
        connection.sendall(b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n" % path + b"x" * 1000)
        assert one(connection)[0] == expected
    # Without an announced length it is noticed on the way.
    connection = connect(port)
    connection.sendall(b"POST /collect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                       + b"800\r\n" + b"x" * 2048 + b"\r\n0\r\n\r\n")
    assert one(connection)[0] == 413
    # Who sends all before reading anything gets the answer too, on a connection that goes on.
    for _ in range(20):
        connection = connect(port)
        for _ in range(2):
            connection.sendall(b"POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000)
            time.sleep(0.01)
            assert one(connection)[0] == 401
    # A client that goes away in the middle of its upload leaves nothing behind.
    for _ in range(20):
        connection = connect(port)
        connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + b"x" * 1000)
        connection.close()
    alive(port)


def expect(port):
    connection = connect(port)
    connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    answer = connection.recv(25)
    assert answer == b"HTTP/1.1 100 Continue\r\n\r\n", answer
    connection.sendall(b"abcde")
    assert one(connection) == (200, b"5")
    # A handler that does not want the body says so at once.
    connection = connect(port)
    connection.sendall(b"POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    assert one(connection)[0] == 401


def many_connections(port):
    connections = [connect(port) for _ in range(1000)]
    for connection in connections:
        connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    for connection in connections:
        assert one(connection) == (200, b"hello")
    for connection in connections:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
    start = time.time()
    for connection in connections:
        assert one(connection) == (200, b"slow")
    # A thousand handlers that wait 0.3 s each wait together.
    assert time.time() - start < 60


def per_address(port):
    """The limit is five connections."""
    connections = [connect(port) for _ in range(5)]
    for connection in connections:
        connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        assert one(connection) == (200, b"hello")
    sixth = connect(port)
    try:
        sixth.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    except OSError:
        pass
    assert all_of(sixth) == b""
    connections.pop().close()
    time.sleep(0.3)
    alive(port)


def idle(port):
    """A client that stops reading its response in the middle is cut off after a second."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
    time.sleep(4)
    connection.settimeout(PATIENCE)
    assert len(all_of(connection)) < 64 << 20
    # So is one that stops sending its body, and one that asks for nothing more.
    connection = connect(port)
    connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc")
    start = time.time()
    assert all_of(connection) == b""
    connection = connect(port)
    connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    assert all_of(connection).endswith(b"hello")
    assert time.time() - start < 45


def disconnect(port):
    """Clients that go away while their response is made or sent."""
    for path in (b"/slow", b"/stream", b"/hello", b"/stream-known") * 10:
        connection = connect(port)
        connection.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        connection.close()
    time.sleep(0.5)
    alive(port)


if __name__ == "__main__":
    globals()[sys.argv[2]](int(sys.argv[1]))
