import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite("WebSockets (RFC 6455), tested with a custom client", .serialized)
struct WebSocketTests {
    static let cases = [
        "sample", "handshake", "echo", "fragments", "early", "pings", "closes", "violations", "utf8", "large",
        "server_closes", "silent", "slow", "backpressure", "unread_pongs", "tiny",
        "many",
    ]

    struct Failure: Error {}

    static func echo(_ request: HTTPRequest, _ socket: WebSocket) async throws {
        for try await message in socket.messages { try await socket.send(message) }
    }

    static func routes(_ router: Router) {
        router.webSocket("/echo", handler: echo)
        var options = WebSocketOptions()
        options.messageLimit = 1000
        router.webSocket("/small", options: options, handler: echo)
        options = WebSocketOptions()
        options.subprotocols = ["chat.v2", "chat.v1"]
        router.webSocket("/protocols", options: options, handler: echo)
        options = WebSocketOptions()
        options.closeTimeoutSeconds = 0.5
        router.webSocket("/bye", options: options) { _, socket in try await socket.send("bye") }
        router.webSocket("/fails", options: options) { _, _ in throw Failure() }
        options = WebSocketOptions()
        // The suite's largest message has 16 MiB.
        options.messageLimit = 32 << 20
        options.incomingLimit = 32 << 20
        options.outgoingLimit = 64 << 20
        options.pingIntervalSeconds = nil
        router.webSocket("/autobahn", options: options, handler: echo)
        options = WebSocketOptions()
        options.pingIntervalSeconds = 1
        router.webSocket("/pings", options: options, handler: echo)
        options = WebSocketOptions()
        options.incomingLimit = 65_536
        router.webSocket("/deaf", options: options) { _, _ in try await Task.sleep(for: .seconds(3)) }
        for (path, policy) in [
            ("/flood", WebSocketOptions.SlowReaderPolicy.disconnect), ("/flood-drop", .dropMessage),
            ("/flood-wait", .wait),
        ] {
            var options = WebSocketOptions()
            options.outgoingLimit = 100_000
            options.slowReaderPolicy = policy
            router.webSocket(path, options: options, handler: flood)
        }
    }

    /// Sends 2,000 numbered messages of 16 KiB, and a text message once there is space for it.
    static func flood(_ request: HTTPRequest, _ socket: WebSocket) async throws {
        for number in 0..<2000 {
            let head = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            try await socket.send(head + [UInt8](repeating: 0, count: 16_380))
        }
        while try await !socket.send(.text("end")) { try await Task.sleep(for: .milliseconds(20)) }
        for try await _ in socket.messages {}
    }

    @Test(.timeLimit(.minutes(30)), arguments: cases)
    func plain(_ name: String) async throws {
        try await withServer(routes: Self.routes) { server in
            try await client("websocket_cases.py", ["\(server.port)", name])
        }
    }

    @Test(
        .timeLimit(.minutes(30)),
        arguments: ["sample_encrypted", "fragments", "early", "pings", "closes", "large"])
    func encrypted(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let tls = try await makeCertificate(in: directory)
        try await withServer({ $0.tls = tls }, routes: Self.routes) { server in
            try await client("websocket_cases.py", ["\(server.port)", name, "tls"])
        }
    }

    /// Framing, pings, reserved bits, opcodes, fragmentation, UTF-8, closes, limits and performance.
    @Test(
        "Autobahn test suite", .timeLimit(.minutes(30)),
        arguments: ["1", "2", "3", "4", "5", "6", "7", "9", "10"])
    func autobahn(category: String) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Clients/autobahn_cases.py").path(percentEncoded: false)
        let python = try await PythonTools.program("python3")
        let tools = URL(filePath: python).appending(path: "../..").standardizedFileURL.path(
            percentEncoded: false)
        let found = try await ProcessRun.aside(
            "find", [tools, "-type", "d", "-path", "*/autobahntestsuite/case"])
        let cases = try #require(found.text.split(separator: "\n").first)
        try await withServer(routes: Self.routes) { server in
            let run = try await ProcessRun.aside(
                "timeout",
                [
                    "300", python, "-B", script, String(cases), "\(server.port)", "/autobahn", category,
                ], mustSucceed: false)
            #expect(run.status == 0, "\(run.text)\(String(decoding: run.errors.suffix(2000), as: UTF8.self))")
        }
    }

    @Test("A shutdown closes WebSockets with 1001")
    func peersAreToldThatTheServerStops() async throws {
        let (codes, sink) = AsyncStream.makeStream(of: WebSocketCloseCode?.self)
        try await withServer(routes: { router in
            router.webSocket("/") { _, socket in
                sink.yield(nil)
                for try await _ in socket.messages {}
                sink.yield(socket.closeCode)
            }
        }) { server in
            async let status = client("websocket_waits.py", ["\(server.port)"])
            var iterator = codes.makeAsyncIterator()
            _ = await iterator.next()
            await server.shutdown(withinSeconds: 5)
            #expect(await iterator.next() == .goingAway)
            let text = try await status.text
            #expect(text == "1001\n")
        }
    }
}
