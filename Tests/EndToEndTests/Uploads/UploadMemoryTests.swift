import Foundation
import TestSupport
import Testing

/// Memory use of requests. UPLOAD_MEGABYTES sets the amount of data; gigabytes by hand.
@Suite("Memory of uploads", .timeLimit(.minutes(60)))
struct UploadMemoryTests {
    private static let megabytes =
        ProcessInfo.processInfo.environment["UPLOAD_MEGABYTES"].flatMap { Int($0) } ?? 192
    /// Permitted growth of a host in kB, whatever is sent: connection buffers, threads, a decoder.
    private static let growth = 48_000

    /// Sends a number of megabytes in one of several ways, with Python's standard library, and prints the response status.
    private static let sender = """
        import http.client, os, sys
        from urllib.parse import urlsplit
        base, way, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
        block = os.urandom(1 << 20)
        c = http.client.HTTPConnection(urlsplit(base).netloc, timeout=300)
        head = b'--x\\r\\nContent-Disposition: form-data; name="%s"%s\\r\\n\\r\\n'
        def blocks():
            if way == 'form': yield head % (b'file', b'; filename="a.mp3"')
            if way == 'field': yield head % (b'title', b'')
            if way == 'cover': yield head % (b'cover', b'; filename="c.jpg"')
            for _ in range(megabytes):
                if way == 'files':
                    for k in range(64):
                        yield b'\\r\\n' * (k > -1) + head % (b'file', b'; filename="%d.mp3"' % k) + block[:1 << 14]
                elif way == 'names':
                    yield (head % (b'n' * 4000, b'') + b'v\\r\\n') * 256
                elif way == 'headers':
                    yield b'--x\\r\\nX-Long: ' + b'a' * (1 << 20)
                else: yield block
            if way in ('form', 'files', 'field', 'cover'): yield b'\\r\\n--x--\\r\\n'
        types = {'raw': 'audio/mpeg', 'json': 'application/json'}
        path = {'raw': '/upload-track?filename=a.mp3', 'json': '/upload-track/resumable'}.get(way, '/upload-track')
        try:
            c.request('POST', path, blocks(), {'Content-Type': types.get(way, 'multipart/form-data; boundary=x')},
                      encode_chunked=True)
            print(c.getresponse().status)
        except OSError as error:
            # Disconnected while sending.
            print('cut', type(error).__name__)
        """

    @Test(
        "Memory does not grow with the amount of data sent",
        arguments: ["raw", "form", "files", "field", "cover", "names", "headers", "json"])
    func bounded(way: String) throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let host = try RunningHost(fixture, ["--quiet"])
        // Once in advance, so that one-time allocations are not counted.
        for piece in 0..<2 {
            _ = try host.curl("/upload-track", "-F", "file=@\(fixture.file("0.mp3"));filename=\(piece).mp3")
        }
        let before = host.peakKilobytes
        let run = try ProcessRun.run(
            "timeout", ["1200", "python3", "-c", Self.sender, host.base, way, "\(Self.megabytes)"])
        let after = host.peakKilobytes
        let answer = run.text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(["422", "413", "400"].contains(answer) || answer.hasPrefix("cut"), "\(way): \(answer)")
        #expect(after - before < Self.growth, "\(way): from \(before) to \(after) kB")
        #expect(try host.curl("/health").contains("ok"))
        host.program.signal(SIGTERM)
        #expect(try host.program.wait().status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(fixture.data)/uploads").isEmpty)
        print(
            "\(way): \(Self.megabytes) MB sent, answered \(answer), memory at most from \(before) to \(after) kB"
        )
    }
}
