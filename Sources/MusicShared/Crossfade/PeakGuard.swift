internal import Foundation

/// Computes how far two overlapping tracks must be faded so that their peaks cannot add up to more than full scale.
///
/// A track's peak is assumed to fall with its loudness, as in a fade: at L dB below its own loudness it is at most `true peak +
/// L`. Fades are linear with a common depth d: the outgoing track goes from 1 to 1 − d, the incoming one from 1 − d to 1. The
/// smallest d that keeps the sum below the ceiling at every moment is used; d = 1, at which the gains add up to 1 throughout,
/// always works, since neither track alone exceeds the ceiling.
struct PeakGuard {
    /// Maximum sum of both peaks: full scale. Each track alone stays 1 dB lower.
    private static let ceiling = 1.0
    /// Number of steps in which the overlap is examined.
    private static let steps = 64

    /// Depth of the fades, 0…1.
    let depth: Double
    /// Upper bound of the mixed peak with those fades in dBTP; nil if a track's peak is unknown.
    let peakDBTP: Double?

    init(
        from: CrossfadeTrack, to: CrossfadeTrack, outgoingGainDB: Double, incomingGainDB: Double,
        overlap: Double
    ) {
        guard let outgoingPeak = from.loudness?.truePeakDBTP, let incomingPeak = to.loudness?.truePeakDBTP
        else {
            depth = 1
            peakDBTP = nil
            return
        }
        let fall = LevelRamp.end(of: from)
        let rise = LevelRamp.start(of: to)
        // The outgoing track is loudest at the start of a step, the incoming one at its end.
        let moments = (0..<Self.steps).map { step -> Moment in
            let begin = Double(step) / Double(Self.steps)
            let end = Double(step + 1) / Double(Self.steps)
            return Moment(
                shares: (begin, end),
                outgoing: amplitude(
                    outgoingPeak + outgoingGainDB + fall.level(withinSeconds: overlap * (1 - begin))),
                incoming: amplitude(incomingPeak + incomingGainDB + rise.level(withinSeconds: overlap * end)))
        }
        let depth = min(1, moments.map { $0.depth(for: Self.ceiling) }.max() ?? 0)
        self.depth = depth
        peakDBTP = moments.map { $0.sum(depth: depth) }.max().map(decibels)
    }

    /// A step of the overlap with upper bounds of both peaks.
    private struct Moment {
        /// Start and end as fractions of the overlap.
        let shares: (begin: Double, end: Double)
        let outgoing: Double
        let incoming: Double

        /// Returns the upper bound of the sum, which is linear in time between the ends of the step.
        func sum(depth: Double) -> Double {
            max(sum(depth, shares.begin), sum(depth, shares.end))
        }

        private func sum(_ depth: Double, _ share: Double) -> Double {
            outgoing * (1 - depth * share) + incoming * (1 - depth * (1 - share))
        }

        /// Returns the smallest depth that keeps the sum below a ceiling.
        func depth(for ceiling: Double) -> Double {
            max(depth(for: ceiling, shares.begin), depth(for: ceiling, shares.end))
        }

        private func depth(for ceiling: Double, _ share: Double) -> Double {
            let excess = outgoing + incoming - ceiling
            return excess > 0 ? excess / (outgoing * share + incoming * (1 - share)) : 0
        }
    }
}
