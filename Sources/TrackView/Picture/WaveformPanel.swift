internal import MusicalStructure
internal import Analyzer
import Foundation

/// The waveform from −1 to 1, coloured by how bright it sounds, with the beats along both edges,
/// lines where phrases start, and the names of the keys if the track changes its key.
struct WaveformPanel {
    /// Minimum confidence for bars to be drawn.
    private static let leastBarConfidence = 0.5
    /// Minimum confidence for the start of a phrase to be drawn.
    private static let leastPhraseConfidence = 0.5
    private static let closestTicks = 4.0
    private static let tickHeight = 7.0
    /// Height along both edges that is left to the beats.
    private static let inset = 10.0
    /// A track quieter than −60 dBFS is not blown up further.
    private static let lowestEdge = 0.001

    let profile: TrackProfile?
    let scale: TimeScale
    let brightness: [Double?]?

    func draw(on canvas: borrowing Canvas) {
        let area = PictureLayout.waveform
        guard let profile else {
            return canvas.note("no profile: only visualizer frames were made", in: area)
        }
        let columns = WaveformColumns.reduced(profile.waveform, to: scale)
        let peak = columns.reduce(0) { max($0, abs($1.lowerBound), abs($1.upperBound)) }
        // A quiet track fills the panel too; the axis says how loud that is.
        let edge = max(Self.lowestEdge, min(1, peak * 1.06))
        drawAxis(on: canvas, area, edge: edge)
        let middle = area.y + area.height / 2
        let half = (area.height / 2 - Self.inset) / edge
        let tints = brightness.map(Self.smoothed)
        for (index, column) in columns.enumerated() {
            let top = middle - column.upperBound * half
            let bottom = middle - column.lowerBound * half
            let tint = tints.flatMap { $0[index] }.map(Palette.waveform(brightness:)) ?? Palette.waveform
            // A line of a pixel where there is no more, so that silence is a line too.
            let height = max(1, bottom - top)
            canvas.fill(
                .init(x: area.x + Double(index), y: (top + bottom - height) / 2, width: 1, height: height),
                tint)
        }
        for phrase in profile.phrases ?? [] where phrase.confidence >= Self.leastPhraseConfidence {
            let x = area.x + min(scale.position(of: phrase.seconds), area.width - 1).rounded(.down)
            canvas.fill(
                .init(x: x, y: area.y, width: 1, height: area.height), PictureColours.beat, opacity: 0.3)
        }
        if let tempo = profile.tempo { drawBeats(tempo, on: canvas, area) }
        drawKeys(profile.keySections ?? [], on: canvas, area)
    }

    /// A line where each key starts, with its name; names that would run into the one before are left out.
    private func drawKeys(_ sections: [KeySection], on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let font = Canvas.Font(size: 12, isBold: true)
        var end = -Double.infinity
        for section in sections {
            let x = area.x + min(scale.position(of: section.seconds), area.width - 1).rounded(.down)
            if section.seconds > 0 {
                canvas.fill(
                    .init(x: x, y: area.y + Self.inset, width: 1, height: area.height - 2 * Self.inset),
                    PictureColours.beat, opacity: 0.6)
            }
            let name = TrackFacts.text(section.key)
            let width = canvas.textWidth(name, font)
            guard x + 6 > end, x + 6 + width < area.right else { continue }
            canvas.text(name, x: x + 6, y: area.bottom - 2 * Self.tickHeight - 6, font: font, Palette.muted)
            end = x + 6 + width + 8
        }
    }

    /// The means of neighbouring columns: single hits do not make the colour flicker.
    private static func smoothed(_ brightness: [Double?]) -> [Double?] {
        brightness.indices.map { index in
            guard brightness[index] != nil else { return nil }
            let near = brightness[max(0, index - 3)...min(brightness.count - 1, index + 3)].compactMap { $0 }
            return near.reduce(0, +) / Double(near.count)
        }
    }

    private func drawAxis(on canvas: borrowing Canvas, _ area: Canvas.Area, edge: Double) {
        let middle = area.y + area.height / 2
        let font = Canvas.Font(size: 12)
        var last = -Double.infinity
        for decibels in stride(from: 0.0, through: -72, by: -6) {
            let reach = (area.height / 2 - Self.inset) * pow(10, decibels / 20) / edge
            guard reach < area.height / 2 - 2, reach > 24 else { continue }
            for y in [middle - reach, middle + reach] {
                canvas.stroke([(area.x, y), (area.right, y)], PictureColours.grid, opacity: 0.7)
                guard abs(reach - last) > 16 else { continue }
                let label = decibels < 0 ? "−\(Int(-decibels))" : "0"
                canvas.text(label, x: area.x - 10, y: y + 4, font: font, Palette.muted, anchor: .right)
            }
            last = reach
        }
        canvas.text("dBFS", x: area.x - 10, y: middle + 4, font: font, Palette.faint, anchor: .right)
    }

    /// Ticks at the beats, longer ones at the starts of bars if these are known, or where they would run into each other, at bars, or
    /// at every fourth, sixteenth … beat.
    private func drawBeats(_ tempo: Tempo, on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let beats = tempo.beatSeconds
        guard let first = beats.first, let last = beats.last, beats.count > 1 else { return }
        let spacing = (scale.position(of: last) - scale.position(of: first)) / Double(beats.count - 1)
        guard spacing > 0 else { return }
        let hasBars = (tempo.barConfidence ?? 0) >= Self.leastBarConfidence
        let bar = hasBars ? tempo.beatsPerBar : nil
        let start = hasBars ? tempo.firstDownbeat ?? 0 : 0
        var step = 1
        while spacing * Double(step) < Self.closestTicks, step < beats.count {
            step *= step == 1 ? bar ?? 4 : bar == nil ? 4 : 2
        }
        for index in stride(from: step == 1 ? 0 : start, to: beats.count, by: step) {
            let x = area.x + min(scale.position(of: beats[index]), area.width - 1).rounded(.down)
            let isLong = step == 1 && bar.map { (index - start) % $0 == 0 } ?? false
            let height = isLong ? 2 * Self.tickHeight : Self.tickHeight
            for y in [area.y, area.bottom - height] {
                canvas.fill(.init(x: x, y: y, width: 1, height: height), PictureColours.beat, opacity: 0.75)
            }
        }
        canvas.text(
            Self.label(step: step, bar: bar), x: area.right + 8, y: area.bottom - 1, font: .init(size: 11),
            Palette.muted)
    }

    private static func label(step: Int, bar: Int?) -> String {
        guard step > 1 else { return bar == nil ? "beats" : "beats, bars" }
        guard let bar else { return "every \(step) beats" }
        return step == bar ? "bars" : "every \(step / bar) bars"
    }
}
