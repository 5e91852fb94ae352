internal import CTagLib

/// A lyrics frame (`USLT`, `SYLT`) of a file, as its bytes: what they say is for others to read.
public struct LyricsFrameBytes: Sendable, Hashable {
    /// Whether it is `SYLT`.
    public var isSynchronised: Bool
    /// The frame without its header; nil where it is encrypted, compressed or too large.
    public var content: [UInt8]?

    /// Reads the lyrics frames of an open file, which stays open, in their order. Damaged tags give what can be read.
    /// - Throws: ``TaggingError`` if the file cannot be read.
    public static func read(descriptor: Int32) throws(TaggingError) -> [LyricsFrameBytes] {
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
