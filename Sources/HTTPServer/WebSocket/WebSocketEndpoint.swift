internal import CMicroHTTPD

/// The library's handle of an upgraded connection, whose descriptor may be used until `close`.
///
/// @unchecked: the pointer is only used once, to close, which the library allows from any thread.
struct WebSocketEndpoint: @unchecked Sendable {
    let descriptor: Int32
    private let handle: OpaquePointer
    private let connection: ClientConnection?

    init(descriptor: Int32, handle: OpaquePointer, connection: ClientConnection?) {
        self.descriptor = descriptor
        self.handle = handle
        self.connection = connection
    }

    /// Returns the connection to the library, which closes the descriptor.
    func close() {
        _ = cmhd_upgrade_close(handle)
        // With TLS, the library wakes its thread before it records that we are done; a fast thread then waits for an event
        // that never comes. The end of the client's stream is such an event.
        if let connection, connection.listener.configuration.tls != nil { connection.stopReading() }
    }
}

/// Takes over a connection after its upgrade response has been sent. `slot` is the Exchange, which outlives the connection.
func webSocketHasOpened(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ slot: UnsafeMutableRawPointer?,
    _ early: UnsafePointer<CChar>?, _ earlyByteCount: Int, _ descriptor: Int32, _ handle: OpaquePointer?
) {
    guard let handle else { return }
    let exchange = slot.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    let endpoint = WebSocketEndpoint(
        descriptor: descriptor, handle: handle, connection: exchange?.connection)
    guard let exchange, let upgrade = exchange.upgrade else {
        endpoint.close()
        return
    }
    let bytes = Array(UnsafeRawBufferPointer(start: early, count: earlyByteCount))
    exchange.connection.listener.reactor.open(endpoint, early: bytes, upgrade: upgrade)
}
