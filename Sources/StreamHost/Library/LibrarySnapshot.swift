internal import Companion
internal import HTTPServer
internal import Synchronization

/// A copy of the library to download, plain and compressed. Both files are already unlinked: their disk space
/// is freed when the last download ends, even if the process is killed.
final class LibrarySnapshot: Sendable {
    /// The copy contains at least this version of the library.
    let version: Int
    /// Start of its creation, in nanoseconds of the monotonic clock.
    let began: UInt64
    /// Duration of its creation in nanoseconds.
    let effort: UInt64
    /// The copy.
    let file: HTTPFile
    /// ETag of the content; unchanged content has the same ETag after a restart of the host.
    let entityTag: EntityTag
    private let compressed = Mutex<HTTPFile?>(nil)

    init(version: Int, began: UInt64, effort: UInt64, file: HTTPFile, entityTag: EntityTag) {
        self.version = version
        self.began = began
        self.effort = effort
        self.file = file
        self.entityTag = entityTag
    }

    /// The gzip-compressed copy; nil until it is created.
    var compressedFile: HTTPFile? { compressed.withLock { $0 } }

    /// ETag of the compressed copy.
    var compressedTag: EntityTag { EntityTag("\(entityTag.value)-gzip") }

    func set(compressedFile: HTTPFile) { compressed.withLock { $0 = compressedFile } }
}
