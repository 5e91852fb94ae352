internal import AudioChannels

/// Makes blocks for the measurements from the decoded channels of a file: mixes them to stereo and to mono.
final class ChannelBlocks {
    private let channelCount: Int
    private let shares: (left: [Float], right: [Float])?
    private let body: (PCMBlock) -> Void
    private var left: [Float] = []
    private var right: [Float] = []
    private var mono: [Float] = []
    private var silence: [Float] = []

    init(_ layout: ChannelLayout, body: @escaping (PCMBlock) -> Void) {
        channelCount = layout.channelCount
        self.body = body
        shares = layout.stereoShares
    }

    /// Passes on the samples of a frame or an access unit.
    func take(_ channels: [UnsafeBufferPointer<Float>]) {
        guard channels.count == channelCount, let first = channels.first else { return }
        guard channelCount > 1 else { return body(PCMBlock(channels: channels, mono: first)) }
        resize(first.count)
        guard let shares else {
            Self.mean(channels[0], channels[1], into: &mono)
            return mono.withUnsafeBufferPointer { body(PCMBlock(channels: channels, mono: $0)) }
        }
        Self.mix(channels, shares.left, into: &left)
        Self.mix(channels, shares.right, into: &right)
        left.withUnsafeBufferPointer { left in
            right.withUnsafeBufferPointer { right in
                Self.mean(left, right, into: &mono)
                mono.withUnsafeBufferPointer {
                    body(PCMBlock(channels: channels, stereo: [left, right], mono: $0))
                }
            }
        }
    }

    /// Passes on a part of the samples of an access unit: what players play of it.
    func take(_ channels: [UnsafeBufferPointer<Float>], _ part: Range<Int>) {
        guard !part.isEmpty, part.upperBound <= channels.first?.count ?? 0 else { return }
        take(channels.map { UnsafeBufferPointer(rebasing: $0[part]) })
    }

    /// Passes on silence for a frame that could not be decoded.
    func takeSilence(count: Int) {
        if silence.count < count { silence = [Float](repeating: 0, count: count) }
        silence.withUnsafeBufferPointer { silence in
            let channel = UnsafeBufferPointer(rebasing: silence[..<count])
            take([UnsafeBufferPointer<Float>](repeating: channel, count: channelCount))
        }
    }

    private func resize(_ count: Int) {
        guard mono.count != count else { return }
        mono = [Float](repeating: 0, count: count)
        guard shares != nil else { return }
        left = mono
        right = mono
    }

    private static func mean(
        _ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>, into output: inout [Float]
    ) {
        output.withUnsafeMutableBufferPointer { output in
            for index in 0..<output.count { output[index] = 0.5 * (left[index] + right[index]) }
        }
    }

    private static func mix(
        _ channels: [UnsafeBufferPointer<Float>], _ shares: [Float], into output: inout [Float]
    ) {
        output.withUnsafeMutableBufferPointer { output in
            output.update(repeating: 0)
            for (channel, share) in zip(channels, shares) where share > 0 {
                for index in 0..<output.count { output[index] += share * channel[index] }
            }
        }
    }
}
