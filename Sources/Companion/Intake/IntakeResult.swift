public import Analyzer

/// The result of processing an uploaded file.
public struct IntakeResult: Sendable {
    /// The possible outcomes.
    public enum Outcome: Sendable {
        /// The file has been stored in the music folder. The track's id is nil if the library could not be
        /// updated; the next pass finds the file.
        case stored(RelativePath, trackID: Int?)
        /// The music folder already contains this audio; nothing was stored.
        case duplicate(RelativePath, trackID: Int?)
        /// The file was rejected.
        case refused(IntakeError)
        /// A cover from a zip, stored with its album in the music folder.
        case cover(RelativePath)
        /// A file from a zip that is neither music nor a cover.
        case ignored
    }

    /// Name of the uploaded file; a file in a zip is prefixed with the zip's name and a slash.
    public var fileName: String
    /// The outcome.
    public var outcome: Outcome
    /// Hash of the audio, if known.
    public var audioHash: AudioHash?
    /// Duration in seconds.
    public var durationSeconds: Double?

    /// Creates a result.
    public init(
        fileName: String, outcome: Outcome, audioHash: AudioHash? = nil, durationSeconds: Double? = nil
    ) {
        self.fileName = fileName
        self.outcome = outcome
        self.audioHash = audioHash
        self.durationSeconds = durationSeconds
    }

    /// The reason for the rejection, if the file was rejected.
    public var refusal: IntakeError? {
        if case .refused(let error) = outcome { error } else { nil }
    }
}
