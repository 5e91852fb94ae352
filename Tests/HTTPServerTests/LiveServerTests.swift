import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("A live server, against curl and raw sockets", .serialized)
struct LiveServerTests {
    static func routes(_ router: Router) {
        router.get("/hello") { _ in .text("hello") }
        router.get("/inline", execution: .inline) { _ in .text("inline") }
        router.get("/immediate", immediate: { _ in .text("immediate") }, handler: { _ in .text("wrong") })
        router.get("/not-immediate", immediate: { _ in nil }, handler: { _ in .text("task") })
        router.get("/slow") { _ in
            try await Task.sleep(for: .milliseconds(300))
            return .text("slow")
        }
        router.get("/waits-inline", execution: .inline) { _ in
            try await Task.sleep(for: .milliseconds(50))
            return .text("waited")
        }
        router.post("/length") { request in
            var count = 0
            for try await chunk in request.body { count += chunk.count }
            return .text("\(count)")
        }
        router.post("/collect") { request in
            .text("\(try await request.body.collect(upTo: 1000).count)")
        }
        router.post("/refuse") { _ in
            throw HTTPError(.unauthorized, code: "unauthorized", message: "Who are you?")
        }
        router.get("/stream") { _ in
            HTTPResponse(
                body: .stream(
                    ResponseStream { writer in
                        for _ in 0..<1000 { try await writer.write([UInt8](repeating: 120, count: 1000)) }
                    }))
        }
        router.get("/stream-known") { _ in
            HTTPResponse(
                body: .stream(
                    ResponseStream(byteCount: 10) { writer in
                        for digit in UInt8(48)...57 {
                            try await Task.sleep(for: .milliseconds(2))
                            try await writer.write([digit])
                        }
                    }), allowsRanges: true)
        }
        router.get("/stream-short") { _ in
            HTTPResponse(
                body: .stream(ResponseStream(byteCount: 10) { try await $0.write([1, 2, 3]) }))
        }
    }

    @Test(arguments: [
        ("/hello", "hello"), ("/inline", "inline"), ("/slow", "slow"), ("/waits-inline", "waited"),
        ("/immediate", "immediate"), ("/not-immediate", "task"),
        ("/stream-known", "0123456789"),
    ])
    func answersAsWithoutASocket(_ path: String, _ expected: String) async throws {
        let router = Router()
        Self.routes(router)
        let dry = await router.build().respond(to: HTTPRequest(.get, path))
        #expect(dry.status == .ok)
        if case .bytes(let bytes) = dry.body { #expect(String(decoding: bytes, as: UTF8.self) == expected) }
        try await withServer(routes: Self.routes) { (server: HTTPServer) async throws -> Void in
            let url = "http://127.0.0.1:\(server.port)\(path)"
            #expect(try await run("curl", ["-sS", "--fail", url]).text == expected)
            let head = try await run("curl", ["-sS", "--fail", "--head", url]).text
            #expect(head.contains("Content-Length: \(expected.count)\r\n"))
            // Two requests on one connection, and HTTP/1.0.
            let twice = try await run("curl", ["-sSv", url, url])
            #expect(twice.text == expected + expected)
            #expect(String(decoding: twice.errors, as: UTF8.self).contains("Re-using existing connection"))
            #expect(try await run("curl", ["-sS", "-0", url]).text == expected)
        }
    }

    @Test func filesByRangeAndCondition() async throws {
        let directory = try TemporaryDirectory()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        let file = try HTTPFile(path: directory.write(bytes, as: "file"))
        let prefix = Array("ID3 tag".utf8)
        let whole = prefix + bytes[1000..<201_000]
        try await withServer(routes: { router in
            router.get("/region", execution: .inline) { _ in
                HTTPResponse(
                    fields: [
                        .entityTag: file.entityTag.description, .contentType: "audio/mpeg",
                        .lastModified: file.modificationDate.description,
                    ],
                    body: .file(try FileRegion(file, offset: 1000, length: 200_000, prefix: prefix)))
            }
        }) { (server: HTTPServer) async throws -> Void in
            let url = "http://127.0.0.1:\(server.port)/region"
            #expect([UInt8](try await run("curl", ["-sS", url]).output) == whole)
            for (range, bounds) in [
                ("0-0", 0..<1), ("3-9", 3..<10), ("-5", 200_002..<200_007), ("7-", 7..<200_007),
                ("100000-100099", 100_000..<100_100), ("6-999999", 6..<200_007),
            ] {
                let answer = try await run("curl", ["-sSi", "-r", range, url]).output
                let end = try #require(answer.range(of: Data("\r\n\r\n".utf8)))
                let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
                #expect(head.hasPrefix("HTTP/1.1 206 "))
                #expect(
                    head.contains(
                        "Content-Range: bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/200007"))
                #expect([UInt8](answer[end.upperBound...]) == Array(whole[bounds]))
            }
            let outside = try await run("curl", ["-sSi", "-r", "200007-", url]).text
            #expect(outside.hasPrefix("HTTP/1.1 416 "))
            #expect(outside.contains("Content-Range: bytes */200007"))
            let tag = file.entityTag.description
            let unchanged = try await run("curl", ["-sSi", "-H", "If-None-Match: \(tag)", url]).text
            #expect(unchanged.hasPrefix("HTTP/1.1 304 "))
            #expect(unchanged.contains("ETag: \(tag)"))
            #expect(unchanged.contains("Content-Length: 200007\r\n"))
            // Nothing is mistaken for content: the connection stays usable.
            let both = try await run(
                "curl",
                ["-sS", "-H", "If-None-Match: \(tag)", url, url, "-w", "%{http_code} %{num_connects}\n"])
            #expect(both.text == "304 1\n304 0\n")
            let head = try await run("curl", ["-sSI", url]).text
            #expect(head.contains("Content-Length: 200007\r\n"))
            #expect(unchanged.hasSuffix("\r\n\r\n"))
            let resumed = ["-sSi", "-r", "0-1", "-H", "If-Range: \(tag)", url]
            #expect(try await run("curl", resumed).text.hasPrefix("HTTP/1.1 206 "))
            let changed = ["-sS", "-r", "0-1", "-H", "If-Range: \"other\"", url]
            #expect([UInt8](try await run("curl", changed).output) == whole)
        }
    }

