import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Answers that are repeated without asking the handler", .timeLimit(.minutes(30)))
struct RepetitionTests {
    /// A file behind a key, whose answer may be repeated as long as it is right.
    private final class Shelf: Sendable {
        let file: HTTPFile
        let isRight = Atomic(true)
        let askedCount = Atomic(0)
        let repetition = Mutex<Repetition?>(nil)

        init(_ directory: TemporaryDirectory, _ bytes: [UInt8]) throws {
            file = try HTTPFile(path: directory.write(bytes, as: "file"))
        }

        var asked: Int { askedCount.load(ordering: .relaxed) }

        func routes(_ router: Router) {
            router.add(
                ClosureMiddleware { request, next in
                    guard request.fields[.authorization] == "right" else {
                        throw HTTPError(.unauthorized, code: "wrong_key", message: "No.")
                    }
                    return try await next(request)
                })
            router.get("/file", execution: .inline) { [unowned self] request in
                askedCount.add(1, ordering: .relaxed)
                let region = try FileRegion(file, offset: 1000, prefix: Array("before".utf8))
                var response = HTTPResponse(fields: [.contentType: "audio/mpeg"], body: .file(region))
                response.repetition = repetition.withLock { kept in
                    if let kept { return kept }
                    let made = Repetition { [weak self] in self?.isRight.load(ordering: .relaxed) == true }
                    kept = made
                    return made
                }
                return response
            }
        }
    }

    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    private static let content = Array("before".utf8) + bytes[1000...]

    /// Asks for each of the addresses, all on one connection.
    /// - Returns: status, size and new connections of each answer, with the header fields of all
    private func ask(_ requests: [[String]]) async throws -> (lines: [String], fields: String) {
        let directory = try TemporaryDirectory()
        var arguments: [String] = []
        for (index, request) in requests.enumerated() {
            if index > 0 { arguments.append("--next") }
            arguments += [
                "-sS", "-o", directory.file("\(index)"), "-D", directory.file("fields\(index)"), "-w",
                "%{http_code} %{size_download} %{num_connects}\n",
            ]
            arguments += request
        }
        let lines = try await run("curl", arguments).text.split(separator: "\n").map(String.init)
        for (index, request) in requests.enumerated()
        where lines[index].hasPrefix("200") && !request.contains("-I") {
            #expect(try Data(contentsOf: URL(filePath: directory.file("\(index)"))) == Data(Self.content))
        }
        let fields = try requests.indices.map {
            try String(contentsOf: URL(filePath: directory.file("fields\($0)")), encoding: .utf8)
        }
        return (lines, fields.joined())
    }

    private static let right = ["-H", "Authorization: right"]
    private static let full = "\(content.count)"

    @Test("The same request on a connection gets the same answer, and the handler is not asked")
    func repeated() async throws {
        let directory = try TemporaryDirectory()
        let shelf = try Shelf(directory, Self.bytes)
        try await withServer(routes: shelf.routes) { server in
            let url = "http://127.0.0.1:\(server.port)/file"
            let answers = try await ask(Array(repeating: Self.right + [url], count: 4))
            #expect(
                answers.lines == ["200 \(Self.full) 1"] + Array(repeating: "200 \(Self.full) 0", count: 3))
            #expect(shelf.asked == 1)
            #expect(!answers.fields.contains("X-Request-Id"))
            #expect(answers.fields.components(separatedBy: "Content-Type: audio/mpeg\r\n").count == 5)
            #expect(answers.fields.components(separatedBy: "Date: ").count == 5)
            // Another connection has not shown a key yet: its first request is looked at like any other.
            let others = try await ask([
                ["-H", "Authorization: wrong", url], Self.right + [url], Self.right + [url],
            ])
            #expect(others.lines.map { $0.prefix(3) } == ["401", "200", "200"])
            #expect(shelf.asked == 2)
        }
    }

    @Test("Another key, range, method or target on the same connection is answered for itself")
    func different() async throws {
        let directory = try TemporaryDirectory()
        let shelf = try Shelf(directory, Self.bytes)
        try await withServer(routes: shelf.routes) { server in
            let url = "http://127.0.0.1:\(server.port)/file"
            let answers = try await ask([
                Self.right + [url], ["-H", "Authorization: wrong", url], ["-H", "Authorization: righ", url],
                ["-H", "Authorization: right1", url], [url], Self.right + ["-r", "3-12", url],
                Self.right + ["-I", url], Self.right + [url + "?other"], Self.right + [url],
            ])
            let seen = answers.lines.map { $0.hasPrefix("401") ? "401" : String($0.dropLast(2)) }
            let whole = "200 \(Self.full)"
            #expect(seen == [whole, "401", "401", "401", "401", "206 10", "200 0", whole, whole])
            #expect(answers.lines.dropFirst().allSatisfy { $0.hasSuffix(" 0") })
            // The first, the range, HEAD, and the other target.
            #expect(shelf.asked == 4)
        }
    }

    @Test("What is not right any more is made anew; what nobody keeps is forgotten, and its file closed")
    func forgotten() async throws {
        let directory = try TemporaryDirectory()
        weak var file: HTTPFile?
        do {
            let shelf = try Shelf(directory, Self.bytes)
            file = shelf.file
            try await withServer(routes: shelf.routes) { server in
                let request = Self.right + ["http://127.0.0.1:\(server.port)/file"]
                _ = try await ask([request, request])
                #expect(shelf.asked == 1)
                shelf.isRight.store(false, ordering: .relaxed)
                _ = try await ask([request, request])
                #expect(shelf.asked == 3)
                shelf.isRight.store(true, ordering: .relaxed)
                shelf.repetition.withLock { $0 = nil }
                _ = try await ask([request, request])
                #expect(shelf.asked == 4)
            }
        }
        #expect(file == nil)
    }

    @Test("Many clients at once get it whole")
    func atOnce() async throws {
        let directory = try TemporaryDirectory()
        let shelf = try Shelf(directory, Self.bytes)
        try await withServer(routes: shelf.routes) { server in
            let answers = try await run(
                "curl",
                ["-sS", "-Z", "--parallel-max", "16"] + Self.right
                    + ["http://127.0.0.1:\(server.port)/file#[1-600]", "-o", directory.file("#1")])
            #expect(answers.status == 0)
            for number in 1...600 {
                #expect(
                    try Data(contentsOf: URL(filePath: directory.file("\(number)"))) == Data(Self.content))
            }
            #expect(shelf.asked < 100)
        }
    }
}
