public import Analyzer
public import Tagging

/// An edit of one file of a batch.
public struct TagEditRequest: Sendable {
    /// The file.
    public var path: RelativePath
    /// The change.
    public var edit: TagEdit
    /// The state that the file must be in; nil to accept any.
    public var expected: FileState?

    /// Creates a request.
    public init(path: RelativePath, edit: TagEdit, expected: FileState? = nil) {
        self.path = path
        self.edit = edit
        self.expected = expected
    }
}
