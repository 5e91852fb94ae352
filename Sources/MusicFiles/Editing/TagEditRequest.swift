package import Analyzer
package import LibraryStore
package import Tagging

/// An edit of one file of a batch.
package struct TagEditRequest: Sendable {
    /// The file.
    package var path: RelativePath
    /// The change.
    package var edit: TagEdit
    /// The state that the file must be in; nil to accept any.
    package var expected: FileState?

    /// Creates a request.
    package init(path: RelativePath, edit: TagEdit, expected: FileState? = nil) {
        self.path = path
        self.edit = edit
        self.expected = expected
    }
}
