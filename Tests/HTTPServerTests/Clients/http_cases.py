"""Requests that well-behaved HTTP libraries cannot send. usage: http_cases.py PORT CASE"""
import json
import os
import socket
import ssl
import sys
import time

# Timeout in seconds for operations that take no time: on a busy machine only a hang takes longer.
TIMEOUT = 100


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)


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
    """Reads one response of known length."""
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
    """Conflicting lengths must not leave a second request in the connection."""
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
    # The next request follows a body.
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
    """The header timeout is one second, even if data arrives all the time."""
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
    # Without an announced length it is detected while receiving.
    connection = connect(port)
    connection.sendall(b"POST /collect HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                       + b"800\r\n" + b"x" * 2048 + b"\r\n0\r\n\r\n")
    assert one(connection)[0] == 413
    # A client that sends everything before reading gets the response too, and the connection stays usable.
    for _ in range(20):
        connection = connect(port)
        for _ in range(2):
            connection.sendall(b"POST /refuse HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1_000_000)
            time.sleep(0.01)
            assert one(connection)[0] == 401
    # A client that disconnects in the middle of its upload leaves nothing behind.
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
    # A handler that rejects the body responds at once.
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
    # A thousand handlers that wait 0.3 s each run concurrently.
    assert time.time() - start < 60


def per_address(port):
    """The limit is five connections: a sixth replaces the longest idle one."""
    connections = [connect(port) for _ in range(5)]
    for connection in connections:
        connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
        assert one(connection) == (200, b"hello")
    alive(port)
    assert all_of(connections[0]) == b""
    # Connections with a request in progress are kept: the sixth is rejected.
    busy = [connect(port) for _ in range(5)]
    for connection in busy:
        connection.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(17) == b"HTTP/1.1 200 OK\r\n"
    sixth = connect(port)
    try:
        sixth.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    except OSError:
        pass
    assert all_of(sixth) == b""
    for connection in busy:
        assert connection.recv(10)
        connection.close()
    # The server may notice the close with a delay.
    for _ in range(TIMEOUT * 10):
        try:
            return alive(port)
        except (OSError, AssertionError):
            time.sleep(0.1)
    raise AssertionError("still rejected")


def error(answer):
    """Returns the code of a JSON error."""
    head, body = answer.split(b"\r\n\r\n", 1)
    assert b"content-type: application/json" in head.lower(), answer
    assert b"connection: close" in head.lower(), answer
    return json.loads(body)["error"]["code"]


def framing(port):
    """Requests whose end is ambiguous are rejected, and nothing after them is answered."""
    line = b"POST /length HTTP/1.1\r\n"
    for head in (line + b"Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
                 line + b"Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
                 line + b"Host: x\r\nContent-Length: 5\r\nContent-Length: 40\r\n\r\n",
                 line + b"Host: x\r\nTransfer-Encoding: xchunked\r\n\r\n",
                 line + b"Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                 line + b"Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n",
                 line + b"Host: x\r\nTransfer-Encoding: \x0bchunked\r\n\r\n",
                 line + b"Host: x\r\nTransfer-Encoding : chunked\r\n\r\n",
                 b"POST /length HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                 line + b"Host: x\r\nX: a\0b\r\nContent-Length: 5\r\n\r\n",
                 line + b"Host: x\r\nContent-Length: 5\0\r\n\r\n",
                 line + b"Host: x\r\nContent-Length: 5\r\nX\0: a\r\n\r\n",
                 b"POST /length\0 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n",
                 b"POST /length HTTP/1.1\nHost: x\r\nContent-Length: 5\r\n\r\n",
                 line + b"Host: x\nContent-Length: 5\r\n\r\n",
                 line + b"Host: x\r\nContent-Length: 5\n\r\n",
                 line + b"Host: x\r\nContent-Length: 5\r\n\n",
                 line + b"Host: x\r\nX: a\rb\r\nContent-Length: 5\r\n\r\n",
                 line + b"Host: x\r\nX: a\r\n Content-Length: 5\r\n\r\n"):
        for warm in (False, True):
            connection = connect(port)
            if warm:
                # The connection has served a valid request before.
                connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
                assert one(connection) == (200, b"hello")
            connection.sendall(head + b"0\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
            answer = all_of(connection)
            assert status(answer) == 400, (head, answer)
            assert error(answer) == "malformed_request", (head, answer)
            assert b"hello" not in answer, (head, answer)
    # Unusual but unambiguous requests are served.
    for head, expected in ((line + b"Host:x\r\nX:\r\nY: \t a b  \r\nContent-Length: 2\r\n\r\nab", b"2"),
                           (line + b"Host: x\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", b"2"),
                           (line + b"Host: x\r\nX: a\tb\r\nX: \xc3\xa4\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", b"2"),
                           (b"\r\n" + line + b"Host: x\r\nContent-Length: 2\r\n\r\nab", b"2")):
        connection = connect(port)
        connection.sendall(head)
        assert one(connection) == (200, expected), head
    alive(port)


def error_pages(port):
    """Errors of the HTTP library have the same JSON form as other errors."""
    chunked = b"POST /length HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    for request, expected in ((b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", (414, "uri_too_long")),
                              (b"GET /hello?" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", (414, "uri_too_long")),
                              (b"GET /hello HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", (431, "header_too_large")),
                              (b"GET /hello HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 9000 + b"\r\n", (431, "header_too_large")),
                              (b"GET /hello HTTP/1.1\r\n\r\n", (400, "malformed_request")),
                              (b"GET /hello HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", (400, "malformed_request")),
                              (b"GET /hello HTTP/9.9\r\nHost: x\r\n\r\n", (505, "http_version_not_supported")),
                              (b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", (400, "malformed_request")),
                              (b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n", (413, "content_too_large")),
                              (chunked + b"zz\r\n", (400, "malformed_request")),
                              (chunked + b"5;" + b"x" * 1_000_000 + b"\r\nabcde\r\n0\r\n\r\n", (400, "malformed_request"))):
        connection = connect(port)
        try:
            connection.sendall(request)
        except OSError:
            pass
        answer = all_of(connection)
        assert answer, request[:60]
        assert (status(answer), error(answer)) == expected, (request[:60], answer)
    connection = connect(port)
    connection.sendall(b"HEAD /hello HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 100_000 + b"\r\n\r\n")
    assert status(all_of(connection)) == 431
    alive(port)


def idle(port):
    """A client that stops reading its response is disconnected after a second."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", port))
    connection.sendall(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
    time.sleep(4)
    connection.settimeout(TIMEOUT)
    assert len(all_of(connection)) < 64 << 20
    # So is one that stops sending its body, and one that sends no further request.
    connection = connect(port)
    connection.sendall(b"POST /length HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc")
    start = time.time()
    assert all_of(connection) == b""
    connection = connect(port)
    connection.sendall(b"GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
    assert all_of(connection).endswith(b"hello")
    assert time.time() - start < 45


def changed_file(port, path, change, scheme="http"):
    """Changes the file, which contains only "A", while it is being sent."""
    size = os.path.getsize(path)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    connection.settimeout(TIMEOUT)
    connection.connect(("127.0.0.1", port))
    if scheme == "https":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = context.wrap_socket(connection)
    connection.sendall(b"GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    answer = bytearray()
    while len(answer) < 10_000:
        answer += connection.recv(1000)
    if change == "truncate":
        os.truncate(path, 20_000)
    elif change == "overwrite":
        with open(path, "r+b") as file:
            while file.tell() < size:
                file.write(b"B" * 65_536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    start = time.time()
    try:
        while chunk := connection.recv(65536):
            answer += chunk
    except (ConnectionResetError, ssl.SSLError):
        pass
    head, body = bytes(answer).split(b"\r\n\r\n", 1)
    assert status(head) == 200 and b"Content-Length: %d" % size in head, head
    assert time.time() - start < 20, time.time() - start
    assert body.count(b"A") == len(body), (len(body), body.count(b"B"))
    if change == "nothing":
        assert len(body) == size
    else:
        assert len(body) < size, len(body)


def disconnect(port):
    """Clients disconnect while their response is generated or sent."""
    for path in (b"/slow", b"/stream", b"/hello", b"/stream-known") * 10:
        connection = connect(port)
        connection.sendall(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        connection.close()
    time.sleep(0.5)
    alive(port)


if __name__ == "__main__":
    globals()[sys.argv[2]](int(sys.argv[1]), *sys.argv[3:])
