import Foundation
import HTTPServer
import TestSupport
import Testing

/// File regions preceded by bytes that are not in the file.
@Suite("File regions with a prefix")
struct PrefixedRegionTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    /// Adjacent regions, one within another, and one at the start of the file, where there is no space before it for the
    /// prefix.
    private static let regions: [Range<Int>] = {
        var bounds = [0]
        var random = SeededGenerator(seed: 3)
        while let last = bounds.last, last < content.count {
            bounds.append(min(content.count, last + Int.random(in: 20...9000, using: &random)))
        }
        return zip(bounds, bounds.dropFirst()).map { $0..<$1 } + [
            10..<200_000, 50..<150_000, 0..<content.count,
        ]
    }()

    private static func prefix(_ number: Int) -> [UInt8] {
        (0..<(50 + number % 100)).map { UInt8(truncatingIfNeeded: number &+ $0 &* 7) }
    }

    private func withRegions(_ body: (HTTPServer) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let file = try HTTPFile(path: try directory.write(Self.content, as: "content"))
        try await withServer(routes: { router in
            router.get("/:number", execution: .inline) { request in
                let number: Int = try request.parameters.require("number")
                let range = Self.regions[number]
                let region = try FileRegion(
                    file, offset: range.lowerBound, length: range.count, prefix: Self.prefix(number))
                return HTTPResponse(body: .file(region), allowsRanges: true)
            }
        }) { (server: HTTPServer) async throws -> Void in try await body(server) }
    }

    @Test(
        "Each region has its own prefix and bytes, in any order of requests",
        arguments: [1, 2, 3, 4])
    func anyOrder(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let order = (Array(Self.regions.indices) + Array(Self.regions.indices)).shuffled(using: &random)
        try await withRegions { server in
            let directory = try TemporaryDirectory()
            let requests = order.enumerated().flatMap { place, number in
                ["-o", directory.file("\(place)"), "http://127.0.0.1:\(server.port)/\(number)"]
            }
            try await run("curl", ["-sSf"] + requests)
            for (place, number) in order.enumerated() {
                let expected = Self.prefix(number) + Self.content[Self.regions[number]]
                let isRight = try directory.read("\(place)") == expected
                #expect(isRight, "region \(number)")
            }
        }
    }

    @Test(
        "Ranges are relative to the first byte of the prefix",
        arguments: [0..<10, 40..<60, 49..<51, 51..<500, 200..<201])
    func ranges(range: Range<Int>) async throws {
        try await withRegions { server in
            for number in 0..<3 {
                let url = "http://127.0.0.1:\(server.port)/\(number)"
                let whole = Self.prefix(number) + Self.content[Self.regions[number]]
                guard range.upperBound <= whole.count else { continue }
                try await run("curl", ["-sSf", "-o", "/dev/null", url])
                let part = try await run(
                    "curl", ["-sSf", "-r", "\(range.lowerBound)-\(range.upperBound - 1)", url])
                #expect([UInt8](part.output) == Array(whole[range]))
            }
        }
    }

    @Test("The header, the prefix and the content of a response share a packet, and none is held back")
    func packets() async throws {
        // Counts the packets with data that arrive for sixty responses: `tcpi_data_segs_in` in linux/tcp.h.
        let script = """
            import http.client, socket, struct, sys, time
            connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
            start = time.monotonic()
            for number in sys.argv[2:]:
                connection.request("GET", "/" + number)
                connection.getresponse().read()
            information = connection.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
            print(struct.unpack_from("I", information, 152)[0], time.monotonic() - start)
            """
        try await withRegions { server in
            let found = try await run(
                "python3", ["-c", script, "\(server.port)"] + (0..<60).map { "\($0 % 20)" })
            let numbers = found.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            try #require(numbers.count == 2)
            // One each, of two that are possible. The system may send a packet early.
            #expect(numbers[0] < 75)
            // A packet that is not complete would be held back for 0.2 s each time: 12 s.
            #expect(numbers[1] < 10)
        }
    }

    @Test("A truncated file closes the connection, not the server")
    func cutShort() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Self.content, as: "content")
        let file = try HTTPFile(path: path)
        try await withServer(routes: { router in
            router.get("/:start") { request in
                let start: Int = try request.parameters.require("start")
                return HTTPResponse(
                    body: .file(try FileRegion(file, offset: start, length: 100_000, prefix: [1, 2, 3])))
            }
            router.get("/alive") { _ in .text("alive") }
        }) { (server: HTTPServer) async throws -> Void in
            let base = "http://127.0.0.1:\(server.port)"
            try await run("curl", ["-sSf", "-o", "/dev/null", "\(base)/100000"])
            truncate(path, 120_000)
            for start in [100_000, 150_000, 200_000] {
                let cut = try await run(
                    "curl", ["-sS", "-m", "60", "-o", "/dev/null", "\(base)/\(start)"], mustSucceed: false)
                #expect(cut.status != 0)
            }
            #expect(try await run("curl", ["-sSf", "\(base)/alive"]).text == "alive")
        }
    }
}
