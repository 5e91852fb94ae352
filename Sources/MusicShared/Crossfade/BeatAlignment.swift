internal import Foundation

/// Whether and where the beats of two tracks can go together.
struct BeatAlignment {
    /// Trust below which a tempo is not relied on.
    static let leastConfidence = 0.3
    /// Largest change of speed, as a share, at which beats are said to go together: what a pitch fader of a turntable does
    /// unnoticed.
    static let tolerance = 0.04
    /// Counts of the incoming track's beats to one of the outgoing that are tried.
    private static let multiples = [1.0, 2, 0.5]

    /// A beat of each that coincide.
    struct Pair {
        /// Where in the outgoing track the incoming one starts for that, in seconds.
        let start: Double
        let outgoingBeat: Double
        let incomingBeat: Double
    }

    private let outgoing: CrossfadeTrack.Tempo
    private let incoming: CrossfadeTrack.Tempo
    private let ratio: Double
    private let multiple: Double

    /// Compares two tempi; nil where either is missing or not to be relied on.
    init?(from: CrossfadeTrack.Tempo?, to: CrossfadeTrack.Tempo?) {
        guard let from, let to, min(from.confidence, to.confidence) >= Self.leastConfidence,
            from.bpm > 0, to.bpm > 0, from.bpm.isFinite, to.bpm.isFinite
        else { return nil }
        outgoing = from
        incoming = to
        let plain = from.bpm / to.bpm
        // The one that changes the speed least; of equals the simplest.
        let best = Self.multiples.min { abs(log(plain * $0)) < abs(log(plain * $1)) }
        multiple = best ?? 1
        ratio = plain * multiple
    }

    private var canAlign: Bool { abs(ratio - 1) <= Self.tolerance }

    /// The beats that coincide if the incoming track starts as near as possible to a time in the outgoing.
    /// - Parameters:
    ///   - near: where the start would be without regard to beats.
    ///   - cueIn: where the incoming track is entered.
    ///   - within: where it may start.
    /// - Returns: nil where the tempi do not go together, or no start less than a beat away lets beats coincide.
    func pair(near: Double, cueIn: Double, within: ClosedRange<Double>) -> Pair? {
        guard canAlign, let first = incoming.beatSeconds.first(where: { $0 >= cueIn }) else { return nil }
        let lead = first - cueIn
        let starts = outgoing.beatSeconds.lazy.map {
            Pair(start: $0 - lead, outgoingBeat: $0, incomingBeat: first)
        }
        let nearest = starts.filter { within.contains($0.start) }.min {
            abs($0.start - near) < abs($1.start - near)
        }
        guard let nearest, abs(nearest.start - near) <= 60 / outgoing.bpm else { return nil }
        return nearest
    }

    func match(_ pair: Pair? = nil, shift: Double, overlap: Double) -> CrossfadePlan.TempoMatch {
        CrossfadePlan.TempoMatch(
            ratio: ratio, multiple: multiple, canAlign: canAlign, outgoingBeatSeconds: pair?.outgoingBeat,
            incomingBeatSeconds: pair?.incomingBeat, shiftSeconds: shift,
            driftSeconds: abs(ratio - 1) * overlap)
    }
}
