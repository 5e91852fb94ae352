internal import Foundation

/// Matches the beats of two tracks.
struct BeatAlignment {
    /// Minimum confidence for a tempo to be used.
    static let leastConfidence = 0.3
    /// Minimum confidence for the beats of a track to be used: they are more probably on the beat than not, those of 15 of 21 works
    /// with confidences from 0.4 to 0.5 in the tuning halves of Benchmarks/tempo and Benchmarks/phrases.
    static let leastBeatConfidence = 0.4
    /// Minimum confidence for the bars of a track to be used, likewise.
    static let leastBarConfidence = 0.5
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

    /// Finds beats that coincide if the incoming track starts as close as possible to a given time in the outgoing one: starts of
    /// bars of both tracks if these are known and one is within half a bar of that time, otherwise any beats.
    /// - Parameters:
    ///   - near: start time without regard to beats.
    ///   - cueIn: cue-in of the incoming track.
    ///   - within: permitted start times.
    /// - Returns: nil if the tempi do not match, the beats of a track are unreliable, or no start less than a beat away (half a bar
    ///   for bars) aligns the beats.
    func pair(near: Double, cueIn: Double, within: ClosedRange<Double>) -> Pair? {
        guard canAlign, min(outgoing.beatConfidence, incoming.beatConfidence) >= Self.leastBeatConfidence
        else { return nil }
        let find = { (outgoing: [Double], incoming: [Double], distance: Double) in
            Self.pair(outgoing, incoming, near: near, cueIn: cueIn, within: within, distance: distance)
        }
        let bars =
            canAlignBars ? find(outgoing.downbeatSeconds, incoming.downbeatSeconds, longestBarShift) : nil
        return bars ?? find(outgoing.beatSeconds, incoming.beatSeconds, 60 / outgoing.bpm)
    }

    /// Whether the starts of the bars of both tracks are known.
    private var canAlignBars: Bool {
        min(outgoing.barConfidence, incoming.barConfidence) >= Self.leastBarConfidence
    }

    /// Half a bar of the outgoing track in seconds, and the twentieth of a beat for bars that are not exactly even.
    private var longestBarShift: Double {
        guard outgoing.downbeatSeconds.count > 1, let first = outgoing.downbeatSeconds.first,
            let last = outgoing.downbeatSeconds.last
        else { return 60 / outgoing.bpm }
        return 0.5 * (last - first) / Double(outgoing.downbeatSeconds.count - 1) + 3 / outgoing.bpm
    }

    /// Finds the pair of beats, of those given, with the nearest permitted start.
    private static func pair(
        _ outgoing: [Double], _ incoming: [Double], near: Double, cueIn: Double, within: ClosedRange<Double>,
        distance: Double
    ) -> Pair? {
        guard let first = incoming.first(where: { $0 >= cueIn }) else { return nil }
        let lead = first - cueIn
        let starts = outgoing.lazy.map { Pair(start: $0 - lead, outgoingBeat: $0, incomingBeat: first) }
        let nearest = starts.filter { within.contains($0.start) }.min {
            abs($0.start - near) < abs($1.start - near)
        }
        guard let nearest, abs(nearest.start - near) <= distance else { return nil }
        return nearest
    }

    func match(_ pair: Pair? = nil, shift: Double, overlap: Double) -> CrossfadePlan.TempoMatch {
        CrossfadePlan.TempoMatch(
            ratio: ratio, multiple: multiple, canAlign: canAlign, outgoingBeatSeconds: pair?.outgoingBeat,
            incomingBeatSeconds: pair?.incomingBeat, shiftSeconds: shift,
            driftSeconds: abs(ratio - 1) * overlap)
    }
}
