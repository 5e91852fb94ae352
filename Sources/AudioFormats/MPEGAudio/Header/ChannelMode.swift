/// Channel coding of a frame (ISO/IEC 11172-3 §2.4.2.3, `mode`).
public enum ChannelMode: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Two channels coded separately.
    case stereo
    /// Two channels; frames may use mid/side or intensity coding.
    case jointStereo
    /// Two unrelated channels.
    case dualChannel
    /// One channel.
    case mono

    /// 1 for mono, 2 otherwise.
    public var channelCount: Int { self == .mono ? 1 : 2 }

    /// Display name.
    public var description: String {
        switch self {
        case .stereo: "stereo"
        case .jointStereo: "joint stereo"
        case .dualChannel: "dual channel"
        case .mono: "mono"
        }
    }
}
