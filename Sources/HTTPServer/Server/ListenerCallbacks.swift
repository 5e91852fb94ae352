internal import CMicroHTTPD
internal import Glibc

// The library's callbacks, called on its threads. `context` is the Listener, which outlives them.

private func listener(_ context: UnsafeMutableRawPointer?) -> Listener? {
    context.map { Unmanaged<Listener>.fromOpaque($0).takeUnretainedValue() }
}

/// Stores a connection's object in the library's per-connection slot, from acceptance to close.
func connectionHasChanged(
    _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let listener = listener(context), let pointer, let slot else { return }
    if code == .CONNECTION_NOTIFY_STARTED {
        let connection = ClientConnection(
            address: cmhd_client_address(pointer).flatMap { RemoteAddress($0) },
            descriptor: cmhd_socket(pointer), listener: listener)
        listener.add(connection)
        // Released below, when the connection closes.
        slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let object = slot.pointee {
        slot.pointee = nil
        listener.remove(Unmanaged<ClientConnection>.fromOpaque(object).takeRetainedValue())
    }
}

/// Creates the exchange for a request whose first line has arrived; the library passes it to the callbacks below.
func requestHasBegun(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let listener = listener(context), let target, let pointer, let slot = cmhd_socket_context(pointer)
    else { return nil }
    let connection = Unmanaged<ClientConnection>.fromOpaque(slot).takeUnretainedValue()
    let exchange = Exchange(
        connection: connection, target: String(cString: target), targetByteCount: strlen(target))
    connection.begin(exchange)
    listener.exchangeBegan()
    // Released by requestHasEnded, which the library calls once for each call of this function.
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Continues a request.
func handleAccess(
    _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ uploadByteCount: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let pointer, let method, let version, let uploadByteCount, let object = slot?.pointee else {
        return MHD_Result.NO
    }
    return Unmanaged<Exchange>.fromOpaque(object).takeUnretainedValue().proceed(
        ConnectionHandle(pointer: pointer), method: method, version: version, upload: upload,
        uploadByteCount: uploadByteCount)
}

/// Ends an exchange.
func requestHasEnded(
    _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let listener = listener(context), let slot, let object = slot.pointee else { return }
    slot.pointee = nil
    Unmanaged<Exchange>.fromOpaque(object).takeRetainedValue().end(
        isComplete: code == .REQUEST_TERMINATED_COMPLETED_OK)
    listener.exchangeEnded()
}

/// Leaves the path as sent: the router decodes each segment separately, so that `%2F` is not a separator.
func keepEscapes(
    _ context: UnsafeMutableRawPointer?, _ pointer: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int { text.map { Int(strlen($0)) } ?? 0 }

/// Passes on the library's log messages. They have no context: the sink is shared by the process.
func logLine(_ line: UnsafePointer<CChar>?) {
    if let line { DiagnosticLog.write(String(cString: line)) }
}
