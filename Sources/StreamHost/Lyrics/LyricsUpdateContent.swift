internal import HTTPServer
internal import MusicShared

/// ``LyricsUpdate`` as a client sends it: with no keys but those that are known, in its lines and words too.
struct LyricsUpdateContent: JSONContent {
    static let keys = ["lines", "lrc", "offset_seconds", "language"]

    let update: LyricsUpdate

    private enum CodingKeys: String, CodingKey {
        case lines, lrc
        case offsetSeconds = "offset_seconds"
        case language
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        update = LyricsUpdate(
            lines: try container.decodeIfPresent([StrictObject<Line>].self, forKey: .lines)?.map(
                \.content.line),
            lrc: try container.decodeIfPresent(String.self, forKey: .lrc),
            offsetSeconds: try container.decodeIfPresent(Double.self, forKey: .offsetSeconds),
            language: try container.decodeIfPresent(String.self, forKey: .language))
        if let language = update.language, !language.isLanguageCode {
            throw HTTPError(
                .badRequest, code: "invalid_field",
                message: "language is a code of three small letters (ISO 639-2).", field: "language")
        }
    }

    /// A line with strict words.
    private struct Line: JSONContent {
        static let keys = ["start_seconds", "end_seconds", "text", "words"]

        let line: LyricsLine

        private enum CodingKeys: String, CodingKey {
            case startSeconds = "start_seconds"
            case endSeconds = "end_seconds"
            case text, words
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            line = LyricsLine(
                startSeconds: try container.decodeIfPresent(Double.self, forKey: .startSeconds),
                endSeconds: try container.decodeIfPresent(Double.self, forKey: .endSeconds),
                text: try container.decode(String.self, forKey: .text),
                words: try container.decodeIfPresent([StrictObject<Word>].self, forKey: .words)?.map {
                    $0.content.word
                })
        }
    }

    private struct Word: JSONContent {
        static let keys = ["start_seconds", "end_seconds", "text"]

        let word: LyricsWord

        init(from decoder: any Decoder) throws { word = try LyricsWord(from: decoder) }
    }
}
