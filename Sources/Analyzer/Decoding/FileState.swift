public import Foundation

/// What tells cheaply whether a file has changed: its size and the time of its last change.
public struct FileState: Hashable, Sendable {
    /// Size in bytes.
    public var size: Int
    /// Time of the last change of the content, in nanoseconds since 1970 (UTC).
    public var modificationTimeNanoseconds: Int

    /// Makes a state.
    public init(size: Int, modificationTimeNanoseconds: Int) {
        self.size = size
        self.modificationTimeNanoseconds = modificationTimeNanoseconds
    }

    /// The state that the system tells of.
    public init(_ status: stat) {
        self.init(
            size: Int(status.st_size),
            modificationTimeNanoseconds: Int(status.st_mtim.tv_sec) * 1_000_000_000
                + Int(status.st_mtim.tv_nsec))
    }
}
