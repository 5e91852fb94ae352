internal import Analyzer

/// Hatches over the silent parts of a track: before, after and inside the sound.
struct SilenceShades {
    let profile: TrackProfile
    let scale: TimeScale

    func draw(on canvas: borrowing Canvas) {
        let silence = profile.silence
        if silence.isSilent {
            shade(0, scale.durationSeconds, label: "silent throughout", on: canvas)
            return
        }
        shade(0, silence.leadingEndSeconds, label: "silence", on: canvas)
        shade(silence.trailingStartSeconds, scale.durationSeconds, label: "silence", on: canvas)
        if let inner = profile.cue.innerSilence {
            shade(inner.startSeconds, inner.endSeconds, label: "inner silence", on: canvas)
        }
    }

    private func shade(_ start: Double, _ end: Double, label: String, on canvas: borrowing Canvas) {
        let left = PictureLayout.plotX + scale.position(of: start)
        let width = PictureLayout.plotX + scale.position(of: end) - left
        guard width > 0.5 else { return }
        for panel in [PictureLayout.waveform, PictureLayout.loudness] {
            let area = Canvas.Area(x: left, y: panel.y, width: width, height: panel.height)
            canvas.fill(area, PictureColours.silence, opacity: 0.10)
            canvas.hatch(area, PictureColours.silence, opacity: 0.22)
        }
        let font = Canvas.Font(size: 12)
        guard canvas.textWidth(label, font) + 12 < width else { return }
        let panel = PictureLayout.waveform
        canvas.text(
            label, x: left + width / 2, y: panel.y + panel.height / 2 - 10, font: font, Palette.text,
            anchor: .centre)
    }
}
