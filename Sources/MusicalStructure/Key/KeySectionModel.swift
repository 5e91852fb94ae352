import Foundation

/// Divides a track into sections of one key each: a hidden Markov model of the 24 keys.
///
/// A step of a second scores each key by a weighted sum of its pitch classes, its bass and its chords as seen from the key's tonic; each
/// change of key costs a constant, and the sections are those of the likeliest path (Viterbi). Keys and their changes were modelled so
/// by Noland and Sandler, "Key Estimation Using a Hidden Markov Model" (ISMIR 2006), and Peeters, "Musical Key Estimation of Audio Signal
/// Based on Hidden Markov Modeling of Chroma Vectors" (DAFx 2006); here, weights and cost are fitted together as a conditional random
/// field (Lafferty, McCallum, Pereira 2001) to music with known changes.
struct KeySectionModel: Sendable {
    /// Keys: the twelve major keys starting from C, then the twelve minor keys.
    private static let keyCount = 24
    /// Frames per step.
    private static let stepFrames = 2
    /// Values of a step: pitch classes, bass, major and minor chords.
    private static let valueCount = 48
    /// Confidence below which a section is joined with its neighbour.
    private static let leastConfidence = 0.5

    /// Weights of the four vectors of a step: pitch classes, bass, major and minor chords.
    let weights: KeyWeights
    /// Subtracted from the score of a path for each change of key.
    let changeCost: Float
    /// The logarithm of the odds of a section's confidence: `confidenceSlope` · logarithm of its lead + `confidenceOffset`.
    let confidenceSlope: Double
    let confidenceOffset: Double

    /// A section as steps.
    private struct Span {
        var start: Int
        var key: Int
    }

    /// Returns the sections of a track that clearly changes its key; empty if it does not.
    func sections(of curve: ChromaCurve) -> [KeySection] {
        let scores = scores(of: curve)
        guard !scores.isEmpty else { return [] }
        let path = path(scores)
        var spans = path.indices.filter { $0 == 0 || path[$0] != path[$0 - 1] }
            .map { Span(start: $0, key: Int(path[$0])) }
        while spans.count > 1 {
            let confidences = spans.indices.map { confidence(of: spans, $0, scores) }
            guard let weakest = confidences.indices.min(by: { confidences[$0] < confidences[$1] }),
                confidences[weakest] < Self.leastConfidence
            else { return sections(spans, confidences, curve) }
            spans[weakest].key = spans[weakest > 0 ? weakest - 1 : 1].key
            spans = spans.indices.filter { $0 == 0 || spans[$0].key != spans[$0 - 1].key }.map { spans[$0] }
        }
        return []
    }

    private func sections(_ spans: [Span], _ confidences: [Double], _ curve: ChromaCurve) -> [KeySection] {
        zip(spans, confidences).map { span, confidence in
            let frame = Double(span.start * Self.stepFrames) - 0.5
            return KeySection(
                seconds: span.start == 0 ? 0 : curve.firstSeconds + frame * curve.secondsPerFrame,
                key: MusicalKey(
                    tonic: span.key % 12, mode: span.key < 12 ? .major : .minor, confidence: confidence))
        }
    }

    /// Returns the confidence of a section: a function of the lead of its key over the best other key.
    private func confidence(of spans: [Span], _ index: Int, _ scores: [Float]) -> Double {
        let end = index + 1 < spans.count ? Self.keyCount * spans[index + 1].start : scores.count
        var totals = [Double](repeating: 0, count: Self.keyCount)
        for place in Self.keyCount * spans[index].start..<end {
            totals[place % Self.keyCount] += Double(scores[place])
        }
        let key = spans[index].key
        let best = totals.indices.filter { $0 != key }.map { totals[$0] }.max() ?? 0
        return 1 / (1 + exp(-(confidenceSlope * log(max(totals[key] - best, 1)) + confidenceOffset)))
    }

    /// Returns the likeliest key of each step.
    func path(_ scores: [Float]) -> [UInt8] {
        let count = Self.keyCount
        var best = Array(scores[..<count])
        // For each step but the first and each key, the key before it.
        var origins: [UInt8] = []
        origins.reserveCapacity(scores.count)
        for start in stride(from: count, to: scores.count, by: count) {
            let top = Self.largest(best)
            let changed = best[top] - changeCost
            for key in 0..<count {
                origins.append(UInt8(best[key] >= changed ? key : top))
                best[key] = max(best[key], changed) + scores[start + key]
            }
        }
        var key = UInt8(Self.largest(best))
        var path = [key]
        for start in stride(from: origins.count - count, through: 0, by: -count) {
            key = origins[start + Int(key)]
            path.append(key)
        }
        return path.reversed()
    }

    private static func largest(_ values: [Float]) -> Int {
        values.indices.reduce(0) { values[$1] > values[$0] ? $1 : $0 }
    }

    /// Returns the scores of the 24 keys for each step.
    private func scores(of curve: ChromaCurve) -> [Float] {
        let count = curve.frames.count / Self.stepFrames
        var scores: [Float] = []
        scores.reserveCapacity(Self.keyCount * count)
        for step in 0..<count {
            var values = [Float](repeating: 0, count: Self.valueCount)
            for frame in curve.frames[step * Self.stepFrames..<(step + 1) * Self.stepFrames] {
                Self.add(frame, to: &values)
            }
            scores += weights.scores(values)
        }
        return scores
    }

    /// Adds the values of a frame; none for silence.
    private static func add(_ frame: SIMD16<UInt8>, to values: inout [Float]) {
        let bass = Int(frame[ChromaCurve.bassLane])
        if (1...12).contains(bass) { values[12 + bass - 1] += 1 }
        var chroma = KeyEvidence.Chroma(frame)
        for lane in 12..<16 { chroma[lane] = 0 }
        let mean = chroma.sum() / 12
        for tone in 0..<12 { chroma[tone] -= mean }
        let norm = (chroma * chroma).sum().squareRoot()
        guard norm > 0, let chords = KeyEvidence.chords(of: chroma) else { return }
        for tone in 0..<12 {
            values[tone] += chroma[tone] / norm
            values[24 + tone] += chords.major[tone]
            values[36 + tone] += chords.minor[tone]
        }
    }
}
