public import Companion

/// Told of what requests have changed in the music folder, after it is done and stored: for programs that have a catalogue
/// of their own, and for clients.
public struct LibraryChangeListener: Sendable {
    /// A track that was changed.
    public struct Track: Sendable, Equatable {
        /// Its number; nil where the library does not know the file yet.
        public var id: Int?
        /// Its path.
        public var path: RelativePath

        /// Puts the parts together.
        public init(id: Int?, path: RelativePath) {
            self.id = id
            self.path = path
        }
    }

    /// Called with tracks whose tags were edited; once after each request.
    public var tracksEdited: @Sendable ([Track]) -> Void

    /// Tells nobody, unless told otherwise.
    public init(tracksEdited: @escaping @Sendable ([Track]) -> Void = { _ in }) {
        self.tracksEdited = tracksEdited
    }
}
