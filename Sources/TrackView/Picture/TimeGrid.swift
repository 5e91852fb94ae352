/// Vertical lines at round times through all drawings, and the times below.
struct TimeGrid {
    private static let mostTicks = 14

    let scale: TimeScale

    func draw(on canvas: borrowing Canvas) {
        let panels = [PictureLayout.waveform, PictureLayout.loudness]
        let bottom = PictureLayout.timeAxisY
        for tick in scale.ticks(atMost: Self.mostTicks) {
            let x = PictureLayout.plotX + scale.position(of: tick.seconds).rounded(.down) + 0.5
            for area in panels { canvas.stroke([(x, area.y), (x, area.bottom)], PictureColours.grid) }
            canvas.stroke([(x, bottom), (x, bottom + 6)], Palette.faint)
            let font = Canvas.Font(size: 12.5)
            let half = canvas.textWidth(tick.label, font) / 2
            let limit = PictureLayout.plotX + PictureLayout.plotWidth
            canvas.text(
                tick.label, x: max(PictureLayout.plotX + half, min(limit - half, x)), y: bottom + 22,
                font: font,
                Palette.muted, anchor: .centre)
        }
    }
}
