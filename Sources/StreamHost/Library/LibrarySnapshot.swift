internal import Companion
internal import HTTPServer
internal import Synchronization

/// A copy of the library to hand out, and the same compressed. Both files have no name any more: they take no place when
/// the last download of them ends, however the program ends.
final class LibrarySnapshot: Sendable {
    /// The state of the library that the copy has at least.
    let version: Int
    /// When its making began, in nanoseconds of the monotonic clock.
    let began: UInt64
    /// How long the making took, in nanoseconds.
    let effort: UInt64
    /// The copy.
    let file: HTTPFile
    /// Names what is in the copy: a library that has not changed has the same name after the host was started anew.
    let entityTag: EntityTag
    private let compressed = Mutex<HTTPFile?>(nil)

    init(version: Int, began: UInt64, effort: UInt64, file: HTTPFile, entityTag: EntityTag) {
        self.version = version
        self.began = began
        self.effort = effort
        self.file = file
        self.entityTag = entityTag
    }

    /// The copy in gzip's format, once it is made.
    var compressedFile: HTTPFile? { compressed.withLock { $0 } }

    /// The tag of the compressed form, whose bytes are others.
    var compressedTag: EntityTag { EntityTag("\(entityTag.value)-gzip") }

    func set(compressedFile: HTTPFile) { compressed.withLock { $0 = compressedFile } }
}
