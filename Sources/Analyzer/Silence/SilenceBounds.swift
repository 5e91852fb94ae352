/// Where a track's sound begins and ends.
public struct SilenceBounds: Sendable, Equatable {
    /// End of the leading silence in seconds; 0 where the sound begins at once.
    public var leadingEndSeconds: Double
    /// Start of the trailing silence in seconds; the track's duration where it sounds to its end.
    public var trailingStartSeconds: Double
    /// Nothing in the track rises above the threshold: all of it is leading silence, `leadingEndSeconds` is the
    /// duration and `trailingStartSeconds` is 0.
    public var isSilent: Bool

    /// Puts the parts together.
    public init(leadingEndSeconds: Double, trailingStartSeconds: Double, isSilent: Bool) {
        self.leadingEndSeconds = leadingEndSeconds
        self.trailingStartSeconds = trailingStartSeconds
        self.isSilent = isSilent
    }
}
