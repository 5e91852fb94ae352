/// The place of the loudspeaker that a channel is meant for.
public enum Loudspeaker: Sendable, Hashable {
    case frontLeft, frontRight, frontCentre, lowFrequency
    case backLeft, backRight, backCentre
    case sideLeft, sideRight
    case frontLeftOfCentre, frontRightOfCentre
    /// Any other.
    case other
}
