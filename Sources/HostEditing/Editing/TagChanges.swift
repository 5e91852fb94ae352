internal import APIDescription
internal import Foundation
internal import HTTPServer
internal import Tagging

/// Tag fields as a client sends them: a value sets, null removes, omitted fields stay unchanged.
struct TagChanges: Decodable, Sendable {
    var edit = TagEdit()

    static let keys = [
        "title", "artist", "album", "album_artist", "track_number", "track_total", "disc_number",
        "disc_total", "year", "genre", "comment", "composer", "cover", "is_compilation",
    ]

    init(from decoder: any Decoder) throws {
        try self.init(from: decoder, besides: [])
    }

    /// - Parameter others: Keys of the same object that are not tag fields.
    init(from decoder: any Decoder, besides others: [String]) throws {
        let values = try decoder.container(keyedBy: AnyKey.self)
        for key in values.allKeys
        where !Self.keys.contains(key.stringValue) && !others.contains(key.stringValue) {
            throw APIError.unknownField(
                "Unknown field; known fields are: \((others + Self.keys).joined(separator: ", ")).",
                field: key.stringValue)
        }
        func change<Value: Decodable>(_ name: String, _ type: Value.Type = Value.self) throws -> TagChange<
            Value
        > {
            let key = AnyKey(stringValue: name)
            guard values.contains(key) else { return .leave }
            return try values.decodeNil(forKey: key) ? .remove : .set(values.decode(Value.self, forKey: key))
        }
        edit.title = try change("title")
        edit.artist = try change("artist")
        edit.album = try change("album")
        edit.albumArtist = try change("album_artist")
        edit.trackNumber = try change("track_number")
        edit.trackTotal = try change("track_total")
        edit.discNumber = try change("disc_number")
        edit.discTotal = try change("disc_total")
        edit.year = try change("year")
        edit.genre = try change("genre")
        edit.comment = try change("comment")
        edit.composer = try change("composer")
        edit.isCompilation = try change("is_compilation")
        edit.cover = try Self.cover(change("cover"))
    }

    private static func cover(_ change: TagChange<String>) throws -> TagChange<EmbeddedCover> {
        switch change {
        case .leave: return .leave
        case .remove: return .remove
        case .set(let text):
            // Web pages often have pictures as data URLs.
            let start = text.hasPrefix("data:") ? text.firstIndex(of: ",").map(text.index(after:)) : nil
            guard let data = Data(base64Encoded: String(text[(start ?? text.startIndex)...])) else {
                throw APIError.invalidValue("cover must be a JPEG or PNG picture in Base64.", field: "cover")
            }
            return .set(EmbeddedCover(data: [UInt8](data), mimeType: ""))
        }
    }
}

/// Any key of a JSON object.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
