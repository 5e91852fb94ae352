package import Analyzer
package import LibraryStore

/// The result of processing an uploaded file.
package struct IntakeResult: Sendable {
    /// The possible outcomes.
    package enum Outcome: Sendable {
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
    package var fileName: String
    /// The outcome.
    package var outcome: Outcome
    /// Hash of the audio, if known.
    package var audioHash: AudioHash?
    /// Duration in seconds.
    package var durationSeconds: Double?

    /// Creates a result.
    package init(
        fileName: String, outcome: Outcome, audioHash: AudioHash? = nil, durationSeconds: Double? = nil
    ) {
        self.fileName = fileName
        self.outcome = outcome
        self.audioHash = audioHash
        self.durationSeconds = durationSeconds
    }

    /// The reason for the rejection, if the file was rejected.
    package var refusal: IntakeError? {
        if case .refused(let error) = outcome { error } else { nil }
    }
}
