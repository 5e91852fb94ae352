/// Makes blocks for the measurements from decoded channels: mixes them to stereo and to mono.
final class FLACBlocks {
    private let channelCount: Int
    private let shares: (left: [Float], right: [Float])?
    private let body: (PCMBlock) -> Void
    private var left: [Float] = []
    private var right: [Float] = []
    private var mono: [Float] = []
    private var silence: [Float] = []

    /// - Parameter shares: the share of each channel in a stereo mix; nil for one or two channels.
    init(
        channelCount: Int, shares: (left: [Float], right: [Float])?, body: @escaping (PCMBlock) -> Void
    ) {
        self.channelCount = channelCount
        self.shares = shares
        self.body = body
    }

    /// Passes on the samples of a frame.
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
