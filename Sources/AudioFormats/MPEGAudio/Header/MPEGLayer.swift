/// The layer of MPEG audio stated in a frame header.
public enum MPEGLayer: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Layer I: 384 samples per frame.
    case layer1 = 1
    /// Layer II, MP2.
    case layer2
    /// Layer III, MP3: the only layer indexed by this module.
    case layer3

    /// "layer I", "layer II" or "layer III".
    public var description: String {
        switch self {
        case .layer1: "layer I"
        case .layer2: "layer II"
        case .layer3: "layer III"
        }
    }
}
