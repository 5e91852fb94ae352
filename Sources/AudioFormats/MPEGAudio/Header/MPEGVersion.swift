/// The version of MPEG audio stated in a frame header.
public enum MPEGVersion: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// MPEG-1 (ISO/IEC 11172-3): 32, 44.1 and 48 kHz.
    case v1
    /// MPEG-2 low sampling frequencies (ISO/IEC 13818-3): 16, 22.05 and 24 kHz.
    case v2
    /// MPEG-2.5, Fraunhofer's extension: 8, 11.025 and 12 kHz.
    case v2_5

    /// "MPEG-1", "MPEG-2" or "MPEG-2.5".
    public var description: String {
        switch self {
        case .v1: "MPEG-1"
        case .v2: "MPEG-2"
        case .v2_5: "MPEG-2.5"
        }
    }
}
