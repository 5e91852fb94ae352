internal import Foundation

/// Renders the transition of a plan: gains, fades, bass shelves and the stretched incoming track.
///
/// The reference for all players.
public struct MixRenderer: Sendable {
    /// A section of a track.
    public struct Excerpt: Sendable {
        /// Position of the first sample in the track, in seconds.
        public var startSeconds: Double
        /// Interleaved samples.
        public var samples: [Float]

        /// Memberwise initializer.
        public init(startSeconds: Double, samples: [Float]) {
            self.startSeconds = startSeconds
            self.samples = samples
        }
    }

    private let plan: CrossfadePlan
    private let sampleRate: Int
    private let channelCount: Int

    /// Memberwise initializer.
    /// - Parameters:
    ///   - sampleRate: samples per second of both tracks, at least 1.
    ///   - channelCount: channels of both tracks, at least 1.
    public init(plan: CrossfadePlan, sampleRate: Int, channelCount: Int) {
        self.plan = plan
        self.sampleRate = max(1, sampleRate)
        self.channelCount = max(1, channelCount)
    }

    /// Renders the transition.
    /// - Parameters:
    ///   - outgoing: the outgoing track; silence is read outside it.
    ///   - incoming: the incoming track, likewise.
    ///   - leadSeconds: duration before the start of the transition, up to an hour.
    ///   - tailSeconds: duration after its end, up to an hour.
    /// - Returns: interleaved samples.
    public func render(
        outgoing: Excerpt, incoming: Excerpt, leadSeconds: Double, tailSeconds: Double
    ) -> [Float] {
        let lead = samples(max(0, min(3600, leadSeconds)))
        let overlap = samples(plan.overlapSeconds)
        let tail = samples(max(0, min(3600, tailSeconds)))
        var output = [Float](repeating: 0, count: (lead + overlap + tail) * channelCount)
        let start = samples(plan.startSeconds - outgoing.startSeconds) - lead
        let old = (0..<(lead + overlap) * channelCount).map { index -> Float in
            let place = start * channelCount + index
            return outgoing.samples.indices.contains(place) ? outgoing.samples[place] : 0
        }
        let rate = Double(sampleRate)
        add(old, to: &output, at: 0, side: plan.outgoing) { plan.startSeconds + Double($0 - lead) / rate }
        let curve = SpeedCurve(plan)
        let new = stretched(incoming, count: overlap + tail, curve)
        add(new, to: &output, at: lead, side: plan.incoming) {
            curve.position(afterSeconds: Double($0) / rate)
        }
        return output
    }

    private func samples(_ seconds: Double) -> Int {
        Int((max(-1e6, min(1e6, seconds)) * Double(sampleRate)).rounded())
    }

    private func stretched(_ excerpt: Excerpt, count: Int, _ curve: SpeedCurve) -> [Float] {
        let rate = Double(sampleRate)
        guard plan.mix != nil else {
            let first = samples(plan.cueInSeconds - excerpt.startSeconds) * channelCount
            return (0..<count * channelCount).map { index in
                excerpt.samples.indices.contains(first + index) ? excerpt.samples[first + index] : 0
            }
        }
        return TimeStretcher(sampleRate: sampleRate, channelCount: channelCount)
            .render(excerpt.samples, count: count) { index in
                (curve.position(afterSeconds: Double(index) / rate) - excerpt.startSeconds) * rate
            }
    }

    /// Adds a track to the output with its gain, fade and shelf.
    private func add(
        _ track: [Float], to output: inout [Float], at offset: Int, side: CrossfadePlan.Side,
        position: (Int) -> Double
    ) {
        let gain = Float(amplitude(side.gainDB))
        var shelf = LowShelf(
            hertz: side.bass?.hertz ?? CrossfadePlan.bassHertz, sampleRate: sampleRate,
            channelCount: channelCount)
        for index in 0..<track.count / channelCount {
            let seconds = position(index)
            if let bass = side.bass { shelf.setGain(bass.gainDB(atSeconds: seconds)) }
            let factor = gain * Float(side.fade?.gain(atSeconds: seconds) ?? 1)
            for channel in 0..<channelCount {
                let sample = track[index * channelCount + channel] * factor
                output[(offset + index) * channelCount + channel] +=
                    side.bass == nil ? sample : shelf.filter(sample, channel: channel)
            }
        }
    }
}
