internal import CTagLib

/// The tags and cover of a file, for verifying an edit.
package struct TagState: Sendable {
    /// The tags.
    package let tags: TrackTags
    /// The embedded cover.
    let cover: EmbeddedCover?
    private let isFrontCover: Bool
    private let lyrics: [StoredLyrics.Item]

    /// Reads an open file without closing it.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package init(descriptor: Int32) throws(TaggingError) {
        tags = try TagHandle(descriptor: descriptor).trackTags
        let handle = try openedFileIfAny { ctaglib_cover_read_open(descriptor, $0, $1) }
        defer { ctaglib_cover_free(handle) }
        cover = handle.map(EmbeddedCover.init)
        isFrontCover = handle.map { ctaglib_cover_is_front($0) != 0 } ?? false
        lyrics = try StoredLyrics.read(descriptor: descriptor).items
    }

    /// Returns the first field without the expected value after an edit, including unedited fields; nil if all are as expected.
    /// - Parameters:
    ///   - edit: the edit as returned by ``TagEdit/checked()``.
    ///   - before: the state of the file before the edit.
    package func firstDifference(after edit: TagEdit, of before: TagState) -> TagField? {
        var expected = edit.applied(to: before.tags)
        if let field = TagEdit.firstDifference(expected, tags) { return field }
        switch edit.cover {
        case .leave: if cover != before.cover { return .cover }
        case .set(let picture): if cover?.data != picture.data || !isFrontCover { return .cover }
        case .remove: if isFrontCover { return .cover }
        }
        guard edit.lyrics.isDone(lyrics, of: before.lyrics) else { return .lyrics }
        // The remaining values, which edits do not affect.
        expected.kinds = tags.kinds
        expected.hasCover = tags.hasCover
        return expected == tags ? nil : .comment
    }
}
