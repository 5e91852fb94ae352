/// A terminal's capabilities.
package struct TerminalStyle: Sendable, Hashable {
    /// How many colours there are.
    package enum Colours: Sendable, Hashable, CaseIterable {
        /// None: plain text without any escape sequence.
        case none
        /// The 256 colours of xterm.
        case palette256
        /// 24 bits.
        case trueColour
    }

    /// The colours to use.
    package var colours: Colours
    /// Whether block characters and letters beyond ASCII may be used.
    package var usesUnicode: Bool

    /// Makes a style.
    package init(colours: Colours, usesUnicode: Bool) {
        self.colours = colours
        self.usesUnicode = usesUnicode
    }

    /// Returns the style for the terminal that the environment describes.
    ///
    /// `NO_COLOR` (no-color.org), `TERM=dumb` and output to a file or pipe mean no colours; `COLORTERM` names 24-bit
    /// terminals. Unicode is used unless the locale (`LC_ALL`, `LC_CTYPE`, `LANG`, the first that is set) names another
    /// encoding.
    package init(environment: [String: String], isTerminal: Bool) {
        let term = environment["TERM"] ?? ""
        let hasColours = isTerminal && term != "dumb" && (environment["NO_COLOR"] ?? "").isEmpty
        let isTrueColour =
            ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct")
        colours = !hasColours ? .none : isTrueColour ? .trueColour : .palette256
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let encoding = locale?.lowercased().replacing("-", with: "")
        usesUnicode = encoding?.contains("utf8") ?? true
    }
}
