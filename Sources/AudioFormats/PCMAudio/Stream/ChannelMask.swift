internal import AudioChannels

extension ChannelLayout {
    /// The loudspeakers by the bits of WAVEFORMATEXTENSIBLE's channel mask, the lowest first.
    private static let maskOrder: [Loudspeaker] = [
        .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight, .frontLeftOfCentre,
        .frontRightOfCentre, .backCentre, .sideLeft, .sideRight,
    ]

    /// The layout that a channel mask states, in the order of its bits; channels that it does not name follow. A mask of zero states
    /// nothing.
    static func wav(mask: Int, channelCount: Int) -> ChannelLayout {
        guard mask != 0 else { return .flac(channelCount: channelCount) }
        var places: [Loudspeaker] = []
        for bit in 0..<32 where mask >> bit & 1 != 0 && places.count < channelCount {
            places.append(bit < maskOrder.count ? maskOrder[bit] : .other)
        }
        return ChannelLayout(places + [Loudspeaker](repeating: .other, count: channelCount - places.count))
    }
}
