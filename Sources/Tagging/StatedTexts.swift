internal import CTagLib

/// The raw texts of a file's tags, including the surrounding white space and control characters that ``TrackTags`` removes.
package struct StatedTexts: Sendable, Hashable {
    /// A text.
    package struct Text: Sendable, Hashable {
        /// The text as stored in the tag; multiple values are joined by "; ".
        package var text: String
        /// Whether the tag has multiple values, which an edit would merge into one.
        package var hasSeveralValues: Bool
    }

    /// The texts by field; fields without text are missing.
    package private(set) var texts: [TagField: Text] = [:]
    /// The same tags after clean-up, as used everywhere else.
    package let tags: TrackTags

    /// The fields with text values.
    package static let fields: [TagField] = [
        .title, .artist, .album, .albumArtist, .genre, .composer, .comment,
    ]

    /// Reads the tags of a file whose name need not be valid UTF-8.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(from path: [UInt8]) throws(TaggingError) -> StatedTexts {
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
