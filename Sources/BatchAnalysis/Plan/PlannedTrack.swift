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
    /// The cue sheets in the same folder of a bucket. Those of a file are read where it is.
    package var sheets: [PlannedSheet] = []
    /// If there are sheets, the names of all objects in the same folder that a sheet may divide.
    package var divisibleNames: [String] = []

    /// Creates a reference.
    package init(path: RelativePath, file: FileState, entityTag: String? = nil) {
        self.path = path
        self.file = file
        self.entityTag = entityTag
    }
}

/// A reference to a cue sheet in a bucket.
package struct PlannedSheet: Sendable, Hashable {
    /// The path, relative to the root of the plan.
    package var path: RelativePath
    /// The size and modification time when the plan was made.
    package var file: FileState
    /// The version of the object, as its server names it (`ETag`).
    package var entityTag: String?

    /// Creates a reference.
    package init(path: RelativePath, file: FileState, entityTag: String?) {
        self.path = path
        self.file = file
        self.entityTag = entityTag
    }
}
