internal import APIDescription
internal import HTTPServer
internal import Tagging

/// Tag values for an uploaded file, from form fields, the query or the JSON that opens an upload.
struct UploadFields {
    /// The names of the fields, which are the same as for edits.
    static let names = TagField.allCases.filter { !notTaken.contains($0) }.map(\.rawValue)
    /// Tag fields that cannot be set this way: the cover is sent as a file, lyrics have their own route, and
    /// tempo, key and ReplayGain are measured.
    private static let notTaken: Set<TagField> = [
        .cover, .lyrics, .bpm, .initialKey, .replayGainTrackGain, .replayGainTrackPeak, .replayGainAlbumGain,
        .replayGainAlbumPeak,
    ]
    /// Fields that can only be set for a single file.
    private static let ofOneFile: [TagField] = [.title, .trackNumber]

    private(set) var edit = TagEdit()
    private var present: Set<TagField> = []

    /// Sets a field. Empty values are ignored.
    /// - Throws: 400 for an unknown field, 422 if a value cannot be parsed.
    mutating func take(_ name: String, _ value: String) throws(HTTPError) {
        guard let field = TagField(rawValue: name), !Self.notTaken.contains(field) else {
            throw APIError.unknownField(
                "Unknown field; known fields are: \(Self.names.joined(separator: ", ")).", field: name)
        }
        guard !value.isEmpty else { return }
        present.insert(field)
        switch field {
        case .title: edit.title = .set(value)
        case .artist: edit.artist = .set(value)
        case .album: edit.album = .set(value)
        case .albumArtist: edit.albumArtist = .set(value)
        case .trackNumber: edit.trackNumber = .set(try Self.number(value, field))
        case .trackTotal: edit.trackTotal = .set(try Self.number(value, field))
        case .discNumber: edit.discNumber = .set(try Self.number(value, field))
        case .discTotal: edit.discTotal = .set(try Self.number(value, field))
        case .year: edit.year = .set(try Self.number(value, field))
        case .genre: edit.genre = .set(value)
        case .comment: edit.comment = .set(value)
        case .composer: edit.composer = .set(value)
        case .isCompilation: edit.isCompilation = .set(try Self.flag(value, field))
        case .cover, .lyrics, .bpm, .initialKey, .replayGainTrackGain, .replayGainTrackPeak,
            .replayGainAlbumGain,
            .replayGainAlbumPeak:
            break
        }
    }

    /// Sets the cover.
    mutating func take(cover: [UInt8]) {
        edit.cover = .set(EmbeddedCover(data: cover, mimeType: ""))
    }

    /// Returns the validated edit, for one or several files.
    /// - Throws: 422 if a value cannot be stored in a tag, 409 if a single-file field is set for several
    ///   files.
    func checked(forSeveral isForSeveral: Bool) throws -> TagEdit {
        if isForSeveral, let field = Self.ofOneFile.first(where: present.contains) {
            throw APIError.oneFileOnly(
                "Several files cannot have the same \(field.rawValue).", field: field.rawValue)
        }
        do throws(TaggingError) {
            return try edit.checked()
        } catch {
            throw APIError.invalidField(error.message, field: error.field?.rawValue)
        }
    }

    private static func flag(_ text: String, _ field: TagField) throws(HTTPError) -> Bool {
        guard let flag = Bool(text) else {
            throw APIError.invalidField("\(field.rawValue) must be true or false.", field: field.rawValue)
        }
        return flag
    }

    private static func number(_ text: String, _ field: TagField) throws(HTTPError) -> Int {
        guard let number = Int(text) else {
            throw APIError.invalidField("\(field.rawValue) must be an integer.", field: field.rawValue)
        }
        return number
    }
}
