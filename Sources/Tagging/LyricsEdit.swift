internal import CTagLib

/// Changes to the lyrics in the tags of a file, by their index in ``StoredLyrics``. Lyrics that are not mentioned remain
/// unchanged, byte for byte.
package struct LyricsEdit: Sendable, Hashable {
    /// A frame or a comment to write.
    package struct Item: Sendable, Hashable {
        /// How it is stored. Comments are for FLAC files, frames for ID3v2 tags.
        package var kind: LyricsKind
        /// Content for an ID3v2.4 tag, where text may be UTF-8, or the value of a comment.
        package var content: [UInt8]
        /// Content for tags of earlier versions.
        package var olderContent: [UInt8]

        /// Creates a frame.
        package init(kind: LyricsKind, content: [UInt8], olderContent: [UInt8]) {
            self.kind = kind
            self.content = content
            self.olderContent = olderContent
        }

        /// Creates a comment.
        package init(comment text: String) {
            self.init(kind: .comment, content: Array(text.utf8), olderContent: Array(text.utf8))
        }

        fileprivate func matches(_ item: StoredLyrics.Item) -> Bool {
            item.kind == kind && (item.content == content || item.content == olderContent)
        }
    }

    /// Maximum size of a frame's content in bytes.
    package static let maximumBytes = 2 << 20

    /// New lyrics by the index of the replaced ones.
    package var replaced: [Int: Item] = [:]
    /// Indexes of lyrics to remove.
    package var removed: Set<Int> = []
    /// Lyrics to add.
    package var added: [Item] = []

    /// Creates an edit that changes nothing.
    package init() {}

    /// Whether the lyrics of a file are the result of applying this edit to its former lyrics.
    func isDone(_ after: [StoredLyrics.Item], of before: [StoredLyrics.Item]) -> Bool {
        let kept = before.indices.filter { !removed.contains($0) }
        // Added lyrics are at the end of the first tag, before those of a second one.
        guard after.count == kept.count + added.count else { return false }
        var rest = after[...]
        var missing = added[...]
        for place in kept {
            while let next = rest.first, !isSame(next, before[place], at: place) {
                guard let item = missing.popFirst(), item.matches(next) else { return false }
                rest = rest.dropFirst()
            }
            guard rest.popFirst() != nil else { return false }
        }
        return rest.count == missing.count && zip(missing, rest).allSatisfy { $0.matches($1) }
    }

    private func isSame(_ item: StoredLyrics.Item, _ old: StoredLyrics.Item, at place: Int) -> Bool {
        replaced[place].map { $0.matches(item) } ?? (item == old)
    }

    /// Passes the edit to the tag library.
    func add(to edit: OpaquePointer) throws(TaggingError) {
        func check(_ status: ctaglib_status) throws(TaggingError) {
            if status != CTAGLIB_OK { throw failure(status, systemError: 0, path: "") }
        }
        for (place, item) in replaced { try check(Self.set(item, at: place, in: edit)) }
        for place in removed { try check(ctaglib_edit_remove_lyrics(edit, place)) }
        for item in added { try check(Self.set(item, at: nil, in: edit)) }
    }

    private static func set(_ item: Item, at place: Int?, in edit: OpaquePointer) -> ctaglib_status {
        ctaglib_edit_set_lyrics(
            edit, place ?? Int(bitPattern: UInt.max), item.kind.libraryKind, item.content, item.content.count,
            item.olderContent, item.olderContent.count)
    }
}
