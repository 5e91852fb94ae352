import Foundation

/// Finds the tones in spectra of a low sample rate: peaks that stand out from what surrounds them.
struct TonalPeaks {
    /// Lowest and highest tone looked for, in Hz: about B1 to B6. Below, neighbouring semitones cannot be told
    /// apart; above, there is little but overtones.
    static let lowest = 60.0
    static let highest = 2000.0
    /// How far a peak must stand above the mean of its surroundings, as a ratio of magnitudes. Peaks of noise
    /// seldom reach it.
    private static let prominence: Float = 3
    /// Bins to either side that make the surroundings.
    private static let reach = 16
    /// Tones are also counted, less, as overtones 2…4 of tones below, which raises the notes played over the fifths and
    /// thirds that overtones add (after Gómez 2006, §3.3.3).
    private static let overtoneWeights: [Float] = [1, 0.5, 0.25, 0.125]
    private static let overtonePitches: [Float] = [0, 12, 19.019_55, 24]

    private let sampleRate: Double
    private let fft: RealFFT
    private let window: [Float]
    private let firstBin: Int
    private let lastBin: Int
    private var magnitudes: [Float]

    /// Samples that a spectrum is made of.
    var frameLength: Int { fft.size }

    init(sampleRate: Double, frameLength: Int) {
        self.sampleRate = sampleRate
        fft = RealFFT(size: frameLength)
        window = (0..<frameLength).map {
            Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(frameLength))) * 4 / Float(frameLength)
        }
        let bins = Double(frameLength) / sampleRate
        firstBin = Int(Self.lowest * bins)
        lastBin = min(Int(Self.highest * bins), frameLength / 2 - 1)
        magnitudes = [Float](repeating: 0, count: lastBin + Self.reach + 2)
    }

    /// Adds the tones of a frame of ``frameLength`` samples to `histogram`.
    /// - Returns: whether the frame holds sound at all.
    mutating func add(_ frame: UnsafeBufferPointer<Float>, to histogram: inout PitchClassHistogram) -> Bool {
        let input = fft.input
        for i in 0..<fft.size { input[i] = frame[i] * window[i] }
        fft.execute()
        let output = fft.output
        var energy: Float = 0
        let last = min(magnitudes.count, fft.size / 2 + 1)
        for k in 0..<last {
            let magnitude = (output[2 * k] * output[2 * k] + output[2 * k + 1] * output[2 * k + 1])
                .squareRoot()
            magnitudes[k] = magnitude
            if k >= firstBin && k <= lastBin { energy += magnitude }
        }
        // −90 dBFS for a lone sine.
        guard energy > 3e-5 else { return false }

        var surroundings: Float = 0
        for k in max(0, firstBin - Self.reach)..<firstBin + Self.reach { surroundings += magnitudes[k] }
        var from = max(0, firstBin - Self.reach)
        for k in firstBin...lastBin {
            if k + Self.reach < last { surroundings += magnitudes[k + Self.reach] }
            if k - Self.reach > from {
                surroundings -= magnitudes[from]
                from += 1
            }
            let peak = magnitudes[k]
            guard peak > magnitudes[k - 1], peak >= magnitudes[k + 1],
                peak * Float(2 * Self.reach + 1) > Self.prominence * surroundings
            else { continue }
            addPeak(k, energy: energy, to: &histogram)
        }
        return true
    }

    /// The tone's exact frequency by a parabola through the logarithms of three bins; its weight by the square root of
    /// its share in the frame, so that loud passages and loud partials do not decide alone.
    private func addPeak(_ k: Int, energy: Float, to histogram: inout PitchClassHistogram) {
        let a = log(max(magnitudes[k - 1], 1e-12))
        let b = log(max(magnitudes[k], 1e-12))
        let c = log(max(magnitudes[k + 1], 1e-12))
        let curvature = a - 2 * b + c
        let shift = curvature < 0 ? 0.5 * (a - c) / curvature : 0
        let hertz = (Float(k) + shift) * Float(sampleRate) / Float(fft.size)
        // MIDI numbers: 69 is A at 440 Hz, and multiples of 12 are Cs.
        let pitch = 69 + 12 * log2(hertz / 440)
        let weight = (magnitudes[k] / energy).squareRoot()
        for (overtone, interval) in zip(Self.overtoneWeights, Self.overtonePitches) {
            histogram.add(pitch: pitch - interval, weight: weight * overtone)
        }
    }
}
