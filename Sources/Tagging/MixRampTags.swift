/// MixRamp values written by another program: the level at times after the start and before the end of the track, as "dB
/// seconds;dB seconds;…".
public struct MixRampTags: Sendable, Hashable {
    /// `MIXRAMP_START`.
    public var start: String?
    /// `MIXRAMP_END`.
    public var end: String?
    /// `MIXRAMP_REF`, the reference level in dB.
    public var reference: String?

    /// Memberwise initializer.
    public init(start: String? = nil, end: String? = nil, reference: String? = nil) {
        self.start = start
        self.end = end
        self.reference = reference
    }
}
