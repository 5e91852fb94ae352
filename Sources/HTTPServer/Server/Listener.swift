internal import CMicroHTTPD
internal import Synchronization
internal import Threads

/// One address with its library threads.
///
/// @unchecked: the configuration is immutable; the rest is locked or atomic.
final class Listener: @unchecked Sendable {
    let configuration: ServerConfiguration
    let responder: RoutedResponder
    let reactor: WebSocketReactor
    var address: RemoteAddress { acceptor.address }
    private let acceptor: Acceptor
    private let daemon = Mutex<UInt?>(nil)
    private let draining = Atomic<Bool>(false)
    private let connections: ConnectionTable
    private let runningCount = Atomic<Int>(0)

    /// Whether running responses are the last ones of their connections.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Whether request durations are needed.
    let measuresTime: Bool

    /// Whether connections are encrypted.
    let isSecure: Bool

    /// Number of requests in progress.
    var exchangeCount: Int { runningCount.load(ordering: .acquiring) }

    init(
        host: String, port: UInt16, configuration: ServerConfiguration, responder: RoutedResponder,
        reactor: WebSocketReactor, pem: (certificate: [CChar], key: [CChar])?
    ) throws(HTTPServerError) {
        self.configuration = configuration
        self.responder = responder
        self.reactor = reactor
        measuresTime = configuration.accessLog != nil || responder.metrics != nil
        isSecure = configuration.tls != nil
        connections = ConnectionTable(configuration)
        acceptor = try Acceptor(
            host: host, port: port, limit: configuration.connectionLimit, table: connections)
        guard let started = start(pem) else {
            throw HTTPServerError(
                pem == nil ? .cannotStart : .badCertificate,
                pem == nil
                    ? "cannot start the HTTP library" : "the certificate and key are invalid or do not match",
                subject: address.description)
        }
        let pointer = UInt(bitPattern: started)
        daemon.withLock { $0 = pointer }
        do {
            // No connection is passed on after the daemon has ended, see `stop`.
            try acceptor.start { descriptor, client, length in
                MHD_add_connection(OpaquePointer(bitPattern: pointer), descriptor, client, length)
                    == MHD_Result.YES
            }
        } catch {
            stop()
            throw error
        }
    }

    private func start(_ pem: (certificate: [CChar], key: [CChar])?) -> OpaquePointer? {
        let threads = max(1, configuration.threadCount ?? availableCoreCount())
        // Not retained: `stop` waits for the end of all callbacks before the listener is released.
        let context = Unmanaged.passUnretained(self).toOpaque()
        var options: [MHD_OptionItem] = []
        func add(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) {
            options.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer))
        }
        typealias Unescape =
            @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int
        let unescape: Unescape = keepEscapes
        let begin:
            @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
                UnsafeMutableRawPointer? = requestHasBegun
        let completed:
            @convention(c) (
                UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
                MHD_RequestTerminationCode
            ) -> Void = requestHasEnded
        let connected:
            @convention(c) (
                UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
                MHD_ConnectionNotificationCode
            ) -> Void = connectionHasChanged
        func address<Function>(of function: Function) -> Int { unsafeBitCast(function, to: Int.self) }
        if threads > 1 { add(.THREAD_POOL_SIZE, threads) }
        // The acceptor enforces the limits. A worker that receives one connection too many never releases a lock.
        add(.CONNECTION_LIMIT, Int(Int32.max))
        add(.CONNECTION_MEMORY_LIMIT, max(configuration.headerLimit, 1024))
        add(.CONNECTION_TIMEOUT, configuration.idleTimeoutSeconds)
        add(.STRICT_FOR_CLIENT, 1)
        add(.UNESCAPE_CALLBACK, address(of: unescape), nil)
        add(.URI_LOG_CALLBACK, address(of: begin), context)
        add(.NOTIFY_COMPLETED, address(of: completed), context)
        add(.NOTIFY_CONNECTION, address(of: connected), context)
        var flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_ALLOW_UPGRADE.rawValue | MHD_USE_ERROR_LOG.rawValue
        if pem != nil { flags |= MHD_USE_TLS.rawValue }
        // The library copies the certificate and key, and reads the versions, while it starts.
        return Self.tlsVersions.withCString { versions in
            (pem?.certificate ?? [0]).withUnsafeBufferPointer { certificate in
                (pem?.key ?? [0]).withUnsafeBufferPointer { key in
                    if pem != nil {
                        add(
                            .HTTPS_MEM_CERT, 0,
                            UnsafeMutableRawPointer(mutating: UnsafeRawPointer(certificate.baseAddress)))
                        add(
                            .HTTPS_MEM_KEY, 0,
                            UnsafeMutableRawPointer(mutating: UnsafeRawPointer(key.baseAddress)))
                        add(
                            .HTTPS_PRIORITIES, 0,
                            UnsafeMutableRawPointer(mutating: UnsafeRawPointer(versions)))
                    }
                    add(.END, 0)
                    return cmhd_start_daemon(flags, handleAccess, context, logLine, options)
                }
            }
        }
    }

    /// TLS versions and ciphers in GnuTLS syntax: those of TLS 1.2 and 1.3 (RFC 8996 deprecates older versions).
    private static let tlsVersions = "NORMAL:-VERS-TLS1.0:-VERS-TLS1.1"

    // MARK: Called by library threads

    func add(_ connection: ClientConnection) {
        connections.add(connection)
        responder.metrics?.connectionOpened()
    }

    func remove(_ connection: ClientConnection) {
        connection.close()
        connections.remove(connection)
        responder.metrics?.connectionClosed()
        acceptor.connectionEnded()
    }

    func exchangeBegan() {
        runningCount.add(1, ordering: .relaxed)
        responder.metrics?.requestBegan()
    }

    func exchangeEnded() {
        runningCount.subtract(1, ordering: .releasing)
        responder.metrics?.requestEnded()
    }

    // MARK: Called by the server

    /// Closes connections whose clients have exceeded their timeout.
    func cutOverdueConnections() {
        let now = MonotonicClock.coarseNanoseconds()
        for connection in connections.all { connection.cutIfOverdue(at: now) }
    }

    /// Accepts no new connections, closes idle ones, and lets the others end with their response.
    func drain() {
        draining.store(true, ordering: .relaxed)
        acceptor.stop()
        for connection in connections.all { connection.cutIfIdle() }
    }

    /// Aborts what is still in progress and waits for the library's threads to end. Blocks.
    func stop() {
        let pointer = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let pointer else { return }
        acceptor.stop()
        for connection in connections.all { connection.abort() }
        MHD_stop_daemon(OpaquePointer(bitPattern: pointer))
    }

    deinit { stop() }
}
