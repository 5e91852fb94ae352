internal import CTagLib

/// What the tags and the cover of a file say, to tell afterwards whether an edit did what it was to do.
public struct TagState: Sendable {
    /// What the tags say.
    public let tags: TrackTags
    private let cover: EmbeddedCover?
    private let isFrontCover: Bool
    private let lyrics: [LyricsFrameBytes]

    /// Reads an open file, which stays open.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    public init(descriptor: Int32) throws(TaggingError) {
        tags = try TagHandle(descriptor: descriptor).trackTags
        let handle = try openedFileIfAny { ctaglib_cover_read_open(descriptor, $0, $1) }
        defer { ctaglib_cover_free(handle) }
        cover = handle.map(EmbeddedCover.init)
        isFrontCover = handle.map { ctaglib_cover_is_front($0) != 0 } ?? false
        lyrics = try LyricsFrameBytes.read(descriptor: descriptor)
    }

    /// The first field that does not say what it should after an edit; nil if all do, what the edit left alone too.
    /// - Parameters:
    ///   - edit: the edit, as ``TagEdit/checked()`` gives it.
    ///   - before: the state of the file before it.
    public func firstDifference(after edit: TagEdit, of before: TagState) -> TagField? {
        var expected = edit.applied(to: before.tags)
        if let field = TagEdit.firstDifference(expected, tags) { return field }
        switch edit.cover {
        case .leave: if cover != before.cover { return .cover }
        case .set(let picture): if cover?.data != picture.data || !isFrontCover { return .cover }
        case .remove: if isFrontCover { return .cover }
        }
        guard edit.lyrics.isDone(lyrics, of: before.lyrics) else { return .lyrics }
        // The rest, which no edit touches.
        expected.kinds = tags.kinds
        expected.hasCover = tags.hasCover
        return expected == tags ? nil : .comment
    }
}
