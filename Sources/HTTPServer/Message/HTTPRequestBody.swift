/// The content of a request: an asynchronous sequence of chunks, to be read once.
///
/// While chunks wait to be read, the connection is not read any further: an upload of any size takes a bounded amount
/// of memory.
public struct HTTPRequestBody: AsyncSequence, Sendable {
    /// A chunk of the content.
    public typealias Element = [UInt8]

    enum Source: Sendable {
        case bytes([UInt8])
        case connection(Exchange)
    }

    let source: Source
    /// The length that the client announced, where it did.
    public let announcedByteCount: Int?

    /// No content.
    public static let empty = HTTPRequestBody(source: .bytes([]), announcedByteCount: 0)

    /// Content in memory.
    public static func bytes(_ bytes: [UInt8]) -> HTTPRequestBody {
        HTTPRequestBody(source: .bytes(bytes), announcedByteCount: bytes.count)
    }

    /// Reads all content into memory.
    ///
    /// - Parameter limit: The most bytes to take.
    /// - Throws: ``HTTPError`` with 413 above the limit, at once where the announced length says so;
    ///   ``HTTPServerError`` where the client goes away.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        let tooLarge = HTTPError(
            .contentTooLarge, code: "content_too_large",
            message: "The content is larger than \(limit) bytes.")
        if let announcedByteCount, announcedByteCount > limit { throw tooLarge }
        if case .bytes(let bytes) = source { return bytes }
        var collected: [UInt8] = []
        for try await chunk in self {
            guard collected.count + chunk.count <= limit else { throw tooLarge }
            collected.append(contentsOf: chunk)
        }
        return collected
    }

    /// Reads chunk by chunk.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Reads the content chunk by chunk.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var source: Source?

        fileprivate init(source: Source) { self.source = source }

        /// The next chunk, or nil at the end.
        ///
        /// - Throws: ``HTTPServerError`` where the client goes away before the end.
        public mutating func next() async throws -> [UInt8]? {
            switch source {
            case .bytes(let bytes):
                source = nil
                return bytes.isEmpty ? nil : bytes
            case .connection(let exchange):
                let chunk = try await exchange.nextChunk()
                if chunk == nil { source = nil }
                return chunk
            case nil:
                return nil
            }
        }
    }
}
