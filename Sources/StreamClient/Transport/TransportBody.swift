/// A response body that is streamed in non-empty pieces. Can be read once, by one reader.
///
/// Reading provides backpressure: the transfer is paused when a few hundred kilobytes are buffered. Releasing the body and
/// its iterators cancels the transfer.
public struct TransportBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// The error that ends the body early.
    public typealias Failure = TransportError

    fileprivate final class Source: Sendable {
        let next: @Sendable () async throws(TransportError) -> [UInt8]?
        let cancel: @Sendable () -> Void

        init(
            next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
            cancel: @escaping @Sendable () -> Void
        ) {
            self.next = next
            self.cancel = cancel
        }

        deinit { cancel() }
    }

    private let source: Source

    /// Creates a body from closures.
    /// - Parameters:
    ///   - next: returns the next piece, nil at the end. Called by one reader at a time.
    ///   - cancel: called when the body is released, whether or not it was read to the end.
    public init(
        next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        source = Source(next: next, cancel: cancel)
    }

    /// Iterates over the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: TransportBody.Source

        /// Returns the next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await source.next() }

        /// Returns the next piece; nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            try await source.next()
        }
    }

    /// Returns an iterator that continues where the last one stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Returns the whole body.
    /// - Throws: if it ends early or is larger than `limit` bytes.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await source.next() {
            guard bytes.count + piece.count <= limit else {
                source.cancel()
                throw TransportError(.tooLarge, "the response is larger than \(limit) bytes")
            }
            bytes += piece
        }
        return bytes
    }
}
