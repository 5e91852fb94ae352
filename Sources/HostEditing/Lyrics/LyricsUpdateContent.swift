internal import APIDescription
internal import HTTPServer
internal import MusicShared

/// Decodes ``LyricsUpdate`` strictly: unknown keys are rejected, also in lines and words.
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
            throw APIError.invalidField(
                "language must be a code of three lower-case letters (ISO 639-2).", field: "language")
        }
    }

    /// A line, decoded strictly.
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
