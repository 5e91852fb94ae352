internal import Analyzer

/// The momentary loudness as a row of bars, with the level of the top edge at its left.
struct TerminalLoudness {
    private static let rows = 2
    /// Loudness from the bottom to the top edge, in LU.
    private static let rangeLU = 30.0

    let loudness: LoudnessMeasurement
    let scale: TimeScale
    let style: TerminalStyle

    func lines() -> [StyledLine] {
        let columns = LoudnessColumns.reduced(loudness.momentary, to: scale)
        guard let loudest = columns.map(\.upperBound).max() else { return [] }
        let top = max(-50, loudest.rounded(.up))
        return (0..<Self.rows).map { row in
            let label = row == 0 ? NumberText.fixed(top, 0) : "LUFS"
            var line = TerminalPlots.line(label: label, style: style)
            for column in columns {
                // Where a column holds much of the track, the loudest part of it is what is heard.
                let height = (column.upperBound - top + Self.rangeLU) / Self.rangeLU * Double(Self.rows)
                let cell = TerminalBars.rising(height: height, row: Self.rows - 1 - row, style: style)
                let share = max(0, min(1, (column.upperBound - top + Self.rangeLU) / Self.rangeLU))
                let colour = Palette.faint.mixed(with: Palette.accent, share * share)
                line.append(cell.glyph, cell.isEmpty ? .plain : .init(foreground: colour), style: style)
            }
            return line
        }
    }
}
