internal import Analyzer
internal import FileSystem
internal import Foundation
package import LibraryStore

/// Binds a data folder to the music folder that it describes, for as long as a program works on both.
///
/// The data folder stores its music folder at the first use (`music-folder.json`), with its path and the file
/// system's identification. Another folder is rejected: its files would replace all known tracks. A folder
/// that was moved or is mounted elsewhere is recognised by its inode, or because most of the known tracks are
/// found in it by path and size.
///
/// Programs hold a shared lock on the file while they run, so that no other program rebinds the data folder
/// in the meantime.
package final class MusicBinding: Sendable {
    /// Number of known tracks to look for in a folder that may be a different one.
    private static let sampleCount = 1_000

    private let file: FileDescriptor

    /// Binds a data folder to a music folder at the first use; later, verifies that it is the same folder.
    /// - Parameter rebinds: whether to bind to this music folder even if the data folder is bound to another
    ///   one.
    /// - Throws: `StoreError` `otherMusic` for another music folder, `dataFolderInUse` if it cannot be
    ///   rebound because another program uses it, `dataFolder` if the file cannot be used.
    package init(_ data: DataFolder, to music: MusicFolder, rebinds: Bool = false) throws(StoreError) {
        let path = data.musicBinding
        file = try SystemError.map(to: { StoreError(.dataFolder, "cannot be opened: \($0)", path: path) }) {
            () throws(SystemError) in
            try FileDescriptor.open(path, for: .readAndWrite, [.create, .noLink])
        }
        let current = Record(of: music)
        while true {
            let isAlone = try lock(path)
            guard let new = try newRecord(data, music, current, rebinds: rebinds, isAlone: isAlone) else {
                break
            }
            guard isAlone else { break }
            try write(new, path)
            // Another program may have written between the two locks.
            try share(path)
            if stored == new { return }
        }
        try share(path)
    }

    /// Identifies a folder.
    private struct Record: Codable, Equatable {
        /// For display, and to recognise a folder whose disk is not mounted.
        var path: String
        /// The file system's id, which stays the same when the folder is mounted elsewhere.
        var fileSystem: UInt64
        var inode: UInt64

        init(of music: MusicFolder) {
            path = music.displayPath
            inode = (try? Files.status(of: music.pathBytes))?.identity.inode ?? 0
            fileSystem = (try? Files.fileSystem(of: music.pathBytes)) ?? 0
        }

        func isSameFolder(as other: Record) -> Bool {
            fileSystem == other.fileSystem && inode == other.inode
        }

        private enum CodingKeys: String, CodingKey {
            case path
            case fileSystem = "file_system"
            case inode
        }
    }

    /// How a music folder compares with the tracks known to the data folder.
    private enum Content {
        /// There are no known tracks.
        case nothingKnown
        case fits
        case differs(found: Int, of: Int)
        /// The library cannot be read; the next program to open it reports why.
        case unreadable
    }

    /// Checks the folder and returns the record to write; nil if nothing needs to be written.
    private func newRecord(
        _ data: DataFolder, _ music: MusicFolder, _ current: Record, rebinds: Bool, isAlone: Bool
    ) throws(StoreError) -> Record? {
        let stored = stored
        if let stored, stored.isSameFolder(as: current) { return stored == current ? nil : current }
        if rebinds {
            guard isAlone else { throw Self.inUse(data) }
            return current
        }
        switch Self.content(of: music, knownBy: data) {
        case .fits: return current
        case .nothingKnown:
            // Another running program may be about to store its first track.
            guard stored == nil || isAlone else { throw Self.other(data, music, stored, nil) }
            return current
        case .unreadable:
            if let stored { throw Self.other(data, music, stored, nil) }
            return nil
        case .differs(let found, let count):
            // An empty folder is more likely an unmounted disk.
            if stored == nil || stored?.path == current.path, music.scan().entries.isEmpty { return nil }
            throw Self.other(data, music, stored, (found, count))
        }
    }

    private static func content(of music: MusicFolder, knownBy data: DataFolder) -> Content {
        guard FileManager.default.fileExists(atPath: data.libraryDatabase) else { return .nothingKnown }
        do {
            let known = try LibraryStore.knownFiles(data, limit: sampleCount)
            if known.isEmpty { return .nothingKnown }
            let found = known.count { music.scannedEntry(at: $0.path)?.file.size == $0.byteCount }
            return found * 2 >= known.count ? .fits : .differs(found: found, of: known.count)
        } catch {
            return .unreadable
        }
    }

    private static func inUse(_ data: DataFolder) -> StoreError {
        StoreError(
            .dataFolderInUse,
            "cannot be bound to another music folder while a host or a pass uses it; stop that program first",
            path: data.path)
    }

    private static func other(
        _ data: DataFolder, _ music: MusicFolder, _ stored: Record?, _ found: (found: Int, known: Int)?
    ) -> StoreError {
        let owner =
            stored.map { "this data folder belongs to the music folder \($0.path)" }
            ?? "this data folder belongs to another music folder"
        let count = found.map { " (\($0.found) of \($0.known) known tracks were found)" } ?? ""
        return StoreError(
            .otherMusic,
            """
            \(owner), not to \(music.displayPath)\(count). Choose another data folder with --data. Or bind this one to the new \
            folder with --rebind: known tracks that are not in it become unavailable, stars and plays are kept
            """, path: data.path)
    }

    // MARK: The file

    /// Locks the file, exclusively if no other program uses it.
    private func lock(_ path: String) throws(StoreError) -> Bool {
        // No one holds it exclusively for longer than a check takes.
        do throws(SystemError) {
            for _ in 0..<3_000 {
                if try file.lock(.exclusive) { return true }
                if try file.lock(.shared) { return false }
                usleep(10_000)
            }
        } catch {
            throw StoreError(.dataFolder, "cannot be locked: \(error)", path: path)
        }
        throw StoreError(.dataFolder, "cannot be locked: another program holds the lock", path: path)
    }

    /// Keeps the file locked against rebinding, together with other programs.
    private func share(_ path: String) throws(StoreError) {
        do throws(SystemError) {
            try file.waitForLock(.shared)
        } catch {
            throw StoreError(.dataFolder, "cannot be locked: \(error)", path: path)
        }
    }

    /// The record in the file; nil if the file is empty, or unreadable after a power cut.
    private var stored: Record? {
        guard let bytes = try? file.read(16_384), !bytes.isEmpty else { return nil }
        return try? JSONDecoder().decode(Record.self, from: Data(bytes))
    }

    private func write(_ record: Record, _ path: String) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let json = try? encoder.encode(record) else { return }
        do throws(SystemError) {
            try file.truncate(to: 0)
            try file.write([UInt8](json) + [0x0A], at: 0)
            try file.sync()
        } catch {
            throw StoreError(.dataFolder, "cannot be written: \(error)", path: path)
        }
    }
}
