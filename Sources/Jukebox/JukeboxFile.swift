internal import FileSystem
internal import Foundation

/// The state that the jukebox keeps across restarts of the host: a file in the data folder.
struct JukeboxFile: Codable, Equatable {
    /// The library that the track IDs belong to.
    var libraryID: String
    var trackIDs: [Int] = []
    var index: Int?
    var positionSeconds = 0.0
    var volume = 1.0

    private enum CodingKeys: String, CodingKey {
        case index, volume
        case libraryID = "library_id"
        case trackIDs = "track_ids"
        case positionSeconds = "position_seconds"
    }

    /// Reads the file; nil if it does not exist.
    /// - Throws: an error if it cannot be read or is damaged.
    static func read(_ path: String) throws -> JukeboxFile? {
        guard (try? Files.status(of: path)) != nil else { return nil }
        return try JSONDecoder().decode(JukeboxFile.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// Replaces the file.
    func write(_ path: String) throws { try Files.replace(path, with: JSONEncoder().encode(self)) }
}
