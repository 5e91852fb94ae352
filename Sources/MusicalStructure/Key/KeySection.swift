/// A part of a track in one key.
public struct KeySection: Sendable, Equatable {
    /// Time at which it starts in seconds; 0 for the first one.
    public var seconds: Double
    /// The key from then on. Its confidence is the probability that it is right and, unless it is the first one, starts within 6 s of
    /// this time.
    public var key: MusicalKey

    /// Memberwise initializer.
    public init(seconds: Double, key: MusicalKey) {
        self.seconds = seconds
        self.key = key
    }
}
