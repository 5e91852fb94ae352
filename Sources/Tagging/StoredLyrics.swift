internal import CTagLib

/// The lyrics in the tags of a file, as raw bytes; they are not interpreted here.
package struct StoredLyrics: Sendable, Hashable {
    /// A frame (`USLT`, `SYLT`) or a Vorbis comment.
    package struct Item: Sendable, Hashable {
        /// How it is stored.
        package var kind: LyricsKind
        /// The frame without its header, or the value of the comment; nil if it is encrypted, compressed or too large.
        package var content: [UInt8]?
    }

    /// The lyrics in order: comments, then frames.
    package let items: [Item]
    /// The container of the file, which decides how new lyrics are stored.
    package let container: TagContainer

    /// Reads the lyrics of an open file, without closing it. From damaged tags, whatever is readable is returned.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(descriptor: Int32) throws(TaggingError) -> StoredLyrics {
        let handle = try openedFile { ctaglib_lyrics_read_open(descriptor, $0, $1) }
        defer { ctaglib_lyrics_free(handle) }
        let items = (0..<ctaglib_lyrics_count(handle)).map { place in
            let bytes = ctaglib_lyrics_content(handle, place)
            return Item(
                kind: LyricsKind(ctaglib_lyrics_kind_at(handle, place)),
                content: ctaglib_lyrics_is_readable(handle, place) != 0
                    ? Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count)) : nil)
        }
        return StoredLyrics(items: items, container: TagContainer(ctaglib_lyrics_container(handle)))
    }
}
