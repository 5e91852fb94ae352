internal import CMicroHTTPD

/// Takes over a connection after its upgrade response has been sent. `slot` is the Exchange, which outlives the connection.
func webSocketHasOpened(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ slot: UnsafeMutableRawPointer?,
    _ early: UnsafePointer<CChar>?, _ earlyByteCount: Int, _ descriptor: Int32, _ handle: OpaquePointer?
) {
    guard let handle else { return }
    let exchange = slot.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    // Safe: used once, to close, which the library allows from any thread.
    nonisolated(unsafe) let upgraded = handle
    let endpoint = WebSocketEndpoint(descriptor: descriptor) { [connection = exchange?.connection] in
        _ = cmhd_upgrade_close(upgraded)
        // With TLS, the library wakes its thread before it records that we are done; a fast thread then waits for an event
        // that never comes. The end of the client's stream is such an event.
        if let connection, connection.listener.configuration.tls != nil { connection.stopReading() }
    }
    guard let exchange, let upgrade = exchange.upgrade else {
        endpoint.close()
        return
    }
    let bytes = Array(UnsafeRawBufferPointer(start: early, count: earlyByteCount))
    exchange.connection.listener.reactor.open(endpoint, early: bytes, upgrade: upgrade)
}
