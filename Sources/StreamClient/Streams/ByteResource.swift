/// A sequence of bytes that can be read from any offset: a file or a URL.
protocol ByteResource: Sendable {
    /// Opens the bytes from an offset to the end.
    func open(at offset: Int) async throws(PlaybackError) -> ByteRun
    /// Whether reading everything before a distant position costs little more than seeking to it.
    var isNear: Bool { get }
}

/// A sequential read in progress.
struct ByteRun: Sendable {
    /// The requested offset.
    let offset: Int
    /// Total size of the resource in bytes; nil if unknown.
    let total: Int?
    /// Header fields of the HTTP response, if any.
    let fields: TransportFields
    /// The URL that responded, if any.
    let address: String?
    /// Returns the next piece; nil at the end.
    let next: @Sendable () async throws(PlaybackError) -> [UInt8]?
}
