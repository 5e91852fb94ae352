internal import CChromaprint

/// Computes the ``AudioFingerprint`` of a track from its decoded samples.
final class FingerprintMeter {
    private let context: OpaquePointer?
    private let sampleRate: Int
    /// Nil before the first samples, whose number of channels it needs.
    private var converter: (any FingerprintConverter)?
    /// Samples per channel that are still to come.
    private var remaining: Int
    private var integers: [[Int16]] = []

    init(sampleRate: Int) {
        self.sampleRate = sampleRate
        context = chromaprint_new(AudioFingerprint.algorithm)
        remaining = Int(AudioFingerprint.longestSeconds) * sampleRate
        if let context { chromaprint_start(context, Int32(FingerprintResampler.outputRate), 1) }
    }

    deinit { if let context { chromaprint_free(context) } }

    /// Takes the samples of one or two channels.
    func consume(_ channels: [UnsafeBufferPointer<Float>]) {
        guard remaining > 0, let context, let count = channels.first.map({ min($0.count, remaining) })
        else { return }
        remaining -= count
        if integers.count != channels.count || integers[0].count != count {
            integers = channels.map { _ in [Int16](repeating: 0, count: count) }
        }
        for (index, channel) in channels.enumerated() {
            integers[index].withUnsafeMutableBytes { Self.convert(UnsafeRawBufferPointer(channel), into: $0) }
        }
        if converter == nil {
            converter =
                FingerprintDecimator(inputRate: sampleRate, channelCount: channels.count)
                ?? FingerprintResampler(inputRate: sampleRate, channelCount: channels.count)
        }
        converter?.process(integers) { chromaprint_feed(context, $0.baseAddress, Int32($0.count)) }
    }

    /// Returns the fingerprint; nil if the audio is too short for one.
    func finish() -> AudioFingerprint? {
        guard let context, chromaprint_finish(context) == 1 else { return nil }
        var raw: UnsafeMutablePointer<UInt32>?
        var count: Int32 = 0
        guard chromaprint_get_raw_fingerprint(context, &raw, &count) == 1, let raw else { return nil }
        defer { chromaprint_dealloc(raw) }
        guard count > 0 else { return nil }
        return AudioFingerprint(words: Array(UnsafeBufferPointer(start: raw, count: Int(count))))
    }

    /// Converts samples to 16-bit integers, eight at a time.
    private static func convert(_ samples: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer)
    {
        let count = output.count / 2
        var i = 0
        while i + 8 <= count {
            let values = integers(samples.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Float>.self))
            output.storeBytes(
                of: SIMD8<Int16>(truncatingIfNeeded: values), toByteOffset: 2 * i, as: SIMD8<Int16>.self)
            i += 8
        }
        while i < count {
            let value = integers(SIMD8(repeating: samples.load(fromByteOffset: 4 * i, as: Float.self)))[0]
            output.storeBytes(of: Int16(truncatingIfNeeded: value), toByteOffset: 2 * i, as: Int16.self)
            i += 1
        }
    }

    /// Returns samples as 16-bit integers, rounded to the nearest, ties to even.
    @inline(__always)
    private static func integers(_ samples: SIMD8<Float>) -> SIMD8<Int32> {
        var scaled = samples * 32_768
        // Not `clamped`, which is a call for each lane.
        scaled.replace(with: -32_768, where: scaled .< -32_768)
        scaled.replace(with: 32_767, where: scaled .> 32_767)
        // Adding 1.5 · 2²³ leaves the rounded integer in the lowest bits, in two instructions of every processor.
        let shifted = unsafeBitCast(scaled + 12_582_912, to: SIMD8<Int32>.self)
        return shifted &- 0x4B40_0000
    }
}