    @Test func largeFilesGoOutWhole() async throws {
        let directory = try TemporaryDirectory()
        let bytes =
            [UInt8](repeating: 7, count: 5 << 20) + (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = try HTTPFile(path: directory.write(bytes, as: "file"))
        try await withServer(routes: { router in
            router.get("/") { _ in HTTPResponse(body: .file(try FileRegion(file))) }
        }) { (server: HTTPServer) async throws -> Void in
            let answer = try await run("curl", ["-sS", "http://127.0.0.1:\(server.port)/"])
            #expect([UInt8](answer.output) == bytes)
        }
    }

    @Test("A truncated file only closes the connection")
    func aFileThatShrinksCutsTheConnectionOnly() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([UInt8](repeating: 1, count: 400_000), as: "file")
        let file = try HTTPFile(path: path)
        try await withServer(routes: { router in
            router.get("/") { _ in HTTPResponse(body: .file(try FileRegion(file, prefix: [1]))) }
            router.get("/alive") { _ in .text("alive") }
        }) { (server: HTTPServer) async throws -> Void in
            let base = "http://127.0.0.1:\(server.port)"
            _ = try await run("curl", ["-sS", "-o", "/dev/null", "\(base)/"])
            try await run("truncate", ["-s", "100", path])
            #expect(!file.isUnchanged)
            let answer = try await run("curl", ["-sS", "-o", "/dev/null", "\(base)/"], mustSucceed: false)
            #expect(answer.status != 0)
            #expect(try await run("curl", ["-sS", "\(base)/alive"]).text == "alive")
        }
    }

