/// Decoded samples in playback order.
struct SampleQueue {
    let channelCount: Int
    private var samples: [Float] = []
    private var head = 0
    /// Samples at the end that may turn out to be padding, per channel.
    private var held = 0

    init(channelCount: Int) { self.channelCount = channelCount }

    /// Number of samples per channel that can be taken.
    var count: Int { max(0, (samples.count - head) / channelCount - held) }

    /// Holds back the given number of samples at the end until more arrive.
    mutating func holdBack(_ count: Int) { held = count }

    mutating func append(_ interleaved: UnsafeBufferPointer<Float>) {
        if head > 1 << 15 {
            samples.removeFirst(head)
            head = 0
        }
        samples.append(contentsOf: interleaved)
    }

    /// Drops the given number of samples at the end and releases the rest.
    mutating func finish(dropping count: Int) {
        held = 0
        samples.removeLast(min(samples.count - head, max(0, count) * channelCount))
    }

    /// Removes samples from the front and passes them to `body`, interleaved.
    mutating func take(_ count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
        let range = head..<head + count * channelCount
        samples.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
        head = range.upperBound
    }

    mutating func removeAll() {
        samples.removeAll(keepingCapacity: true)
        head = 0
        held = 0
    }
}
