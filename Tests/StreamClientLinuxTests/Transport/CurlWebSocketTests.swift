import HTTPServer
import StreamClient
import StreamClientLinux
import Testing

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
