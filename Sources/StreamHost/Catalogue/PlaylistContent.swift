internal import Foundation
internal import HTTPServer
internal import MusicShared

/// A playlist to be made.
struct NewPlaylist: JSONContent {
    static let keys = ["name", "description", "track_ids"]

    let name: String
    let description: String?
    let trackIDs: [Int]

    private enum CodingKeys: String, CodingKey {
        case name, description
        case trackIDs = "track_ids"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try PlaylistText.name(container.decode(String.self, forKey: .name))
        description = try PlaylistText.description(
            container.decodeIfPresent(String.self, forKey: .description))
        trackIDs = try container.decodeIfPresent([Int].self, forKey: .trackIDs) ?? []
    }
}

/// What is to be another name or description.
struct PlaylistPatch: JSONContent {
    static let keys = ["name", "description"]

    /// Nil leaves the name as it is.
    let name: String?
    /// Nil leaves the description as it is; a nil within removes it.
    let description: String??

    private enum CodingKeys: String, CodingKey {
        case name, description
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name =
            container.contains(.name)
            ? try PlaylistText.name(container.decode(String.self, forKey: .name)) : nil
        description =
            container.contains(.description)
            ? .some(
                try PlaylistText.description(
                    container.decodeIfPresent(String.self, forKey: .description))) : nil
    }
}

/// All tracks of a playlist.
struct PlaylistTracks: JSONContent {
    static let keys = ["track_ids"]

    let trackIDs: [Int]

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
    }
}

/// Tracks to be put into a playlist.
struct PlaylistAddition: JSONContent {
    static let keys = ["track_ids", "position"]

    let trackIDs: [Int]
    /// Before which entry; nil for the end.
    let position: Int?

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case position
    }
}

/// Where an entry is to be.
struct PlaylistMove: JSONContent {
    static let keys = ["position"]

    let position: Int
}

/// What names and descriptions may be.
private enum PlaylistText {
    static func name(_ text: String) throws -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= CatalogueLimits.playlistName,
            name.utf8.count <= 4 * CatalogueLimits.playlistName, !hasControls(name, except: [])
        else {
            throw HTTPError(
                .badRequest, code: "invalid_field",
                message:
                    "A name has 1 to \(CatalogueLimits.playlistName) characters, and no control characters.",
                field: "name")
        }
        return name
    }

    static func description(_ text: String?) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.count <= CatalogueLimits.playlistDescription,
            text.utf8.count <= 4 * CatalogueLimits.playlistDescription,
            !hasControls(text, except: ["\n", "\r", "\t"])
        else {
            throw HTTPError(
                .badRequest, code: "invalid_field",
                message:
                    "A description has at most \(CatalogueLimits.playlistDescription) characters, "
                    + "and no control characters but line breaks and tabs.", field: "description")
        }
        return text
    }

    private static func hasControls(_ text: String, except allowed: [Unicode.Scalar]) -> Bool {
        text.unicodeScalars.contains {
            $0.properties.generalCategory == .control && !allowed.contains($0)
        }
    }
}
