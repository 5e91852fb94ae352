internal import Analyzer

/// The momentary loudness with the integrated loudness as a line; LUFS on the left, LU relative to the track's own
/// loudness on the right.
struct LoudnessPanel {
    /// Loudness from the bottom to the top edge.
    private static let rangeLU = 42.0
    private static let stepLU = 6.0

    let loudness: LoudnessMeasurement?
    let scale: TimeScale

    func draw(on canvas: borrowing Canvas) {
        let area = PictureLayout.loudness
        guard let loudness else { return canvas.note("no loudness measured", in: area) }
        let columns = LoudnessColumns.reduced(loudness.momentary, to: scale)
        guard let loudest = columns.map(\.upperBound).max() else {
            return canvas.note("too short for a momentary loudness (400 ms)", in: area)
        }
        // The top is a multiple of the step above everything drawn.
        let highest = max(-30, loudest, loudness.integratedLUFS.map { $0.isFinite ? min(0, $0) : -30 } ?? -30)
        let top = ((highest + 1) / Self.stepLU).rounded(.up) * Self.stepLU
        func y(_ lufs: Double) -> Double {
            area.y + max(0, min(1, (top - lufs) / Self.rangeLU)) * area.height
        }
        drawAxis(on: canvas, area, top: top, y)
        let upper = columns.enumerated().map {
            (x: area.x + Double($0.offset) + 0.5, y: y($0.element.upperBound))
        }
        let lower = columns.enumerated().map {
            (x: area.x + Double($0.offset) + 0.5, y: y($0.element.lowerBound))
        }
        canvas.clipped(to: area) {
            let foot = [(x: area.right, y: area.bottom), (x: area.x, y: area.bottom)]
            canvas.fill(upper + foot, Palette.accent, opacityAtTop: 0.45, opacityAtBottom: 0.03, in: area)
            canvas.fill(
                upper + lower.reversed(), Palette.accent, opacityAtTop: 0.55, opacityAtBottom: 0.55, in: area)
            canvas.stroke(upper, Palette.accent, width: 1.4)
        }
        // In the middle, where cue points are rare.
        canvas.text(
            "momentary loudness, 400 ms", x: area.x + area.width / 2 - 10, y: area.bottom - 10,
            font: .init(size: 12),
            Palette.text, opacity: 0.75, anchor: .right)
        if let integrated = loudness.integratedLUFS, integrated.isFinite {
            drawIntegrated(integrated, on: canvas, area, y)
        }
    }

    private func drawAxis(
        on canvas: borrowing Canvas, _ area: Canvas.Area, top: Double, _ y: (Double) -> Double
    ) {
        let font = Canvas.Font(size: 12)
        var level = top - Self.stepLU
        while level > top - Self.rangeLU {
            canvas.stroke([(area.x, y(level)), (area.right, y(level))], PictureColours.grid, opacity: 0.7)
            canvas.text(
                Self.text(level, decimals: 0), x: area.x - 10, y: y(level) + 4, font: font,
                Palette.muted,
                anchor: .right)
            level -= Self.stepLU
        }
        canvas.text("LUFS", x: area.x - 10, y: area.y + 10, font: font, Palette.faint, anchor: .right)
    }

    private static func text(_ level: Double, decimals: Int) -> String {
        NumberText.fixed(level, decimals).replacing("-", with: "−")
    }

    private func drawIntegrated(
        _ integrated: Double, on canvas: borrowing Canvas, _ area: Canvas.Area, _ y: (Double) -> Double
    ) {
        let line = y(integrated).rounded(.down) + 0.5
        canvas.stroke(
            [(area.x, line), (area.right, line)], Palette.integrated, opacity: 0.9, width: 1, dash: [6, 4])
        let font = Canvas.Font(size: 12)
        let name = "integrated \(Self.text(integrated, decimals: 1)) LUFS"
        canvas.text(
            name, x: area.x + area.width / 2 + 10, y: area.bottom - 10, font: font, Palette.integrated,
            opacity: 0.9)
        for offset in [6.0, 0, -6, -12, -18, -24] where abs(y(integrated + offset) - area.y) > 8 {
            let place = y(integrated + offset)
            guard place > area.y + 4, place < area.bottom - 4 else { continue }
            let text = offset == 0 ? "0 LU" : offset > 0 ? "+\(Int(offset))" : "−\(Int(-offset))"
            canvas.stroke([(area.right, place), (area.right + 5, place)], Palette.faint)
            canvas.text(
                text, x: area.right + 10, y: place + 4, font: font,
                offset == 0 ? Palette.integrated : Palette.muted)
        }
    }
}
