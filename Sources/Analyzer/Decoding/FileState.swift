package import FileSystem

/// The size and modification time of a file: a cheap way to detect changes.
public struct FileState: Hashable, Sendable {
    /// Size in bytes.
    public var size: Int
    /// Modification time in nanoseconds since 1970 (UTC).
    public var modificationTimeNanoseconds: Int

    /// Memberwise initializer.
    public init(size: Int, modificationTimeNanoseconds: Int) {
        self.size = size
        self.modificationTimeNanoseconds = modificationTimeNanoseconds
    }

    /// The state of a file as reported by the file system.
    package init(_ status: FileStatus) {
        self.init(size: status.byteCount, modificationTimeNanoseconds: status.modificationNanoseconds)
    }
}
