/// Irregularities of an MP4 file that its tables show.
public struct MP4Diagnostics: Sendable, Hashable {
    /// Number of access units beyond the end of the file, which are left out.
    public var missingUnits = 0
    /// Number of access units without bytes, which are left out.
    public var emptyUnits = 0
    /// Whether access units share bytes, so that the rest was left out.
    public var hasOverlappingUnits = false
    /// Number of other tracks with audio, which are ignored.
    public var otherAudioTracks = 0
    /// Samples that the edit list or `iTunSMPB` plays beyond those that exist.
    public var missingSamples = 0

    /// Creates the diagnostics of a sound file.
    public init() {}
}
