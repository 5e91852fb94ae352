/// What is put up with when files are taken in.
public struct IntakeLimits: Sendable, Equatable {
    /// Bytes of one file, a zip as a whole, or one file in it.
    public var fileBytes = 4 << 30
    /// Bytes of one request.
    public var requestBytes = 16 << 30
    /// Files of one request.
    public var files = 1000
    /// Bytes of all files in a zip, unpacked.
    public var unpackedBytes = 16 << 30
    /// How many times the zip's own size its files may have together, beyond the first ``unpackedAllowance`` bytes. Music
    /// hardly shrinks in a zip.
    public var unpackedRatio = 50
    /// Files and folders in a zip.
    public var zipEntries = 10_000
    /// Bytes that stay free on the disk.
    public var reservedBytes = 64 << 20
    /// Uploads that are open at a time.
    public var openUploads = 64
    /// How long an upload is kept that nothing is added to, in seconds.
    public var uploadLifetimeSeconds = 24.0 * 3600

    /// Bytes that a zip may unpack to whatever its size.
    static let unpackedAllowance = 64 << 20

    /// The usual limits.
    public init() {}
}
