/// The body of a response.
package enum HTTPResponseBody: Sendable {
    /// No content.
    case empty
    /// Bytes in memory.
    case bytes([UInt8])
    /// A region of a file, sent from the file to the socket inside the kernel.
    case file(FileRegion)
    /// Content generated while it is sent.
    case stream(ResponseStream)
    /// The connection becomes a WebSocket.
    indirect case webSocket(any ConnectionUpgrade)

    /// The number of bytes, if known in advance.
    package var byteCount: Int? {
        switch self {
        case .empty, .webSocket: 0
        case .bytes(let bytes): bytes.count
        case .file(let region): region.byteCount
        case .stream(let stream): stream.byteCount
        }
    }
}

/// The use of a connection after its response: see ``WebSocketUpgrade``.
package protocol ConnectionUpgrade: Sendable {}
