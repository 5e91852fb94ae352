internal import FileSystem
internal import Foundation

/// The file that marks listening data as a copy of a shared database.
struct SharingMark: Codable {
    /// Where the shared database is, for people.
    var place: String
    /// The shared data that has the playlists of this folder's library; nil until it has.
    var playlistsEpoch: String?

    private enum CodingKeys: String, CodingKey {
        case place
        case playlistsEpoch = "playlists_epoch"
    }

    /// Returns the mark of a data folder; nil if it has none.
    /// - Throws: an error if the file cannot be read or is damaged.
    static func read(_ folder: DataFolder) throws -> SharingMark? {
        guard FileManager.default.fileExists(atPath: folder.sharedListeningMark) else { return nil }
        let content = try Data(contentsOf: URL(filePath: folder.sharedListeningMark))
        return try JSONDecoder().decode(SharingMark.self, from: content)
    }

    /// Stores the mark.
    func write(to folder: DataFolder) throws {
        let content = try JSONEncoder().encode(self)
        try Files.replace(folder.sharedListeningMark, with: [UInt8](content), permissions: 0o600)
    }
}
