/// Text as it may stand in a line of a playlist.
public enum SingleLine {
    /// Whether some player may take it for the end of a line, or choke on it: control characters, line and paragraph separators.
    public static func endsLines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The text on one line: a space stands for each character that may end it.
    public static func joined(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { endsLines($0) ? " " : $0 }))
    }
}
