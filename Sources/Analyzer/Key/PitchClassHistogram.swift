import Foundation

/// Strength of the pitch classes in steps of ten cents, so that the tuning can be determined afterwards.
struct PitchClassHistogram {
    /// Steps per semitone.
    static let stepsPerSemitone = 10
    private static let stepCount = 12 * stepsPerSemitone

    private var steps = [Float](repeating: 0, count: stepCount)

    /// Total weight added so far.
    private(set) var total: Float = 0

    /// Adds a tone.
    /// - Parameters:
    ///   - pitch: semitones above any C; only the position in the octave matters.
    ///   - weight: strength of the tone.
    mutating func add(pitch: Float, weight: Float) {
        let position = (pitch - 12 * (pitch / 12).rounded(.down)) * Float(Self.stepsPerSemitone)
        let below = Int(position)
        let fraction = position - Float(below)
        steps[below % Self.stepCount] += weight * (1 - fraction)
        steps[(below + 1) % Self.stepCount] += weight * fraction
        total += weight
    }

    /// Tuning relative to A = 440 Hz in semitones, −0.5…0.5: the circular mean of all deviations from the equal-tempered scale
    /// (as in Gómez 2006, §3.2.2).
    var tuning: Double {
        var real = 0.0
        var imaginary = 0.0
        for (i, weight) in steps.enumerated() {
            let angle = 2 * .pi * Double(i % Self.stepsPerSemitone) / Double(Self.stepsPerSemitone)
            real += Double(weight) * cos(angle)
            imaginary += Double(weight) * sin(angle)
        }
        guard real != 0 || imaginary != 0 else { return 0 }
        return atan2(imaginary, real) / (2 * .pi)
    }

    /// Strength of the twelve pitch classes starting from C, after tuning. A tone counts less the further it is from its
    /// semitone, by a squared cosine that reaches zero halfway between two.
    var chroma: [Double] {
        let tuning = tuning
        var chroma = [Double](repeating: 0, count: 12)
        for (i, weight) in steps.enumerated() {
            let pitch = Double(i) / Double(Self.stepsPerSemitone) - tuning
            let nearest = pitch.rounded()
            let closeness = cos(.pi * (pitch - nearest))
            chroma[(Int(nearest) + 12) % 12] += Double(weight) * closeness * closeness
        }
        return chroma
    }
}
