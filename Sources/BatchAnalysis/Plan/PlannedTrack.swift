package import Analyzer
package import LibraryStore

/// A reference to a track that a part analyses.
package struct PlannedTrack: Sendable, Equatable {
    /// The path, relative to the root of the plan.
    package var path: RelativePath
    /// The size and modification time when the plan was made; both 0 for a file that did not exist.
    package var file: FileState
    /// The version of an object in a bucket, as its server names it (`ETag`); nil for a file.
    package var entityTag: String?

    /// Creates a reference.
    package init(path: RelativePath, file: FileState, entityTag: String? = nil) {
        self.path = path
        self.file = file
        self.entityTag = entityTag
    }
}
