/// Computes what ``FingerprintResampler`` does if the input rate is an even multiple of the output rate, to the bit, in a fraction of the
/// time.
///
/// libswresample then applies one phase of its filter to every n-th sample, and mixes the channels after that. The coefficients are
/// read from its response to impulses, so that they are those of the installed version.
final class FingerprintDecimator: FingerprintConverter {
    /// Input samples per output sample.
    private let factor: Int
    /// The filter in 15-bit fixed point: whole vectors, since the factor is even.
    private let taps: [Int16]
    /// Number of coefficients for samples before the output's time.
    private let lead: Int
    /// Input samples of each channel that are still needed.
    private var pending: [[Int16]]
    private var output: [[Int16]]
    private var isStarted = false
    /// Largest number of samples filtered at once.
    private static let blockSize = 4608

    /// - Parameter channelCount: 1 or 2.
    /// - Returns: nil if the rate is no even multiple of the output rate, or libswresample refuses it.
    init?(inputRate: Int, channelCount: Int) {
        let (factor, rest) = inputRate.quotientAndRemainder(dividingBy: FingerprintResampler.outputRate)
        guard rest == 0, factor > 0, factor % 2 == 0, let response = Self.impulseResponse(factor: factor)
        else { return nil }
        // The outermost coefficients may be 0, but libswresample waits for their samples, too.
        let length = FingerprintResampler.filterLength(decimatingBy: factor)
        lead = (length - 1) / 2
        let places = -lead..<length - lead
        guard response.keys.allSatisfy(places.contains) else { return nil }
        taps = places.map { response[$0] ?? 0 }
        self.factor = factor
        pending = Array(repeating: [], count: channelCount)
        output = pending
    }

    /// Measures the coefficients of libswresample's filter.
    ///
    /// Impulses of almost 1 pass through the resampler, far apart and at each distance from an output sample.
    /// - Returns: coefficients by the distance of the input from the output, in samples.
    private static func impulseResponse(factor: Int) -> [Int: Int16]? {
        let inputRate = factor * FingerprintResampler.outputRate
        guard let resampler = FingerprintResampler(inputRate: inputRate, channelCount: 1) else { return nil }
        // More than the length of the filter, which grows with the factor.
        let spacing = 64
        let impulses = (0..<factor).map { ($0 + 1) * spacing * factor + $0 }
        var samples = [Int16](repeating: 0, count: (factor + 2) * spacing * factor)
        for impulse in impulses { samples[impulse] = .max }
        var output: [Int16] = []
        resampler.process([samples]) { output.append(contentsOf: $0) }
        var response: [Int: Int16] = [:]
        for (index, value) in output.enumerated() where value != 0 {
            guard let impulse = impulses.min(by: { abs($0 - index * factor) < abs($1 - index * factor) })
            else { continue }
            response[impulse - index * factor] = value
        }
        return response
    }

    func process(_ channels: [[Int16]], _ body: (UnsafeBufferPointer<Int16>) -> Void) {
        var start = 0
        while start < channels[0].count {
            let end = min(start + Self.blockSize, channels[0].count)
            for channel in channels.indices {
                pending[channel].append(contentsOf: channels[channel][start..<end])
            }
            start = end
            if !isStarted, !begin() { continue }
            var made = 0
            for channel in channels.indices { made = filter(channel) }
            if channels.count == 2 { mix(made) }
            output[0].withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<made])) }
        }
    }

    /// Continues the signal before its start by its mirror image, as libswresample does.
    /// - Returns: false if there are not yet enough samples.
    private func begin() -> Bool {
        guard pending[0].count > lead else { return false }
        for channel in pending.indices {
            pending[channel].insert(contentsOf: pending[channel][1...lead].reversed(), at: 0)
        }
        isStarted = true
        return true
    }

    /// Fills the output of a channel, discards the samples that are no longer needed, and returns the number of new samples.
    private func filter(_ channel: Int) -> Int {
        let length = taps.count
        let count = pending[channel].count < length ? 0 : (pending[channel].count - length) / factor + 1
        if output[channel].count < count { output[channel] = [Int16](repeating: 0, count: count) }
        taps.withUnsafeBytes { taps in
            pending[channel].withUnsafeBytes { samples in
                output[channel].withUnsafeMutableBytes { output in
                    var index = 0
                    while index &+ 4 <= count {
                        let four = Self.dots(taps, samples, at: 2 &* factor &* index, every: 2 &* factor)
                        output.storeBytes(of: four, toByteOffset: 2 &* index, as: SIMD4<Int16>.self)
                        index &+= 4
                    }
                    while index < count {
                        let one = Self.dots(taps, samples, at: 2 &* factor &* index, every: 0)[0]
                        output.storeBytes(of: one, toByteOffset: 2 &* index, as: Int16.self)
                        index &+= 1
                    }
                }
            }
        }
        pending[channel].removeFirst(count * factor)
        return count
    }

    /// Replaces the first channel's output by the mean of both; halves are rounded up.
    private func mix(_ count: Int) {
        output[1].withUnsafeBufferPointer { right in
            output[0].withUnsafeMutableBufferPointer { left in
                for i in 0..<count {
                    left[i] = Int16(truncatingIfNeeded: (Int32(left[i]) &+ Int32(right[i]) &+ 1) &>> 1)
                }
            }
        }
    }

    /// Returns Σ taps[i] × samples[offset + i] for four offsets, `step` bytes apart, rounded to samples.
    @inline(__always)
    private static func dots(
        _ taps: UnsafeRawBufferPointer, _ samples: UnsafeRawBufferPointer, at offset: Int, every step: Int
    ) -> SIMD4<Int16> {
        var (a, b, c, d) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero, SIMD4<Int32>.zero, SIMD4<Int32>.zero)
        var position = 0
        while position < taps.count {
            let place = offset &+ position
            a &+= products(taps, position, samples, place)
            b &+= products(taps, position, samples, place &+ step)
            c &+= products(taps, position, samples, place &+ 2 &* step)
            d &+= products(taps, position, samples, place &+ 3 &* step)
            position &+= MemoryLayout<SIMD8<Int16>>.stride
        }
        let sums = pairSums(pairSums(a, b), pairSums(c, d))
        var values = (sums &+ 0x4000) &>> 15
        values.replace(with: -32_768, where: values .< -32_768)
        values.replace(with: 32_767, where: values .> 32_767)
        return SIMD4<Int16>(truncatingIfNeeded: values)
    }

    /// Returns the sums of neighbouring pairs in two vectors.
    @inline(__always)
    private static func pairSums(_ first: SIMD4<Int32>, _ second: SIMD4<Int32>) -> SIMD4<Int32> {
        let both = SIMD8(lowHalf: first, highHalf: second)
        return both.evenHalf &+ both.oddHalf
    }

    /// Returns the sums of neighbouring pairs of eight products: one instruction of most processors.
    @inline(__always)
    private static func products(
        _ taps: UnsafeRawBufferPointer, _ position: Int, _ samples: UnsafeRawBufferPointer, _ place: Int
    ) -> SIMD4<Int32> {
        let weights = taps.loadUnaligned(fromByteOffset: position, as: SIMD8<Int16>.self)
        let values = samples.loadUnaligned(fromByteOffset: place, as: SIMD8<Int16>.self)
        let products =
            SIMD8<Int32>(truncatingIfNeeded: weights) &* SIMD8<Int32>(truncatingIfNeeded: values)
        return products.evenHalf &+ products.oddHalf
    }
}
