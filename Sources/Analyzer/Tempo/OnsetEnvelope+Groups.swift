extension OnsetEnvelope {
    /// How far the strongest onsets stand out: the 99th percentile of the flux of all bands, in octaves of power times
    /// the square root of a band's bins.
    ///
    /// Single events, such as the beginning of the track, do not move it; of a click a second it still sees every one.
    var strength: Double {
        let sums = strengths.map { SIMD4<UInt32>(truncatingIfNeeded: $0).wrappedSum() }.sorted()
        guard !sums.isEmpty else { return 0 }
        return Double(sums[sums.count - 1 - sums.count / 100]) / Double(Self.unitsPerOctave)
    }

    /// The envelope ready for correlation: per group of bands the flux above its surroundings, levelled and centred.
    ///
    /// The groups are kick and bass, melody and harmony, cymbals, and everything.
    func groups() -> [[Float]] {
        let weights: [SIMD4<Float>] = [
            SIMD4(1, 0, 0, 0), SIMD4(0, 1, 1, 0), SIMD4(0, 0, 0, 1), SIMD4(1, 1, 1, 1),
        ]
        let second = Int(framesPerSecond.rounded())
        return weights.map { weights in
            var values = strengths.map { (SIMD4<Float>($0) * weights).sum() / Self.unitsPerOctave }
            // What stands above the mean of the second around it: a dense texture's own flutter is no onset.
            let level = Self.movingMean(values, window: second | 1)
            for i in values.indices { values[i] = max(0, values[i] - level[i]) }
            // One crash must not outweigh a bar of quiet playing.
            let deviation = Self.standardDeviation(values)
            guard deviation > 0 else { return values }
            for i in values.indices { values[i] = min(5, values[i] / deviation) }
            // Onsets are seldom further apart by a whole number of frames: without width they would not correlate.
            values = Self.smoothed(values)
            let mean = Self.movingMean(values, window: 2 * second | 1)
            for i in values.indices { values[i] -= mean[i] }
            return values
        }
    }

    /// The mean over an odd window around each value; at the ends, over the part of it that exists.
    static func movingMean(_ values: [Float], window: Int) -> [Float] {
        let reach = window / 2
        var sum = 0.0
        var result = [Float](repeating: 0, count: values.count)
        for i in 0..<min(reach, values.count) { sum += Double(values[i]) }
        for i in values.indices {
            if i + reach < values.count { sum += Double(values[i + reach]) }
            if i - reach - 1 >= 0 { sum -= Double(values[i - reach - 1]) }
            let count = min(i + reach, values.count - 1) - max(i - reach, 0) + 1
            result[i] = Float(sum / Double(count))
        }
        return result
    }

    /// Each value with a quarter of its neighbours on either side, and half of itself.
    static func smoothed(_ values: [Float]) -> [Float] {
        values.indices.map { i in
            let before = i > 0 ? values[i - 1] : 0
            let after = i + 1 < values.count ? values[i + 1] : 0
            return 0.25 * before + 0.5 * values[i] + 0.25 * after
        }
    }

    static func standardDeviation(_ values: [Float]) -> Float {
        guard !values.isEmpty else { return 0 }
        var sum = 0.0
        var squares = 0.0
        for value in values {
            sum += Double(value)
            squares += Double(value) * Double(value)
        }
        let mean = sum / Double(values.count)
        return Float(max(0, squares / Double(values.count) - mean * mean).squareRoot())
    }
}
