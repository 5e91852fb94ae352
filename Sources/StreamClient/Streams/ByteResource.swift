/// Bytes that can be read from any place on: a file, or an address.
protocol ByteResource: Sendable {
    /// Opens the bytes from an offset to the end.
    func open(at offset: Int) async throws(PlaybackError) -> ByteRun
    /// Whether a place far ahead is reached as cheaply by reading everything before it.
    var isNear: Bool { get }
}

/// Bytes as they come.
struct ByteRun: Sendable {
    /// Where they begin: the offset asked for.
    let offset: Int
    /// Size of the whole; nil where nobody knows.
    let total: Int?
    /// Header fields of the answer, if it was one.
    let fields: TransportFields
    /// The address that answered, if any.
    let address: String?
    /// The next piece; nil at the end.
    let next: @Sendable () async throws(PlaybackError) -> [UInt8]?
}
