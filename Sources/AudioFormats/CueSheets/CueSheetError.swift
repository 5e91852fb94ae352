/// The reason why a cue sheet cannot be used.
package struct CueSheetError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Error codes.
    package enum Code: Sendable, Hashable {
        /// The text or the block is no cue sheet.
        case malformed
        /// The sheet describes several files, each with its own tracks.
        case severalFiles
        /// The sheet has fewer than two tracks of audio, so the file is shown as it is.
        case singleTrack
        /// The positions of tracks are missing, do not ascend, or lie beyond the end of the audio.
        case invalidPositions
    }

    /// The error code.
    package let code: Code
    /// A readable sentence without the sheet's name.
    package let message: String

    /// Memberwise initializer.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
