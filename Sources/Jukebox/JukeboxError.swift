/// Why the jukebox rejects a command.
package struct JukeboxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: Sendable {
        /// A track does not exist.
        case noSuchTrack
        /// An index is not in the queue.
        case badPosition
        /// The queue has changed since the client read it.
        case changedMeanwhile
        /// The queue would be too long.
        case tooManyTracks
    }

    /// The kind of error.
    package let code: Code
    /// A message for the user.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
