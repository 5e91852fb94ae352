internal import HTTPServer
internal import Tagging

/// What the tags of a file that comes are to say, as a form's fields, a query or a ticket name it.
struct UploadFields {
    /// The names of fields, which are those of edits.
    static let names = TagField.allCases.filter { !notTaken.contains($0) }.map(\.rawValue)
    /// What a form's fields do not say: a cover comes as a file, lyrics have a route of their own, and ReplayGain is measured.
    private static let notTaken: Set<TagField> = [
        .cover, .lyrics, .replayGainTrackGain, .replayGainTrackPeak, .replayGainAlbumGain,
        .replayGainAlbumPeak,
    ]
    /// Fields that are about one file only.
    private static let ofOneFile: [TagField] = [.title, .trackNumber]

    private(set) var edit = TagEdit()
    private var present: Set<TagField> = []

    /// Takes a field. One that is empty says nothing, one that is not known is not missed: forms have many.
    /// - Throws: 400 where a number is none.
    mutating func take(_ name: String, _ value: String) throws(HTTPError) {
        guard let field = TagField(rawValue: name), !Self.notTaken.contains(field), !value.isEmpty else {
            return
        }
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
        case .cover, .lyrics, .replayGainTrackGain, .replayGainTrackPeak, .replayGainAlbumGain,
            .replayGainAlbumPeak:
            break
        }
    }

    /// Takes a picture.
    mutating func take(cover: [UInt8]) {
        edit.cover = .set(EmbeddedCover(data: cover, mimeType: ""))
    }

    /// The edit, for one file or for several.
    /// - Throws: 400 where a value cannot stand in a tag, 409 where one is meant for one file and there are several.
    func checked(forSeveral isForSeveral: Bool) throws -> TagEdit {
        if isForSeveral, let field = Self.ofOneFile.first(where: present.contains) {
            throw HTTPError(
                .conflict, code: "one_file_only",
                message: "Several files cannot have the same \(field.rawValue).",
                field: field.rawValue)
        }
        do throws(TaggingError) {
            return try edit.checked()
        } catch {
            throw HTTPError(
                .badRequest, code: "invalid_field", message: error.message, field: error.field?.rawValue)
        }
    }

    private static func flag(_ text: String, _ field: TagField) throws(HTTPError) -> Bool {
        guard let flag = Bool(text) else {
            throw HTTPError(
                .badRequest, code: "invalid_field", message: "\(field.rawValue) is true or false.",
                field: field.rawValue)
        }
        return flag
    }

    private static func number(_ text: String, _ field: TagField) throws(HTTPError) -> Int {
        guard let number = Int(text) else {
            throw HTTPError(
                .badRequest, code: "invalid_field", message: "\(field.rawValue) is a whole number.",
                field: field.rawValue)
        }
        return number
    }
}
