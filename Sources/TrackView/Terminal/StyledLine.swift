/// A line of a terminal: pieces of text, each with its style. All text is made safe to show, so that
/// only the styles can send the terminal a command.
struct StyledLine {
    /// The style of a piece.
    struct Look: Hashable {
        /// Colour of the text.
        var foreground: RGB?
        /// Colour behind it.
        var background: RGB?
        /// Whether it is bold.
        var isBold = false
        /// Whether foreground and background change places.
        var isInverse = false

        static let plain = Look()
    }

    private struct Piece {
        var text: String
        var look: Look
    }

    private var pieces: [Piece] = []
    /// Columns taken.
    private(set) var width = 0

    /// Appends a text.
    mutating func append(_ text: String, _ look: Look = .plain, style: TerminalStyle) {
        let cleaned = DisplayText.cleaned(text)
        add(style.usesUnicode ? cleaned : DisplayText.ascii(cleaned), look)
    }

    /// Appends spaces up to a column.
    mutating func pad(to column: Int) {
        if column > width { add(String(repeating: " ", count: column - width), .plain) }
    }

    /// Appends another line.
    mutating func append(_ other: StyledLine) {
        for piece in other.pieces { add(piece.text, piece.look) }
    }

    /// The line within a number of columns.
    func cut(to columns: Int, style: TerminalStyle) -> StyledLine {
        guard width > columns else { return self }
        let ellipsis = style.usesUnicode ? "…" : "..."
        var line = StyledLine()
        for piece in pieces {
            let room = columns - line.width
            if DisplayWidth.of(piece.text) > room - DisplayWidth.of(ellipsis) {
                // Made too long, so that the ellipsis comes even where this piece alone would fit.
                let cut = piece.text + String(repeating: " ", count: room + 1)
                line.add(DisplayText.cut(cut, to: room, ellipsis: ellipsis), piece.look)
                break
            }
            line.add(piece.text, piece.look)
        }
        return line
    }

    /// The line with its escape sequences, without spaces at its end.
    func encoded(_ style: TerminalStyle) -> String {
        var pieces = pieces
        while let last = pieces.last, last.look.background == nil, !last.look.isInverse {
            let trimmed = String(last.text.reversed().drop { $0 == " " }.reversed())
            pieces.removeLast()
            if trimmed.isEmpty { continue }
            pieces.append(Piece(text: trimmed, look: last.look))
            break
        }
        guard style.colours != .none else { return pieces.map(\.text).joined() }
        return pieces.map { piece in
            let codes = Self.codes(piece.look, style.colours)
            return codes.isEmpty
                ? piece.text : "\u{1B}[\(codes.joined(separator: ";"))m\(piece.text)\u{1B}[0m"
        }.joined()
    }

    private mutating func add(_ text: String, _ look: Look) {
        guard !text.isEmpty else { return }
        width += DisplayWidth.of(text)
        if let last = pieces.last, last.look == look {
            pieces[pieces.count - 1].text += text
        } else {
            pieces.append(Piece(text: text, look: look))
        }
    }

    private static func codes(_ look: Look, _ colours: TerminalStyle.Colours) -> [String] {
        func colour(_ colour: RGB, _ kind: Int) -> [String] {
            colours == .trueColour
                ? ["\(kind)", "2", "\(colour.red)", "\(colour.green)", "\(colour.blue)"]
                : ["\(kind)", "5", "\(colour.xtermIndex)"]
        }
        var codes: [String] = []
        if look.isBold { codes.append("1") }
        if look.isInverse { codes.append("7") }
        if let foreground = look.foreground { codes += colour(foreground, 38) }
        if let background = look.background { codes += colour(background, 48) }
        return codes
    }
}
