public import Analyzer

/// What became of a file that was sent.
public struct IntakeResult: Sendable {
    /// The ways in which it may end.
    public enum Outcome: Sendable {
        /// It is in the music folder now. The track's id is nil where the library could not be written; the next pass finds
        /// the file.
        case stored(RelativePath, trackID: Int?)
        /// The music folder has this audio already, and nothing was stored.
        case duplicate(RelativePath, trackID: Int?)
        /// It was not taken.
        case refused(IntakeError)
        /// It came with others in a zip, and is not said to be music.
        case ignored
    }

    /// The name that it came with; of a file in a zip, the zip's name and a slash before it.
    public var fileName: String
    /// What became of it.
    public var outcome: Outcome
    /// What it sounds like, where that was found out.
    public var audioHash: AudioHash?
    /// How long it plays, in seconds.
    public var durationSeconds: Double?

    /// Puts the parts together.
    public init(
        fileName: String, outcome: Outcome, audioHash: AudioHash? = nil, durationSeconds: Double? = nil
    ) {
        self.fileName = fileName
        self.outcome = outcome
        self.audioHash = audioHash
        self.durationSeconds = durationSeconds
    }

    /// Why it was not taken, if it was not.
    public var refusal: IntakeError? {
        if case .refused(let error) = outcome { error } else { nil }
    }
}
