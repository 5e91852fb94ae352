internal import Analyzer
import Foundation

/// The waveform from −1 to 1, coloured by how bright it sounds, with the beats along both edges.
struct WaveformPanel {
    private static let closestTicks = 4.0
    private static let tickHeight = 7.0

    let profile: TrackProfile?
    let scale: TimeScale
    let brightness: [Double?]?

    func draw(on canvas: borrowing Canvas) {
        let area = PictureLayout.waveform
        drawAxis(on: canvas, area)
        guard let profile else {
            return canvas.note("no profile: only visualizer frames were made", in: area)
        }
        let columns = WaveformColumns.reduced(profile.waveform, to: scale)
        let middle = area.y + area.height / 2
        let half = area.height / 2 - 1
        for (index, column) in columns.enumerated() {
            let top = middle - column.upperBound * half
            let bottom = middle - column.lowerBound * half
            let tint = brightness.flatMap { $0[index] }.map(Palette.waveform(brightness:)) ?? Palette.waveform
            // A line of a pixel where there is no more, so that silence is a line too.
            let height = max(1, bottom - top)
            canvas.fill(
                .init(x: area.x + Double(index), y: (top + bottom - height) / 2, width: 1, height: height),
                tint)
        }
        if let tempo = profile.tempo { drawBeats(tempo, on: canvas, area) }
    }

    private func drawAxis(on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let middle = area.y + area.height / 2
        let font = Canvas.Font(size: 12)
        for (decibels, label) in [(0.0, "0"), (-6.02, "−6"), (-12.04, "−12")] {
            let reach = (area.height / 2 - 1) * pow(10, decibels / 20)
            for y in [middle - reach, middle + reach] {
                canvas.stroke([(area.x, y), (area.right, y)], PictureColours.grid, opacity: 0.7)
                canvas.text(label, x: area.x - 10, y: y + 4, font: font, Palette.muted, anchor: .right)
            }
        }
        canvas.text("dBFS", x: area.x - 10, y: middle + 4, font: font, Palette.faint, anchor: .right)
    }

    /// Ticks at the beats, or at every fourth, sixteenth … where they would run into each other.
    private func drawBeats(_ tempo: Tempo, on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let beats = tempo.beatSeconds
        guard let first = beats.first, let last = beats.last, beats.count > 1 else { return }
        let spacing = (scale.position(of: last) - scale.position(of: first)) / Double(beats.count - 1)
        guard spacing > 0 else { return }
        var step = 1
        while spacing * Double(step) < Self.closestTicks, step < beats.count { step *= 4 }
        for index in stride(from: 0, to: beats.count, by: step) {
            let x = area.x + min(scale.position(of: beats[index]), area.width - 1).rounded(.down)
            for y in [area.y, area.bottom - Self.tickHeight] {
                canvas.fill(
                    .init(x: x, y: y, width: 1, height: Self.tickHeight), PictureColours.beat, opacity: 0.75)
            }
        }
        let label = step == 1 ? "beats" : "every \(step) beats"
        canvas.text(
            label, x: area.right + 8, y: area.bottom - 1, font: .init(size: 11), Palette.muted)
    }
}
