/// Lyrics of a song in one language.
package struct StructuredLyrics: SubsonicRepresentable, Equatable {
    /// A line.
    package struct Line: SubsonicRepresentable, Equatable {
        private let start: Int?
        private let text: String

        /// Creates a line.
        /// - Parameter start: when it begins, in milliseconds; nil without times.
        package init(start: Int?, text: String) {
            self.start = start
            self.text = text
        }

        /// The fields of a `line`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("start", start)
            object.add(content: text)
            return object
        }
    }

    /// A word or syllable with its time.
    package struct Cue: SubsonicRepresentable, Equatable {
        /// When it begins, in milliseconds.
        package var start: Int
        /// When it ends, in milliseconds.
        package var end: Int?
        /// The text.
        package var text: String
        /// Offset of its first byte in the line's UTF-8.
        package var firstByte: Int

        /// Creates a cue.
        package init(start: Int, end: Int?, text: String, firstByte: Int) {
            self.start = start
            self.end = end
            self.text = text
            self.firstByte = firstByte
        }

        /// The fields of a `cue`. The offset of the last byte is inclusive.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("start", start)
            object.add("end", end)
            object.add("byteStart", firstByte)
            object.add("byteEnd", firstByte + text.utf8.count - 1)
            object.add(content: text)
            return object
        }
    }

    /// The words of a line with their times.
    package struct CueLine: SubsonicRepresentable, Equatable {
        private let index: Int
        private let start: Int?
        private let end: Int?
        private let text: String
        private let cues: [Cue]

        /// Creates the words of a line.
        /// - Parameters:
        ///   - index: the line, counted from 0.
        ///   - start: when the line begins, in milliseconds.
        ///   - end: when it ends, in milliseconds.
        package init(index: Int, start: Int?, end: Int?, text: String, cues: [Cue]) {
            self.index = index
            self.start = start
            self.end = end
            self.text = text
            self.cues = cues
        }

        /// The fields of a `cueLine`, whose text is an attribute in XML.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("index", index)
            object.add("start", start)
            object.add("end", end)
            object.add("value", text)
            object.add("cue", cues)
            return object
        }
    }

    /// ISO 639 code of the language; "und" where unknown.
    package var language: String
    /// Whether lines have times.
    package var isSynced: Bool
    /// The artist.
    package var artist: String?
    /// The song's title.
    package var title: String?
    /// The lines.
    package var lines: [Line]
    /// The words with their times; nil unless asked for.
    package var cueLines: [CueLine]?

    /// Creates lyrics without words.
    package init(language: String, isSynced: Bool, lines: [Line]) {
        self.language = language
        self.isSynced = isSynced
        self.lines = lines
    }

    /// The fields of `structuredLyrics`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        if cueLines != nil { object.add("kind", "main") }
        object.add("lang", language)
        object.add("synced", isSynced)
        object.add("displayArtist", artist)
        object.add("displayTitle", title)
        object.add("line", lines)
        if isSynced { object.add("cueLine", cueLines) }
        return object
    }
}
