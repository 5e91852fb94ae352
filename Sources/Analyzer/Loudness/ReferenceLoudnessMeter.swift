internal import CEBUR128

/// Makes the same measurements with libebur128, the reference implementation; owns one `ebur128_state`.
///
/// More than ten times slower than ``LoudnessMeter``, mostly because it interpolates every sample for true peak. Momentary and
/// short-term maxima are polled every 10 ms. Its loudness range samples the short-term loudness once per second, where EBU Tech
/// 3342 requires at least 10 Hz.
final class ReferenceLoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channelCount: Int
    private var pending: [Float] = []
    private var maxMomentary = -Double.infinity
    private var maxShortTerm = -Double.infinity
    private var framesTaken = 0
    private let sampleRate: Int
    /// Short-term loudness in LUFS at (k + 30) · 0.1 s, for each k.
    private(set) var shortTermLUFS: [Double] = []

    /// - Throws: `decoderFailed` if libebur128 cannot be initialised.
    init(sampleRate: Int, channelCount: Int) throws(AnalyzerError) {
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        guard let state = ebur128_init(UInt32(channelCount), UInt(sampleRate), Int32(mode)) else {
            throw AnalyzerError(.decoderFailed, "cannot initialise libebur128 for \(sampleRate) Hz")
        }
        self.state = state
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        for (index, position) in Self.positions(channelCount: channelCount).enumerated() {
            ebur128_set_channel(state, UInt32(index), Int32(position.rawValue))
        }
    }

    /// The positions of the channels where libebur128 assumes others: it treats a single channel as left, four as left, right
    /// and surrounds, and six as with low-frequency effects.
    private static func positions(channelCount: Int) -> [channel] {
        let front = [EBUR128_LEFT, EBUR128_RIGHT, EBUR128_CENTER]
        return switch channelCount {
        case 5: front + [EBUR128_LEFT_SURROUND, EBUR128_RIGHT_SURROUND]
        case 7: front + [EBUR128_UNUSED, EBUR128_Mp180, EBUR128_Mp090, EBUR128_Mm090]
        case 8: front + [EBUR128_UNUSED, EBUR128_Mp135, EBUR128_Mm135, EBUR128_Mp090, EBUR128_Mm090]
        default: []
        }
    }

    deinit { ebur128_destroy(&state) }

    /// Consumes the next samples, one buffer per channel.
    func consume(_ channels: [UnsafeBufferPointer<Float>]) {
        for i in 0..<channels[0].count {
            for channel in channels { pending.append(channel[i]) }
        }
        var start = 0
        while true {
            // If 100 does not divide the rate, step lengths differ by a sample.
            let nextStep = (framesTaken * 100 + sampleRate / 2) / sampleRate + 1
            let end = (nextStep * sampleRate + 50) / 100
            let step = (end - framesTaken) * channelCount
            guard pending.count - start >= step else { break }
            pending.withUnsafeBufferPointer { add(UnsafeBufferPointer(rebasing: $0[start..<start + step])) }
            start += step
        }
        pending.removeFirst(start)
    }

    /// Ends the signal and returns the measurement, with empty block histograms and curve.
    func finish() -> LoudnessMeasurement {
        if !pending.isEmpty { pending.withUnsafeBufferPointer { add($0) } }
        var integrated = 0.0
        var range = 0.0
        ebur128_loudness_global(state, &integrated)
        ebur128_loudness_range(state, &range)
        var samplePeak = 0.0
        var truePeak = 0.0
        for channel in 0..<UInt32(channelCount) {
            var peak = 0.0
            ebur128_sample_peak(state, channel, &peak)
            samplePeak = max(samplePeak, peak)
            ebur128_true_peak(state, channel, &peak)
            truePeak = max(truePeak, peak)
        }
        return LoudnessMeasurement(
            integratedLUFS: integrated.isFinite ? integrated : nil, loudnessRangeLU: range,
            maxMomentaryLUFS: maxMomentary.isFinite ? maxMomentary : nil,
            maxShortTermLUFS: maxShortTerm.isFinite ? maxShortTerm : nil, samplePeak: samplePeak,
            truePeak: max(truePeak, samplePeak), gatingBlocks: EnergyHistogram(),
            shortTermBlocks: EnergyHistogram(),
            momentary: MomentaryCurve(values: []))
    }

    private func add(_ samples: UnsafeBufferPointer<Float>) {
        let frames = samples.count / channelCount
        ebur128_add_frames_float(state, samples.baseAddress, frames)
        framesTaken += frames
        var loudness = 0.0
        // Incomplete windows would read too low.
        if framesTaken * 10 >= sampleRate * 4, ebur128_loudness_momentary(state, &loudness) == 0 {
            maxMomentary = max(maxMomentary, loudness)
        }
        if framesTaken >= sampleRate * 3, ebur128_loudness_shortterm(state, &loudness) == 0 {
            maxShortTerm = max(maxShortTerm, loudness)
            let index = shortTermLUFS.count + 30
            if framesTaken * 10 >= sampleRate * index { shortTermLUFS.append(loudness) }
        }
    }
}
