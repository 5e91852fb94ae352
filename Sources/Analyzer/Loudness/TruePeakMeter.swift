/// Measures the largest absolute value of one channel at and between its samples.
///
/// The interpolator runs only where it can raise the maximum: no output exceeds the interpolator's gain bound times the largest
/// sample in its window, so a stretch whose bound is below the current peak is skipped. This is exact, since the maximum does
/// not depend on the order in which stretches are examined.
struct TruePeakMeter {
    private static let stretch = Stretches.length

    private let interpolator: TruePeakInterpolator
    /// Number of preceding stretches that the outputs of a stretch depend on.
    private let reach: Int
    /// Number of past samples to keep: enough for the outputs of a stretch that starts before the new samples.
    private let history: Int
    /// The history, followed by the start of a block.
    private var samples: [Float]
    private var stretchPeaks: [Float] = []

    /// Largest absolute sample so far.
    private(set) var samplePeak: Float = 0
    /// Largest absolute interpolated value or sample so far.
    private(set) var truePeak: Float = 0

    init(sampleRate: Double) {
        interpolator = TruePeakInterpolator(sampleRate: sampleRate)
        reach = (interpolator.window + Self.stretch - 1) / Self.stretch
        history = (reach + 1) * Self.stretch
        samples = [Float](repeating: 0, count: 2 * history)
    }

    /// Consumes the next samples of the channel.
    ///
    /// Only the start of a block is copied behind the end of the previous one; the rest is processed in place.
    mutating func consume(_ block: UnsafeBufferPointer<Float>) {
        let count = min(block.count, history)
        for i in 0..<count { samples[history + i] = block[i] }
        samples.withUnsafeBufferPointer { measure(UnsafeBufferPointer(rebasing: $0[..<(history + count)])) }
        if block.count > history { measure(block) }
        for i in 0..<history - count { samples[i] = samples[i + count] }
        for i in 0..<count { samples[history - count + i] = block[block.count - count + i] }
    }

    /// Flushes the filter: the interpolator's output lags behind its input.
    mutating func finish() {
        let silence = [Float](repeating: 0, count: history)
        silence.withUnsafeBufferPointer { consume($0) }
    }

    /// Measures samples that start with the history.
    private mutating func measure(_ samples: UnsafeBufferPointer<Float>) {
        let count = samples.count / Self.stretch
        if stretchPeaks.count < count { stretchPeaks = [Float](repeating: 0, count: count) }
        let rest = samples.count % Self.stretch == 0 ? nil : samples.count - Self.stretch
        let stretches = Stretches(samples: samples, first: history / Self.stretch, reach: reach, rest: rest)
        let found = stretchPeaks.withUnsafeMutableBufferPointer {
            stretches.peaks(
                by: interpolator, above: truePeak, scratch: UnsafeMutableBufferPointer(rebasing: $0[..<count])
            )
        }
        samplePeak = max(samplePeak, found.sample)
        truePeak = max(truePeak, found.true)
    }
}

/// Samples divided into stretches, the first of which are history.
private struct Stretches {
    /// Samples per stretch.
    static let length = 16

    let samples: UnsafeBufferPointer<Float>
    /// The first stretch that is not history.
    let first: Int
    /// Number of preceding stretches that the outputs of a stretch depend on; smaller than the history.
    let reach: Int
    /// Start of a final stretch that covers the remaining samples and overlaps the one before.
    let rest: Int?

