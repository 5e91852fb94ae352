public import Analyzer
public import Tagging

/// An edit of one file of a batch.
public struct TagEditRequest: Sendable {
    /// The file.
    public var path: RelativePath
    /// What to change.
    public var edit: TagEdit
    /// The state that the file must be in; nil where any will do.
    public var expected: FileState?

    /// Makes a request.
    public init(path: RelativePath, edit: TagEdit, expected: FileState? = nil) {
        self.path = path
        self.edit = edit
        self.expected = expected
    }
}
