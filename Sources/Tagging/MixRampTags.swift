/// The MixRamp values that another program left in the tags: how loud the track is how long after its
/// beginning and before its end, as "dB seconds;dB seconds;…".
public struct MixRampTags: Sendable, Hashable {
    /// `MIXRAMP_START`.
    public var start: String?
    /// `MIXRAMP_END`.
    public var end: String?
    /// `MIXRAMP_REF`, the reference level in dB.
    public var reference: String?

    /// Makes a set of values.
    public init(start: String? = nil, end: String? = nil, reference: String? = nil) {
        self.start = start
        self.end = end
        self.reference = reference
    }
}
