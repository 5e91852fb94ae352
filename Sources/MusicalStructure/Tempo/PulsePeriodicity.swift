import Foundation

/// The repetition in an onset envelope: autocorrelation over lags and its spectrum over repetition rates, for groups of bands.
///
/// The autocorrelation has peaks at a pulse's period and all its multiples, the spectrum at its rate and all its multiples
/// (Peeters 2007: together they separate slower from faster tempi where each alone cannot).
package struct PulsePeriodicity {
    /// Longest lag in seconds: four periods of the slowest tempo, eight of a medium one.
    static let maximumLagSeconds = 11.0

    /// Number of groups: kick and bass; melody and harmony; cymbals; everything.
    static let groupCount = 4

    /// The groups of bands of the envelope.
    let groups: [OnsetGroup]
    let framesPerSecond: Double
    /// Autocorrelation of each group from lag 0, where it is 1.
    let autocorrelations: [[Float]]
    /// Square root of the spectrum of each group's autocorrelation under a Hann window.
    let spectra: [[Float]]
    /// Bins of `spectra` per Hz.
    let binsPerHertz: Double

    private static let spectrumSize = 8192

    /// Analyses an envelope; returns nil if it is shorter than ``TempoEstimator/minimumSeconds``.
    package init?(_ envelope: OnsetEnvelope) {
        let seconds = Double(envelope.frameCount) / envelope.framesPerSecond
        guard seconds >= TempoEstimator.minimumSeconds else { return nil }
        self.init(groups: OnsetGroup.all(of: envelope), framesPerSecond: envelope.framesPerSecond)
    }

    init(groups: [OnsetGroup], framesPerSecond: Double) {
        self.groups = groups
        self.framesPerSecond = framesPerSecond
        let lagCount = Int(Self.maximumLagSeconds * framesPerSecond)
        let spectrumFFT = RealFFT(size: Self.spectrumSize)
        binsPerHertz = Double(Self.spectrumSize) / framesPerSecond
        autocorrelations = groups.map { group in
            var autocorrelation = Autocorrelation(lagCount: lagCount)
            for value in group { autocorrelation.append(value) }
            return autocorrelation.finish()
        }
        spectra = autocorrelations.map {
            Self.spectrum(of: $0, framesPerSecond: Float(framesPerSecond), fft: spectrumFFT)
        }
    }

    /// Returns the autocorrelation of a group at the period of a tempo in BPM; 0 beyond the longest lag.
    func autocorrelation(group: Int, bpm: Double) -> Float {
        autocorrelation(group: group, lag: 60 * framesPerSecond / bpm)
    }

    /// Returns the interpolated autocorrelation of a group at a lag in frames; 0 beyond the longest lag.
    func autocorrelation(group: Int, lag: Double) -> Float {
        Self.interpolate(autocorrelations[group], at: lag)
    }

    /// Returns how strongly a group repeats at a rate per minute.
    func spectrum(group: Int, bpm: Double) -> Float {
        Self.interpolate(spectra[group], at: bpm / 60 * binsPerHertz)
    }

    private static func spectrum(of autocorrelation: [Float], framesPerSecond: Float, fft: RealFFT) -> [Float]
    {
        let count = autocorrelation.count
        for i in 0..<spectrumSize { fft.input[i] = 0 }
        for lag in 0..<count {
            let window = Float(0.5 + 0.5 * cos(.pi * Double(lag) / Double(count)))
            fft.input[lag] = window * autocorrelation[lag]
            if lag > 0 { fft.input[spectrumSize - lag] = fft.input[lag] }
        }
        fft.execute()
        return (0...spectrumSize / 2).map { max(0, fft.output[2 * $0] / framesPerSecond).squareRoot() }
    }

    private static func interpolate(_ values: [Float], at position: Double) -> Float {
        let index = Int(position)
        guard index >= 0, index + 1 < values.count else { return 0 }
        let fraction = Float(position - Double(index))
        return values[index] + fraction * (values[index + 1] - values[index])
    }
}

extension PulsePeriodicity {
    /// Returns the mean autocorrelation of all bands at the first four periods of a tempo: 1 for a perfect pulse, 0 for noise.
    func clarity(bpm: Double) -> Double {
        let lag = refinedPeriod(bpm: bpm)
        let sum = (1...4).reduce(0.0) { sum, multiple in
            sum + Double(autocorrelation(group: Self.groupCount - 1, lag: lag * Double(multiple)))
        }
        return sum / 4
    }

    /// Highest autocorrelation of all bands at any lag of at least a fifth of a second: what remains of the pulse of a soft
    /// texture if its beats fall between onsets.
    var strongestRepetition: Double {
        let values = autocorrelations[Self.groupCount - 1].dropFirst(
            Int((0.2 * framesPerSecond).rounded(.up)))
        return Double(values.max() ?? 0)
    }

    /// Returns the period in frames near a tempo that maximises the autocorrelation at its multiples 1, 2, 3, 4, 6 and 8.
    func refinedPeriod(bpm: Double) -> Double {
        let period = 60 / bpm * framesPerSecond
        var best = (period: period, score: -Float.infinity)
        for step in -30...30 {
            let candidate = period * (1 + 0.001 * Double(step))
            let score = [1.0, 2, 3, 4, 6, 8].reduce(Float.zero) { sum, multiple in
                sum + autocorrelation(group: Self.groupCount - 1, lag: candidate * multiple)
            }
            if score > best.score { best = (candidate, score) }
        }
        return best.period
    }
}

extension PulsePeriodicity {
    /// Rate per minute of a pulse with nothing between its beats, such as a metronome's; nil for anything else.
    ///
    /// Between such beats the autocorrelation is flat, and it fully recovers at each of the first four periods.
    var bareBPM: Double? {
        let values = autocorrelations[Self.groupCount - 1]
        // An onset itself covers a few lags.
        let shortest = Int((0.12 * framesPerSecond).rounded(.up))
        guard values.count > 2 * shortest, let top = values[shortest...].max(), top > 0.7 else { return nil }
        guard let rise = values[shortest...].firstIndex(where: { $0 > 0.25 * top }) else { return nil }
        let end = min(values.count, rise + shortest / 2)
        guard let peak = (rise..<end).max(by: { values[$0] < values[$1] }) else { return nil }
        // If the period of an exact pulse is a whole number of frames plus a half, every second onset falls between two frames
        // and appears weaker: its peak is split between two lags.
        func height(_ lags: ClosedRange<Int>) -> Float {
            guard lags.upperBound + 1 < values.count, let lag = lags.max(by: { values[$0] < values[$1] })
            else {
                return top
            }
            let neighbour = max(values[lag - 1], values[lag + 1])
            return values[lag] + (top > 0.9 && neighbour > 0.95 * values[lag] ? neighbour : 0)
        }
        guard height(peak...peak) > 0.65 * top else { return nil }
        // A pulse present in only parts of the bars, such as the dotted one of 3 + 3 + 2, fades from period to period.
        for multiple in 2...4 where height(multiple * (peak - 1)...multiple * (peak + 1)) <= 0.55 * top {
            return nil
        }
        // Actual music always has at least a hint of something halfway; a faster pulse is rarely the beat.
        let between = values[shortest..<max(shortest + 1, rise - 1)].max() ?? 0
        let bpm = 60 * framesPerSecond / Double(peak)
        return bpm < 205 && between < 0.1 * top ? bpm : nil
    }
}
