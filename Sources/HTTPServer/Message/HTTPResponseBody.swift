/// The content of a response.
public enum HTTPResponseBody: Sendable {
    /// None.
    case empty
    /// Bytes in memory.
    case bytes([UInt8])
    /// A region of a file, that goes from the file to the socket inside the kernel.
    case file(FileRegion)
    /// Bytes that are made while they are sent.
    case stream(ResponseStream)
    /// The connection becomes a WebSocket.
    case webSocket(WebSocketUpgrade)

    /// The number of bytes, where it is known before they are sent.
    public var byteCount: Int? {
        switch self {
        case .empty, .webSocket: 0
        case .bytes(let bytes): bytes.count
        case .file(let region): region.byteCount
        case .stream(let stream): stream.byteCount
        }
    }
}
