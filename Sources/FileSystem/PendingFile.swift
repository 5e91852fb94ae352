/// A new file under a hidden temporary name, until it is complete and gets its own; deleted if that does not happen.
///
/// It is locked while the process works on it, so an unlocked one was left behind by a process that was killed.
package final class PendingFile {
    // Earlier versions used this name for edits only; their leftovers are recognised by it.
    private static let prefix = Array(".audio-companion-".utf8)
    private static let suffix = Array(".tag-edit".utf8)
    private static let digits = Array("0123456789abcdef".utf8)
    private static let digitCount = 16

    /// The open file, empty at first; only its owner may read and write it.
    package let descriptor: FileDescriptor
    private let folder: Folder
    private let name: [UInt8]
    private var isInPlace = false

    /// Creates the file.
    /// - Parameter name: the temporary name; by default a random one for which ``isName(_:)`` is true.
    package init(in folder: Folder, temporaryName name: [UInt8]? = nil) throws(SystemError) {
        self.folder = folder
        self.name = name ?? Self.randomName()
        descriptor = try folder.open(self.name, for: .readAndWrite, .createNew)
        // Some network file systems do not support locks.
        _ = try? descriptor.lock(.exclusive)
    }

    deinit { if !isInPlace { try? folder.removeFile(name) } }

    /// Writes everything to disk and gives the file its name, replacing an existing file.
    package func replace(_ newName: some FilePath) throws(SystemError) {
        try descriptor.sync()
        try folder.rename(name, to: newName, in: folder)
        isInPlace = true
        // If this fails, a power loss may bring the old file back: a complete file either way.
        try? folder.descriptor.sync()
    }

    /// Writes everything to disk and gives the file its name, unless that is taken.
    /// - Throws: ``SystemError/Kind/alreadyExists`` if it is.
    package func take(freeName newName: some FilePath) throws(SystemError) {
        try descriptor.sync()
        try folder.renameToFreeName(name, to: newName, in: folder)
        isInPlace = true
        try? folder.descriptor.sync()
    }

    /// Whether a name is a temporary name of such files: hidden, and without the extension of an audio file.
    package static func isName(_ name: [UInt8]) -> Bool {
        name.count == prefix.count + digitCount + suffix.count && name.starts(with: prefix)
            && name.suffix(suffix.count).elementsEqual(suffix)
            && name[prefix.count..<prefix.count + digitCount].allSatisfy(digits.contains)
    }

    private static func randomName() -> [UInt8] {
        prefix + (0..<digitCount).map { _ in digits[Int.random(in: 0..<digits.count)] } + suffix
    }
}
