/// Computes the mean over an odd window around each value of a stream; at the ends, over the part of the window that exists.
struct MovingMean {
    private let reach: Int
    /// Ring buffer of the last values; its length is a power of two.
    private var recent: [Float]
    private let mask: Int
    private var count = 0
    private var emitted = 0
    private var sum = 0.0

    /// - Parameter window: number of values per mean, odd.
    init(window: Int) {
        reach = window / 2
        var length = 4
        while length < 2 * reach + 2 { length *= 2 }
        recent = [Float](repeating: 0, count: length)
        mask = length - 1
    }

    /// Appends the next value; returns the value whose window is now complete, and its mean.
    @inline(__always)
    mutating func append(_ value: Float) -> (value: Float, mean: Float)? {
        recent[count & mask] = value
        sum += Double(value)
        count += 1
        return count > reach ? emit() : nil
    }

    /// Returns the values whose windows extend past the end, one per call; then nil.
    mutating func drain() -> (value: Float, mean: Float)? {
        emitted < count ? emit() : nil
    }

    @inline(__always)
    private mutating func emit() -> (value: Float, mean: Float) {
        let index = emitted
        if index - reach - 1 >= 0 { sum -= Double(recent[(index - reach - 1) & mask]) }
        let present = min(index + reach, count - 1) - max(index - reach, 0) + 1
        emitted += 1
        return (recent[index & mask], Float(sum / Double(present)))
    }
}
