/// Makes text safe for a single playlist line.
public enum SingleLine {
    /// Returns whether players may treat a character as a line break or fail on it: control characters, line and paragraph
    /// separators.
    public static func endsLines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns the text on one line, with such characters replaced by spaces.
    public static func joined(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { endsLines($0) ? " " : $0 }))
    }
}
