/// Collects decoded frames into blocks on the gapless timeline: drops the trimmed samples at both ends, deinterleaves the
/// channels and mixes them to mono.
final class PCMAssembler {
    /// Samples per channel after which a block is passed on: a few frames, so that a block and its derived data stay in the
    /// second-level cache.
    private static let blockSize = 4608
    /// Maximum number of samples from one decoded frame: 1152, resampled from 8 to 48 kHz.
    private static let slack = 8192

    private let channelCount: Int
    private let body: (PCMBlock) -> Void
    private var left: UnsafeMutableBufferPointer<Float>
    private var right: UnsafeMutableBufferPointer<Float>
    private var mono: UnsafeMutableBufferPointer<Float>
    private var filled = 0
    private var toSkip: Int
    private var remaining: Int

    /// - Parameters:
    ///   - channelCount: 1 or 2.
    ///   - headTrim: samples per channel to drop at the start.
    ///   - sampleCount: samples per channel to pass on.
    init(channelCount: Int, headTrim: Int, sampleCount: Int, body: @escaping (PCMBlock) -> Void) {
        self.channelCount = channelCount
        self.body = body
        toSkip = headTrim
        remaining = sampleCount
        let capacity = Self.blockSize + Self.slack
        left = .allocate(capacity: capacity)
        right = .allocate(capacity: channelCount == 2 ? capacity : 0)
        mono = .allocate(capacity: channelCount == 2 ? capacity : 0)
        left.initialize(repeating: 0)
        right.initialize(repeating: 0)
        mono.initialize(repeating: 0)
    }

    deinit {
        left.deallocate()
        right.deallocate()
        mono.deallocate()
    }

    /// Adds decoded samples.
    /// - Parameter channels: number of channels in the samples, which may differ from the track's.
    func append(_ interleaved: UnsafeBufferPointer<Float>, channels: Int) {
        let available = interleaved.count / channels
        let skipped = min(toSkip, available)
        toSkip -= skipped
        var start = skipped
        while start < available, remaining > 0 {
            let count = min(available - start, remaining, Self.slack)
            store(interleaved, channels: channels, from: start, count: count)
            filled += count
            remaining -= count
            start += count
            if filled >= Self.blockSize { flush() }
        }
    }

    /// Adds silence for samples that could not be decoded.
    func appendSilence(count: Int) {
        var count = count
        let chunk = [Float](repeating: 0, count: min(count, Self.slack))
        while count > 0, remaining > 0 {
            let part = min(count, chunk.count)
            chunk.withUnsafeBufferPointer {
                append(UnsafeBufferPointer(rebasing: $0[0..<part]), channels: 1)
            }
            count -= part
        }
    }

    /// Passes on the remaining samples, with silence for samples the decoder has not delivered.
    func finish() {
        if remaining > 0 { appendSilence(count: toSkip + remaining) }
        if filled > 0 { flush() }
    }

    private func flush() {
        let count = filled
        filled = 0
        let left = UnsafeBufferPointer(rebasing: self.left[0..<count])
        guard channelCount == 2 else {
            body(PCMBlock(channels: [left], mono: left))
            return
        }
        let right = UnsafeBufferPointer(rebasing: self.right[0..<count])
        body(PCMBlock(channels: [left, right], mono: UnsafeBufferPointer(rebasing: mono[0..<count])))
    }

    private func store(_ samples: UnsafeBufferPointer<Float>, channels: Int, from start: Int, count: Int) {
        switch (channels, channelCount) {
        case (1, 1):
            for i in 0..<count { left[filled &+ i] = samples[start &+ i] }
        case (1, _):
            for i in 0..<count {
                left[filled &+ i] = samples[start &+ i]
                right[filled &+ i] = samples[start &+ i]
                mono[filled &+ i] = samples[start &+ i]
            }
        case (_, 1):
            for i in 0..<count {
                left[filled &+ i] = 0.5 * (samples[2 &* (start &+ i)] + samples[2 &* (start &+ i) &+ 1])
            }
        default:
            separate(UnsafeBufferPointer(rebasing: samples[(2 * start)..<(2 * (start + count))]))
        }
    }

    /// Deinterleaves stereo samples and mixes them at the same time, four at a time.
    private func separate(_ samples: UnsafeBufferPointer<Float>) {
        let source = UnsafeRawBufferPointer(samples)
        let left = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: left[filled...]))
        let right = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: right[filled...]))
        let mono = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: mono[filled...]))
        let count = samples.count / 2
        var index = 0
        while index + 4 <= count {
            let both = source.loadUnaligned(fromByteOffset: index &* 8, as: SIMD8<Float>.self)
            left.storeBytes(of: both.evenHalf, toByteOffset: index &* 4, as: SIMD4<Float>.self)
            right.storeBytes(of: both.oddHalf, toByteOffset: index &* 4, as: SIMD4<Float>.self)
            mono.storeBytes(
                of: 0.5 * (both.evenHalf + both.oddHalf), toByteOffset: index &* 4, as: SIMD4<Float>.self)
            index += 4
        }
        while index < count {
            let (one, other) = (samples[2 * index], samples[2 * index + 1])
            left.storeBytes(of: one, toByteOffset: index * 4, as: Float.self)
            right.storeBytes(of: other, toByteOffset: index * 4, as: Float.self)
            mono.storeBytes(of: 0.5 * (one + other), toByteOffset: index * 4, as: Float.self)
            index += 1
        }
    }
}
