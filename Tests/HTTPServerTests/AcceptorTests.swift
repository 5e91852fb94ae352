import Foundation
import Glibc
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite("Taking connections")
struct AcceptorTests {
    /// A client's end of a connection, with a limit to its patience.
    private final class Client {
        let descriptor: Int32

        init?(port: UInt16) {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard result == 0 else { return nil }
        }

        deinit {
            // At once, so that thousands leave no ports behind that wait.
            var reset = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
            close(descriptor)
        }

        /// Goes away.
        func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

        /// Whether a request is answered within the time.
        func isServed(within seconds: Double = 30) -> Bool {
            ask()
            return isAnswered(within: seconds)
        }

        private func ask() {
            let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
            let count = send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL))
            #expect(count == request.utf8.count)
        }

        /// Whether something comes within the time.
        func isAnswered(within seconds: Double) -> Bool {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(seconds * 1000)) == 1 else { return false }
            var bytes = [UInt8](repeating: 0, count: 4096)
            return recv(descriptor, &bytes, bytes.count, 0) > 0
        }
    }

    private static func routes(_ router: Router) { router.get("/") { _ in .text("here") } }

    @Test("Connections beyond the limit wait until there is room")
    func limit() async throws {
        try await withServer({ $0.connectionLimit = 3 }, routes: Self.routes) { server in
            var clients: [Client] = []
            for _ in 0..<3 {
                let client = try #require(Client(port: server.port))
                #expect(client.isServed())
                clients.append(client)
            }
            for _ in 0..<3 {
                let waiting = try #require(Client(port: server.port))
                #expect(!waiting.isServed(within: 0.2))
                // Those that are in go on.
                for client in clients { #expect(client.isServed()) }
                clients.removeFirst().leave()
                #expect(waiting.isAnswered(within: 30))
                clients.append(waiting)
            }
        }
    }

    /// In a process of its own, which the library would end.
    @Test("A server stops in order while clients come")
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

    /// In a process of its own, where every descriptor is known.
    @Test("A descriptor is closed by its owner alone")
    func closedOnce() async {
        await #expect(processExitsWith: .success) {
            let isOver = Flag()
            let stolen = Flag()
            // Takes whatever descriptor is free, and looks whether it stays.
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
            // A key that is not the certificate's.
            mixed.tls = .init(certificatePath: tls.certificatePath, keyPath: otherTLS.keyPath)
            var plain = ServerConfiguration()
            plain.port = 0
            let routes = Router().build()
            for _ in 0..<300 {
                #expect(throws: HTTPServerError.self) { try HTTPServer(routes, configuration: mixed) }
                // Goes without a shutdown.
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
