/// Limits for uploaded files.
public struct IntakeLimits: Sendable, Equatable {
    /// Maximum size in bytes of a file, a zip as a whole, or a file in it.
    public var fileBytes = 4 << 30
    /// Maximum size of a request in bytes.
    public var requestBytes = 16 << 30
    /// Maximum number of files in a request.
    public var files = 1000
    /// Maximum total size in bytes of the files in a zip, unpacked.
    public var unpackedBytes = 16 << 30
    /// Maximum ratio of the unpacked size to the size of the zip, not counting the first
    /// ``unpackedAllowance`` bytes. Music hardly compresses.
    public var unpackedRatio = 50
    /// Maximum number of files and folders in a zip.
    public var zipEntries = 10_000
    /// Bytes to keep free on the disk.
    public var reservedBytes = 64 << 20
    /// Maximum number of unfinished resumable uploads.
    public var openUploads = 64
    /// Maximum number of finished resumable uploads whose reports are kept; the oldest are removed first.
    public var finishedUploads = 128
    /// Seconds without activity after which an upload expires.
    public var uploadLifetimeSeconds = 24.0 * 3600

    /// Bytes that a zip may unpack to regardless of its size.
    static let unpackedAllowance = 64 << 20

    /// Creates the default limits.
    public init() {}
}
