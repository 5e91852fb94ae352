/// How the bit rate behaves over a stream, by the frames themselves.
public enum BitRateMode: String, Sendable, Hashable, CaseIterable {
    /// All frames state one bit rate.
    case constant
    /// Bit rates differ, and the encoder says that it aimed at an average.
    case average
    /// Bit rates differ.
    case variable
    /// Free format: headers do not state the bit rate (it is constant, and none of the standard's).
    case free
}
