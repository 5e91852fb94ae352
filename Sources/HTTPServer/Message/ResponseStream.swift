/// Response content generated while it is sent.
package struct ResponseStream: Sendable {
    /// The number of bytes, if known: then the response has a `Content-Length`, otherwise it is chunked.
    package let byteCount: Int?
    let bounds: Range<Int>?
    let produce: @Sendable (ResponseWriter) async throws -> Void
    /// Writes only a range of the content; nil if all before it must be produced.
    private let produceRange: (@Sendable (Range<Int>, ResponseWriter) async throws -> Void)?

    /// Creates content from a closure that writes it. `write` waits while the client is slow, so that little is buffered. If
    /// the closure throws, or writes more or fewer bytes than announced, the connection is closed, so that the client notices
    /// the incomplete content.
    package init(byteCount: Int? = nil, produce: @escaping @Sendable (ResponseWriter) async throws -> Void) {
        self.byteCount = byteCount
        bounds = nil
        self.produce = produce
        produceRange = nil
    }

    /// Creates content of which any range can be written without what precedes it.
    /// - Parameter produce: writes a range of the content.
    package init(
        byteCount: Int, ranges produce: @escaping @Sendable (Range<Int>, ResponseWriter) async throws -> Void
    ) {
        self.byteCount = byteCount
        bounds = nil
        self.produce = { try await produce(0..<byteCount, $0) }
        produceRange = produce
    }

    /// Creates content from a sequence of chunks.
    package init<Chunks: AsyncSequence & Sendable>(byteCount: Int? = nil, _ chunks: Chunks)
    where Chunks.Element == [UInt8] {
        self.init(byteCount: byteCount) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
        }
    }

    private init(
        byteCount: Int, bounds: Range<Int>, produce: @escaping @Sendable (ResponseWriter) async throws -> Void
    ) {
        self.byteCount = byteCount
        self.bounds = bounds
        self.produce = produce
        produceRange = nil
    }

    /// Returns a range of the content: bytes before it are produced and dropped, unless a range can be written alone; bytes after it
    /// are not produced.
    func cut(to range: Range<Int>) -> ResponseStream {
        guard let produceRange else {
            return ResponseStream(byteCount: range.count, bounds: range, produce: produce)
        }
        return ResponseStream(byteCount: range.count) { try await produceRange(range, $0) }
    }
}

/// The destination of a ``ResponseStream``'s bytes.
package struct ResponseWriter: Sendable {
    let sink: @Sendable ([UInt8]) async throws -> Void

    /// Writes bytes; waits while the buffer is full.
    ///
    /// - Throws: ``HTTPServerError`` if the client has disconnected.
    package func write(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await sink(bytes) }
    }
}
