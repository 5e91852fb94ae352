internal import Analyzer
import Foundation

/// The visualizer's matrix, low bands below: half cells of colour, or shades where there are no colours.
struct TerminalSpectrogram {
    private static let rows = 9
    private static let shades = [" ", "░", "▒", "▓", "█"]
    private static let plainShades = [" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"]
    private static let marks: [(hertz: Double, label: String)] = [
        (12_000, "12k"), (4_000, "4k"), (1_000, "1k"), (250, "250"), (60, "60"),
    ]

    let spectrum: SpectrumColumns
    let columnCount: Int
    let style: TerminalStyle

    func lines() -> [StyledLine] {
        let layout = BandLayout(bandCount: spectrum.bandCount)
        return (0..<Self.rows).map { row in
            let mark = Self.marks.first { mark in
                layout.band(atHz: mark.hertz).map {
                    (spectrum.bandCount - 1 - $0) * Self.rows / spectrum.bandCount
                } == row
            }
            var line = TerminalPlots.line(label: mark?.label ?? "", style: style)
            for column in 0..<columnCount {
                switch (style.colours, style.usesUnicode) {
                case (.none, let usesUnicode):
                    let shades = usesUnicode ? Self.shades : Self.plainShades
                    // Few shades tell more where they stand for the upper part of the range.
                    let value = pow(brightness(column, row: row, of: Self.rows), 3)
                    line.append(
                        shades[min(shades.count - 1, Int(value * Double(shades.count)))], style: style)
                case (_, true):
                    line.append(
                        "▀",
                        .init(
                            foreground: colour(column, row: 2 * row, of: 2 * Self.rows),
                            background: colour(column, row: 2 * row + 1, of: 2 * Self.rows)), style: style)
                case (_, false):
                    line.append(" ", .init(background: colour(column, row: row, of: Self.rows)), style: style)
                }
            }
            return line
        }
    }

    private func colour(_ column: Int, row: Int, of rows: Int) -> RGB {
        ColourMap.magmaTable[Int(brightness(column, row: row, of: rows) * 255)]
    }

    /// Brightness of a row, 0 at the top: that of the strongest of its bands, so that single tones stay visible.
    private func brightness(_ column: Int, row: Int, of rows: Int) -> Double {
        let bands = spectrum.bandCount
        let low = bands * (rows - 1 - row) / rows
        let high = max(low + 1, bands * (rows - row) / rows)
        return spectrum.brightness((low..<high).map { spectrum.level(column: column, band: $0) }.max() ?? 0)
    }
}
