/// The largest absolute value of one channel between and at its samples.
///
/// The interpolator runs only where it can raise the maximum: no output exceeds the interpolator's gain bound times
/// the largest sample in its window, so a stretch whose bound stays below the peak so far is passed over. That is
/// exact, since the maximum does not depend on the order in which stretches are looked at.
struct TruePeakMeter {
    /// Samples judged at once.
    private static let stretch = 16

    private let interpolator: TruePeakInterpolator
    /// Samples kept before the new ones: at least the interpolator's window, in whole stretches.
    private let history: Int
    /// The history, then the samples that no stretch has taken in yet.
    private var samples: [Float]
    private var filled: Int
    private var stretchPeaks: [Float]

    /// Largest absolute sample so far.
    private(set) var samplePeak: Float = 0
    /// Largest absolute interpolated value or sample so far.
    private(set) var truePeak: Float = 0

    init(sampleRate: Double) {
        interpolator = TruePeakInterpolator(sampleRate: sampleRate)
        history = (interpolator.window + Self.stretch - 1) / Self.stretch * Self.stretch
        samples = [Float](repeating: 0, count: history)
        filled = history
        stretchPeaks = []
    }

    /// Takes the next samples of the channel.
    mutating func consume(_ block: UnsafeBufferPointer<Float>) {
        let needed = filled + block.count
        if samples.count < needed {
            samples.append(contentsOf: repeatElement(0, count: needed - samples.count))
            stretchPeaks = [Float](repeating: 0, count: needed / Self.stretch)
        }
        samples.withUnsafeMutableBufferPointer { samples in
            _ = UnsafeMutableBufferPointer(rebasing: samples[filled..<needed]).update(fromContentsOf: block)
        }
        filled = needed
        measureWholeStretches()
    }

    /// Lets the last samples ring out: the interpolator's output lags behind its input.
    mutating func finish() {
        let silence = [Float](repeating: 0, count: history + Self.stretch)
        silence.withUnsafeBufferPointer { consume($0) }
    }

    private mutating func measureWholeStretches() {
        let measured = filled / Self.stretch * Self.stretch
        samples.withUnsafeMutableBufferPointer { samples in
            stretchPeaks.withUnsafeMutableBufferPointer { peaks in
                let found = Self.peaks(
                    of: UnsafeBufferPointer(rebasing: samples[0..<measured]), from: history,
                    interpolator: interpolator,
                    above: max(samplePeak, truePeak), scratch: peaks)
                samplePeak = max(samplePeak, found.sample)
                truePeak = max(truePeak, found.true)
            }
            guard let base = samples.baseAddress else { return }
            base.update(from: base + (measured - history), count: filled - measured + history)
        }
        filled -= measured - history
    }

    /// The peaks of the stretches from `first` on; those before it are history.
    private static func peaks(
        of samples: UnsafeBufferPointer<Float>, from first: Int, interpolator: TruePeakInterpolator,
        above floor: Float, scratch stretchPeaks: UnsafeMutableBufferPointer<Float>
    ) -> (sample: Float, true: Float) {
        let firstStretch = first / stretch
        let stretches = samples.count / stretch
        guard stretches > firstStretch else { return (0, 0) }
        var loudest: Float = 0
        var loudestStretch = firstStretch
        for index in 0..<stretches {
            stretchPeaks[index] = peak(of: samples, at: index * stretch)
            if stretchPeaks[index] > loudest {
                loudest = stretchPeaks[index]
                loudestStretch = index
            }
        }
        var truePeak = max(floor, loudest)
        let bound = Float(interpolator.gainBound * (1 + 1e-6))
        guard !interpolator.phases.isEmpty, loudest * bound > truePeak else { return (loudest, truePeak) }
        // The loudest stretch first: it raises the peak that the others have to beat.
        loudestStretch = max(loudestStretch, firstStretch)
        truePeak = max(truePeak, interpolatedPeak(samples, at: loudestStretch * stretch, by: interpolator))
        let reach = first / stretch
        for index in firstStretch..<stretches {
            var windowPeak = stretchPeaks[index]
            for before in 1...reach { windowPeak = max(windowPeak, stretchPeaks[index - before]) }
            if windowPeak * bound > truePeak {
                truePeak = max(truePeak, interpolatedPeak(samples, at: index * stretch, by: interpolator))
            }
        }
        return (loudest, truePeak)
    }

    /// Largest absolute value of one stretch of samples.
    private static func peak(of samples: UnsafeBufferPointer<Float>, at start: Int) -> Float {
        let raw = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(samples)[(start * 4)...])
        let first = raw.loadUnaligned(fromByteOffset: 0, as: SIMD4<Float>.self).magnitudes
        let second = raw.loadUnaligned(fromByteOffset: 16, as: SIMD4<Float>.self).magnitudes
        let third = raw.loadUnaligned(fromByteOffset: 32, as: SIMD4<Float>.self).magnitudes
        let fourth = raw.loadUnaligned(fromByteOffset: 48, as: SIMD4<Float>.self).magnitudes
        return first.larger(second).larger(third.larger(fourth)).largestLane
    }

    /// Largest absolute interpolated value whose newest input lies in one stretch.
    private static func interpolatedPeak(
        _ samples: UnsafeBufferPointer<Float>, at start: Int, by interpolator: TruePeakInterpolator
    ) -> Float {
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
