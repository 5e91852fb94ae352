import Foundation
import HTTPServer
import TestSupport
import Testing

/// Forms from the standards and from other clients.
@Suite("Multipart parser")
struct MultipartParserTests {
    private struct Part: Equatable {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: [UInt8] = []
        var isEnded = false
    }

    /// Parses content in pieces of the given length.
    private static func parts(
        _ bytes: [UInt8], boundary: String, piece: Int, limits: MultipartParser.Limits = .init()
    ) throws -> [Part] {
        var parser = try MultipartParser(boundary: boundary, limits: limits)
        var parts: [Part] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try parser.parse(Array(bytes[start..<min(bytes.count, start + piece)])) { event in
                switch event {
                case .part(let part):
                    parts.append(
                        Part(name: part.name, fileName: part.fileName, contentType: part.contentType))
                case .content(let bytes): parts[parts.count - 1].content += bytes
                case .partEnd: parts[parts.count - 1].isEnded = true
                }
            }
        }
        try parser.finish()
        return parts
    }

    /// Content full of text that resembles a boundary.
    private static let tricky = Array("\r\n--X\r\n\r\r\n--x-\r\n-\r\n--XX\r\n--".utf8) + [0, 13, 10, 255, 13]

    private static let form =
        Array(
            "preamble\r\n--x-y\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nNäme\r\n--x-y  \t\r\n"
                .utf8)
        + Array(
            "content-disposition: FORM-DATA; filename=\"a \\\"b\\\".mp3\"; name=file\r\nContent-Type: audio/mpeg\r\n\r\n"
                .utf8) + tricky
        + Array("\r\n--x-y\r\nContent-Disposition: form-data; name=\"e\"\r\n\r\n\r\n--x-y--\r\nepi".utf8)

    @Test("Parts are the same however the content is split", arguments: [1, 2, 3, 5, 7, 16, 61, 1000])
    func pieces(length: Int) throws {
        let parts = try Self.parts(Self.form, boundary: "x-y", piece: length)
        #expect(
            parts == [
                Part(name: "title", content: Array("Näme".utf8), isEnded: true),
                Part(
                    name: "file", fileName: "a \"b\".mp3", contentType: "audio/mpeg", content: Self.tricky,
                    isEnded: true),
                Part(name: "e", isEnded: true),
            ])
    }

    @Test("Any bytes are preserved, split anywhere")
    func random() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            // Few different bytes, so that partial boundaries are frequent.
            let alphabet = Array("\r\n-ab".utf8)
            let content = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            let delimiter = Array("\r\n--ab-".utf8)
            let isInside =
                content.count >= delimiter.count
                && (0...content.count - delimiter.count).contains {
                    content[$0..<$0 + delimiter.count].elementsEqual(delimiter)
                }
            guard !isInside else { continue }
            let head = "--ab-\r\nContent-Disposition: form-data; name=f; filename=x\r\n\r\n"
            let form = Array(head.utf8) + content + Array("\r\n--ab---\r\n".utf8)
            let parts = try Self.parts(form, boundary: "ab-", piece: Int.random(in: 1...30, using: &random))
            #expect(parts.map(\.content) == [content])
        }
    }

    @Test(
        "Malformed forms are errors",
        arguments: [
            "", "no boundary at all", "--x", "--x\r\n",
            "--x\r\nContent-Disposition: form-data; name=a\r\n\r\ncut off",
            "--xjunk\r\n\r\n--x--", "--x\r\n\r\nno disposition\r\n--x--", "--x\r\nno colon\r\n\r\n--x--",
            "--x\r\nContent-Disposition: attachment; name=a\r\n\r\nb\r\n--x--",
            "--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--",
            "--x\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nYg==\r\n--x--",
        ])
    func malformed(text: String) {
        for piece in [1, 1000] {
            #expect(throws: MultipartError.self) {
                try Self.parts(Array(text.utf8), boundary: "x", piece: piece)
            }
        }
    }

    @Test("Endless headers, parts and preambles are rejected", arguments: [1, 977])
    func limits(piece: Int) {
        let header = Array("--x\r\nX-Long: ".utf8) + [UInt8](repeating: 0x61, count: 100_000)
        let parts = (0..<50).flatMap { _ in
            Array("\r\n--x\r\nContent-Disposition: form-data; name=a\r\n\r\nb".utf8)
        }
        let spaces = Array("--x".utf8) + [UInt8](repeating: 0x20, count: 100_000)
        let preamble = [UInt8](repeating: 0x0D, count: 100_000)
        var limits = MultipartParser.Limits()
        limits.partCount = 49
        for bytes in [header, parts, spaces, preamble] {
            #expect(throws: MultipartError.self) {
                // Rejected while arriving, not at the end.
                var parser = try MultipartParser(boundary: "x", limits: limits)
                for start in stride(from: 0, to: bytes.count, by: piece) {
                    try parser.parse(Array(bytes[start..<min(bytes.count, start + piece)])) { _ in }
                }
            }
        }
    }

    @Test(
        "Invalid boundaries are rejected",
        arguments: ["", "a b ", String(repeating: "a", count: 71), "ä"])
    func boundaries(boundary: String) {
        #expect(throws: MultipartError.self) { try MultipartParser(boundary: boundary) }
    }

    @Test(
        "Content types that are not forms or have no boundary are rejected",
        arguments: ["text/plain", "multipart/form-data", ""])
    func contentTypes(type: String) {
        #expect(throws: (any Error).self) { try MultipartParser(contentType: type) }
        #expect(throws: Never.self) {
            try MultipartParser(contentType: "Multipart/Form-Data; BOUNDARY=\"a b\"")
        }
    }

    @Test("A form sent by curl")
    func curl() async throws {
        let directory = try TemporaryDirectory()
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let path = try directory.write(content, as: "ü \"quoted\".mp3")
        // curl sends the request to a server that stores it.
        let server = """
            import socket, sys
            s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(1)
            open(sys.argv[1] + '.port', 'w').write(str(s.getsockname()[1]))
            c, _ = s.accept(); data = b''
            while b'\\r\\n\\r\\n' not in data: data += c.recv(65536)
            head, body = data.split(b'\\r\\n\\r\\n', 1)
            length = int([l for l in head.split(b'\\r\\n') if l.lower().startswith(b'content-length')][0].split(b':')[1])
            if b'100-continue' in head: c.sendall(b'HTTP/1.1 100 Continue\\r\\n\\r\\n')
            while len(body) < length: body += c.recv(65536)
            open(sys.argv[1], 'wb').write(head + b'\\r\\n\\r\\n' + body)
            c.sendall(b'HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n')
            """
        let out = directory.file("request")
        async let kept = ProcessRun.aside("timeout", ["600", "python3", "-c", server, out])
        while !FileManager.default.fileExists(atPath: "\(out).port") {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .milliseconds(50))
        let port = String(decoding: try directory.read("request.port"), as: UTF8.self)
        let quoted = path.replacing("\"", with: "\\\"")
        try await ProcessRun.aside(
            "curl",
            [
                "-sS", "--form-string", "title=A; \"B\"", "-F", "file=@\"\(quoted)\";type=audio/mpeg",
                "http://127.0.0.1:\(port)/",
            ])
        _ = try await kept
        let request = try directory.read("request")
        let separator = Array("\r\n\r\n".utf8)
        let end = try #require(
            (0..<request.count - 4).first { request[$0..<$0 + 4].elementsEqual(separator) })
        let head = String(decoding: request[..<end], as: UTF8.self)
        let boundary = try #require(head.firstMatch(of: /boundary=([^\r\n]+)/)).output.1
        let parts = try Self.parts(Array(request[(end + 4)...]), boundary: String(boundary), piece: 4096)
        #expect(parts.map(\.name) == ["title", "file"])
        #expect(parts.first?.content == Array("A; \"B\"".utf8))
        #expect(parts.last?.content == content && parts.last?.contentType == "audio/mpeg")
        #expect(parts.last?.fileName?.hasPrefix("ü ") == true)
    }
}
