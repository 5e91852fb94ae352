/// Something that this program has changed in the music folder, and told the library of.
public enum IntakeChange: Sendable, Equatable {
    /// A file has come; its analysis is yet to be made unless the audio was known.
    case added(RelativePath, trackID: Int?)
    /// A file has gone from its place.
    case removed(RelativePath, trackID: Int?)
}