    /// Returns the largest absolute sample, and the largest interpolated value if it exceeds `floor`.
    func peaks(
        by interpolator: TruePeakInterpolator, above floor: Float,
        scratch peaks: UnsafeMutableBufferPointer<Float>
    ) -> (sample: Float, true: Float) {
        var loudest = findPeaks(peaks)
        let restPeak = rest.map(peak(at:)) ?? 0
        loudest = max(loudest, restPeak)
        var truePeak = max(floor, loudest)
        let bound = Float(interpolator.gainBound * (1 + 1e-6))
        guard !interpolator.phases.isEmpty, loudest * bound > truePeak else { return (loudest, truePeak) }
        // Process the loudest stretch first: it raises the peak that the others must exceed.
        if let stretch = peaks.firstIndex(of: loudest), stretch >= first {
            truePeak = max(truePeak, interpolatedPeak(at: stretch * Self.length, by: interpolator))
        }
        for start in stride(from: first, to: peaks.count, by: 4) {
            let end = min(start + 4, peaks.count)
            // Check four at once; single checks are rarely needed.
            guard end < start + 4 || windowPeaks(peaks, from: start).largestLane * bound > truePeak else {
                continue
            }
            for index in start..<end where windowPeak(peaks, at: index) * bound > truePeak {
                truePeak = max(truePeak, interpolatedPeak(at: index * Self.length, by: interpolator))
            }
        }
        if let rest, max(restPeak, windowPeak(peaks, at: peaks.count - 1)) * bound > truePeak {
            truePeak = max(truePeak, interpolatedPeak(at: rest, by: interpolator))
        }
        return (loudest, truePeak)
    }

    /// Returns the largest absolute sample that the outputs of a stretch depend on.
    @inline(__always)
    private func windowPeak(_ peaks: UnsafeMutableBufferPointer<Float>, at index: Int) -> Float {
        var largest = peaks[index]
        for before in 1...reach { largest = max(largest, peaks[index - before]) }
        return largest
    }

    /// Returns the same for four stretches.
    @inline(__always)
    private func windowPeaks(_ peaks: UnsafeMutableBufferPointer<Float>, from index: Int) -> SIMD4<Float> {
        let raw = UnsafeRawBufferPointer(peaks)
        var largest = raw.loadUnaligned(fromByteOffset: index * 4, as: SIMD4<Float>.self)
        for before in 1...reach {
            largest = largest.larger(
                raw.loadUnaligned(fromByteOffset: (index - before) * 4, as: SIMD4<Float>.self))
        }
        return largest
    }

    /// Stores the largest absolute value of each stretch and returns the overall maximum.
    private func findPeaks(_ peaks: UnsafeMutableBufferPointer<Float>) -> Float {
        var loudest = SIMD4<Float>.zero
        for index in 0..<peaks.count {
            let lanes = lanePeaks(at: index &* Self.length)
            peaks[index] = lanes.largestLane
            loudest = loudest.larger(lanes)
        }
        return loudest.largestLane
    }

    /// Returns the largest absolute value in one stretch of samples.
    private func peak(at start: Int) -> Float { lanePeaks(at: start).largestLane }

    /// Returns the largest absolute values of every fourth sample of a stretch.
    @inline(__always)
    private func lanePeaks(at start: Int) -> SIMD4<Float> {
        UnsafeRawBufferPointer(samples).lanePeaks(ofSamplesAt: start)
    }

    /// Returns the largest absolute interpolated value whose newest input is in one stretch.
    private func interpolatedPeak(at start: Int, by interpolator: TruePeakInterpolator) -> Float {
        let raw = UnsafeRawBufferPointer(samples)
        var largest = SIMD4<Float>.zero
        for phase in interpolator.phases {
            phase.taps.withUnsafeBufferPointer { taps in
                var low = SIMD8<Float>.zero
                var high = SIMD8<Float>.zero
                for tap in 0..<taps.count {
                    let position = (start - tap) * 4
                    let weight = taps[tap]
                    low += weight * raw.loadUnaligned(fromByteOffset: position, as: SIMD8<Float>.self)
                    high += weight * raw.loadUnaligned(fromByteOffset: position + 32, as: SIMD8<Float>.self)
                }
                largest = largest.larger(low.lowHalf.magnitudes).larger(low.highHalf.magnitudes)
                    .larger(high.lowHalf.magnitudes).larger(high.highHalf.magnitudes)
            }
        }
        return largest.largestLane
    }
}
