/// The bit rate mode of a stream, determined from its frames.
public enum BitRateMode: String, Sendable, Hashable, CaseIterable {
    /// All frames have the same bit rate.
    case constant
    /// Bit rates differ, and the encoder states that it targeted an average.
    case average
    /// Bit rates differ.
    case variable
    /// Free format: headers do not state the bit rate (it is constant, and not one of the standard rates).
    case free
}
