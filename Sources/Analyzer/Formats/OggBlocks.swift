internal import AudioChannels
internal import OggAudio

/// Joins the samples of Ogg packets, which may be short, to blocks of one size; trims each link to its length.
final class OggBlocks {
    /// Samples per channel in a block.
    private static let size = 4096
    private static var none: UnsafeBufferPointer<Float> { UnsafeBufferPointer(start: nil, count: 0) }

    private let places: [Int]
    private let blocks: ChannelBlocks
    private var channels: [[Float]]
    private var filled = 0
    /// Samples of the link still to be dropped, and those then still to be passed on.
    private var skipped = 0
    private var remaining = 0

    init(channelCount: Int, body: @escaping (PCMBlock) -> Void) {
        places = OggChannelOrder.places(channelCount: channelCount)
        blocks = ChannelBlocks(.flac(channelCount: channelCount), body: body)
        channels = [[Float]](repeating: [Float](repeating: 0, count: Self.size), count: channelCount)
    }

    /// Starts a link.
    func begin(skipping skipped: Int, count: Int) {
        self.skipped = skipped
        remaining = count
    }

    /// Takes the samples of a packet, in Vorbis order, and its duration; samples that are missing are silence.
    func take(_ samples: [UnsafeBufferPointer<Float>], count: Int) {
        let dropped = min(skipped, count)
        skipped -= dropped
        var position = dropped
        let end = min(count, dropped + remaining)
        remaining -= end - position
        while position < end {
            let part = min(end - position, Self.size - filled)
            for (channel, place) in places.enumerated() {
                let source = place < samples.count ? samples[place] : Self.none
                copy(source, from: position, count: part, to: channel)
            }
            position += part
            filled += part
            if filled == Self.size { flush() }
        }
    }

    /// Passes on what is left.
    func finish() { if filled > 0 { flush() } }

    private func copy(_ source: UnsafeBufferPointer<Float>, from start: Int, count: Int, to channel: Int) {
        let present = max(0, min(count, source.count - start))
        channels[channel].withUnsafeMutableBufferPointer { target in
            for index in 0..<present { target[filled &+ index] = source[start &+ index] }
            for index in present..<count { target[filled &+ index] = 0 }
        }
    }

    private func flush() {
        let count = filled
        filled = 0
        Self.withBuffers(channels[...], []) { buffers in
            blocks.take(buffers.map { UnsafeBufferPointer(rebasing: $0[..<count]) })
        }
    }

    /// Calls a closure with the buffers of arrays.
    private static func withBuffers(
        _ arrays: ArraySlice<[Float]>, _ buffers: [UnsafeBufferPointer<Float>],
        _ body: ([UnsafeBufferPointer<Float>]) -> Void
    ) {
        guard let first = arrays.first else { return body(buffers) }
        first.withUnsafeBufferPointer { withBuffers(arrays.dropFirst(), buffers + [$0], body) }
    }
}
