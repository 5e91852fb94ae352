/// The connection below a ``WebSocketSession``, and the receiver of its messages.
package protocol WebSocketChannel: AnyObject {
    /// Reads available bytes without waiting.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> WebSocketTransfer

    /// Writes bytes without waiting.
    /// - Parameter hasMore: whether more bytes follow immediately.
    func write(_ bytes: UnsafeRawBufferPointer, hasMore: Bool) -> WebSocketTransfer

    /// Receives a complete text message, whose UTF-8 has been validated.
    func receive(text: String)

    /// Receives a complete binary message.
    func receive(binary bytes: [UInt8])
}

/// The result of reading or writing without waiting.
package enum WebSocketTransfer: Sendable {
    /// The number of bytes read or written.
    case bytes(Int)
    /// None: try again later.
    case wouldBlock
    /// The connection is broken or at its end.
    case failed
}
