internal import CTagLib

/// The texts of a file's tags as they stand there: with white space around them, control characters and all, which
/// ``TrackTags`` leaves out.
public struct StatedTexts: Sendable, Hashable {
    /// A text.
    public struct Text: Sendable, Hashable {
        /// As it stands in the tag; several values are joined by "; ".
        public var text: String
        /// Whether the tag has several values, which an edit would make one of.
        public var hasSeveralValues: Bool
    }

    /// The texts by their fields; a field without text is not there.
    public private(set) var texts: [TagField: Text] = [:]
    /// What the same tags say, as everybody else reads them.
    public let tags: TrackTags

    /// The fields that are texts.
    public static let fields: [TagField] = [
        .title, .artist, .album, .albumArtist, .genre, .composer, .comment,
    ]

    /// Reads the tags of a file whose name need not be UTF-8.
    /// - Throws: ``TaggingError`` if the file cannot be read at all.
    public static func read(from path: [UInt8]) throws(TaggingError) -> StatedTexts {
        StatedTexts(try TagHandle(path: path))
    }

    private init(_ handle: consuming TagHandle) {
        tags = handle.trackTags
        let fields: [(TagField, ctaglib_field)] = [
            (.title, CTAGLIB_TITLE), (.artist, CTAGLIB_ARTIST), (.album, CTAGLIB_ALBUM),
            (.albumArtist, CTAGLIB_ALBUM_ARTIST), (.genre, CTAGLIB_GENRE), (.composer, CTAGLIB_COMPOSER),
            (.comment, CTAGLIB_COMMENT),
        ]
        for (field, name) in fields {
            let text = handle.statedText(name)
            guard !text.isEmpty else { continue }
            texts[field] = Text(text: text, hasSeveralValues: handle.hasSeveralValues(name))
        }
    }
}
