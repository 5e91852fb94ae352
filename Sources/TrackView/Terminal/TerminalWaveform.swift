internal import Analyzer
import Foundation

/// The waveform in block characters, mirrored about the middle, with the parts before the cue-in and after the cue-out
/// greyed. It fills the height: the number at its left is the level of the edges.
struct TerminalWaveform {
    private static let halfRows = 4
    /// A track quieter than this is not blown up to full height.
    private static let lowestEdge = 0.001

    let profile: TrackProfile
    let scale: TimeScale
    /// How bright each column sounds.
    let brightness: [Double?]?
    let style: TerminalStyle

    /// The points that are marked.
    var marks: [CueMark] {
        let wanted = ["cue-in", "start next", "cue-out"]
        return CueMark.marks(of: profile.cue).filter { wanted.contains($0.label) }
    }

    func lines() -> [StyledLine] {
        let columns = WaveformColumns.reduced(profile.waveform, to: scale)
        guard !columns.isEmpty else { return [] }
        let edge = columns.reduce(Self.lowestEdge) { max($0, abs($1.lowerBound), abs($1.upperBound)) }
        let looks = (0..<columns.count).map(look)
        let markColours = Dictionary(
            marks.map { (scale.column(of: $0.seconds), $0.colour) }, uniquingKeysWith: { $1 })
        let half = Double(Self.halfRows)
        // Silence is a thin line.
        let floor = style.usesUnicode ? 1.0 / 8 : 1.0 / 3
        return (0..<2 * Self.halfRows).map { row in
            let label =
                row == 0 ? NumberText.fixed(20 * log10(edge), 1) : row == Self.halfRows ? "dBFS" : ""
            var line = TerminalPlots.line(label: label, style: style)
            for (index, column) in columns.enumerated() {
                let cell =
                    row < Self.halfRows
                    ? TerminalBars.rising(
                        height: max(floor, column.upperBound / edge * half), row: Self.halfRows - 1 - row,
                        style: style)
                    : TerminalBars.hanging(
                        height: max(0, -column.lowerBound) / edge * half, row: row - Self.halfRows,
                        style: style)
                if cell.isEmpty, let colour = markColours[index] {
                    line.append(style.usesUnicode ? "┊" : ":", .init(foreground: colour), style: style)
                } else {
                    var look = cell.isEmpty ? .plain : looks[index]
                    look.isInverse = cell.isInverse
                    line.append(cell.glyph, look, style: style)
                }
            }
            return line
        }
    }

    private func look(ofColumn column: Int) -> StyledLine.Look {
        let middle = (scale.seconds(at: column) + scale.seconds(at: column + 1)) / 2
        if middle < profile.cue.cueInSeconds || middle > profile.cue.cueOutSeconds {
            return .init(foreground: Palette.faint)
        }
        let tint = brightness.flatMap { $0[column] }.map(Palette.waveform(brightness:))
        return .init(foreground: tint ?? Palette.waveform)
    }
}
