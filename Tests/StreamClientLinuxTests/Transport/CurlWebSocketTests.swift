import Foundation
import HTTPServer
import StreamClient
import StreamClientLinux
import Synchronization
import Testing
import TestSupport

/// WebSockets over real sockets.
@Suite("WebSockets through libcurl", .timeLimit(.minutes(5)))
struct CurlWebSocketTests {
    @Test("Every handshake is sent, even if the connection opens at once")
    func manyAtOnce() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        let router = Router()
        router.webSocket("/ws") { _, socket in
            for try await message in socket.messages { try await socket.send(message) }
        }
        let server = try HTTPServer(router.build(), configuration: configuration)
        let address = "http://127.0.0.1:\(server.port)/ws"
        for _ in 0..<20 {
            let answers = await withTaskGroup(of: String.self) { group in
                for number in 0..<25 {
                    group.addTask { await Self.echo("message \(number)", address) }
                }
                return await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(answers == Set((0..<25).map { "message \($0)" }))
        }
        await server.shutdown(withinSeconds: 1)
    }

    /// Calls a closure with the address of a server of WebSockets.
    private func withServer(
        _ handler: @escaping WebSocketHandler, _ body: (String) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        let router = Router()
        var options = WebSocketOptions()
        options.slowReaderPolicy = .wait
        options.pingIntervalSeconds = nil
        router.webSocket("/ws", options: options, handler: handler)
        let server = try HTTPServer(router.build(), configuration: configuration)
        try await body("http://127.0.0.1:\(server.port)/ws")
        await server.shutdown(withinSeconds: 1)
    }

    @Test("A server that sends faster than its messages are read has to wait, and all arrive in order")
    func backpressure() async throws {
        // 60 MB: far more than the system buffers. Few messages, since each waits for a thread that other tests use as well.
        let (count, padding) = (120, String(repeating: "x", count: 500_000))
        let sent = Atomic(0)
        try await withServer({ _, socket in
            for number in 0..<count {
                try await socket.send("\(number) \(padding)")
                sent.store(number + 1, ordering: .relaxed)
            }
            // A close frame of the server may overtake messages.
            for try await _ in socket.messages {}
        }) { address in
            let socket = try await CurlWebSocketConnector().connect(TransportRequest(address))
            var last = -1
            // A look too early makes this pass without proof, never fail.
            try await until {
                let now = sent.load(ordering: .relaxed)
                defer { last = now }
                if now > 0, now == last { return true }
                try await Task.sleep(for: .milliseconds(500))
                return false
            }
            #expect(sent.load(ordering: .relaxed) < count)
            var next = 0
            for try await case .text(let text) in socket.messages {
                #expect(text.hasPrefix("\(next) "))
                next += 1
                if next == count { break }
            }
            #expect(next == count)
            socket.close(code: 1000, reason: "")
        }
    }

    @Test("A client loses a server that does not read, instead of storing what it sends")
    func deafServer() async throws {
        try await withServer({ _, socket in
            while socket.closeCode == nil { try await Task.sleep(for: .milliseconds(100)) }
        }) { address in
            let socket = try await CurlWebSocketConnector().connect(TransportRequest(address))
            let text = String(repeating: "x", count: 500_000)
            for _ in 0..<200 { socket.send(text) }
            await #expect(throws: WebSocketError.self) { for try await _ in socket.messages {} }
        }
    }

    @Test("Open WebSockets share a thread")
    func threads() async throws {
        try await withServer({ _, socket in
            for try await message in socket.messages { try await socket.send(message) }
        }) { address in
            var sockets: [any WebSocketConnection] = []
            for _ in 0..<40 {
                sockets.append(try await CurlWebSocketConnector().connect(TransportRequest(address)))
            }
            // Threads that connect end as soon as the connection is open.
            try await until {
                let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
                let names = tasks.map {
                    try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                }
                return names.count { $0 == "connection\n" } < sockets.count
            }
            for socket in sockets {
                socket.send("still open")
                for try await message in socket.messages {
                    #expect(message == .text("still open"))
                    break
                }
                socket.close(code: 1000, reason: "")
            }
        }
    }

    @Test("Cancelling the reading task closes the connection")
    func cancelled() async throws {
        let hasEnded = Atomic(false)
        try await withServer({ _, socket in
            for try await _ in socket.messages {}
            hasEnded.store(true, ordering: .relaxed)
        }) { address in
            let socket = try await CurlWebSocketConnector().connect(TransportRequest(address))
            let reader = Task { for try await _ in socket.messages {} }
            reader.cancel()
            _ = await reader.result
            try await until { hasEnded.load(ordering: .relaxed) }
        }
    }

    /// Returns the server's answer, or the error.
    private static func echo(_ text: String, _ address: String) async -> String {
        do {
            let socket = try await CurlWebSocketConnector().connect(
                TransportRequest(address, timeouts: TransportTimeouts(response: 5)))
            defer { socket.close(code: 1000, reason: "") }
            socket.send(text)
            for try await case .text(let answer) in socket.messages { return answer }
            return "closed"
        } catch { return "\(error)" }
    }
}
