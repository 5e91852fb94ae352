/// The body of a request: an asynchronous sequence of chunks, which can be read once.
///
/// While chunks wait to be read, no more data is received: an upload of any size uses a bounded amount of memory.
package struct HTTPRequestBody: AsyncSequence, Sendable {
    /// A chunk of the body.
    package typealias Element = [UInt8]

    enum Source: Sendable {
        case bytes([UInt8])
        case connection(any RequestBodySource)
    }

    let source: Source
    /// The length announced by the client, if any.
    package let announcedByteCount: Int?

    /// An empty body.
    package static let empty = HTTPRequestBody(source: .bytes([]), announcedByteCount: 0)

    /// Returns a body in memory.
    package static func bytes(_ bytes: [UInt8]) -> HTTPRequestBody {
        HTTPRequestBody(source: .bytes(bytes), announcedByteCount: bytes.count)
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: Maximum number of bytes.
    /// - Throws: ``HTTPError`` with 413 above the limit, immediately if the announced length exceeds it; ``HTTPServerError``
    ///   if the client disconnects.
    package func collect(upTo limit: Int) async throws -> [UInt8] {
        let tooLarge = HTTPError(
            .contentTooLarge, code: "content_too_large",
            message: "The request body is larger than \(limit) bytes.")
        if let announcedByteCount, announcedByteCount > limit { throw tooLarge }
        if case .bytes(let bytes) = source { return bytes }
        var collected: [UInt8] = []
        for try await chunk in self {
            guard collected.count + chunk.count <= limit else { throw tooLarge }
            collected.append(contentsOf: chunk)
        }
        return collected
    }

    /// Returns an iterator over the chunks.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Reads the body chunk by chunk.
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var source: Source?

        fileprivate init(source: Source) { self.source = source }

        /// Returns the next chunk, or nil at the end.
        ///
        /// - Throws: ``HTTPServerError`` if the client disconnects before the end.
        package mutating func next() async throws -> [UInt8]? {
            switch source {
            case .bytes(let bytes):
                source = nil
                return bytes.isEmpty ? nil : bytes
            case .connection(let connection):
                let chunk = try await connection.nextChunk()
                if chunk == nil { source = nil }
                return chunk
            case nil:
                return nil
            }
        }
    }
}

/// A connection that a body is received from.
protocol RequestBodySource: AnyObject, Sendable {
    /// Returns the next chunk, or nil at the end.
    /// - Throws: ``HTTPServerError`` if the client disconnects before the end.
    func nextChunk() async throws -> [UInt8]?
}
