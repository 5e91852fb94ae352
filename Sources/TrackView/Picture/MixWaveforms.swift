internal import Analyzer
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import MusicalStructure

/// The waveforms of both tracks of a transition, with the gains and fades that they are heard with. The beats of the outgoing track
/// are along the upper edge, those of the incoming one along the lower edge.
struct MixWaveforms {
    private static let inset = 20.0
    private static let tickHeight = 8.0
    private static let opacity = 0.6
    /// A transition quieter than −40 dBFS is not enlarged further.
    private static let lowestEdge = 0.01

    let plan: CrossfadePlan
    let tracks: [AnalysedTrack]
    let timeline: MixTimeline

    func draw(on canvas: borrowing Canvas, _ area: Canvas.Area) {
        let columns = [
            columns(0, plan.outgoing) { timeline.outgoing($0) },
            columns(1, plan.incoming) { timeline.incoming($0) },
        ]
        let peak = columns.joined().reduce(0) { max($0, abs($1?.lowerBound ?? 0), abs($1?.upperBound ?? 0)) }
        let half = (area.height / 2 - Self.inset) / max(Self.lowestEdge, peak * 1.06)
        let middle = area.y + area.height / 2
        for (columns, colour) in zip(columns, [MixPicture.outgoingColour, MixPicture.incomingColour]) {
            for (index, column) in columns.enumerated() {
                guard let column else { continue }
                let height = max(1, (column.upperBound - column.lowerBound) * half)
                canvas.fill(
                    .init(
                        x: area.x + Double(index), y: middle - column.upperBound * half, width: 1,
                        height: height), colour, opacity: Self.opacity)
            }
        }
        drawBeats(0, on: canvas, area, isAtTop: true) { timeline.time(ofOutgoing: $0) }
        drawBeats(1, on: canvas, area, isAtTop: false) { timeline.time(ofIncoming: $0) }
    }

    /// Returns the lowest and highest sample of each column as heard; nil where the track is not played.
    private func columns(
        _ index: Int, _ side: CrossfadePlan.Side, _ position: (Double) -> Double?
    ) -> [ClosedRange<Double>?] {
        guard tracks.indices.contains(index), let overview = tracks[index].analysis?.profile?.waveform else {
            return []
        }
        let gain = pow(10, side.gainDB / 20)
        return (0..<Int(timeline.width)).map { column in
            guard let start = position(timeline.seconds(at: Double(column))) else { return nil }
            let end = position(timeline.seconds(at: Double(column + 1))) ?? start
            guard let range = WaveformColumns.extremes(overview, from: start, to: end) else { return nil }
            let factor = gain * (side.fade?.gain(atSeconds: (start + end) / 2) ?? 1)
            return range.lowerBound * factor...range.upperBound * factor
        }
    }

    private func drawBeats(
        _ index: Int, on canvas: borrowing Canvas, _ area: Canvas.Area, isAtTop: Bool,
        _ time: (Double) -> Double?
    ) {
        guard tracks.indices.contains(index), let tempo = tracks[index].analysis?.profile?.tempo else {
            return
        }
        let bars = Set(tempo.downbeatSeconds)
        for beat in tempo.beatSeconds {
            guard let time = time(beat) else { continue }
            let height = bars.contains(beat) ? 2 * Self.tickHeight : Self.tickHeight
            let x = area.x + min(timeline.x(time), area.width - 1).rounded(.down)
            canvas.fill(
                .init(x: x, y: isAtTop ? area.y : area.bottom - height, width: 1, height: height),
                isAtTop ? MixPicture.outgoingColour : MixPicture.incomingColour)
        }
    }
}
