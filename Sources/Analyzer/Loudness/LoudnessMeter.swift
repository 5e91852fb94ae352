internal import Foundation

/// Measures loudness and peaks of a signal that arrives in blocks: ITU-R BS.1770-4, EBU R 128, EBU Tech 3341 and 3342.
///
/// Energies are summed over 10 ms steps. Momentary (400 ms) and short-term (3 s) loudness are evaluated every step for their
/// maxima, as required by Tech 3341's cases 13 and 14; gating blocks (400 ms, overlap 75 %), the short-term values of the
/// loudness range and the ratio of peak to short-term loudness are evaluated every 100 ms. An incomplete last block is dropped, as the standard requires.
struct LoudnessMeter {
    /// Steps per second.
    static let stepsPerSecond = 100
    private static let momentarySteps = 40
    private static let shortTermSteps = 300
    private static let hopSteps = 10

    private let weights: [Double]
    private let sampleRate: Double
    private var pairs: [KWeightedEnergy]
    private var peaks: [TruePeakMeter]

    private var position = 0
    private var stepIndex = 0
    private var stepEnd: Int
    private var stepSum = 0.0
    /// Weighted sums of the steps in the last 3 s, and of the ten steps ending with each of them.
    private var stepSums = RecentSums(count: shortTermSteps)
    private var hopSums = RecentSums(count: shortTermSteps)
    /// Largest absolute sample of each of the last 30 hops, and of the current one.
    private var hopPeaks = [Float](repeating: 0, count: shortTermSteps / hopSteps)
    private var hopPeak: Float = 0
    private var minPSR: Double?
    private var maxMomentary = 0.0
    private var maxShortTerm = 0.0

    /// Energy of the 400 ms block ending at (k + 4) · 0.1 s, for each k.
    private(set) var momentaryEnergies: [Float] = []
    /// Energy of the 3 s block ending at (k + 30) · 0.1 s, for each k.
    private(set) var shortTermEnergies: [Float] = []

    /// Creates a meter.
    /// - Parameters:
    ///   - sampleRate: in Hz.
    ///   - channelWeights: the weight G of each channel: 1 for left, right and centre, 1.41 for the surrounds (BS.1770-4, table 3).
    ///   - expectedSeconds: duration of audio to reserve memory for.
    init(sampleRate: Double, channelWeights: [Double], expectedSeconds: Double = 0) {
        self.sampleRate = sampleRate
        weights = channelWeights
        let filter = KWeightingFilter(sampleRate: sampleRate)
        pairs = (0..<(channelWeights.count + 1) / 2).map { _ in KWeightedEnergy(filter: filter) }
        peaks = channelWeights.map { _ in TruePeakMeter(sampleRate: sampleRate) }
        stepEnd = Self.boundary(ofStep: 1, sampleRate: sampleRate)
        let hops = Int(expectedSeconds * Double(Self.stepsPerSecond / Self.hopSteps)) + 1
        momentaryEnergies.reserveCapacity(hops)
        shortTermEnergies.reserveCapacity(hops)
    }

    /// Consumes the next samples.
    /// - Parameter channels: one buffer per channel, all of the same length.
    mutating func consume(_ channels: [UnsafeBufferPointer<Float>]) {
        let count = channels[0].count
        var start = 0
        while start < count {
            let end = min(count, start + stepEnd - position)
            for pair in pairs.indices {
                let first = 2 * pair
                let second = min(first + 1, channels.count - 1)
                let sums = pairs[pair].consume(channels[first], channels[second], range: start..<end)
                stepSum += weights[first] * sums[0]
                if second > first { stepSum += weights[second] * sums[1] }
            }
            for channel in channels {
                hopPeak = max(hopPeak, Self.peak(UnsafeBufferPointer(rebasing: channel[start..<end])))
            }
            position += end - start
            start = end
            if position == stepEnd { endStep() }
        }
        for channel in channels.indices { peaks[channel].consume(channels[channel]) }
    }

