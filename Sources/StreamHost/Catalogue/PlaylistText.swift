internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import MusicShared

extension NewPlaylist: JSONContent {
    static var keys: [String] { ["name", "description", "track_ids", "is_public", "rules"] }
}

extension PlaylistPatch: JSONContent {
    static var keys: [String] { ["name", "description", "is_public", "rules"] }
}

extension PlaylistTracks: JSONContent {
    static var keys: [String] { ["track_ids"] }
}

extension PlaylistAddition: JSONContent {
    static var keys: [String] { ["track_ids", "position"] }
}

extension PlaylistMove: JSONContent {
    static var keys: [String] { ["position"] }
}

/// Validates names and descriptions of playlists.
enum PlaylistText {
    /// Returns a name without surrounding white space.
    static func name(_ text: String) throws(HTTPError) -> String {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.unicodeScalars.count <= CatalogueLimits.playlistName,
            !hasControls(name, except: [])
        else {
            throw APIError.invalidField(
                "A name must have 1 to \(CatalogueLimits.playlistName) characters and no control characters.",
                field: "name")
        }
        return name
    }

    /// Returns a description; nil if it is empty.
    static func description(_ text: String?) throws(HTTPError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.unicodeScalars.count <= CatalogueLimits.playlistDescription,
            !hasControls(text, except: ["\n", "\r", "\t"])
        else {
            throw APIError.invalidField(
                "A description must have at most \(CatalogueLimits.playlistDescription) characters "
                    + "and no control characters except line breaks and tabs.", field: "description")
        }
        return text
    }

    private static func hasControls(_ text: String, except allowed: [Unicode.Scalar]) -> Bool {
        text.unicodeScalars.contains {
            $0.properties.generalCategory == .control && !allowed.contains($0)
        }
    }
}
