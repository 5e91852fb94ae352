internal import MusicShared

/// The fades of a transition as amplitude factors, the bass of both tracks (dashed), and the speed of the incoming one.
struct MixCurves {
    /// Bass gain at the bottom of the panel, in dB.
    private static let lowestBassDB = -24.0
    private static let inset = 12.0

    let plan: CrossfadePlan
    let timeline: MixTimeline

    func draw(on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let sides = [
            (plan.outgoing, MixPicture.outgoingColour, { timeline.outgoing($0) }),
            (plan.incoming, MixPicture.incomingColour, { timeline.incoming($0) }),
        ]
        for (side, colour, position) in sides {
            canvas.stroke(
                points(area, position) { side.fade?.gain(atSeconds: $0) ?? 1 }, colour, width: 2)
            guard let bass = side.bass else { continue }
            canvas.stroke(
                points(area, position) { 1 - bass.gainDB(atSeconds: $0) / Self.lowestBassDB }, colour,
                opacity: 0.9, width: 1.5, dash: [6, 4])
        }
        let font = Canvas.Font(size: 12)
        for (share, label) in [(1.0, "1"), (0.5, "0.5"), (0, "0")] {
            canvas.text(
                label, x: area.x - 10, y: y(share, area) + 4, font: font, Palette.muted, anchor: .right)
        }
        for (share, label) in [(1.0, "0 dB"), (0, "−24 dB")] {
            canvas.text(label, x: area.right + 8, y: y(share, area) + 4, font: font, Palette.muted)
        }
        var names = "fades"
        if plan.outgoing.bass != nil { names += ", bass below 120 Hz (dashed)" }
        canvas.text(names, x: area.x + 10, y: area.y + 34, font: font, Palette.text, opacity: 0.8)
        if let mix = plan.mix {
            let percent = NumberText.fixed((mix.ratio - 1) * 100, 1).replacing("-", with: "−")
            canvas.text(
                "speed \(mix.ratio > 1 ? "+" : "")\(percent) %, back to 0 until the last line",
                x: area.right - 10,
                y: area.y + 34, font: font, MixPicture.incomingColour, anchor: .right)
        }
    }

    private func y(_ share: Double, _ area: Canvas.Area) -> Double {
        area.bottom - Self.inset - max(0, min(1, share)) * (area.height - 2 * Self.inset)
    }

    private func points(
        _ area: Canvas.Area, _ position: (Double) -> Double?, _ share: (Double) -> Double
    ) -> [(x: Double, y: Double)] {
        (0...Int(area.width)).compactMap { column in
            position(timeline.seconds(at: Double(column))).map {
                (x: area.x + Double(column), y: y(share($0), area))
            }
        }
    }
}
