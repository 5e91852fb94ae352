/// Vertical bars of block characters, finer than a cell.
enum TerminalBars {
    private static let eighths = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The part of a bar that lies in one cell.
    struct Cell {
        var glyph: String
        /// Whether the glyph is drawn with text and background exchanged.
        var isInverse = false
        var isEmpty: Bool { glyph == " " && !isInverse }
    }

    /// A cell of a bar that grows upwards.
    /// - Parameters:
    ///   - height: height of the bar in cells.
    ///   - row: the cell's distance from the bar's foot.
    static func rising(height: Double, row: Int, style: TerminalStyle) -> Cell {
        let part = fraction(height, row)
        guard style.usesUnicode else { return Cell(glyph: plain(part, [" ", ".", ":", "#"])) }
        return Cell(glyph: eighths[Int((part * 8).rounded())])
    }

    /// A cell of a bar that hangs down. Unicode has no blocks for it: with colours the rest of the cell is drawn in the
    /// background's, without them there are half cells only.
    static func hanging(height: Double, row: Int, style: TerminalStyle) -> Cell {
        let part = fraction(height, row)
        guard style.usesUnicode else { return Cell(glyph: plain(part, [" ", "'", ":", "#"])) }
        guard style.colours != .none else { return Cell(glyph: [" ", "▀", "█"][Int((part * 2).rounded())]) }
        let step = Int((part * 8).rounded())
        switch step {
        case 0: return Cell(glyph: " ")
        case 8: return Cell(glyph: "█")
        default: return Cell(glyph: eighths[8 - step], isInverse: true)
        }
    }

    private static func fraction(_ height: Double, _ row: Int) -> Double {
        height.isFinite ? max(0, min(1, height - Double(row))) : 0
    }

    private static func plain(_ part: Double, _ glyphs: [String]) -> String {
        glyphs[Int((part * Double(glyphs.count - 1)).rounded())]
    }
}
