internal import CTagLib

/// The raw bytes of a lyrics frame (`USLT`, `SYLT`); they are not interpreted here.
package struct LyricsFrameBytes: Sendable, Hashable {
    /// Whether the frame is `SYLT`.
    package var isSynchronised: Bool
    /// The frame without its header; nil if it is encrypted, compressed or too large.
    package var content: [UInt8]?

    /// Reads the lyrics frames of an open file in order, without closing it. From damaged tags, whatever is readable is returned.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    package static func read(descriptor: Int32) throws(TaggingError) -> [LyricsFrameBytes] {
        let handle = try openedFile { ctaglib_lyrics_read_open(descriptor, $0, $1) }
        defer { ctaglib_lyrics_free(handle) }
        return (0..<ctaglib_lyrics_count(handle)).map { place in
            let bytes = ctaglib_lyrics_content(handle, place)
            return LyricsFrameBytes(
                isSynchronised: ctaglib_lyrics_is_synchronised(handle, place) != 0,
                content: ctaglib_lyrics_is_readable(handle, place) != 0
                    ? Array(UnsafeBufferPointer(start: bytes.start, count: bytes.count)) : nil)
        }
    }
}
