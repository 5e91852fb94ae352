import Foundation
import Glibc
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Accepting connections")
struct AcceptorTests {
    /// The client end of a connection, with a timeout.
    private final class Client {
        let descriptor: Int32

        /// - Parameter source: the source address.
        init?(port: UInt16, from source: String = "127.0.0.1") {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, source, &own.sin_addr)
            withUnsafePointer(to: &own) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { return nil }
        }

        deinit {
            // At once, so that thousands of connections leave no ports in TIME_WAIT.
            var reset = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
            close(descriptor)
        }

        /// Disconnects.
        func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// Whether a request is answered within the given time.
        func isServed(path: String = "/", within seconds: Double = 30) -> Bool {
            ask(path)
            return isAnswered(within: seconds)
        }

        /// Returns the complete response to a request with an additional field, after which the connection is closed.
        func answer(to field: String) -> String? {
            ask("/", fields: "\(field)\r\nConnection: close\r\n")
            var text: [UInt8] = []
            while true {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&wanted, 1, 30_000) == 1 else { return nil }
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count > 0 else { return String(decoding: text, as: UTF8.self) }
                text += bytes[..<count]
            }
        }

        private func ask(_ path: String, fields: String = "") {
            let request = "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
            let count = send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
            #expect(count == request.utf8.count)
        }

        /// Whether the server closes the connection within the given time.
        func isClosed(within seconds: Double) -> Bool {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(seconds * 1000)) == 1 else { return false }
            var byte: UInt8 = 0
            return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
        }

        /// Whether data arrives within the given time.
        func isAnswered(within seconds: Double) -> Bool {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(seconds * 1000)) == 1 else { return false }
            var bytes = [UInt8](repeating: 0, count: 4096)
            return recv(descriptor, &bytes, bytes.count, 0) > 0
        }
    }

    private static func routes(_ router: Router) {
        router.get("/") { _ in .text("here") }
        router.get("/endless") { _ in
            HTTPResponse(
                body: .stream(
                    ResponseStream { writer in
                        while true { try await writer.write([UInt8](repeating: 0, count: 65_536)) }
                    }))
        }
    }

    @Test("Connections beyond the limit wait until another one closes")
    func limit() async throws {
        try await withServer({ $0.connectionLimit = 3 }, routes: Self.routes) { server in
            var clients: [Client] = []
            for _ in 0..<3 {
                let client = try #require(Client(port: server.port))
                // With a request in progress, so that none of them is closed to make room.
                #expect(client.isServed(path: "/endless"))
                clients.append(client)
            }
            for _ in 0..<3 {
                let waiting = try #require(Client(port: server.port))
                #expect(!waiting.isServed(path: "/endless", within: 0.2))
                // Admitted connections continue.
                for client in clients { #expect(client.isAnswered(within: 30)) }
                clients.removeFirst().leave()
                #expect(waiting.isAnswered(within: 30))
                clients.append(waiting)
            }
        }
    }

    /// A server that closes connections only to make room, and its clients.
    private final class CrowdedServer {
        private let server: HTTPServer
        private var idle: AsyncStream<Void>.Iterator

        private init(_ server: HTTPServer, idle: AsyncStream<Void>) {
            self.server = server
            self.idle = idle.makeAsyncIterator()
        }

        static func with(
            _ configure: (inout ServerConfiguration) -> Void, _ body: (CrowdedServer) async throws -> Void
        ) async throws {
            let (idle, becomesIdle) = AsyncStream.makeStream(of: Void.self)
            try await withServer(
                {
                    $0.headerTimeoutSeconds = 1000
                    $0.keepAliveSeconds = 1000
                    $0.idleTimeoutSeconds = 1000
                    // Logged when the connection is idle again, which may be after the client has received its response.
                    $0.accessLog = { _ in becomesIdle.yield() }
                    configure(&$0)
                }, routes: AcceptorTests.routes
            ) { server in try await body(CrowdedServer(server, idle: idle)) }
        }

        /// Returns a client whose first request has been answered, and whose connection is idle.
        func connect(from source: String) async throws -> Client {
            let client = try #require(Client(port: server.port, from: source))
            await serve(client)
            return client
        }

        /// Expects that a request of a client is answered, and waits until its connection is idle.
        func serve(_ client: Client) async {
            guard client.isServed() else {
                Issue.record("not served")
                return
            }
            await idle.next()
        }
    }

    @Test("When the server is full, the address with the most connections loses its longest idle one")
    func greediest() async throws {
        let limits = { (limits: inout ServerConfiguration) in
            limits.connectionLimit = 8
            limits.connectionLimitPerAddress = nil
        }
        try await CrowdedServer.with(limits) { server in
            let modest = try await server.connect(from: "127.0.0.3")
            var greedy: [Client] = []
            for _ in 0..<7 { greedy.append(try await server.connect(from: "127.0.0.2")) }
            // Kept: a client that is released disconnects, and the server would not be full.
            var others: [Client] = []
            for number in 0..<3 {
                let other = try await server.connect(from: "127.0.0.\(4 + number)")
                others.append(other)
                let oldest = greedy.removeFirst()
                #expect(oldest.isClosed(within: 30))
                await server.serve(other)
            }
            for client in [modest] + greedy + others { await server.serve(client) }
        }
    }

    @Test("Connections that never send anything are closed to make room for others")
    func silent() async throws {
        try await withServer(
            {
                $0.connectionLimit = 8
                $0.headerTimeoutSeconds = 1000
            }, routes: Self.routes
        ) { server in
            let silent = try (0..<20).map { _ in
                try #require(Client(port: server.port, from: "127.0.0.2"))
            }
            for source in ["127.0.0.3", "127.0.0.2"] {
                let client = try #require(Client(port: server.port, from: source))
                #expect(client.isServed())
            }
            withExtendedLifetime(silent) {}
        }
    }

    @Test("The limit per address does not apply to a trusted proxy")
    func trustedProxy() async throws {
        let limits = { (limits: inout ServerConfiguration) in
            limits.connectionLimitPerAddress = 2
            limits.trustedProxies = ["127.0.0.2"]
        }
        try await CrowdedServer.with(limits) { server in
            for (source, isLimited) in [("127.0.0.2", false), ("127.0.0.3", true)] {
                var clients: [Client] = []
                for _ in 0..<4 { clients.append(try await server.connect(from: source)) }
                for client in clients.prefix(2) {
                    #expect(client.isClosed(within: isLimited ? 30 : 0.1) == isLimited)
                }
                for client in clients.suffix(2) { await server.serve(client) }
            }
        }
    }

    @Test(
        "A trusted proxy determines the client's address",
        arguments: [
            ("127.0.0.2", "X-Forwarded-For: 192.0.2.7", "192.0.2.7"),
            ("127.0.0.2", "X-Forwarded-For: 198.51.100.1, 192.0.2.7", "192.0.2.7"),
            (
                "127.0.0.2", "X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 192.0.2.7, 127.0.0.2",
                "192.0.2.7"
            ),
            ("127.0.0.2", "X-Forwarded-For: 2001:db8::1", "2001:db8::1"),
            ("127.0.0.2", "X-Forwarded-For: nonsense", "127.0.0.2"),
            ("127.0.0.2", "X: y", "127.0.0.2"),
            ("127.0.0.1", "X-Forwarded-For: 192.0.2.7", "127.0.0.1"),
        ])
    func forwardedAddress(_ source: String, _ field: String, _ expected: String) async throws {
        try await withServer(
            { $0.trustedProxies = ["127.0.0.2"] },
            routes: { router in
                router.get("/") { .text("seen as \($0.remoteAddress?.host ?? "-");") }
            }
        ) { server in
            let client = try #require(Client(port: server.port, from: source))
            #expect(client.answer(to: field)?.contains("seen as \(expected);") == true)
        }
    }

    /// In a separate process, because a failure of the library would abort it.
    @Test("A server stops cleanly while clients connect")
    func stops() async {
        await #expect(processExitsWith: .success) {
            await withTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask {
                        for _ in 0..<300 { await Self.stopAmidClients() }
                    }
                }
            }
        }
    }

    private static func stopAmidClients() async {
        let isOver = Flag()
        do {
            try await withServer(routes: routes) { server in
                let port = server.port
                Thread { while !isOver.isSet, Client(port: port) != nil {} }.start()
                try await Task.sleep(for: .microseconds(Int.random(in: 100...3000)))
            }
        } catch {
            Issue.record(error)
        }
        isOver.set()
    }

    /// In a separate process, in which all descriptors are known.
    @Test("A descriptor is closed only by its owner")
    func closedOnce() async {
        await #expect(processExitsWith: .success) {
            let isOver = Flag()
            let stolen = Flag()
            // Takes any free descriptor, and checks that it stays open.
            for _ in 0..<4 {
                Thread {
                    while !isOver.isSet {
                        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
                        sched_yield()
                        if close(descriptor) != 0 { stolen.set() }
                    }
                }.start()
            }
            let directory = try TemporaryDirectory()
            let tls = try await makeCertificate(in: directory)
            let other = try TemporaryDirectory()
            let otherTLS = try await makeCertificate(in: other)
            var mixed = ServerConfiguration()
            mixed.port = 0
            // A key that does not match the certificate.
            mixed.tls = .init(certificatePath: tls.certificatePath, keyPath: otherTLS.keyPath)
            var plain = ServerConfiguration()
            plain.port = 0
            let routes = Router().build()
            for _ in 0..<300 {
                #expect(throws: HTTPServerError.self) { try HTTPServer(routes, configuration: mixed) }
                // Released without a shutdown.
                _ = try HTTPServer(routes, configuration: plain)
            }
            isOver.set()
            #expect(!stolen.isSet)
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }
}
