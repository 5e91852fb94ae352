/// Computes the standard deviation of values that arrive one by one.
struct Spread {
    private var count = 0
    private var sum = 0.0
    private var squares = 0.0

    /// Adds a value.
    @inline(__always)
    mutating func add(_ value: Float) {
        count += 1
        sum += Double(value)
        squares += Double(value) * Double(value)
    }

    /// Standard deviation of the values so far; 0 without values.
    var standardDeviation: Float {
        guard count > 0 else { return 0 }
        let mean = sum / Double(count)
        return Float(max(0, squares / Double(count) - mean * mean).squareRoot())
    }
}
