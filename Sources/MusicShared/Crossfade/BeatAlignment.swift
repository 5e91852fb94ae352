internal import Foundation

/// Matches the beats of two tracks.
struct BeatAlignment {
    /// Minimum confidence for a tempo to be used.
    static let leastConfidence = 0.3
    /// Minimum confidence for the beats of a track to be used: they are more probably on the beat than not.
    static let leastBeatConfidence = 0.5
    /// Largest relative change of speed at which beats are considered to match: what the pitch fader of a turntable can do
    /// unnoticed.
    static let tolerance = 0.04
    /// Ratios of incoming to outgoing beats to try.
    private static let multiples = [1.0, 2, 0.5]

    /// A pair of beats that coincide.
    struct Pair {
        /// Start of the incoming track within the outgoing one that makes them coincide, in seconds.
        let start: Double
        let outgoingBeat: Double
        let incomingBeat: Double
    }

    private let outgoing: CrossfadeTrack.Tempo
    private let incoming: CrossfadeTrack.Tempo
    private let ratio: Double
    private let multiple: Double

    /// Compares two tempi; returns nil if either is missing or unreliable.
    init?(from: CrossfadeTrack.Tempo?, to: CrossfadeTrack.Tempo?) {
        guard let from, let to, min(from.confidence, to.confidence) >= Self.leastConfidence,
            from.bpm > 0, to.bpm > 0, from.bpm.isFinite, to.bpm.isFinite
        else { return nil }
        outgoing = from
        incoming = to
        let plain = from.bpm / to.bpm
        // Choose the ratio that changes the speed least; of equals, the simplest.
        let best = Self.multiples.min { abs(log(plain * $0)) < abs(log(plain * $1)) }
        multiple = best ?? 1
        ratio = plain * multiple
    }

    private var canAlign: Bool { abs(ratio - 1) <= Self.tolerance }

    /// Finds beats that coincide if the incoming track starts as close as possible to a given time in the outgoing one.
    /// - Parameters:
    ///   - near: start time without regard to beats.
    ///   - cueIn: cue-in of the incoming track.
    ///   - within: permitted start times.
    /// - Returns: nil if the tempi do not match, the beats of a track are unreliable, or no start less than a beat away aligns the
    ///   beats.
    func pair(near: Double, cueIn: Double, within: ClosedRange<Double>) -> Pair? {
        guard canAlign, min(outgoing.beatConfidence, incoming.beatConfidence) >= Self.leastBeatConfidence,
            let first = incoming.beatSeconds.first(where: { $0 >= cueIn })
        else { return nil }
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