    @Test(
        "A file changed while being sent closes the connection, without mixing old and new bytes",
        // More than the 4 MiB that the system buffers for a connection.
        arguments: ["nothing", "truncate", "overwrite"], [(6 << 20, 0), (24 << 20, 0), (24 << 20, 1)])
    func fileChangedWhileSent(_ change: String, _ kind: (byteCount: Int, prefixByteCount: Int)) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            [UInt8](repeating: UInt8(ascii: "A"), count: kind.byteCount), as: "file")
        let prefix = [UInt8](repeating: UInt8(ascii: "A"), count: kind.prefixByteCount)
        let tls = try await makeCertificate(in: directory)
        for scheme in ["http", "https"] {
            let file = try HTTPFile(
                path: directory.write(
                    [UInt8](repeating: UInt8(ascii: "A"), count: kind.byteCount), as: "file"))
            try await withServer(
                { if scheme == "https" { $0.tls = tls } },
                routes: { router in
                    router.get("/file") { _ in
                        HTTPResponse(
                            body: .file(
                                try FileRegion(file, length: file.byteCount - prefix.count, prefix: prefix)))
                    }
                }
            ) { (server: HTTPServer) async throws -> Void in
                try await client("http_cases.py", ["\(server.port)", "changed_file", path, change, scheme])
            }
        }
    }

    @Test func streams() async throws {
        try await withServer(routes: Self.routes) { (server: HTTPServer) async throws -> Void in
            let base = "http://127.0.0.1:\(server.port)"
            let chunked = try await run("curl", ["-sSi", "\(base)/stream"]).text
            #expect(chunked.contains("Transfer-Encoding: chunked"))
            #expect(chunked.hasSuffix(String(repeating: "x", count: 1_000_000)))
            #expect(try await run("curl", ["-sS", "-r", "3-5", "\(base)/stream-known"]).text == "345")
            let short = try await run("curl", ["-sS", "\(base)/stream-short"], mustSucceed: false)
            // curl: transfer closed with bytes outstanding.
            #expect(short.status == 18)
        }
    }

    @Test func compression() async throws {
        let text = String(repeating: "{\"a\": 1}\n", count: 1000)
        try await withServer(routes: { router in
            router.get("/json") { _ in
                var response = HTTPResponse.json(Array(text.utf8))
                response.fields[.entityTag] = "\"v1\""
                return response
            }
        }) { (server: HTTPServer) async throws -> Void in
            let url = "http://127.0.0.1:\(server.port)/json"
            let plain = try await run("curl", ["-sSi", url]).text
            #expect(plain.contains("ETag: \"v1\"") && plain.contains("Vary: Accept-Encoding"))
            let packed = try await run("curl", ["-sSi", "--compressed", url]).text
            #expect(packed.contains("Content-Encoding: gzip") && packed.contains("ETag: W/\"v1\""))
            #expect(packed.hasSuffix(text))
            let refused = try await run("curl", ["-sSi", "-H", "Accept-Encoding: gzip;q=0, br", url]).text
            #expect(!refused.contains("Content-Encoding"))
            let again = ["-sSi", "--compressed", "-H", "If-None-Match: W/\"v1\"", url]
            let unchanged = try await run("curl", again + again.suffix(1)).text
            #expect(unchanged.components(separatedBy: "HTTP/1.1 304 ").count == 3)
            // A response without content must not be chunked either: the next one follows directly.
            #expect(!unchanged.contains("Transfer-Encoding"))
            let length = try #require(
                packed.split(separator: "\r\n").first { $0.hasPrefix("Content-Length:") })
            #expect(unchanged.components(separatedBy: length).count == 3)
        }
    }

    @Test(
        arguments: [
            "malformed", "pipelining", "half_closed", "slow_header", "large_header", "uploads",
            "refused_upload",
            "expect", "many_connections", "disconnect", "smuggling", "framing", "error_pages",
        ])
    func rawSockets(_ name: String) async throws {
        try await withServer(
            {
                // Elsewhere, a busy machine may need more than a second between a connection and its request.
                if name == "slow_header" { $0.headerTimeoutSeconds = 1 }
                $0.headerLimit = 8192
                $0.connectionLimitPerAddress = nil
            }, routes: Self.routes
        ) { (server: HTTPServer) async throws -> Void in
            try await client("http_cases.py", ["\(server.port)", name])
        }
    }

    @Test(arguments: ["per_address", "idle"])
    func limits(_ name: String) async throws {
        try await withServer(
            {
                $0.connectionLimitPerAddress = 5
                $0.idleTimeoutSeconds = name == "idle" ? 1 : 1000
                $0.keepAliveSeconds = name == "idle" ? 1 : 1000
                $0.threadCount = 1
            },
            routes: { router in
                Self.routes(router)
                router.get("/endless") { _ in
                    HTTPResponse(
                        body: .stream(
                            ResponseStream { writer in
                                while true { try await writer.write([UInt8](repeating: 0, count: 65_536)) }
                            }))
                }
            }
        ) { server in
            try await client("http_cases.py", ["\(server.port)", name])
        }
    }

    /// Peak memory usage of this process, in KiB.
    static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]))
    }

    /// In a separate process, whose memory is not used by other tests.
    @Test func uploadsOfAnySizeTakeLittleMemory() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let path = directory.file("sparse")
            try await run("truncate", ["-s", "300M", path])
            try await withServer(routes: { router in
                router.put("/upload") { request in
                    var count = 0
                    for try await chunk in request.body {
                        // Slower than the client sends at the start, when memory would fill up.
                        if count < 2 << 20 { try await Task.sleep(for: .milliseconds(1)) }
                        count += chunk.count
                    }
                    return .text("\(count)")
                }
            }) { (server: HTTPServer) async throws -> Void in
                let before = try Self.peakMemory()
                let url = "http://127.0.0.1:\(server.port)/upload"
                #expect(try await run("curl", ["-sS", "-T", path, url]).text == "314572800")
                let grown = try Self.peakMemory() - before
                #expect(grown < 64 * 1024)
            }
        }
    }

    /// A server that is not shut down ends with its last reference: its port is free, its responses are aborted.
    @Test func goesWithItsLastReference() async throws {
        let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
        let router = Router()
        router.get("/never") { _ in
            hasStarted.yield()
            try await Task.sleep(for: .seconds(1000))
            return .text("")
        }
        var configuration = ServerConfiguration()
        configuration.port = 0
        var server: HTTPServer? = try HTTPServer(router.build(), configuration: configuration)
        let url = "http://127.0.0.1:\(try #require(server).port)/never"
        async let running = run("curl", ["-sS", url], mustSucceed: false)
        for await _ in starts { break }
        server = nil
        // curl: the connection was closed without a response, then refused.
        #expect(try await running.status == 52)
        while try await run("curl", ["-sS", "-m", "5", url], mustSucceed: false).status != 7 {}
    }

    @Test func bothProtocolVersionsOfTheInternet() async throws {
        try await withServer({ $0.addresses = ["127.0.0.1", "::1"] }, routes: Self.routes) {
            (server: HTTPServer) async throws -> Void in
            #expect(server.addresses.map(\.host) == ["127.0.0.1", "::1"])
            for host in ["127.0.0.1", "[::1]"] {
                let url = "http://\(host):\(server.port)/hello"
                #expect(try await run("curl", ["-gsS", url]).text == "hello")
            }
        }
        // The IPv6 wildcard accepts both, and reports IPv4 clients with their IPv4 address.
        try await withServer(
            { $0.addresses = ["::"] },
            routes: { router in
                router.get("/") { .text($0.remoteAddress?.host ?? "-") }
            }
        ) { (server: HTTPServer) async throws -> Void in
            for (host, expected) in [("127.0.0.1", "127.0.0.1"), ("[::1]", "::1")] {
                #expect(try await run("curl", ["-gsS", "http://\(host):\(server.port)/"]).text == expected)
            }
        }
    }

    @Test("An address in use is an error")
    func anAddressInUseIsSaid() async throws {
        try await withServer(routes: Self.routes) { (server: HTTPServer) async throws -> Void in
            var configuration = ServerConfiguration()
            configuration.port = server.port
            let responder = Router().build()
            #expect { try HTTPServer(responder, configuration: configuration) } throws: {
                ($0 as? HTTPServerError)?.code == .cannotBind
            }
            configuration.addresses = ["nowhere"]
            #expect { try HTTPServer(responder, configuration: configuration) } throws: {
                ($0 as? HTTPServerError)?.code == .badAddress
            }
        }
    }

    @Test func encrypted() async throws {
        let directory = try TemporaryDirectory()
        let tls = try await makeCertificate(in: directory)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        let file = try HTTPFile(path: directory.write(bytes, as: "file"))
        try await withServer(
            { $0.tls = tls },
            routes: { router in
                Self.routes(router)
                router.get("/file") { _ in HTTPResponse(body: .file(try FileRegion(file, prefix: [1, 2, 3])))
                }
            }
        ) { (server: HTTPServer) async throws -> Void in
            let base = "https://localhost:\(server.port)"
            let trust = ["-4", "-sS", "--cacert", tls.certificatePath]
            #expect(try await run("curl", trust + ["\(base)/hello"]).text == "hello")
            #expect([UInt8](try await run("curl", trust + ["\(base)/file"]).output) == [1, 2, 3] + bytes)
            #expect(
                [UInt8](try await run("curl", trust + ["-r", "2-4", "\(base)/file"]).output)
                    == [3] + bytes[..<2])
            #expect(try await run("curl", trust + ["\(base)/stream"]).output.count == 1_000_000)
            let plain = ["-sS", "http://127.0.0.1:\(server.port)/hello"]
            #expect(try await run("curl", plain, mustSucceed: false).status != 0)
            for (version, isSpoken) in [
                ("-tls1", false), ("-tls1_1", false), ("-tls1_2", true), ("-tls1_3", true),
            ] {
                // Debian's default configuration rejects old versions on the client side.
                let hello = try await run(
                    "openssl",
                    [
                        "s_client", "-connect", "127.0.0.1:\(server.port)", "-cipher", "ALL:@SECLEVEL=0",
                        version,
                    ], mustSucceed: false)
                #expect(hello.text.contains("BEGIN CERTIFICATE") == isSpoken, "\(version): \(hello.text)")
            }
        }
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.tls = .init(certificatePath: tls.keyPath, keyPath: tls.certificatePath)
        #expect { try HTTPServer(Router().build(), configuration: configuration) } throws: {
            ($0 as? HTTPServerError)?.code == .badCertificate
        }
    }

    @Test("The log contains no secrets")
    func theLogHoldsNoSecret() async throws {
        let (entries, sink) = AsyncStream.makeStream(of: AccessLogEntry.self)
        try await withServer({ $0.accessLog = { sink.yield($0) } }, routes: Self.routes) {
            (server: HTTPServer) async throws -> Void in
            try await run(
                "curl",
                [
                    "-sS", "-H", "Authorization: Bearer hidden1",
                    "http://127.0.0.1:\(server.port)/hello?token=hidden2&a=1&API%5FKey=hidden3&key",
                ])
            var iterator = entries.makeAsyncIterator()
            let entry = try #require(await iterator.next())
            #expect(entry.target == "/hello?token=***&a=1&API%5FKey=***&key")
            #expect(entry.status == .ok && entry.byteCount == 5 && entry.isComplete)
            #expect(entry.durationNanoseconds > 0)
            #expect(!entry.description.contains("hidden"))
            #expect(entry.description.contains("\(entry.id) 127.0.0.1 GET /hello"))
        }
    }

    @Test("A shutdown lets running responses finish")
    func shutdownLetsResponsesEnd() async throws {
        let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        try await withServer(routes: { router in
            router.get("/held") { _ in
                hasStarted.yield()
                for await _ in releases { break }
                return .text("held")
            }
        }) { (server: HTTPServer) async throws -> Void in
            let url = "http://127.0.0.1:\(server.port)/held"
            async let running = run("curl", ["-sSi", url])
            for await _ in starts { break }
            async let shutdown: Void = server.shutdown(withinSeconds: 200)
            // Until the server refuses connections, curl exit code 7.
            while try await run("curl", ["-sS", "-m", "1", url], mustSucceed: false).status != 7 {}
            release.yield()
            release.finish()
            let text = try await running.text
            #expect(text.hasSuffix("held") && text.contains("Connection: close"))
            await shutdown
        }
    }

    @Test("A shutdown aborts responses that do not end")
    func shutdownCutsWhatDoesNotEnd() async throws {
        let wasCancelled = Atomic<Bool>(false)
        let (starts, hasStarted) = AsyncStream.makeStream(of: Void.self)
        try await withServer(routes: { router in
            router.get("/never") { _ in
                hasStarted.yield()
                do {
                    try await Task.sleep(for: .seconds(1000))
                } catch {
                    wasCancelled.store(true, ordering: .relaxed)
                }
                return .text("")
            }
            router.get("/endless") { _ in
                hasStarted.yield()
                return HTTPResponse(
                    body: .stream(ResponseStream { _ in try await Task.sleep(for: .seconds(1000)) }))
            }
        }) { (server: HTTPServer) async throws -> Void in
            async let never = run(
                "curl", ["-sS", "http://127.0.0.1:\(server.port)/never"], mustSucceed: false)
            async let endless = run(
                "curl", ["-sS", "http://127.0.0.1:\(server.port)/endless"], mustSucceed: false)
            for await _ in starts.prefix(2) {}
            let clock = ContinuousClock()
            let start = clock.now
            await server.shutdown(withinSeconds: 0.2)
            #expect(clock.now - start < .seconds(100))
            #expect(try await never.status != 0)
            #expect(try await endless.status != 0)
            let isCancelled = wasCancelled.load(ordering: .relaxed)
            #expect(isCancelled)
        }
    }
}
