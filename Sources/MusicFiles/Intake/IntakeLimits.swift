/// Limits for uploaded files.
package struct IntakeLimits: Sendable, Equatable {
    /// Maximum size in bytes of a file, a zip as a whole, or a file in it.
    package var fileBytes = 4 << 30
    /// Maximum size of a request in bytes.
    package var requestBytes = 16 << 30
    /// Maximum number of files in a request.
    package var files = 1000
    /// Maximum total size in bytes of the files in a zip, unpacked.
    package var unpackedBytes = 16 << 30
    /// Maximum ratio of the unpacked size to the size of the zip, not counting the first
    /// ``unpackedAllowance`` bytes. Music hardly compresses.
    package var unpackedRatio = 50
    /// Maximum number of files and folders in a zip.
    package var zipEntries = 10_000
    /// Bytes to keep free on the disk.
    package var reservedBytes = 64 << 20
    /// Maximum number of unfinished resumable uploads.
    package var openUploads = 64
    /// Maximum number of finished resumable uploads whose reports are kept; the oldest are removed first.
    package var finishedUploads = 128
    /// Seconds without activity after which an upload expires.
    package var uploadLifetimeSeconds = 24.0 * 3600

    /// Bytes that a zip may unpack to regardless of its size.
    static let unpackedAllowance = 64 << 20

    /// Creates the default limits.
    package init() {}
}