    /// Ends the signal and returns the measurement.
    mutating func finish() -> LoudnessMeasurement {
        for channel in peaks.indices { peaks[channel].finish() }
        var gatingBlocks = EnergyHistogram()
        for energy in momentaryEnergies { gatingBlocks.add(energy: Double(energy)) }
        var shortTermBlocks = EnergyHistogram()
        for energy in shortTermEnergies { shortTermBlocks.add(energy: Double(energy)) }
        var measurement = LoudnessMeasurement(
            integratedLUFS: Loudness.integrated(blockEnergies: momentaryEnergies),
            loudnessRangeLU: Loudness.range(shortTermEnergies: shortTermEnergies),
            maxMomentaryLUFS: maxMomentary > 0 ? Loudness.lufs(energy: maxMomentary) : nil,
            maxShortTermLUFS: maxShortTerm > 0 ? Loudness.lufs(energy: maxShortTerm) : nil,
            samplePeak: Double(peaks.map(\.samplePeak).max() ?? 0),
            truePeak: Double(peaks.map(\.truePeak).max() ?? 0),
            gatingBlocks: gatingBlocks, shortTermBlocks: shortTermBlocks,
            momentary: MomentaryCurve(energies: momentaryEnergies))
        measurement.minPSR = minPSR
        return measurement
    }

    /// Moves the momentary curve out of the finished meter and releases the block energies.
    mutating func takeCurve() -> LoudnessCurve {
        shortTermEnergies = []
        defer { momentaryEnergies = [] }
        return LoudnessCurve(momentaryEnergies: momentaryEnergies)
    }

    /// Returns the first sample frame of a step; if 100 does not divide the rate, step lengths differ by a sample.
    private static func boundary(ofStep step: Int, sampleRate: Double) -> Int {
        Int((Double(step) * sampleRate / Double(stepsPerSecond)).rounded())
    }

    private mutating func endStep() {
        stepSums.append(stepSum)
        stepSum = 0
        hopSums.append(stepSums.sum(ofLast: Self.hopSteps, every: 1))
        stepIndex += 1
        stepEnd = Self.boundary(ofStep: stepIndex + 1, sampleRate: sampleRate)

        let onHop = stepIndex % Self.hopSteps == 0
        if onHop {
            hopPeaks[stepIndex / Self.hopSteps % hopPeaks.count] = hopPeak
            hopPeak = 0
        }
        if let momentary = energy(ofSteps: Self.momentarySteps) {
            maxMomentary = max(maxMomentary, momentary)
            if onHop { momentaryEnergies.append(Float(momentary)) }
        }
        if let shortTerm = energy(ofSteps: Self.shortTermSteps) {
            maxShortTerm = max(maxShortTerm, shortTerm)
            if onHop {
                shortTermEnergies.append(Float(shortTerm))
                if shortTerm > Self.gateEnergy { lowerPSR(shortTerm) }
            }
        }
    }

    private static let gateEnergy = Loudness.energy(lufs: Loudness.absoluteGateLUFS)

    /// Compares the peak of the last 3 s with their loudness.
    private mutating func lowerPSR(_ shortTerm: Double) {
        guard let peak = hopPeaks.max(), peak > 0 else { return }
        let ratio = 20 * log10(Double(peak)) - Loudness.lufs(energy: shortTerm)
        minPSR = min(minPSR ?? ratio, ratio)
    }

    /// Returns the largest absolute value of some samples.
    private static func peak(_ samples: UnsafeBufferPointer<Float>) -> Float {
        let raw = UnsafeRawBufferPointer(samples)
        var largest = SIMD4<Float>.zero
        var index = 0
        while index &+ 16 <= samples.count {
            largest = largest.larger(raw.lanePeaks(ofSamplesAt: index))
            index &+= 16
        }
        var peak = largest.largestLane
        while index < samples.count {
            peak = max(peak, abs(samples[index]))
            index &+= 1
        }
        return peak
    }

    /// Returns the mean energy of the last steps; nil until enough steps are available.
    private func energy(ofSteps steps: Int) -> Double? {
        guard stepIndex >= steps else { return nil }
        let first = Self.boundary(ofStep: stepIndex - steps, sampleRate: sampleRate)
        return hopSums.sum(ofLast: steps / Self.hopSteps, every: Self.hopSteps) / Double(position - first)
    }
}

/// A ring buffer of the last values of a series; initially zero.
private struct RecentSums {
    /// Each value is stored twice, `count` apart, so that the last ones are always contiguous.
    private var values: [Double]
    private let count: Int
    private var next = 0

    init(count: Int) {
        self.count = count
        values = [Double](repeating: 0, count: 2 * count)
    }

    mutating func append(_ value: Double) {
        values[next] = value
        values[next + count] = value
        next = next + 1 == count ? 0 : next + 1
    }

    /// Returns the sum of `terms` values, every `step`-th one, from the last one backwards.
    func sum(ofLast terms: Int, every step: Int) -> Double {
        var sum = 0.0
        var index = next + count - 1
        for _ in 0..<terms {
            sum += values[index]
            index -= step
        }
        return sum
    }
}
