/// The place of a loudspeaker, as the bits of WAVEFORMATEXTENSIBLE's channel mask number them.
public enum Speaker: Int, Sendable, Hashable {
    case frontLeft, frontRight, frontCentre, lowFrequency, backLeft, backRight
    case frontLeftOfCentre, frontRightOfCentre, backCentre, sideLeft, sideRight
    /// Above the listener, or unknown.
    case other

    /// Returns the places in a mask, in the order of the channels; channels that the mask does not name follow as `other`.
    static func places(mask: Int, channelCount: Int) -> [Speaker] {
        var places: [Speaker] = []
        for bit in 0..<32 where mask >> bit & 1 != 0 && places.count < channelCount {
            places.append(Speaker(rawValue: bit) ?? .other)
        }
        return places + [Speaker](repeating: .other, count: channelCount - places.count)
    }

    /// The usual places for a number of channels, where a file does not state them.
    static func usual(channelCount: Int) -> [Speaker] {
        switch channelCount {
        case 1: [.frontCentre]
        case 2: [.frontLeft, .frontRight]
        case 3: [.frontLeft, .frontRight, .frontCentre]
        case 4: [.frontLeft, .frontRight, .backLeft, .backRight]
        case 5: [.frontLeft, .frontRight, .frontCentre, .backLeft, .backRight]
        case 6: [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight]
        case 7:
            [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backCentre, .sideLeft, .sideRight]
        case 8:
            [
                .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight, .sideLeft,
                .sideRight,
            ]
        default: [Speaker](repeating: .other, count: channelCount)
        }
    }
}
