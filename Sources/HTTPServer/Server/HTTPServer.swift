internal import Glibc
internal import Threads

/// A running server.
///
/// ```swift
/// let router = Router()
/// router.get("/health", execution: .inline) { _ in .text("ok\n") }
/// let server = try await HTTPServer(router.build())
/// // …
/// await server.shutdown(withinSeconds: 10)
/// ```
package final class HTTPServer: Sendable {
    private let listeners: [Listener]
    private let reactor: WebSocketReactor
    private let watchdog: Task<Void, Never>

    /// The addresses being listened on, with the actual port if 0 was requested.
    package var addresses: [RemoteAddress] { listeners.map(\.address) }

    /// The port of the first address.
    package var port: UInt16 { listeners.first?.address.port ?? 0 }

    /// Binds the addresses and starts serving.
    ///
    /// - Throws: ``HTTPServerError`` if an address cannot be bound, or the certificate or key is invalid.
    package init(_ responder: RoutedResponder, configuration: ServerConfiguration = ServerConfiguration())
        throws(HTTPServerError)
    {
        ErrorPages.install()
        if let sink = configuration.diagnosticLog { DiagnosticLog.set(sink) }
        let pem = try configuration.tls.map { tls throws(HTTPServerError) in
            (try Self.read(tls.certificatePath), try Self.read(tls.keyPath))
        }
        let reactor = try WebSocketReactor(metrics: responder.metrics)
        var listeners: [Listener] = []
        var port = configuration.port
        for name in configuration.addresses {
            for host in name == "localhost" ? ["127.0.0.1", "::1"] : [name] {
                do {
                    let listener = try Listener(
                        host: host, port: port, configuration: configuration, responder: responder,
                        reactor: reactor, pem: pem)
                    listeners.append(listener)
                    // All addresses share the port that was chosen for the first one.
                    port = listener.address.port
                } catch {
                    // A machine without IPv6 can still listen on localhost.
                    if name == "localhost", host == "::1", !listeners.isEmpty { continue }
                    throw error
                }
            }
        }
        guard !listeners.isEmpty else { throw HTTPServerError(.badAddress, "no address to listen on") }
        self.listeners = listeners
        self.reactor = reactor
        watchdog = Task(executorPreference: HandlerExecutor.shared) { [listeners] in
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                for listener in listeners { listener.cutOverdueConnections() }
            }
        }
    }

    /// Stops the server: accepts no new connections, waits for running responses, then closes what is left.
    ///
    /// WebSockets are closed with 1001 (going away).
    ///
    /// - Parameter seconds: Maximum time to wait for running responses.
    package func shutdown(withinSeconds seconds: Double = 10) async {
        for listener in listeners { listener.drain() }
        reactor.closeAll()
        let deadline = MonotonicClock.nanoseconds() + UInt64(max(0, seconds) * 1e9)
        while listeners.contains(where: { $0.exchangeCount > 0 }), MonotonicClock.nanoseconds() < deadline,
            !Task.isCancelled
        {
            try? await Task.sleep(for: .milliseconds(10))
        }
        watchdog.cancel()
        // The library joins its threads, which must not block one of Swift's task threads.
        await withCheckedContinuation { continuation in
            Self.end(listeners, reactor) { continuation.resume() }
        }
    }

    /// Closes all connections if the server is released without ``shutdown(withinSeconds:)``.
    deinit {
        watchdog.cancel()
        // Not on this thread: the last reference may be released on a thread that would then wait for itself. Does nothing
        // after a shutdown.
        Self.end(listeners, reactor) {}
    }

    private static func end(
        _ listeners: [Listener], _ reactor: WebSocketReactor, then completion: @escaping @Sendable () -> Void
    ) {
        let end: @Sendable () -> Void = {
            reactor.stop()
            for listener in listeners { listener.stop() }
            completion()
        }
        if !DedicatedThread.start("http stop", end) { end() }
    }

    /// Reads a PEM file and appends a NUL.
    private static func read(_ path: String) throws(HTTPServerError) -> [CChar] {
        let file = try HTTPFile(path: path)
        guard file.byteCount <= 1 << 20 else {
            throw HTTPServerError(.badCertificate, "too large for a certificate or key", subject: path)
        }
        var bytes = [UInt8](repeating: 0, count: file.byteCount)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(HTTPServerError) in try file.read(into: buffer, at: 0) }
        }
        _ = try result.get()
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }
}
