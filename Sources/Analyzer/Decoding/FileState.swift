public import Foundation

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

    /// Creates a state from the result of `stat`.
    public init(_ status: stat) {
        self.init(
            size: Int(status.st_size),
            modificationTimeNanoseconds: Int(status.st_mtim.tv_sec) * 1_000_000_000
                + Int(status.st_mtim.tv_nsec))
    }
}
