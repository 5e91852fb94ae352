/// MixRamp values written by another program: the level at times after the start and before the end of the track, as "dB
/// seconds;dB seconds;…".
package struct MixRampTags: Sendable, Hashable {
    /// `MIXRAMP_START`.
    package var start: String?
    /// `MIXRAMP_END`.
    package var end: String?
    /// `MIXRAMP_REF`, the reference level in dB.
    package var reference: String?

    /// Memberwise initializer.
    package init(start: String? = nil, end: String? = nil, reference: String? = nil) {
        self.start = start
        self.end = end
        self.reference = reference
    }
}
