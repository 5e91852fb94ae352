/// The loudspeakers of a file's channels in the order of the channels, and how they are mixed.
public struct ChannelLayout: Sendable, Hashable {
    /// The loudspeaker of each channel.
    public let loudspeakers: [Loudspeaker]

    /// Creates a layout.
    public init(_ loudspeakers: [Loudspeaker]) { self.loudspeakers = loudspeakers }

    /// Number of channels.
    public var channelCount: Int { loudspeakers.count }

    /// The layout of a FLAC file (RFC 9639 §9.1.3), which is also that of other formats that state none.
    public static func flac(channelCount: Int) -> ChannelLayout {
        let front: [Loudspeaker] = [.frontLeft, .frontRight, .frontCentre]
        let back: [Loudspeaker] = [.backLeft, .backRight]
        let side: [Loudspeaker] = [.sideLeft, .sideRight]
        switch channelCount {
        case 1: return ChannelLayout([.frontCentre])
        case 2: return ChannelLayout([.frontLeft, .frontRight])
        case 3: return ChannelLayout(front)
        case 4: return ChannelLayout(front.dropLast() + back)
        case 5: return ChannelLayout(front + back)
        case 6: return ChannelLayout(front + [.lowFrequency] + back)
        case 7: return ChannelLayout(front + [.lowFrequency, .backCentre] + side)
        case 8: return ChannelLayout(front + [.lowFrequency] + back + side)
        default: return ChannelLayout([Loudspeaker](repeating: .other, count: channelCount))
        }
    }

    /// The weight of each channel in loudness: BS.1770-4, tables 3 and 4. Loudspeakers at the sides, 60° to 120° from the front, count
    /// 1.41, and those of layouts without others at the back are such; low-frequency effects do not count.
    public var loudnessWeights: [Double] {
        let hasSides = loudspeakers.contains(.sideLeft)
        return loudspeakers.map { loudspeaker in
            switch loudspeaker {
            case .lowFrequency: 0
            case .sideLeft, .sideRight: 1.41
            case .backLeft, .backRight: hasSides ? 1 : 1.41
            default: 1
            }
        }
    }

    /// The share of each channel in the left and the right of a stereo mix: BS.775-3, table 2, with 1/√2 for centre and surrounds and
    /// without low-frequency effects, scaled so that full scale in all channels does not exceed full scale. Nil for one and two channels,
    /// which are not mixed, and where nothing is known of the loudspeakers.
    public var stereoShares: (left: [Float], right: [Float])? {
        guard channelCount > 2, !loudspeakers.allSatisfy({ $0 == .other }) else { return nil }
        let shares = loudspeakers.map { Self.share($0) }
        let left = shares.map(\.left)
        let right = shares.map(\.right)
        let scale = 1 / max(left.reduce(0, +), right.reduce(0, +))
        guard scale.isFinite else { return nil }
        return (left.map { $0 * scale }, right.map { $0 * scale })
    }

    private static func share(_ loudspeaker: Loudspeaker) -> (left: Float, right: Float) {
        let half = Float(0.5).squareRoot()
        return switch loudspeaker {
        case .frontLeft, .frontLeftOfCentre: (1, 0)
        case .frontRight, .frontRightOfCentre: (0, 1)
        case .frontCentre: (half, half)
        case .lowFrequency: (0, 0)
        case .backLeft, .sideLeft: (half, 0)
        case .backRight, .sideRight: (0, half)
        case .backCentre, .other: (0.5, 0.5)
        }
    }
}
