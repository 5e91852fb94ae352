import Foundation

/// Downsamples by an integer factor: a linear-phase FIR low-pass of which only every n-th output is computed.
final class Decimator {
    /// Input samples per output sample.
    let factor: Int
    /// The impulse response, zero-padded to a multiple of four.
    private let taps: [Float]
    /// The last input samples still needed by the filter, with room for one more block.
    private var history: [Float]
    private var historyCount: Int
    /// Output of the last block.
    private var output: [Float]
    private static let blockSize = 2048

    /// Designs a low-pass that keeps `0…passband` and attenuates aliases onto it by at least 60 dB.
    ///
    /// Kaiser window design (Kaiser 1974): β and the length follow from 60 dB and the width of the transition band, which
    /// extends to where aliases fall onto the passband.
    /// - Parameters:
    ///   - passband: highest frequency of interest as a fraction of the input rate; below `0.5 / factor`.
    init(factor: Int, passband: Double) {
        self.factor = factor
        let stopband = 1 / Double(factor) - passband
        let attenuation = 60.0
        let beta = 0.1102 * (attenuation - 8.7)
        let order = Int(((attenuation - 7.95) / (14.36 * (stopband - passband))).rounded(.up))
        let length = (order + 4) / 4 * 4
        let cutoff = (passband + stopband) / 2
        let centre = Double(order) / 2
        let response = (0..<length).map { n -> Double in
            guard n <= order else { return 0 }
            let x = Double(n) - centre
            let sinc = x == 0 ? 2 * cutoff : sin(2 * .pi * cutoff * x) / (.pi * x)
            let ratio = x / max(centre, 0.5)
            return sinc * Self.bessel(beta * (max(0, 1 - ratio * ratio)).squareRoot())
        }
        let sum = response.reduce(0, +)
        taps = response.map { Float($0 / sum) }
        // Starting in the middle of zeros aligns the first output with the first input.
        history = [Float](repeating: 0, count: length + Self.blockSize + factor)
        historyCount = Int(centre)
        output = [Float](repeating: 0, count: Self.blockSize / factor + 6)
    }

    /// Returns the modified Bessel function of the first kind and order zero, by its power series.
    private static func bessel(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        var k = 1.0
        while term > sum * 1e-12 {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }

    /// Filters `input` and passes completed output on in blocks that are valid during the call.
    func process(_ input: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        var taken = 0
        while taken < input.count {
            let count = min(Self.blockSize, input.count - taken)
            let made = filter(UnsafeBufferPointer(rebasing: input[taken..<taken + count]))
            output.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[0..<made])) }
            taken += count
        }
    }

    /// Fills `output` and returns the number of new samples.
    private func filter(_ input: UnsafeBufferPointer<Float>) -> Int {
        let tapCount = taps.count
        return history.withUnsafeMutableBufferPointer { history in
            _ = UnsafeMutableBufferPointer(rebasing: history[historyCount...]).update(fromContentsOf: input)
            let filled = historyCount + input.count
            var start = 0
            var made = 0
            taps.withUnsafeBytes { taps in
                let samples = UnsafeRawBufferPointer(history)
                output.withUnsafeMutableBufferPointer { output in
                    while start + 3 * factor + tapCount <= filled {
                        let four = Self.dots(taps, samples, at: start * 4, every: factor * 4)
                        UnsafeMutableRawBufferPointer(output).storeBytes(
                            of: four, toByteOffset: made * 4, as: SIMD4<Float>.self)
                        made += 4
                        start += 4 * factor
                    }
                    while start + tapCount <= filled {
                        output[made] = Self.dot(taps, samples, at: start * 4).sum
                        made += 1
                        start += factor
                    }
                }
            }
            historyCount = filled - start
            for i in 0..<historyCount { history[i] = history[start + i] }
            return made
        }
    }

    /// Returns Σ taps[i] × samples[offset + i] for four offsets, `step` bytes apart.
    @inline(__always)
    private static func dots(
        _ taps: UnsafeRawBufferPointer, _ samples: UnsafeRawBufferPointer, at offset: Int, every step: Int
    ) -> SIMD4<Float> {
        var (a, b, c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var position = 0
        while position < taps.count {
            let weights = taps.loadUnaligned(fromByteOffset: position, as: SIMD4<Float>.self)
            let place = offset &+ position
            a += weights * samples.loadUnaligned(fromByteOffset: place, as: SIMD4<Float>.self)
            b += weights * samples.loadUnaligned(fromByteOffset: place &+ step, as: SIMD4<Float>.self)
            c += weights * samples.loadUnaligned(fromByteOffset: place &+ 2 &* step, as: SIMD4<Float>.self)
            d += weights * samples.loadUnaligned(fromByteOffset: place &+ 3 &* step, as: SIMD4<Float>.self)
            position &+= MemoryLayout<SIMD4<Float>>.stride
        }
        return SIMD4(a.sum, b.sum, c.sum, d.sum)
    }

    /// Returns Σ taps[i] × samples[offset + i], lane by lane.
    @inline(__always)
    private static func dot(
        _ taps: UnsafeRawBufferPointer, _ samples: UnsafeRawBufferPointer, at offset: Int
    ) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        var position = 0
        while position < taps.count {
            let weights = taps.loadUnaligned(fromByteOffset: position, as: SIMD4<Float>.self)
            sum += weights * samples.loadUnaligned(fromByteOffset: offset &+ position, as: SIMD4<Float>.self)
            position &+= MemoryLayout<SIMD4<Float>>.stride
        }
        return sum
    }
}

extension SIMD4<Float> {
    /// Sum of all lanes, always in the same order.
    @inline(__always)
    fileprivate var sum: Float {
        let two = lowHalf + highHalf
        return two.x + two.y
    }
}
