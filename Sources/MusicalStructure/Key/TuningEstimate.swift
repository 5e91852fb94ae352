import Foundation

/// The tuning of the tones heard so far relative to A = 440 Hz: the circular mean of their deviations from the equal-tempered
/// scale, weighted (as in Gómez 2006, §3.2.2).
struct TuningEstimate {
    private var real: Float = 0
    private var imaginary: Float = 0

    /// Tuning in semitones. It moves continuously: music that is tuned half a semitone high does not jump between two pitch
    /// classes, but may reach a little more than 0.5.
    private(set) var semitones: Float = 0

    /// Tuning in cents, −50…50.
    var cents: Double { Double(100 * (semitones - semitones.rounded())) }

    /// Adds the tones of a frame.
    mutating func add(_ tones: [Tone]) {
        for tone in tones {
            let angle = 2 * Float.pi * (tone.pitch - tone.pitch.rounded())
            real += tone.weight * cos(angle)
            imaginary += tone.weight * sin(angle)
        }
        guard real != 0 || imaginary != 0 else { return }
        let new = atan2(imaginary, real) / (2 * .pi)
        semitones = new + (semitones - new).rounded()
    }
}
