/// The body of a request on its way from the library's thread, which receives it, to the handler, which reads it.
///
/// Not synchronised: it is part of the locked state of an ``Exchange``.
struct RequestBodyQueue: Sendable {
    typealias Reader = CheckedContinuation<[UInt8]?, any Error>

    enum Progress: Sendable {
        /// The client may be waiting for `100 Continue` until the handler reads the body.
        case awaitingDemand
        case receiving
        case received
    }

    /// The result of receiving bytes.
    enum Receipt: Sendable {
        case queued
        /// They are passed directly to a waiting handler.
        case wanted(Reader)
        /// They are kept by the library until there is room.
        case full
    }

    private(set) var progress = Progress.awaitingDemand
    /// Whether the client sends the body regardless of the response, and it is so small that it is read even if the handler
    /// does not: unread data would reset the connection, and the response might be lost.
    let isSureAndSmall: Bool
    /// Number of queued bytes above which no more are received.
    private let limit: Int
    private var chunks: [[UInt8]] = []
    private var queuedByteCount = 0
    private var discardedByteCount = 0
    private var reader: Reader?

    /// Maximum number of bytes of an unwanted body that are discarded so that the client can read the response.
    private static let discardLimit = 4 << 20

    init(_ header: RequestHeader, limit: Int) {
        self.limit = limit
        isSureAndSmall =
            !header.waitsForContinue && header.announcedByteCount.map { $0 <= Self.discardLimit } == true
    }

    // MARK: Library thread

    /// Whether the handler waits for bytes.
    var isWanted: Bool { reader != nil }

    /// Called when the library may receive the body.
    mutating func begin() { progress = .receiving }

    /// Takes bytes for the handler.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Receipt {
        if let reader = takeReader() { return .wanted(reader) }
        guard queuedByteCount < limit else { return .full }
        // Merge small pieces: a body may arrive in chunks of one byte.
        if let last = chunks.indices.last, chunks[last].count < 16_384 {
            chunks[last].append(contentsOf: bytes)
        } else {
            chunks.append([UInt8](bytes))
        }
        queuedByteCount += bytes.count
        return .queued
    }

    /// Discards bytes that arrive after the response is ready.
    /// - Returns: Whether more may be discarded.
    mutating func discard(_ byteCount: Int) -> Bool {
        discardedByteCount += byteCount
        return discardedByteCount <= Self.discardLimit
    }

    /// Called at the end of the body.
    /// - Returns: The handler that waits for it.
    mutating func end() -> Reader? {
        progress = .received
        return takeReader()
    }

    // MARK: Handler task

    /// Returns the next bytes, nil at the end, or an error; without a result, `reader` is resumed when there is one.
    mutating func read(_ reader: Reader) -> Result<[UInt8]?, any Error>? {
        if !chunks.isEmpty {
            let chunk = chunks.removeFirst()
            queuedByteCount -= chunk.count
            return .success(chunk)
        }
        if progress == .received { return .success(nil) }
        guard self.reader == nil else { return .failure(HTTPServerError.connectionClosed) }
        self.reader = reader
        return nil
    }

    /// Whether so little is queued that receiving should continue.
    var needsMore: Bool { progress != .received && (isWanted || queuedByteCount < limit / 2) }

    /// Removes the waiting handler, which the caller must resume.
    mutating func takeReader() -> Reader? {
        defer { reader = nil }
        return reader
    }

    /// Drops what is queued, when the handler has finished.
    mutating func drop() {
        chunks = []
        queuedByteCount = 0
    }
}
