/// Content as it comes: pieces of bytes, none of them empty. Read by one reader, once.
///
/// Reading paces the sender: what nobody reads is held back, save a few hundred kilobytes. Letting go of the body and its
/// iterators gives the rest up.
public struct TransportBody: AsyncSequence, Sendable {
    /// A piece.
    public typealias Element = [UInt8]
    /// Why the rest does not come.
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

    /// Content out of a source.
    /// - Parameters:
    ///   - next: gives the next piece, nil at the end. Called by one reader at a time.
    ///   - cancel: called when nobody wants more, be it over or not.
    public init(
        next: @escaping @Sendable () async throws(TransportError) -> [UInt8]?,
        cancel: @escaping @Sendable () -> Void = {}
    ) {
        source = Source(next: next, cancel: cancel)
    }

    /// Reads the pieces.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: TransportBody.Source

        /// The next piece; nil at the end.
        public mutating func next() async throws -> [UInt8]? { try await source.next() }

        /// The next piece; nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            try await source.next()
        }
    }

    /// Reads from where the last reader stopped.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// All of the content at once.
    /// - Throws: where it ends early, or is larger than `limit` bytes.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await source.next() {
            guard bytes.count + piece.count <= limit else {
                source.cancel()
                throw TransportError(.tooLarge, "the answer is larger than \(limit) bytes")
            }
            bytes += piece
        }
        return bytes
    }
}
