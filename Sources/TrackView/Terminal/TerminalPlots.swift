internal import Analyzer

/// The drawings of a report, one above the other on the same time axis.
struct TerminalPlots {
    /// Columns left of the drawings, for the numbers of their axes.
    static let gutter = 6
    private static let fewestColumns = 10

    let analysis: TrackAnalysis
    let frames: VisualizerSpectra?
    let width: Int
    let style: TerminalStyle

    /// The drawings; nothing where there is no room or nothing to draw.
    func lines() -> [StyledLine] {
        let columns = width - Self.gutter
        guard columns >= Self.fewestColumns,
            let scale = TimeScale(durationSeconds: analysis.stream.durationSeconds, columnCount: columns)
        else { return [] }
        let spectrum = frames.flatMap { SpectrumColumns($0, scale: scale) }
        var lines: [StyledLine] = []
        if let profile = analysis.profile {
            let waveform = TerminalWaveform(
                profile: profile, scale: scale, brightness: spectrum?.brightnessOfColumns(), style: style)
            lines += TerminalMarkers(marks: waveform.marks, scale: scale, style: style).lines()
            lines += waveform.lines()
            lines += TerminalLoudness(loudness: profile.loudness, scale: scale, style: style).lines()
        }
        if let spectrum {
            lines += TerminalSpectrogram(spectrum: spectrum, columnCount: columns, style: style).lines()
        }
        return lines.isEmpty
            ? [] : lines + TerminalTimeAxis(scale: scale, style: style).lines() + [StyledLine()]
    }

    /// A line that begins with a label in the gutter.
    static func line(label: String = "", style: TerminalStyle) -> StyledLine {
        var line = StyledLine()
        let padding = max(0, gutter - 1 - DisplayWidth.of(label))
        line.append(
            String(repeating: " ", count: padding) + label + " ", .init(foreground: Palette.faint),
            style: style)
        return line
    }
}
