internal import FileSystem
internal import Foundation
internal import HostAccounts
package import LibraryStore
internal import Secrets

/// The settings of a host that follows another one, the primary: it copies the primary's data, answers what reads from its copy,
/// and forwards what changes.
package struct Following: Sendable {
    /// Name of the file that marks the data folder of a follower.
    private static let markName = "following.json"

    /// The content of the mark.
    private struct Mark: Codable {
        /// The primary's address, for people.
        var primary: String
    }

    /// The primary.
    package let primary: PrimaryHost
    /// Whether the music folder holds the primary's files; otherwise it holds copies of those that were played.
    package let sharesMusic: Bool
    /// Maximum size of the copied music files in bytes.
    package let audioCacheBytes: Int

    /// Memberwise initializer.
    package init(primary: PrimaryHost, sharesMusic: Bool, audioCacheBytes: Int) {
        self.primary = primary
        self.sharesMusic = sharesMusic
        self.audioCacheBytes = audioCacheBytes
    }

    /// Prepares a data folder: marks it as a follower's, stores the API key, and copies the primary's library the first time.
    /// Blocks.
    /// - Throws: ``PrimaryHost/Failure`` if the folder holds a library of its own, or if there is no copy yet and the primary
    ///   cannot be reached.
    package func prepare(_ data: DataFolder) throws {
        let mark = "\(data.path)/\(Self.markName)"
        let hasLibrary = FileManager.default.fileExists(atPath: data.libraryDatabase)
        guard FileManager.default.fileExists(atPath: mark) || !hasLibrary else {
            throw PrimaryHost.Failure(
                description:
                    "\(data.path) holds a library of its own, which following would replace; choose another folder with --data"
            )
        }
        let json = try JSONEncoder().encode(Mark(primary: primary.address))
        try Files.replace(mark, with: [UInt8](json), permissions: 0o600)
        if try HostSecrets.existing(dataFolder: data.path)?.apiKey.matches(primary.apiKey.bytes) != true {
            _ = try HostSecrets.set(primary.keyText, dataFolder: data.path)
        }
        if !hasLibrary { try primary.download(PrimaryHost.wholeLibrary, to: data.libraryDatabase) }
    }

    /// Whether a data folder is that of a follower, which must not scan music.
    package static func isFollower(_ data: DataFolder) -> Bool {
        FileManager.default.fileExists(atPath: "\(data.path)/\(markName)")
    }
}
