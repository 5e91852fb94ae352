/// The start and end of a track's sound.
public struct SilenceBounds: Sendable, Equatable {
    /// End of the leading silence in seconds; 0 if the sound starts immediately.
    public var leadingEndSeconds: Double
    /// Start of the trailing silence in seconds; the track's duration if it has none.
    public var trailingStartSeconds: Double
    /// Whether nothing in the track exceeds the threshold. In that case all of it is leading silence: `leadingEndSeconds` is
    /// the duration and `trailingStartSeconds` is 0.
    public var isSilent: Bool

    /// Memberwise initializer.
    public init(leadingEndSeconds: Double, trailingStartSeconds: Double, isSilent: Bool) {
        self.leadingEndSeconds = leadingEndSeconds
        self.trailingStartSeconds = trailingStartSeconds
        self.isSilent = isSilent
    }
}
