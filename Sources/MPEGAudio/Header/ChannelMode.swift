/// How a frame's channels are coded (ISO/IEC 11172-3 §2.4.2.3, `mode`).
public enum ChannelMode: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Two channels coded apart.
    case stereo
    /// Two channels of which frames may use mid/side or intensity coding.
    case jointStereo
    /// Two channels that do not belong together.
    case dualChannel
    /// One channel.
    case mono

    /// 1 for mono, 2 otherwise.
    public var channelCount: Int { self == .mono ? 1 : 2 }

    /// A name for people.
    public var description: String {
        switch self {
        case .stereo: "stereo"
        case .jointStereo: "joint stereo"
        case .dualChannel: "dual channel"
        case .mono: "mono"
        }
    }
}
