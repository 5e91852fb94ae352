/// Content that is made while it is sent.
public struct ResponseStream: Sendable {
    /// The number of bytes, where it is known: then the response carries its length, else it is sent in chunks.
    public let byteCount: Int?
    let bounds: Range<Int>?
    let produce: @Sendable (ResponseWriter) async throws -> Void

    /// Makes content of a closure that writes it. `write` waits while the client is slow, so that little is held in
    /// memory. Where the closure throws, or writes more or fewer bytes than announced, the connection is cut: the client
    /// sees that the content is not whole.
    public init(byteCount: Int? = nil, produce: @escaping @Sendable (ResponseWriter) async throws -> Void) {
        self.byteCount = byteCount
        bounds = nil
        self.produce = produce
    }

    /// Makes content of a sequence of chunks.
    public init<Chunks: AsyncSequence & Sendable>(byteCount: Int? = nil, _ chunks: Chunks)
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
    }

    /// A part: what comes before is made and dropped, what comes after is not made.
    func cut(to range: Range<Int>) -> ResponseStream {
        ResponseStream(byteCount: range.count, bounds: range, produce: produce)
    }
}

/// Where a ``ResponseStream`` writes its bytes.
public struct ResponseWriter: Sendable {
    let sink: @Sendable ([UInt8]) async throws -> Void

    /// Writes bytes; waits while too many are on their way.
    ///
    /// - Throws: ``HTTPServerError`` where the client has gone.
    public func write(_ bytes: [UInt8]) async throws {
        if !bytes.isEmpty { try await sink(bytes) }
    }
}
