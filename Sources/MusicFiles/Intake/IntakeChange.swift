package import LibraryStore

/// A change that this program has made to the music folder and recorded in the library.
package enum IntakeChange: Sendable, Equatable {
    /// A file was added; it is still to be analysed unless the audio was known.
    case added(RelativePath, trackID: Int?)
    /// A file was removed from its path.
    case removed(RelativePath, trackID: Int?)
}
