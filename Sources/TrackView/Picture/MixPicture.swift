internal import Companion
package import Foundation
package import LibraryStore
package import MusicShared

/// A picture of the transition between two tracks: both waveforms as they are heard, laid over each other, with their beats; the
/// fades, the bass and the speed; and the reason.
///
/// 1600 × 760 pixels. Missing data is left out.
package struct MixPicture {
    static let width = 1600
    static let height = 760
    static let waveform = Canvas.Area(x: 76, y: 186, width: 1432, height: 300)
    static let curves = Canvas.Area(x: 76, y: 502, width: 1432, height: 160)
    private static let axisY = 662.0
    /// Most characters of the reason in a line.
    private static let lineLength = 165
    static let outgoingColour = Palette.startNext
    static let incomingColour = Palette.accent

    let plan: CrossfadePlan
    let tracks: [AnalysedTrack]
    private let timeline: MixTimeline

    /// Draws a transition into a PNG file. An existing file is replaced.
    /// - Throws: ``TrackViewError`` with the file's path: `fileUnwritable`, `drawingFailed`.
    package static func write(
        _ plan: CrossfadePlan, from: AnalysedTrack, to: AnalysedTrack, to path: String
    ) throws(TrackViewError) {
        let picture = MixPicture(plan: plan, tracks: [from, to])
        try PictureFile.write(to: path) { () throws(TrackViewError) in try picture.png() }
    }

    /// - Parameter tracks: the outgoing and the incoming track.
    package init(plan: CrossfadePlan, tracks: [AnalysedTrack]) {
        self.plan = plan
        self.tracks = tracks
        timeline = MixTimeline(plan, width: Self.waveform.width)
    }

    /// Returns the bytes of a PNG file.
    /// - Throws: `drawingFailed`.
    package func png() throws(TrackViewError) -> Data {
        let canvas = try Canvas(
            width: Self.width, height: Self.height, background: PictureColours.background)
        drawHeading(on: canvas)
        for area in [Self.waveform, Self.curves] { canvas.fill(area, PictureColours.panel) }
        drawAxis(on: canvas)
        MixWaveforms(plan: plan, tracks: tracks, timeline: timeline).draw(on: canvas, Self.waveform)
        MixCurves(plan: plan, timeline: timeline).draw(on: canvas, Self.curves)
        return try canvas.png()
    }

    private func drawHeading(on canvas: borrowing Canvas) {
        let colours = [Self.outgoingColour, Self.incomingColour]
        for (index, track) in tracks.prefix(2).enumerated() {
            let facts = TrackFacts(track, frames: nil)
            let name = facts.byline.isEmpty ? facts.title : "\(facts.title) — \(facts.byline)"
            canvas.text(
                "\(index == 0 ? "from" : "to")  \(DisplayText.cleaned(name))", x: Self.waveform.x,
                y: 50 + Double(index) * 36, font: .init(size: 24, isBold: true), colours[index],
                maximumWidth: Self.waveform.width)
        }
        for (index, line) in Self.lines(of: plan.reason ?? "").prefix(3).enumerated() {
            canvas.text(
                line, x: Self.waveform.x, y: 122 + Double(index) * 22, font: .init(size: 15), Palette.text,
                maximumWidth: Self.waveform.width)
        }
    }

    /// Returns a text in lines, broken between words.
    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count < lineLength {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// Lines at the start and the end of the overlap, and at the end of the return, with the positions in both tracks.
    private func drawAxis(on canvas: borrowing Canvas) {
        var times = [0.0]
        if plan.overlapSeconds > 0 { times.append(plan.overlapSeconds) }
        if plan.mix != nil { times.append(SpeedCurve(plan).endSeconds) }
        for time in times {
            let x = Self.waveform.x + timeline.x(time).rounded(.down)
            canvas.fill(
                .init(x: x, y: Self.waveform.y - 6, width: 1, height: Self.axisY - Self.waveform.y + 12),
                PictureColours.silence, opacity: 0.8)
            let positions = [
                (time <= plan.overlapSeconds ? plan.startSeconds + time : nil, Self.outgoingColour),
                (timeline.incoming(time), Self.incomingColour),
            ]
            for (row, (seconds, colour)) in positions.enumerated() {
                guard let seconds else { continue }
                canvas.text(
                    NumberText.clock(seconds, decimals: 2), x: x, y: Self.axisY + 26 + Double(row) * 20,
                    font: .init(size: 13), colour, anchor: .centre)
            }
        }
    }
}
