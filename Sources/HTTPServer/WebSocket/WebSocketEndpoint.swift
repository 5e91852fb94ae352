internal import CMicroHTTPD

/// The library's handle of an upgraded connection, whose descriptor is ours until `close`.
///
/// @unchecked: the pointer is only used to close, once, which the library allows from any thread.
struct WebSocketEndpoint: @unchecked Sendable {
    let descriptor: Int32
    private let handle: OpaquePointer

    init(descriptor: Int32, handle: OpaquePointer) {
        self.descriptor = descriptor
        self.handle = handle
    }

    /// Gives the connection back to the library, which closes the descriptor.
    func close() { _ = cmhd_upgrade_close(handle) }
}

/// Takes over a connection whose upgrade has been sent. `slot` is the Exchange, which outlives the connection.
func webSocketHasOpened(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ slot: UnsafeMutableRawPointer?,
    _ early: UnsafePointer<CChar>?, _ earlyByteCount: Int, _ descriptor: Int32, _ handle: OpaquePointer?
) {
    guard let handle else { return }
    let endpoint = WebSocketEndpoint(descriptor: descriptor, handle: handle)
    let exchange = slot.map { Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
    guard let exchange, let upgrade = exchange.upgrade else {
        endpoint.close()
        return
    }
    let bytes = Array(UnsafeRawBufferPointer(start: early, count: earlyByteCount))
    exchange.connection.listener.reactor.open(endpoint, early: bytes, upgrade: upgrade)
}
